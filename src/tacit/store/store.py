"""The files of one bank: read without a lock, written in transactions under one."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.audit.log import AuditLog
from tacit.errors import BankNotFound, TacitError, unwritable
from tacit.store import episodes, recovery
from tacit.store.layout import INDEX, READ_FOLDERS, SKELETON, Layout
from tacit.store.lock import WriterLock
from tacit.store.scan import index_after, load, refresh, save, scan, scan_again
from tacit.store.transaction import Transaction
from tacit.store.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tacit.audit.log import Position
    from tacit.store.journal import Change, Journal
    from tacit.store.scan import Scan

# How often a reader catches up with writers that commit while it reads; each round takes far less than a commit.
_ROUNDS = 100
# Where the kernel tells of changes, at least this many times passes between two looks at all files that one takes.
REST = 200.0


class Store:
    """One bank's directory. `clock` gives the time as written into notes and logs, `new_id` a short random name."""

    def __init__(
        self,
        root: Path,
        *,
        clock: Callable[[], str],
        new_id: Callable[[], str],
        lock_timeout_s: float,
        audit_segment_bytes: int,
    ) -> None:
        self.layout = Layout(root)
        self.log = AuditLog(self.layout.audit, segment_bytes=audit_segment_bytes)
        self.clock = clock
        self.new_id = new_id
        self._lock_timeout_s = lock_timeout_s
        self._last: Scan | None = None
        self._carried: Scan | None = None
        self._at_once = False
        self._was_there = False
        self._watch: Watch | None = None
        # Where the watch stood when the last scan was taken, and until when it may be believed.
        self._position = -1
        self._due = 0.0

    @property
    def is_gone(self) -> bool:
        """Whether there was a bank before, and there is none now."""
        is_there = self.layout.is_there
        self._was_there = self._was_there or is_there
        return self._was_there and not is_there

    def must_be_there(self) -> None:
        """Raise BankNotFound if the bank is gone: nobody makes it again but by `init`."""
        if self.is_gone:
            raise BankNotFound(place=self.layout.root)

    def stay(self) -> None:
        """Let the kernel tell which files change, for a process that stays: looking at a large bank is cheap then."""
        self._watch = Watch(self.layout.root, READ_FOLDERS)

    def changes(self, since: int) -> tuple[int, set[str] | None]:
        """Return a position, and the files that have changed since an earlier one; None where nobody can tell."""
        if self._watch is None:
            return -1, None
        return self._watch.position(), self._watch.since(since)

    @contextmanager
    def writing(self, operation: str, *, wait: bool = True) -> Iterator[Transaction]:
        """Hold the writer lock, recover what a crash left, and give a transaction; it counts once it is committed."""
        self.must_be_there()
        self.layout.refuse_links()
        self._carried = None
        try:
            made = [fsio.make_directory(self.layout.root / name, mode=mode) for name, mode in SKELETON.items()]
            if any(made) or not self.layout.is_hidden:
                self.layout.hide()
            lock = WriterLock(self.layout.local, timeout_s=self._lock_timeout_s if wait else 0, act=operation)
            lock.acquire()
        except OSError as error:
            raise unwritable(error) from error
        try:
            recovery.recover(self.layout, self.log)
            yield Transaction(
                self.layout,
                self.log,
                operation=operation,
                operation_id=f"OP-{self.new_id()}",
                ts=self.clock(),
                derive=self.derive_index,
            )
        except OSError as error:
            raise unwritable(error) from error
        finally:
            lock.release()

    def settle(self) -> list[str]:
        """Complete what a crash left, if nobody is writing at the moment; never waits, never fails a reader.

        Returns the conflict copies that had to be made.
        """
        lock = WriterLock(self.layout.local, timeout_s=0, act="recover")
        try:
            if not recovery.left_over(self.layout):
                return []
            self.layout.refuse_links()
            if not lock.try_acquire():
                return []
            return recovery.recover(self.layout, self.log)
        except (OSError, TacitError):
            return []
        finally:
            lock.release()

    def look(self, *, fresh: bool = False, keep: bool = True) -> Scan:
        """Return all notes as they were at one moment, without a lock and without ever half of a transaction.

        `fresh` reads every file again; `keep=False` leaves no trace on the disk. Raises StoreUnwritable if a
        directory cannot be read, BankNotFound if the bank is gone.
        """
        if self._carried is not None and not fresh:
            return self._carried
        self.must_be_there()
        try:
            now = self._look(None if fresh else self._previous())
        except OSError as error:
            raise unwritable(error) from error
        self._last = now
        if self._at_once:
            self._carried = now
        if keep:
            save(now, self.layout.scan_cache)
        return now

    def _look(self, previous: Scan | None) -> Scan:
        before = self.log.position()
        now = self._scan(previous)
        in_flight: frozenset[str] = frozenset()
        for _ in range(_ROUNDS):
            # In this order: a transaction that is gone from staging has its lines in the log by then.
            committed = list(recovery.committed(self.layout))
            end = self.log.position()
            names = frozenset(directory.name for directory, _ in committed)
            if end == before and names == in_flight:
                break
            contents: dict[str, bytes | None] = {}
            for directory, journal in committed:
                contents |= {change.path: self._committed_content(directory, change) for change in journal.changes}
                contents |= dict.fromkeys(journal.destroyed)
            now = refresh(now, self.layout, contents, self.log.files_since(before))
            in_flight, before = names, end
        return now

    def read(self, path: str) -> bytes | None:
        """Return the bytes of one file of the bank, those of a committed transaction before it is in place."""
        target = self.layout.find(path)
        try:
            return self._read(path, target)
        except OSError as error:
            raise unwritable(error) from error

    def _read(self, path: str, target: Path) -> bytes | None:
        for directory, journal in reversed(list(recovery.committed(self.layout))):
            if path in journal.destroyed:
                return None
            for change in journal.changes:
                if change.path == path:
                    return self._committed_content(directory, change)
        return fsio.read(target)

    def moment(self) -> tuple[Position, list[Journal]]:
        """Return what moves with every commit: two equal answers mean that no transaction ran in between."""
        return self.log.position(), self.unfinished()

    def notes_in(self, transaction: Transaction) -> Scan:
        """Return the notes as they are under the lock of this transaction; looked at once."""
        if transaction.notes is None:
            transaction.notes = self._scan(self._previous())
        return transaction.notes

    def _scan(self, previous: Scan | None) -> Scan:
        """Look at all files, or at those of which the kernel tells that they have changed since the last scan."""
        began = time.monotonic()
        position, changed = self.changes(self._position)
        if previous is None or changed is None or began >= self._due:
            now = scan(self.layout, previous)
            took_s = time.monotonic() - began
            self._due = began + REST * took_s
        else:
            now = scan_again(self.layout, previous, changed)
        self._last, self._position = now, position
        return now

    def derive_index(self, transaction: Transaction) -> None:
        """Add INDEX.md, and that of the episodes, to a transaction as they will have to be, if they are not right."""
        transaction.derive(INDEX, index_after(self.notes_in(transaction), self.layout, transaction.pending))
        if transaction.operation == "heal" or any(path.startswith(episodes.FOLDER) for path in transaction.pending):
            listed = episodes.index(self.layout, transaction.pending)
            if listed is not None:
                transaction.derive(episodes.INDEX, listed)

    def _committed_content(self, directory: Path, change: Change) -> bytes | None:
        if change.new is None:
            return None
        staged = fsio.read(directory / change.staged)
        if staged is not None and fsio.digest(staged) == change.new:
            return staged
        return fsio.read(self.layout.root / change.path)

    def _previous(self) -> Scan | None:
        if self._last is None:
            self._last, self._position = load(self.layout.scan_cache), -1
        return self._last

    def carry(self) -> None:
        """Let `look` answer with the last scan until something is written, for a process that asks one thing."""
        self._carried = self._last

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Let `look` look once and then answer with that, until something is written or this ends."""
        self._at_once = True
        try:
            yield
        finally:
            self._at_once, self._carried = False, None

    def forget(self) -> None:
        """Drop what is remembered of earlier scans."""
        self._last = None

    def unfinished(self) -> list[Journal]:
        """Return the committed transactions that are not yet in place; none in a bank at rest."""
        return [journal for _, journal in recovery.committed(self.layout)]
