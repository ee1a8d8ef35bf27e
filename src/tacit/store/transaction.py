"""All of these files change, or none: stage, check again, journal (the commit point), put in place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.errors import ChangedMeanwhile, CommittedCompleting, ConflictKept, TacitError, unwritable
from tacit.store import apply, journal, trash
from tacit.store.journal import Change, Journal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.audit.log import AuditLog
    from tacit.audit.record import Record
    from tacit.store.layout import Layout
    from tacit.store.scan import Scan

    DeriveIndex = Callable[["Transaction"], None]


_PLAN = "plan.json"


@dataclass(frozen=True, slots=True)
class _Write:
    content: bytes | None
    digest: str | None
    note_id: str = ""
    derived: bool = False
    keep: bool = True


class Transaction:
    """A set of changes in the making. Nothing of it is visible before `commit`, and all of it is after.

    Made by `Store.writing`, which holds the writer lock around it. A file that is changed must have been read
    through the transaction: the fingerprint of what was read is what the commit insists on.
    """

    def __init__(
        self, layout: Layout, log: AuditLog, *, operation: str, operation_id: str, ts: str, derive: DeriveIndex
    ) -> None:
        self.operation = operation
        self.operation_id = operation_id
        self.ts = ts
        self.undoes = ""
        self.notes: Scan | None = None
        self._layout = layout
        self._log = log
        self._derive = derive
        self._seen: dict[str, str | None] = {}
        self._derived: set[str] = set()
        self._writes: dict[str, _Write] = {}
        self._destroyed: list[str] = []
        self._records: list[Record] = []

    def read(self, path: str) -> bytes | None:
        """Return the bytes at `path`, None if there is no file; the commit insists on what the first look found."""
        content = fsio.read(self._layout.place(path))
        self._seen.setdefault(path, None if content is None else fsio.digest(content))
        return content

    def put(self, path: str, content: bytes, *, note_id: str = "", keep: bool = True) -> None:
        """Write `content` to `path` when the transaction commits; unless `keep`, the old bytes are destroyed."""
        if path not in self._seen:
            self.read(path)
        self._writes[path] = _Write(content, fsio.digest(content), note_id, keep=keep)

    def derive(self, path: str, content: bytes) -> None:
        """Let a file that can be made again from the notes hold `content` when the transaction commits."""
        there = self._seen[path] = apply.of_derived(self._layout.place(path))
        if there == apply.ODD:
            self.read(path)  # says what it is
        self._derived.add(path)
        digest = fsio.digest(content)
        if there != digest:
            self._writes[path] = _Write(content, digest, derived=True)

    def remove(self, path: str, *, note_id: str = "") -> None:
        """Move what is at `path` to the trash when the transaction commits."""
        if path not in self._seen:
            self.read(path)
        self._writes[path] = _Write(None, None, note_id)

    def destroy(self, name: str) -> None:
        """Destroy a file or directory of the bank for good, past the trash, when the transaction commits."""
        self._destroyed.append(name)

    def record(self, record: Record) -> None:
        """Say in the audit log what this transaction did."""
        self._records.append(record)

    def names(self, file: str) -> bool:
        """Whether this transaction says something about a file in the audit log."""
        return any(record.file == file for record in self._records)

    @property
    def pending(self) -> dict[str, bytes | None]:
        """The files that this transaction would change, with their new bytes, None for a removal."""
        gone = dict.fromkeys(self._destroyed)
        return {**gone, **{path: write.content for path, write in self._writes.items()}}

    def commit(self) -> None:
        """Make every change durable and visible, together with INDEX.md and the audit lines.

        Raises ChangedMeanwhile or StoreUnwritable with the bank unchanged; or, once it is committed,
        CommittedCompleting (the next open completes it) or ConflictKept (somebody saved at the same moment).
        """
        if not self._records:
            # Its lines in the log are what tells a finished transaction from an unfinished one.
            silent = "a transaction that says nothing in the audit log cannot be committed"
            raise ValueError(silent)
        if any(path.endswith(".md") for path in self.pending):
            self._derive(self)
        directory: Path | None = None
        try:
            plan = self._plan()
            self._refuse_read_only(plan)
            directory = self._layout.staging / plan.directory_name
            self._stage(directory, plan)
            self._check_again()
        except OSError as error:
            self._discard(directory)
            raise unwritable(error) from error
        except TacitError:
            self._discard(directory)
            raise
        committed = directory / journal.NAME
        try:
            fsio.rename(directory / _PLAN, committed)  # Commit point: from here on recovery completes it.
        except OSError as error:
            if not committed.exists():
                self._discard(directory)
                raise unwritable(error) from error
        try:
            fsio.sync_directory(directory)
            kept = apply.roll_forward(self._layout, self._log, directory, plan)
        except (OSError, KeyboardInterrupt) as error:
            reason = getattr(error, "strerror", None) or str(error) or "Ctrl-C"
            raise CommittedCompleting(id=self.operation_id, reason=reason) from error
        if kept:
            files = [change.path for change in plan.changes if not change.derived]
            raise ConflictKept(file=", ".join(files), kept=", ".join(kept))

    def _plan(self) -> Journal:
        changes = tuple(
            Change(
                path=path,
                old=self._seen[path],
                new=write.digest,
                staged=str(place),
                note_id=write.note_id,
                derived=write.derived,
            )
            for place, (path, write) in enumerate(sorted(self._writes.items()))
        )
        number = self._log.next_number()
        if number == 1:
            # The log is new, or somebody deleted it: the order of the operations goes on all the same.
            number = trash.last_number(self._layout) + 1
        directory = f"{self._layout.staging.name}/{journal.directory_name(number, self.operation_id)}"
        not_kept = [f"{directory}/{each.staged}" for each in changes if not self._writes[each.path].keep]
        return Journal(
            operation_id=self.operation_id,
            operation=self.operation,
            number=number,
            ts=self.ts,
            changes=changes,
            destroyed=(*self._destroyed, *not_kept),
            audit=self._log.plan(
                [self._with_hash(record) for record in self._records],
                operation_id=self.operation_id,
                ts=self.ts,
                also=sorted(self._unnamed()),
                number=number,
            ),
            undoes=self.undoes,
        )

    def _with_hash(self, record: Record) -> Record:
        """Return a record with the hash of what its file will hold, so that the log vouches for that content."""
        write = self._writes.get(record.file)
        if write is None or write.digest is None:
            return record
        return replace(record, content_hash=write.digest)

    def _unnamed(self) -> set[str]:
        """Return the changed files that no record names, so that readers can find them in the log."""
        changed = {path for path, write in self._writes.items() if not write.derived}
        return changed - {record.file for record in self._records}

    def _refuse_read_only(self, plan: Journal) -> None:
        """Raise OSError if a directory is closed to us: after the commit point it would be too late to refuse."""
        parents = {self._layout.place(change.path).parent for change in plan.changes}
        parents |= {(self._layout.root / name).parent for name in plan.destroyed}
        for parent in sorted({*parents, self._layout.trash, self._layout.audit}):
            fsio.refuse_read_only(parent)

    def _stage(self, directory: Path, plan: Journal) -> None:
        fsio.make_directory(self._layout.staging, mode=0o700)
        fsio.make_directory(directory, mode=0o700)
        to_sync = []
        for change in plan.changes:
            write = self._writes[change.path]
            if write.content is not None and write.digest is not None:
                staged = directory / change.staged
                fsio.create(staged, write.content, sync=False, mode=self._mode(change.path))
                if write.derived:
                    apply.remember(staged, write.digest)
                else:
                    to_sync.append(staged)
        fsio.create(directory / _PLAN, plan.encode(), sync=False, mode=0o600)
        fsio.sync_files([*to_sync, directory / _PLAN])
        # Before the journal appears, all that it speaks of must be durable: names as well as bytes.
        fsio.sync_directory(directory)

    def _mode(self, path: str) -> int:
        try:
            return self._layout.place(path).stat(follow_symlinks=False).st_mode & 0o777
        except FileNotFoundError:
            return fsio.DEFAULT_MODE

    def _check_again(self) -> None:
        for path, seen in self._seen.items():
            look = apply.of_derived if path in self._derived else apply.fingerprint
            if look(self._layout.place(path)) != seen:
                raise ChangedMeanwhile(file=path, kept="")

    @staticmethod
    def _discard(directory: Path | None) -> None:
        if directory is not None:
            try:
                fsio.remove_tree(directory)
            except OSError:
                return  # without a journal the next recovery removes it
