"""Bugs on purpose: each is put into the running product by name, and at least one suite must catch it.

The product has no switches for this: a plant replaces functions of the product for as long as it is applied.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from tacit import fsio
from tacit.audit.log import AuditLog
from tacit.bank import writing
from tacit.errors import StoreUnwritable
from tacit.store import apply, journal, recovery, transaction
from tacit.store.lock import WriterLock
from tacit.store.scan import scan
from tacit.store.store import Store
from tacit.store.transaction import Transaction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from tacit.audit.log import Addition
    from tacit.bank import By, Committed
    from tacit.store.journal import Journal
    from tacit.store.layout import Layout
    from tacit.store.scan import Scan


class _Patches:
    """Replaces attributes and puts them back."""

    def __init__(self) -> None:
        self._undo: list[tuple[Any, str, Any]] = []

    def set(self, owner: object, name: str, value: object) -> None:
        self._undo.append((owner, name, getattr(owner, name)))
        setattr(owner, name, value)

    def take_back(self) -> None:
        for owner, name, value in reversed(self._undo):
            setattr(owner, name, value)


@dataclass(frozen=True, slots=True)
class Plant:
    """One bug: what it is, the suites that can see it, the likeliest first, and how it gets into the product."""

    what: str
    suites: tuple[str, ...]
    put: Callable[[_Patches], None]


@contextmanager
def applied(name: str) -> Iterator[None]:
    """Put the bug of that name into the product for a while; the empty name stands for none."""
    patches = _Patches()
    try:
        if name:
            PLANTS[name].put(patches)
        yield
    finally:
        patches.take_back()


def _no_journal(patches: _Patches) -> None:
    rename = fsio.rename

    def planted(source: Path, target: Path) -> None:
        if target.name == journal.NAME:
            return
        if (source / "plan.json").exists():
            rename(source / "plan.json", source / journal.NAME)
        rename(source, target)

    patches.set(fsio, "rename", planted)


def _no_file_sync(patches: _Patches) -> None:
    patches.set(fsio, "_flush", lambda _: None)


def _no_directory_sync(patches: _Patches) -> None:
    patches.set(fsio, "sync_directory", lambda _: None)


def _plan_not_synced(patches: _Patches) -> None:
    sync_files = fsio.sync_files

    def planted(paths: Iterable[Path]) -> None:
        sync_files([path for path in paths if path.name != "plan.json"])

    patches.set(fsio, "sync_files", planted)


def _audit_not_synced(patches: _Patches) -> None:
    append = fsio.append

    def planted(path: Path, offset: int, content: bytes) -> None:
        inner = _Patches()
        inner.set(fsio, "_flush", lambda _: None)
        try:
            append(path, offset, content)
        finally:
            inner.take_back()

    patches.set(fsio, "append", planted)


def _replay_without_mark(patches: _Patches) -> None:
    left_over = recovery.left_over
    patches.set(AuditLog, "has", lambda *_: False)
    patches.set(recovery, "left_over", lambda layout: left_over(layout)[::-1])


def _write_in_place(patches: _Patches) -> None:
    def planted(first: Path, second: Path) -> None:
        new, old = first.read_bytes(), second.read_bytes()
        for path, content in ((second, new), (first, old)):
            descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC)
            os.write(descriptor, content)
            os.close(descriptor)

    patches.set(fsio, "exchange", planted)


def _double_audit(patches: _Patches) -> None:
    def planted(log: AuditLog, addition: Addition) -> None:
        path = log._path(addition.segment)
        fsio.append(path, path.stat().st_size if path.exists() else 0, addition.content.encode())

    patches.set(AuditLog, "has", lambda *_: False)
    patches.set(AuditLog, "add", planted)


def _no_lock(patches: _Patches) -> None:
    patches.set(WriterLock, "acquire", lambda _: None)
    patches.set(WriterLock, "try_acquire", lambda _: True)


def _no_compare(patches: _Patches) -> None:
    rewrite = writing.rewrite

    def planted(store: Store, file: str, content: bytes, base: str, by: By) -> Committed:
        del base
        return rewrite(store, file, content, fsio.digest(store.read(file) or b""), by)

    patches.set(writing, "rewrite", planted)
    patches.set(Transaction, "_check_again", lambda _: None)


def _blind_exchange(patches: _Patches) -> None:
    write = apply._Step._write

    def planted(self: apply._Step) -> bool:
        write(self)
        return True

    patches.set(apply._Step, "_write", planted)


def _recovery_discards(patches: _Patches) -> None:
    def planted(layout: Layout, _: AuditLog) -> list[str]:
        for directory in recovery.left_over(layout):
            fsio.remove_tree(directory)
        return []

    patches.set(recovery, "recover", planted)


def _finish_before_apply(patches: _Patches) -> None:
    def planted(layout: Layout, log: AuditLog, directory: Path, record: Journal) -> list[str]:
        finished = layout.trash / directory.name
        fsio.rename(directory, finished)
        return _apply_from(layout, log, finished, record)

    patches.set(apply, "roll_forward", planted)


def _apply_from(layout: Layout, log: AuditLog, directory: Path, record: Journal) -> list[str]:
    kept = _change_files(layout, directory, record)
    log.add(record.audit)
    return kept


def _change_files(layout: Layout, directory: Path, record: Journal) -> list[str]:
    kept: list[str] = []
    for change in record.changes:
        target = layout.place(change.path)
        kept += apply._Step(layout, directory, record, change, target).put_in_place()
        fsio.sync_directory(target.parent)
        if change.derived or change.old is None:
            fsio.remove(directory / change.staged)
    for name in record.destroyed:
        fsio.remove_tree(layout.root / name)
    return kept


def _mark_before_apply(patches: _Patches) -> None:
    def planted(layout: Layout, log: AuditLog, directory: Path, record: Journal) -> list[str]:
        kept: list[str] = []
        if not log.has(record.audit):
            log.add(record.audit)
            kept = _change_files(layout, directory, record)
        fsio.rename(directory, layout.trash / directory.name)
        return kept

    patches.set(apply, "roll_forward", planted)


def _unlink_instead_of_trash(patches: _Patches) -> None:
    rename = fsio.rename

    def planted(source: Path, target: Path) -> None:
        if target.parent.parent.name == "staging" and source.parent != target.parent:
            source.unlink()
        else:
            rename(source, target)

    patches.set(fsio, "rename", planted)


def _acknowledge_before_commit(patches: _Patches) -> None:
    commit, write = Transaction.commit, Store.writing
    waiting: list[Callable[[], None]] = []

    def later(self: Transaction) -> None:
        waiting.append(partial(commit, self))

    def planted(self: Store, operation: str, *, wait: bool = True) -> Any:  # noqa: ANN401  a context manager
        while waiting:
            waiting.pop(0)()
        return write(self, operation, wait=wait)

    patches.set(Transaction, "commit", later)
    patches.set(Store, "writing", planted)


def _rotation_drops_lines(patches: _Patches) -> None:
    add = AuditLog.add

    def planted(self: AuditLog, addition: Addition) -> None:
        add(self, addition)
        if addition.segment > 1 and addition.offset == 0:
            fsio.remove(self._path(addition.segment - 1))

    patches.set(AuditLog, "add", planted)


def _says_failed_after_commit(patches: _Patches) -> None:
    def planted(**details: object) -> StoreUnwritable:
        return StoreUnwritable(file=details["id"], reason=details["reason"])

    patches.set(transaction, "CommittedCompleting", planted)


def _lock_kept_after_error(patches: _Patches) -> None:
    release = WriterLock.release

    def planted(self: WriterLock) -> None:
        if sys.exc_info()[0] is None:
            release(self)

    patches.set(WriterLock, "release", planted)


def _short_writes(patches: _Patches) -> None:
    def planted(descriptor: int, content: bytes) -> None:
        os.write(descriptor, content)

    patches.set(fsio, "_write_all", planted)


def _no_heal(patches: _Patches) -> None:
    patches.set(writing, "heal", lambda _: False)


def _readers_see_half(patches: _Patches) -> None:
    def planted(self: Store, *, fresh: bool = False, keep: bool = True) -> Scan:
        del fresh, keep
        return scan(self.layout)

    patches.set(Store, "look", planted)


PLANTS = {
    "no-journal": Plant("files change without a journal", ("fork",), _no_journal),
    "no-file-sync": Plant("the bytes of files are never synced", ("alice",), _no_file_sync),
    "no-directory-sync": Plant("directories are never synced", ("alice",), _no_directory_sync),
    "plan-not-synced": Plant("the journal's own bytes are not synced", ("alice",), _plan_not_synced),
    "audit-not-synced": Plant("the audit lines are not synced", ("alice",), _audit_not_synced),
    "replay-without-mark": Plant("recovery repeats what is done, newest first", ("fork",), _replay_without_mark),
    "write-in-place": Plant("notes are overwritten where they stand", ("fork", "alice"), _write_in_place),
    "double-audit": Plant("recovery writes the audit lines again", ("fork",), _double_audit),
    "no-lock": Plant("writers do not wait for each other", ("processes",), _no_lock),
    "no-compare": Plant("a changed file is overwritten unseen", ("processes", "editor"), _no_compare),
    "blind-exchange": Plant("nobody looks at what an exchange brings out", ("editor",), _blind_exchange),
    "recovery-discards": Plant("recovery throws committed transactions away", ("fork",), _recovery_discards),
    "finish-before-apply": Plant("the journal goes before the files are in place", ("fork",), _finish_before_apply),
    "mark-before-apply": Plant("the audit lines come before the files", ("fork",), _mark_before_apply),
    "unlink-instead-of-trash": Plant("removed notes are gone", ("fork",), _unlink_instead_of_trash),
    "acknowledge-before-commit": Plant("done is said before it is done", ("fork",), _acknowledge_before_commit),
    "rotation-drops-lines": Plant("a new audit file throws away the one before", ("fork",), _rotation_drops_lines),
    "says-failed-after-commit": Plant(
        "a committed change is called failed", ("disk", "syscalls"), _says_failed_after_commit
    ),
    "lock-kept-after-error": Plant("an error leaves the bank locked", ("syscalls",), _lock_kept_after_error),
    "short-writes": Plant("a write that wrote less than asked passes", ("disk",), _short_writes),
    "no-heal": Plant("a stale INDEX.md stays", ("fork", "alice"), _no_heal),
    "readers-see-half": Plant("readers do not look for running transactions", ("processes",), _readers_see_half),
}
