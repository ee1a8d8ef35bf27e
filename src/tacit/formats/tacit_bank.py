"""Another bank of Tacit's own: notes keep their ids, documents their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.formats.decoding import decode
from tacit.formats.found import Found, FoundDocument, Passed, layer_of
from tacit.formats.memory_bank import ENTRY, native_note
from tacit.formats.prose import Manner
from tacit.formats.prose import read as read_prose
from tacit.note.blob import FOLDER
from tacit.note.model import Layer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.formats.found import FoundNote

NAME = "tacit"
_MADE = frozenset({"INDEX.md", "README.md", "tacit.toml", "memory.lock", ".gitignore", ".gitattributes"}) | {
    "references/note-template.md"
}
PRIVATE = ("staging/", ".trash/", ".local/", "conflicts/", "L4_working/", "share/")
_TAKEN = ("details/", f"{FOLDER}/", "L0_core/", "L3_episodic/EP-", "references/imported/")


def read(files: Mapping[str, bytes], name: str) -> Found:
    """Return what a bank holds, but for what is private to a machine or made from the notes."""
    found = Found(NAME, dated=True)
    for path in sorted(files):
        found.add(_item(path, files[path], name))
    return found


def _item(path: str, content: bytes, name: str) -> FoundNote | FoundDocument | Passed:
    if path in _MADE or path.startswith(PRIVATE) or path == "L3_episodic/INDEX.md":
        return Passed(path, "derived" if path.endswith("INDEX.md") else "own" if path in _MADE else "private")
    if decode(content) is None or not content.strip():
        return Passed(path, "binary" if content.strip() else "empty")
    layer = layer_of(path)
    if layer in (Layer.DECLARATIVE, Layer.PROCEDURAL):
        return native_note(path, content, layer) or read_prose(path, content, Manner(name))
    if path == ENTRY or path.startswith(_TAKEN):
        return FoundDocument(path, path, content)
    return read_prose(path, content, Manner(name))
