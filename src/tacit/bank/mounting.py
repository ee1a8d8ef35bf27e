"""Foreign memories that take part in recall where they are: mounted, taken off, and read for the index."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.audit.record import Event, Record
from tacit.bank import documents, guarding
from tacit.bank.values import Elsewhere
from tacit.errors import ForeignRefused, TacitError
from tacit.formats.decoding import decode
from tacit.index.contract import QUARANTINED
from tacit.messages import say
from tacit.store.layout import ENTRY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tacit.bank.gathering import Gathered
    from tacit.bank.values import By
    from tacit.formats.found import FoundNote
    from tacit.index.contract import Document
    from tacit.note.model import Note
    from tacit.store.store import Store

ORIGIN = "mount"
_FILE = "mounts.json"
_PREFIX = f"{ORIGIN}:"
# Lists, templates and other files beside the notes are no memory; the core belongs to its own bank.
_RECALLED = ("details/", ENTRY)


@dataclass(frozen=True, slots=True)
class Mount:
    """A mounted memory: its path, its format, the folders below it that are looked at, and the format asked for."""

    path: str
    format: str
    roots: tuple[str, ...]
    wish: str = ""

    @property
    def prefix(self) -> str:
        """What the keys of its documents begin with."""
        return f"{_PREFIX}{fsio.digest(self.path.encode())[:12]}:"

    @property
    def is_there(self) -> bool:
        """Whether it can still be read."""
        return os.access(self.path, os.R_OK)


class Mounts:
    """The mounted memories of one bank, on this machine."""

    def __init__(self, store: Store, must_be_writable: Callable[[str], None]) -> None:
        self._store = store
        self._must_be_writable = must_be_writable

    def listed(self) -> list[Mount]:
        """Return what is mounted, in the order in which it was."""
        return mounted(self._store)

    def add(self, path: Path, wish: str = "", *, by: By) -> tuple[Mount, int, list[tuple[str, str]]]:
        """Mount the memory at `path`, only ever to read it; return it, how many documents it brings, and what it lacks.

        What it lacks are the files that were refused, each with the reason.
        """
        from tacit.bank import gathering

        self._must_be_writable("mount")
        place = Path(os.path.normpath(path.absolute()))
        gathered = gathering.gather(place, self._store.layout.root, wish)
        items = [each.path for found in gathered.found for each in found.notes]
        items += [each.path for found in gathered.found for each in found.documents]
        mount = Mount(str(place), gathered.format, _roots_of(items), wish)
        self._keep(mount.path, [mount], f"mounted {place}", by)
        return mount, len(_documents_of(mount, gathered, "")), gathered.refused

    def remove(self, path: Path, *, by: By) -> None:
        """Unmount the memory at `path`; raise ForeignRefused if it is not mounted."""
        self._must_be_writable("mount")
        place = os.path.normpath(path.absolute())
        if place not in {each.path for each in self.listed()}:
            raise ForeignRefused(path=str(path), reason=say("mount.unknown"), fix=say("mount.unknown.fix"))
        self._keep(place, [], f"unmounted {place}", by)

    def _keep(self, place: str, now: list[Mount], reason: str, by: By) -> None:
        """Let what is mounted from a place be this; the rest of the list is read while nobody else changes it."""
        with self._store.writing("mount") as transaction:
            mounts = [*(each for each in self.listed() if each.path != place), *now]
            content = json.dumps({"mounts": [asdict(each) for each in mounts]}, ensure_ascii=False, indent=1)
            fsio.replace(_place_of(self._store), content.encode(), mode=0o600)
            transaction.record(
                Record(event=Event.SETTINGS_CHANGED, operation="mount", reason=reason[:300], channel=by.channel)
            )
            transaction.commit()


def mounted(store: Store) -> list[Mount]:
    """Return the mounts of a bank; a list that cannot be read counts as empty."""
    try:
        members = json.loads(fsio.read(_place_of(store)) or b"{}")
        return [Mount(**{**each, "roots": tuple(each["roots"])}) for each in members.get("mounts", [])]
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError, TacitError, OSError):
        return []


def signs(store: Store) -> tuple[object, ...]:
    """Return what nearly always changes when a mount or something in it does, and costs next to nothing."""
    return tuple((each.path, _changed(Path(each.path))) for each in mounted(store))


def stamp(store: Store) -> int:
    """Return a number that differs as soon as the list of mounts or a file in one does; nought where none is."""
    found = mounted(store)
    return int(fsio.digest(repr([(each, _signature(each)) for each in found]).encode())[:12], 16) if found else 0


def changes(store: Store, known: dict[str, str]) -> tuple[list[Document], list[str]]:
    """Return the documents of mounts that the index lacks, and the keys in it that are stale.

    A mount that cannot be read has no documents, and nobody is told here: `doctor` says so. Notes with ids of the
    bank's own are among them: recall passes over them, for as long as the bank has its own.
    """
    own = {key: digest for key, digest in known.items() if key.startswith(_PREFIX)}
    made: list[Document] = []
    kept: set[str] = set()
    for mount in mounted(store):
        inside = {key for key in own if key.startswith(mount.prefix)}
        digest = _signature(mount)
        if inside and all(own[key] == digest for key in inside):
            kept |= inside
            continue
        from tacit.bank import gathering  # with all that reads foreign memories: dear to load

        try:
            gathered = gathering.gather(Path(mount.path), store.layout.root, mount.wish)
        except (TacitError, OSError):
            continue
        made += _documents_of(mount, gathered, digest)
    return made, [key for key in own if key not in kept]


def find(store: Store, name: str) -> Elsewhere | None:
    """Return the mounted note that recall names so, by its id, its key or its file, as it is there now."""
    for mount in mounted(store):
        from tacit.bank import gathering

        with suppress(TacitError, OSError):
            gathered = gathering.gather(Path(mount.path), store.layout.root, mount.wish)
            for key, note, item in _notes_of(mount, gathered):
                if name in (note.id, key, note.file):
                    return Elsewhere(note, item.document.body if item.document else item.content, mount.path)
    return None


def _documents_of(mount: Mount, gathered: Gathered, digest: str) -> list[Document]:
    """Return the documents of a mount as it was read."""
    made: list[Document] = []
    for key, note, item in _notes_of(mount, gathered):
        made.append(_judged(documents.of_note(note, digest, origin=ORIGIN)._replace(key=key), item.content))
    for found in gathered.found:
        for whole in (each for each in found.documents if each.target.startswith(_RECALLED)):
            text = decode(whole.content) or ""
            file = f"{_base(mount)}/{whole.path}"
            sections = documents.of_detail(text, file, digest)
            made += [_judged(each._replace(key=f"{mount.prefix}{each.key}", origin=ORIGIN), text) for each in sections]
    return made


def _notes_of(mount: Mount, gathered: Gathered) -> Iterator[tuple[str, Note, FoundNote]]:
    """Yield the key of each note of a mount, the note named by its own path, and the item that it was."""
    for found in gathered.found:
        for number, item in enumerate(found.notes):
            file = f"{_base(mount)}/{item.path}"
            yield f"{mount.prefix}{file}#n{number}", replace(item.note, file=file), item


def _base(mount: Mount) -> Path:
    """Return the folder that the items of a mount are named below."""
    return Path(mount.path) if Path(mount.path).is_dir() else Path(mount.path).parent


def _judged(document: Document, text: str) -> Document:
    return document._replace(status=QUARANTINED) if guarding.objections(text) else document


def _roots_of(paths: list[str]) -> tuple[str, ...]:
    """Return the folders that hold the items of a memory, the outermost ones alone."""
    folders = sorted({path.partition("#")[0].rpartition("/")[0] for path in paths})
    return tuple(
        each for each in folders if not any(each != one and f"{each}/".startswith(f"{one}/") for one in folders if one)
    )


def _signature(mount: Mount) -> str:
    """Return what differs as soon as a file of a mount does: names, sizes and times."""
    base = Path(mount.path)
    seen = sorted(f"{path} {_changed(path)}" for root in mount.roots for path in _files(base, root))
    return fsio.digest("\n".join(seen).encode("utf-8", "surrogateescape"))


def _files(base: Path, root: str) -> Iterator[Path]:
    if not base.is_dir():
        yield base
    elif not root:  # the folder may be more than a memory, so that what lies deeper shows in the times of its folders
        yield from base.iterdir()
    else:
        for folder, _, files in os.walk(base / root):
            yield from (Path(folder) / name for name in files)


def _changed(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns


def _place_of(store: Store) -> Path:
    """Return where the list of mounts is kept: it belongs to this machine."""
    return store.layout.local / _FILE
