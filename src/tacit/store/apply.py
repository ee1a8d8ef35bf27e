"""Put a committed transaction in place; the same steps serve the writer and the recovery after a crash.

Every step looks at what is there before it acts, so it may be interrupted anywhere and run again:
a change is known by three fingerprints (old, new, what stands at the target) and by what the staged file holds.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.errors import InputRefused
from tacit.store.layout import conflict_name

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.audit.log import AuditLog
    from tacit.store.journal import Change, Journal
    from tacit.store.layout import Layout

# What stands at a path that is no regular file; equal to no fingerprint.
ODD = "not a regular file"
# A transaction looks at an old and a new file; a process may serve some banks.
_MOST = 16

# Device and inode → size and time of the bytes, time of any change, and the fingerprint.
_known: dict[tuple[int, int], tuple[int, int, int, str | None]] = {}
_ONE_AT_A_TIME = Lock()  # a process may write in several banks at once


def fingerprint(path: Path) -> str | None:
    """Return the fingerprint of what stands at `path`, None if nothing does."""
    try:
        content = fsio.read(path)
    except InputRefused:
        return ODD
    return None if content is None else fsio.digest(content)


def of_derived(path: Path) -> str | None:
    """Return the same for a derived file, without reading one that bears the stamp it had when it was last read.

    A save that leaves inode, size and times alone falls into the same tick of the clock as what is remembered. Nothing
    is lost by taking it for that: what somebody writes into a derived file is replaced, whenever they do so.
    """
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return ODD
    size, saved_ns, changed_ns, found = _known.get((status.st_dev, status.st_ino), (-1, 0, 0, None))
    if (size, saved_ns, changed_ns) == (status.st_size, status.st_mtime_ns, status.st_ctime_ns):
        return found
    # In this order: a file that is saved after the look at its stamp will bear another one.
    there = fingerprint(path)
    _keep(status, there)
    return there


def remember(path: Path, digest: str) -> None:
    """Take note of the fingerprint of a derived file that was written here a moment ago, where nobody else writes."""
    _keep(os.lstat(path), digest)


def moved(*paths: Path) -> None:
    """Take note that these files were renamed here: that is a change of theirs, and none of their bytes."""
    with suppress(FileNotFoundError):  # whoever took one away is met by the next look at it
        for status in map(os.lstat, paths):
            size, saved_ns, _, found = _known.get((status.st_dev, status.st_ino), (-1, 0, 0, None))
            if (size, saved_ns) == (status.st_size, status.st_mtime_ns):
                _keep(status, found)


def _keep(status: os.stat_result, digest: str | None) -> None:
    key = (status.st_dev, status.st_ino)
    with _ONE_AT_A_TIME:
        _known.pop(key, None)
        _known[key] = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, digest)
        while len(_known) > _MOST:
            del _known[next(iter(_known))]


# How often an editor may save between two looks before we let it win.
_TRIES = 10


def roll_forward(layout: Layout, log: AuditLog, directory: Path, journal: Journal) -> list[str]:
    """Complete a committed transaction; return the conflict copies that had to be made.

    The audit lines are written last, after every directory was synced: where they stand, all before them is done.
    """
    kept: list[str] = []
    if not log.has(journal.audit):
        touched: set[Path] = set()
        for change in journal.changes:
            target = layout.place(change.path)
            if not target.parent.is_dir():
                fsio.make_directory(target.parent)
            kept += _Step(layout, directory, journal, change, target).put_in_place()
            if not change.derived:
                touched.add(target.parent)
        for name in journal.destroyed:
            fsio.remove_tree(layout.root / name)
            touched.add((layout.root / name).parent)
        for parent in sorted(touched):
            if parent.is_dir():
                fsio.sync_directory(parent)
    # In any case: lines that a killed writer left may not be durable yet.
    log.add(journal.audit)
    for change in journal.changes:
        # Old bytes of a derived file are not kept; those of a new file stand in their place, durably by now.
        if change.derived or (change.old is None and _is_spare(directory / change.staged, change, layout)):
            fsio.remove(directory / change.staged)
    fsio.make_directory(layout.trash, mode=0o700)
    fsio.rename(directory, layout.trash / directory.name)
    return kept


def _is_spare(staged: Path, change: Change, layout: Layout) -> bool:
    """Whether what is staged for a new file is that file itself, or what was to be written; never somebody else's."""
    return fingerprint(staged) in (change.new, fingerprint(layout.root / change.path))


class _Step:
    """One change on its way to its place."""

    def __init__(self, layout: Layout, directory: Path, journal: Journal, change: Change, target: Path) -> None:
        self._layout = layout
        self._journal = journal
        self._change = change
        self._target = target
        self._staged = directory / change.staged
        self._fingerprint = of_derived if change.derived else fingerprint
        self._kept: list[str] = []

    def put_in_place(self) -> list[str]:
        """Carry the change out, or leave the target alone where somebody else changed it; return conflict copies."""
        fsio.settle_exchange(self._staged, self._target)
        step = self._write if self._change.new is not None else self._take_out
        for _ in range(_TRIES):
            if step():
                return self._kept
        # Somebody saves and removes faster than we can look.
        if self._change.new is None:
            self._kept.append(self._change.path)
        elif not self._change.derived:
            self._keep_aside()
        return self._kept

    def _write(self) -> bool:
        """One look and one act towards the new bytes; True when there is nothing left to do."""
        old, new = self._change.old, self._change.new
        there, staged = self._fingerprint(self._target), self._fingerprint(self._staged)
        if there == new:
            if staged in (old, new, None):
                return True
            # What the exchange brought out is not what we had read: somebody saved in between. Theirs goes back.
            self._exchange()
            return False
        if staged != new:
            if old is None and staged == there:
                return True  # one file with two names, which somebody has edited since
            # Ours was in place already and was changed since, or it is a derived file that a power cut took.
            if staged not in (old, None) and not self._change.derived:
                self._keep_aside()
            return True
        if there != old:
            if not self._change.derived:
                self._keep_aside()
            return True
        try:
            if old is None:
                fsio.link_new(self._staged, self._target)
            else:
                self._exchange()
        except (FileExistsError, FileNotFoundError):
            return False
        return False

    def _take_out(self) -> bool:
        """One look and one act towards no file at the target; True when there is nothing left to do."""
        old = self._change.old
        there, staged = fingerprint(self._target), fingerprint(self._staged)
        if there is None:
            if staged in (old, None):
                return True
            # What we took out is not what we had read: somebody saved in between. It goes back.
            self._kept.append(self._change.path)
            with suppress(FileExistsError):  # and once more: the newest stands, the one before stays in the trash
                fsio.link_new(self._staged, self._target)
                fsio.sync_directory(self._target.parent)
                fsio.remove(self._staged)
            return True
        if there != old or staged is not None:
            if there != old:
                self._kept.append(self._change.path)
            return True
        try:
            fsio.rename(self._target, self._staged)
        except FileNotFoundError:
            return False
        return False

    def _exchange(self) -> None:
        fsio.exchange(self._staged, self._target)
        if self._change.derived:
            moved(self._staged, self._target)

    def _keep_aside(self) -> None:
        fsio.make_directory(self._layout.conflicts, mode=0o700)
        self._layout.hide()
        name = conflict_name(self._journal.operation_id, self._change.path)
        fsio.rename(self._staged, self._layout.conflicts / name)
        fsio.sync_directory(self._layout.conflicts)
        self._kept.append(f"conflicts/{name}")
