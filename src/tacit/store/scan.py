"""What the note files say now: read once, then only what changed since."""

from __future__ import annotations

import gc
import json
import os
import stat
import time
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from operator import attrgetter
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from tacit import fsio
from tacit.errors import (
    DuplicateId,
    InputRefused,
    NoteTooLarge,
    PathRefused,
    PathTaken,
    SymlinkRefused,
    TacitError,
    unwritable,
)
from tacit.formats import core_document, index_table, native
from tacit.note.model import MAX_NOTE_BYTES, Layer, Summary, from_plain
from tacit.store.listing import Listing
from tacit.text import is_writable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from tacit.store.layout import Layout

_VERSION = 2
_CORE = Layer.CORE.folder
LISTED = (Layer.CORE, Layer.DECLARATIVE, Layer.PROCEDURAL)
# A file saved this shortly before it was read may be saved again with the same time stamp: it is read again.
# The clock of most file systems ticks in milliseconds, that of some in whole seconds, which their stamps show.
_RACY_NS = 50_000_000
_RACY_COARSE_NS = 2_000_000_000
_SECOND_NS = 1_000_000_000
# From this many newly read files on it pays to write the cache anew.
_WORTH_SAVING = 50
# Up to this many changed files it pays to change a list rather than to make it anew.
_FEW = 500

_FIELDS = tuple(member.name for member in fields(Summary))
_plain = attrgetter(*_FIELDS)

Stamp = tuple[int, int, int, int]


class Seen(NamedTuple):
    """A valid note file: when and what it was, its row of INDEX.md, and its summary or what the cache has for one."""

    stamp: Stamp
    digest: str
    id: str
    row: str
    kept: Summary | list[object]

    def summary(self) -> Summary:
        """Return the summary of the note."""
        if isinstance(self.kept, Summary):
            return self.kept
        return from_plain(Summary, dict(zip(_FIELDS, self.kept, strict=True)))


@dataclass(slots=True)
class Scan:
    """All note files of L0 to L2 at one moment: the valid ones, and what is wrong with the others."""

    taken_ns: int = 0
    seen: dict[str, Seen] = field(default_factory=dict)
    broken: dict[str, TacitError] = field(default_factory=dict)
    read_anew: int = 0
    # Files of which something else is known here than what their stamps can vouch for.
    passing: frozenset[str] = frozenset()
    _listing: Listing | None = None

    def winners(self) -> Mapping[str, str]:
        """Return id → file, in no order. Where two files claim one id, the one that bears its name wins."""
        return self.listed().winners

    def duplicates(self) -> list[DuplicateId]:
        """Return one error for each id that more than one file claims."""
        winners = self.winners()
        if len(winners) == len(self.seen):
            return []
        files: dict[str, list[str]] = {}
        for file in sorted(self.seen):
            files.setdefault(self.seen[file].id, []).append(file)
        return [
            DuplicateId(id=note_id, files=" and ".join(several), winner=winners[note_id])
            for note_id, several in files.items()
            if len(several) > 1
        ]

    def summaries(self) -> list[Summary]:
        """Return the summaries of all valid notes, by id."""
        found = []
        for _, file in sorted(self.winners().items()):
            seen = self.seen[file]
            if not isinstance(seen.kept, Summary):  # made of what the cache has once, for later scans too
                seen = self.seen[file] = seen._replace(kept=seen.summary())
            found.append(seen.summary())
        return found

    def fingerprint(self) -> str:
        """Return what differs as soon as any note does, by whomever it was changed."""
        return fsio.digest("\n".join(f"{self.seen[file].digest} {file}" for file in sorted(self.seen)).encode())

    def index(self) -> bytes:
        """Return what INDEX.md must be."""
        return self.listed().index()

    def follow(self, before: Scan, files: Collection[str]) -> None:
        """Take over what an earlier scan has worked out, from which this one differs in these files alone."""
        if before._listing is not None and len(files) <= _FEW:
            self._listing = before._listing.after(before.seen, self.seen, files)

    def listed(self) -> Listing:
        """Return the notes by id."""
        if self._listing is None:
            self._listing = Listing.of(self.seen)
        return self._listing


class _Resting:
    """How many are at work while the collector rests, and whether it worked before."""

    def __init__(self) -> None:
        self.door = Lock()
        self.count = 0
        self.was_on = False


_RESTING = _Resting()


@contextmanager
def no_collecting() -> Iterator[None]:
    """Keep Python from looking for garbage among thousands of small values that all stay.

    Several threads may be at it: the last one to leave lets it look again, if it did before the first.
    """
    with _RESTING.door:
        if not _RESTING.count:
            _RESTING.was_on = gc.isenabled()
        _RESTING.count += 1
        gc.disable()
    try:
        yield
    finally:
        with _RESTING.door:
            _RESTING.count -= 1
            if _RESTING.was_on and not _RESTING.count:
                gc.enable()


@no_collecting()
def scan(layout: Layout, previous: Scan | None = None) -> Scan:
    """Read every note file that is not known from `previous` by its time stamp; never raises for a broken note."""
    before = previous or Scan()
    known, taken_ns = before.seen, before.taken_ns
    now = Scan(taken_ns=time.time_ns())
    changed: list[str] = []
    for layer in LISTED:
        folder = layer.folder
        if (odd := _odd(layout, folder)) is not None:
            now.broken[folder] = odd
            continue
        for entry in _entries(layout.root / folder):
            file = f"{folder}/{entry.name}"
            old = known.get(file)
            if old is None and not _is_note_name(layer, entry.name):
                continue
            try:
                status = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            stamp = _stamp(status)
            if old is not None and old.stamp == stamp and _is_settled(stamp, taken_ns):
                now.seen[file] = old
            else:
                changed.append(file)
                _take(now, entry.path, file, stamp, size=_size(status))
    now.follow(before, {*changed, *(known.keys() - now.seen.keys())})
    return now


def scan_again(layout: Layout, before: Scan, files: Iterable[str]) -> Scan:
    """Return a scan for somebody who is told that since the one before nothing but these files has changed.

    What was broken then, or not yet in its place, is looked at in any case.
    """
    now = Scan(time.time_ns(), dict(before.seen), dict(before.broken))
    doubtful = {file for file in {*files, *before.broken, *before.passing} if _is_listed(file)}
    for file in doubtful:
        now.seen.pop(file, None)
        now.broken.pop(file, None)
        path = layout.root / file
        try:
            status = path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            continue
        _take(now, path, file, _stamp(status), size=_size(status))
    now.follow(before, doubtful)
    return now


def index_after(now: Scan, layout: Layout, contents: Mapping[str, bytes | None]) -> bytes:
    """Return what INDEX.md must be with `contents` (None: no file) in place of what `now` has seen."""
    changed = Scan()
    files = [file for file in contents if _is_listed(file)]
    for file in files:
        if (content := contents[file]) is not None:
            _judge(changed, file, (0, 0, 0, 0), content)
    listing = now.listed().after(now.seen, changed.seen, files) if len(files) <= _FEW else None
    return (listing or refresh(now, layout, contents)).index()


def refresh(now: Scan, layout: Layout, contents: Mapping[str, bytes | None], again: Iterable[str] = ()) -> Scan:
    """Return `now` as it would be with `contents` (None: no file) in place, and with the files `again` read anew."""
    files = {file for file in {*contents, *again} if _is_listed(file)}
    result = Scan(now.taken_ns, dict(now.seen), dict(now.broken), now.read_anew, now.passing | files)
    for file in files:
        result.seen.pop(file, None)
        result.broken.pop(file, None)
        if file not in contents:
            _take(result, layout.root / file, file, (0, 0, 0, 0), size=0)
        elif (content := contents[file]) is not None:
            _judge(result, file, (0, 0, 0, 0), content)
    result.follow(now, files)
    return result


@no_collecting()
def load(path: Path) -> Scan | None:
    """Return the scan that was saved at `path`; None if there is none or it cannot be used."""
    try:
        saved = json.loads(fsio.read(path) or b"")
        if saved["version"] != _VERSION or saved["fields"] != list(_FIELDS):
            return None
        seen = {file: Seen(tuple(stamp), *rest) for file, stamp, *rest in saved["seen"]}
        return Scan(int(saved["taken_ns"]), seen)
    except (ValueError, RecursionError, KeyError, TypeError, OSError, TacitError):
        return None


@no_collecting()
def save(now: Scan, path: Path) -> None:
    """Keep the scan for the next process if enough of it is new; a cache, so failing to is no failure."""
    if now.read_anew < _WORTH_SAVING or not path.parent.is_dir():
        return
    rows = [
        (file, *seen[:-1], _plain(seen.kept) if isinstance(seen.kept, Summary) else seen.kept)
        for file, seen in now.seen.items()
    ]
    saved = {"version": _VERSION, "fields": _FIELDS, "taken_ns": now.taken_ns, "seen": rows}
    text = json.dumps(saved, ensure_ascii=False, separators=(",", ":"))
    try:
        fsio.replace(path, text.encode(), sync=False, mode=0o600)
    except OSError:
        return


def strays(layout: Layout) -> list[str]:
    """Return what lies in the folders of L1 and L2 and is no note file: sub-folders, and files of other kinds."""
    found = []
    for layer in LISTED[1:]:
        found += [
            f"{layer.folder}/{entry.name}"
            for entry in ([] if _odd(layout, layer.folder) else _entries(layout.root / layer.folder))
            if not entry.name.startswith(".") and not entry.name.endswith(".md")
        ]
    return sorted(found)


def _odd(layout: Layout, folder: str) -> TacitError | None:
    """Return what is wrong with a folder that is none; a missing one is fine."""
    try:
        mode = (layout.root / folder).lstat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(mode):
        return SymlinkRefused(file=folder)
    return None if stat.S_ISDIR(mode) else PathTaken(file=folder)


def _is_settled(stamp: Stamp, taken_ns: int) -> bool:
    """Whether a file with this stamp had been at rest long enough when it was read."""
    saved_ns = max(stamp[1], stamp[2])
    racy_ns = _RACY_NS if saved_ns % _SECOND_NS else _RACY_COARSE_NS
    return saved_ns + racy_ns < taken_ns


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except FileNotFoundError:
        return []


def _stamp(status: os.stat_result) -> Stamp:
    return (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _size(status: os.stat_result) -> int:
    """Return how large a file is; what is none is told apart when it is read."""
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def _is_listed(file: str) -> bool:
    """Whether a path of the bank is where a note of L0 to L2 stands."""
    folder, _, name = file.partition("/")
    return any(layer.folder == folder and _is_note_name(layer, name) for layer in LISTED)


def _is_note_name(layer: Layer, name: str) -> bool:
    if not name.endswith(".md") or name.startswith(".") or "/" in name:
        return False
    return layer is Layer.CORE or name != "README.md"


def _take(now: Scan, path: str | Path, file: str, stamp: Stamp, *, size: int) -> None:
    """Read one file and file it under seen or broken; a file that vanished meanwhile is neither."""
    try:
        if size > MAX_NOTE_BYTES:
            raise NoteTooLarge(file=file, size=size, limit=MAX_NOTE_BYTES)
        content = fsio.read(path, limit=MAX_NOTE_BYTES)
    except InputRefused as error:
        now.broken[file] = type(error)(**{**error.details, "file": file})
        return
    except OSError as error:
        now.broken[file] = unwritable(error)
        return
    if content is not None:
        _judge(now, file, stamp, content)


def _judge(now: Scan, file: str, stamp: Stamp, content: bytes) -> None:
    now.read_anew += 1
    if not is_writable(file):  # no index, log or page could carry the name
        now.broken[file] = PathRefused(path=file, file=file)
        return
    try:
        note = core_document.summarise(content, file) if file.startswith(_CORE) else native.summarise(content, file)
    except TacitError as error:
        now.broken[file] = error
        return
    now.seen[file] = Seen(stamp, fsio.digest(content), note.id, index_table.row(note), note)
