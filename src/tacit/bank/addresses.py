"""What an id, a path or a pointer names in a bank."""

from __future__ import annotations

import os
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.bank import history
from tacit.errors import NoteNotFound, PathRefused, PointerDangling
from tacit.formats import native
from tacit.note.model import Layer, is_core_id
from tacit.note.pointer import Pointer
from tacit.text import slug

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tacit.store.store import Store

# How often a note may be moved away under a reader's eyes before it counts as gone.
_TRIES = 10


def locate(store: Store, note_id: str) -> str:
    """Return the path, inside the bank, of the note with that id or path; raise NoteNotFound or DuplicateId."""
    now = store.look()
    for double in now.duplicates():
        if double.details["id"] == note_id:
            raise double
    winners = now.winners()
    if note_id in winners:
        return winners[note_id]
    path = _inside(store.layout.root, note_id)
    if path in now.broken:
        raise now.broken[path]
    if path in now.seen:
        return path
    for file, error in now.broken.items():
        if file.endswith(f"/{note_id}.md"):
            raise error
    raise NoteNotFound(id=note_id, nearest=nearest(note_id, list(winners)))


def find(store: Store, note_id: str) -> tuple[str, bytes]:
    """Return path and bytes of a note; if it is moved or removed between the two looks, look again."""
    for _ in range(_TRIES):
        file = locate(store, note_id)
        content = store.read(file)
        if content is not None:
            return file, content
    raise NoteNotFound(id=note_id, nearest="")


def resolve(store: Store, pointer: str) -> str:
    """Return what a pointer leads to; raise PointerDangling, naming the nearest target that exists."""
    parsed = Pointer.parse(pointer)
    try:
        file = locate(store, parsed.id)
    except NoteNotFound:
        ids = [f"mem://{each.layer.value}/{each.id}" for each in store.look().summaries()]
        raise PointerDangling(pointer=pointer, nearest=nearest(pointer, ids, cutoff=0.0)) from None
    if not file.startswith(parsed.layer.folder):
        there = next(layer for layer in Layer if file.startswith(layer.folder))
        raise PointerDangling(pointer=pointer, nearest=f"; {replace(parsed, layer=there)} does") from None
    if not parsed.path:
        return find(store, file)[1].decode("utf-8", "replace")
    return part(store.read(file) or b"", file, parsed)


def part(content: bytes, file: str, pointer: Pointer) -> str:
    """Return the section or field of a note that a pointer names; raise PointerDangling if it has none such."""
    parts = _parts(content, file)
    if pointer.path.lower() not in parts:
        near = nearest(pointer.path.lower(), list(parts)) or f"; the nearest is {replace(pointer, path='')}"
        raise PointerDangling(pointer=str(pointer), nearest=near)
    return parts[pointer.path.lower()]


def _inside(root: Path, name: str) -> str:
    """Return `name` as a path inside the bank if it is a path at all; raise PathRefused if it leads outside."""
    if "/" not in name:
        return name
    path = Path(name)
    for absolute in (root / path, Path.cwd() / path):
        inside = os.path.relpath(os.path.normpath(absolute), root)
        if not inside.startswith("..") and absolute.exists():
            return inside
    if ".." in path.parts or path.is_absolute():
        raise PathRefused(path=name)
    return name


def _parts(content: bytes, file: str) -> dict[str, str]:
    """Return the parts of a note that a pointer may address, by name."""
    if file.startswith(Layer.CORE.folder):
        return {}
    document = native.parse(content, file)
    fields = {slug(name): value for name, value in history.as_fields(document.note).items()}
    texts = {name: "\n".join(value) if isinstance(value, list) else str(value) for name, value in fields.items()}
    return texts | {slug(section.name): section.text for section in document.sections}


def nearest(wanted: str, names: Iterable[str], *, cutoff: float = 0.6) -> str:
    """Return what an error says of the name that is most like the wanted one; nothing where none is."""
    fit = [name for name in names if not is_core_id(wanted) or is_core_id(name)]
    close = get_close_matches(wanted, fit, n=1, cutoff=cutoff)
    return f"; the nearest is {close[0]}" if close else ""
