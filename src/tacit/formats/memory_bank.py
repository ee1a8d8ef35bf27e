"""A memory bank of files, MEMORY.md and details/ or an older generation: read as documents, written from a bank."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.errors import TacitError
from tacit.formats import native
from tacit.formats.decoding import decode, is_utf8
from tacit.formats.found import DETAILS, IMPORTED, Found, FoundDocument, FoundNote, Passed, split
from tacit.formats.prose import portable
from tacit.note.model import Layer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tacit.formats.native import Document

NAME = OLD_FOLDER = "memory-bank"
ENTRY = "MEMORY.md"
NOTES = f"{DETAILS}/notes"
# What the first generation of memory banks starts with; a later one has MEMORY.md and details/.
_FIRST = re.compile(r"(?:brief|active|_index)(?:\.md)?(?:/.*)?", re.IGNORECASE)
STATED = (
    "projectbrief.md",
    "activecontext.md",
    "techcontext.md",
    "systempatterns.md",
    "productcontext.md",
    "progress.md",
)


def is_memory_bank(files: Sequence[str]) -> bool:
    """Whether the files of a folder, relative to it, are a memory bank of any generation."""
    known = any(file == ENTRY or file.startswith(f"{DETAILS}/") or file.lower() in STATED for file in files)
    return known or is_oldest(files)


def is_oldest(files: Sequence[str]) -> bool:
    """Whether files are those of the first generation: brief, active and _index."""
    return any(_FIRST.fullmatch(file) for file in files)


def read(files: Mapping[str, bytes], _name: str) -> Found:
    """Return the documents of a memory bank where a bank of ours has them, and the notes that ours wrote into it."""
    found = Found(NAME, dated=True)
    for path in sorted(files):
        text = decode(files[path])
        if text is None or not text.strip():
            found.add(Passed(path, "binary" if text is None else "empty"))
            continue
        layer = next((each for each in Layer if path.startswith(f"{NOTES}/{each.folder}/")), None)
        note = native_note(path, files[path], layer) if layer else None
        kept = files[path] if is_utf8(files[path]) else text.encode()
        inside = path if path == ENTRY or path.startswith(f"{DETAILS}/") else f"{DETAILS}/{path}"
        found.add(note or FoundDocument(path, inside if inside == ENTRY else portable(inside), kept))
    return found


def native_note(path: str, content: bytes, layer: Layer) -> FoundNote | None:
    """Return a note in Tacit's own format with its id; None if the file is none."""
    name = path.rpartition("/")[2]
    try:
        document = native.parse(content, f"{layer.folder}/{name}")
    except TacitError:
        return None
    return FoundNote(path, document.note, content.decode(), *split(document), document)


def write(notes: Iterable[Document], documents: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a memory bank: MEMORY.md and details/ as they are, the notes below details/notes."""
    files = {path: content for path, content in documents.items() if path == ENTRY or path.startswith(f"{DETAILS}/")}
    for document in notes:
        plain = document.with_fields(origin=None, confirmed=None, **{IMPORTED: None})
        files[f"{NOTES}/{document.note.file}"] = plain.render()
    return files
