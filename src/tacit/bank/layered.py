"""What stands outside of L1 and L2: the core, episodes, working memory and blobs, loaded and resolved."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from tacit import fsio, guards
from tacit.bank.addresses import nearest
from tacit.errors import PointerDangling, TacitError
from tacit.formats import core_document, native
from tacit.note import blob
from tacit.note.model import Layer
from tacit.note.pointer import BLOB, Pointer
from tacit.store import episodes, trash
from tacit.store.layout import DETAILS, NOTE_LAYERS
from tacit.tasks import working
from tacit.tasks.working import Loaded
from tacit.text import slug

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.formats.native import Document
    from tacit.store.store import Store
    from tacit.tasks.working import Task

_DEEPEST_HEADING = 6


def core(store: Store) -> list[Loaded]:
    """Return the core documents, whole, in the order of their names; those that cannot be read are left out."""
    found = []
    for file, seen in sorted(store.look().seen.items()):
        if file.startswith(Layer.CORE.folder):
            content = store.read(file) or b""
            found.append(
                Loaded(seen.id, file, fsio.digest(content), guards.redact(core_document.decode(content, file)))
            )
    return found


def resolve(store: Store, pointer: str) -> str | None:
    """Return what a pointer to anything but a note leads to; None if it is a pointer to a note of L1 or L2."""
    if match := BLOB.fullmatch(pointer):
        found = read_blob(store, match[1])
        if found is None:
            raise PointerDangling(pointer=pointer, nearest=nearest(pointer, _blob_pointers(store)))
        return found
    parsed = Pointer.parse(pointer)
    if parsed.layer in NOTE_LAYERS:
        return None
    names = addressable(store, parsed.layer)
    content = store.read(names[parsed.id]) if parsed.id in names else None
    if content is None:
        near = nearest(pointer, [f"mem://{parsed.layer.value}/{name}" for name in names], cutoff=0.0)
        raise PointerDangling(pointer=pointer, nearest=near)
    text = content.decode("utf-8", "replace")
    if not parsed.path:
        return text
    parts = _members(text) if parsed.layer is Layer.WORKING else _sections(text)
    wanted = parsed.path.lower()
    if wanted not in parts:
        near = nearest(wanted, parts) or f"; the nearest is {replace(parsed, path='')}"
        raise PointerDangling(pointer=pointer, nearest=near)
    return parts[wanted]


def addressable(store: Store, layer: Layer) -> dict[str, str]:
    """Return id → file of what pointers to the core, to episodes or to working memory may name."""
    if layer is Layer.CORE:
        return {seen.id: file for file, seen in store.look().seen.items() if file.startswith(layer.folder)}
    if layer is Layer.EPISODIC:
        return {each.id: each.file for each in episodes.read(store.layout)[0]}
    return {path.stem: f"{layer.folder}/{path.name}" for path in working_files(store)}


def whole(store: Store, text: str) -> str:
    """Return a text with its blobs put back."""
    return blob.put_back(text, lambda digest: read_blob(store, digest))


def expanded(store: Store, document: Document) -> Document:
    """Return a note with its long pieces in their places; it stays as it is where they would make it too long."""
    made = document
    try:
        for name, key in native.SECTIONS.items():
            text = getattr(document.note, key)
            if "mem://blobs/" in text:
                made = made.with_section(name, whole(store, text))
    except TacitError:
        return document
    return made


def read_blob(store: Store, digest: str) -> str | None:
    """Return the text of a blob; None if there is none, or if it is not what its name says."""
    content = store.read(blob.file_of(digest))
    return None if content is None or fsio.digest(content) != digest else content.decode("utf-8", "replace")


def blob_files(store: Store) -> list[str]:
    """Return the files of all blobs, relative to the bank."""
    folder = store.layout.root / blob.FOLDER
    return [f"{blob.FOLDER}/{path.name}" for path in sorted(folder.iterdir())] if folder.is_dir() else []


def mentions(store: Store, digest: str) -> bool:
    """Whether any file of the bank, in the trash and among the proposals too, points to a blob."""
    wanted = f"mem://blobs/{digest}".encode()
    root = store.layout.root
    folders = [layer.folder for layer in Layer] + [DETAILS, ".trash", "staging"]
    paths = [path for folder in folders for path in sorted((root / folder).rglob("*"))]
    paths += sorted(root.glob("*.md"))
    return any(wanted in _bytes(path) for path in paths)


def traces(store: Store, note_id: str, file: str) -> list[str]:
    """Return the private and derived copies of a note outside of L1 and L2 that go whole in a purge.

    A task or an episode that lists the note as its card holds the words it was made from; old versions of working
    memory in the trash hold the note itself; its blobs go if nobody else points to them.
    """
    named = trash.mention_of(note_id)
    root = store.layout.root
    sources = [each for each in episodes.read(store.layout)[0] if f"- {note_id}\n" in f"{each.body}\n"]
    memories = {f"{Layer.WORKING.folder}/{each.task}.json" for each in sources}
    found = []
    for path in working_files(store):
        task = _task(path)
        if named.search(_bytes(path)) and (task is None or note_id in task.cards):
            found.append(path)
    found += [root / each.file for each in sources]
    for kept in trash.newest_first(store.layout):
        for change in kept.journal.changes:
            old = kept.directory / change.staged
            if change.path.startswith((Layer.WORKING.folder, Layer.EPISODIC.folder)) and old.exists():
                found += [old] if change.path in memories or named.search(_bytes(old)) else []
    parts = [path.relative_to(root).as_posix() for path in found]
    text = (store.read(file) or b"").decode("utf-8", "replace") if file else ""
    parts += [
        blob.file_of(digest) for digest in blob.mentioned(text) if not _others_mention(store, digest, file, parts)
    ]
    return parts


def cleaned(store: Store, note_id: str, is_told: Callable[[str], bool]) -> dict[str, bytes]:
    """Return working memories as they are without a note that they have loaded or that their entries tell of."""
    found = {}
    for path in working_files(store):
        task = _task(path)
        if task is None or note_id in task.cards:
            continue  # those go whole
        rest = working.without(task, note_id, is_told)
        if rest != task:
            found[path.relative_to(store.layout.root).as_posix()] = working.dump(rest)
    return found


def _task(path: Path) -> Task | None:
    """Return the task in a file; None if there is none that can be read."""
    try:
        return working.load(_bytes(path), path.stem)
    except TacitError:
        return None


def _others_mention(store: Store, digest: str, file: str, going: list[str]) -> bool:
    """Whether a note that stays points to a blob; copies that go with the note do not count."""
    wanted = f"mem://blobs/{digest}".encode()
    return any(wanted in (store.read(other) or b"") for other in store.look().seen if other not in (file, *going))


def _sections(text: str) -> dict[str, str]:
    """Return the sections of a document by their names, each with what stands below deeper headings."""
    start = core_document.end_of_front_matter(text)
    body = "\n" + text[start:]
    parts = core_document.find_parts(body, 0, _DEEPEST_HEADING)
    found: dict[str, str] = {}
    for place, (heading, _) in enumerate(parts):
        following = (other.start for other, _ in parts[place + 1 :] if other.level <= heading.level)
        found.setdefault(slug(heading.title), core_document.trim(body[heading.end : next(following, len(body))]))
    return found


def _members(text: str) -> dict[str, str]:
    """Return the parts of a working memory by name: its members, its entries by number, its notes by id."""
    try:
        members = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    found = {
        str(name).lower(): value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
        for name, value in members.items()
    }
    found |= {f"entries/{number}": str(each["text"]) for number, each in enumerate(members.get("entries", ()), 1)}
    loaded = (*members.get("core", ()), *members.get("notes", ()))
    return found | {str(each["id"]).lower(): str(each["text"]) for each in loaded}


def working_files(store: Store) -> list[Path]:
    """Return the files of the tasks, whether they can be read or not."""
    folder = store.layout.root / Layer.WORKING.folder
    return sorted(folder.glob("*.json")) if folder.is_dir() and not folder.is_symlink() else []


def _bytes(path: Path) -> bytes:
    try:
        return fsio.read(path) or b""
    except (TacitError, OSError):
        return b""


def _blob_pointers(store: Store) -> list[str]:
    return [f"mem://blobs/{file.rpartition('/')[2]}" for file in blob_files(store)]
