"""Finished transactions with what they took out: what undo, restore and emptying work on."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.errors import TrashPartGone, unwritable
from tacit.store import journal
from tacit.store.layout import NOTE_LAYERS, conflict_name, note_path

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.store.journal import Change, Journal
    from tacit.store.layout import Layout

_DIRECTORY = re.compile(r"tx-\d{10,}-")


@dataclass(frozen=True, slots=True)
class Kept:
    """A finished transaction in the trash."""

    directory: Path
    journal: Journal

    def old_content(self, change: Change) -> bytes:
        """Return the bytes that a change took out; TrashPartGone if the trash has them no longer."""
        content = fsio.read(self.directory / change.staged)
        if content is None or fsio.digest(content) != change.old:
            reason = "it was purged or the file was removed" if content is None else "the file there was changed"
            raise TrashPartGone(what=self.journal.operation_id, reason=reason, file=change.path)
        return content


@dataclass(frozen=True, slots=True)
class Removed:
    """A note's file that a transaction took out and that no later one brought back."""

    kept: Kept
    change: Change


def newest_first(layout: Layout) -> Iterator[Kept]:
    """Yield the finished transactions whose parts are still there."""
    for name in sorted(_names(layout), reverse=True):
        record = journal.read(layout.trash / name)
        if record is not None:
            yield Kept(layout.trash / name, record)


def last_number(layout: Layout) -> int:
    """Return the number of the newest finished transaction, 0 if there is none."""
    return max((int(name.split("-")[1]) for name in _names(layout)), default=0)


def _names(layout: Layout) -> list[str]:
    try:
        with os.scandir(layout.trash) as entries:
            return [entry.name for entry in entries if _DIRECTORY.match(entry.name)]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise unwritable(error) from error


def removed(layout: Layout) -> list[Removed]:
    """Return the removed files, newest first, those left out that stand in their place again."""
    found = []
    settled: set[str] = set()
    for kept in newest_first(layout):
        for change in kept.journal.changes:
            if change.derived or change.path in settled:
                continue
            settled.add(change.path)
            if change.new is None and not _moved(kept.journal, change) and (kept.directory / change.staged).exists():
                found.append(Removed(kept, change))
    return found


def _moved(record: Journal, change: Change) -> bool:
    """Whether the transaction that took a file out put the same note elsewhere."""
    return any(other.note_id == change.note_id and other.new is not None for other in record.changes if other.note_id)


def undoable(layout: Layout) -> Iterator[Kept]:
    """Yield the operations that were not undone, newest first, without undos and those of which a purge took a part."""
    gone: set[str] = set()
    for kept in newest_first(layout):
        gone.update(kept.journal.destroyed)
        if kept.journal.operation_id in gone:
            continue
        if kept.journal.undoes:
            gone.add(kept.journal.undoes)
        elif gone.isdisjoint(f".trash/{kept.directory.name}/{change.staged}" for change in kept.journal.changes):
            yield kept


def parts_of(layout: Layout, note_id: str, file: str) -> list[str]:
    """Return the private files, relative to the bank, that hold or held content of one note."""
    history = list(newest_first(layout))
    found = []
    for kept in history:
        found += [
            f".trash/{kept.directory.name}/{change.staged}"
            for change in kept.journal.changes
            if change.note_id == note_id or change.path == file
        ]
    files = {file, *(note_path(layer, note_id) for layer in NOTE_LAYERS)} - {""}
    files |= {change.path for kept in history for change in kept.journal.changes if change.note_id == note_id}
    endings = tuple(conflict_name("", path) for path in files)
    named = mention_of(note_id)
    for path in sorted(layout.conflicts.rglob("*")):
        # A damaged transaction cannot say whose parts it holds: they are looked through.
        in_damaged = path.parent != layout.conflicts and path.is_file() and named.search(fsio.read(path) or b"")
        if path.name.endswith(endings) or in_damaged:
            found.append(path.relative_to(layout.root).as_posix())
    return found


def mention_of(note_id: str) -> re.Pattern[bytes]:
    """Return what finds a note's id in a file, and not the longer ids that begin with it."""
    return re.compile(rb"%s(?![A-Za-z0-9_-])" % note_id.encode())
