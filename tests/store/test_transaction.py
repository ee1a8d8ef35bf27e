"""What a transaction insists on before it commits."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from typing import TYPE_CHECKING

import pytest

from tacit.audit.log import AuditLog
from tacit.audit.record import Event, Record
from tacit.errors import BankBusy, ChangedMeanwhile, StoreUnwritable, SymlinkRefused
from tacit.store.lock import WriterLock
from tests.store.banks import note, path_of, tree

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.bank import Bank

MEANT = Record(event=Event.NOTE_UPDATED, operation="test")


def test_all_files_change_together(bank: Bank) -> None:
    """T-01: one commit changes, adds and removes files, with INDEX.md and the audit lines in the same step."""
    bank.add([note("a"), note("b")])
    content = path_of(bank, "a").read_bytes()

    with bank._store.writing("test") as transaction:
        transaction.put("L1_declarative/MEM-a.md", content.replace(b"About", b"All about"), note_id="MEM-a")
        transaction.put("L2_procedural/MEM-c.md", content.replace(b"MEM-a", b"MEM-c"), note_id="MEM-c")
        transaction.remove("L1_declarative/MEM-b.md", note_id="MEM-b")
        transaction.record(MEANT)
        assert {path: content is None for path, content in transaction.pending.items()} == {
            "L1_declarative/MEM-a.md": False,
            "L1_declarative/MEM-b.md": True,
            "L2_procedural/MEM-c.md": False,
        }
        transaction.commit()

    assert [(each.id, each.title) for each in bank.notes()] == [("MEM-a", "All about a"), ("MEM-c", "About a")]
    assert bank.check() == (2, [])


def test_transaction_that_is_not_committed_never_was(bank: Bank) -> None:
    """T-01: leaving without a commit, or by an error, changes nothing."""
    before = tree(bank.root)

    with bank._store.writing("test") as transaction:
        transaction.put("MEMORY.md", b"changed")
        transaction.record(MEANT)

    assert tree(bank.root) == before


@pytest.mark.parametrize("how", ["changed", "removed", "made", "turned into a link"])
def test_whatever_was_read_must_still_be_so(bank: Bank, how: str) -> None:
    """T-03: a file that was read, even if it is not to be written, must be the same at the commit."""
    bank.add([note("a")])
    path = path_of(bank, "b" if how == "made" else "a")
    before = tree(bank.root)

    def commit() -> None:
        with bank._store.writing("test") as transaction:
            transaction.read(f"L1_declarative/{path.name}")
            transaction.put("MEMORY.md", b"changed")
            transaction.record(MEANT)
            if how in ("changed", "made"):
                path.write_bytes(b"somebody else")
            else:
                path.unlink()
            if how.startswith("turned"):
                path.symlink_to("elsewhere")
            transaction.commit()

    with pytest.raises(ChangedMeanwhile) as caught:
        commit()

    assert caught.value.details["file"] == f"L1_declarative/{path.name}"
    after = tree(bank.root)
    assert {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)} == {
        f"L1_declarative/{path.name}"
    }


def test_what_changed_between_two_looks_of_a_transaction_is_not_overwritten(bank: Bank) -> None:
    """T-03: the first look counts, for what is to be written was made from it."""
    path = bank.root / "MEMORY.md"
    path.write_bytes(b"first")

    def commit() -> None:
        with bank._store.writing("test") as transaction:
            made = (transaction.read("MEMORY.md") or b"") + b" and more"
            path.write_bytes(b"somebody else")
            assert transaction.read("MEMORY.md") == b"somebody else"
            transaction.put("MEMORY.md", made)
            transaction.record(MEANT)
            transaction.commit()

    with pytest.raises(ChangedMeanwhile):
        commit()
    assert path.read_bytes() == b"somebody else"


def test_link_is_neither_read_nor_written(bank: Bank) -> None:
    """T-03: a transaction refuses a link before it plans anything."""
    path_of(bank, "a").symlink_to("../MEMORY.md")

    with pytest.raises(SymlinkRefused), bank._store.writing("test") as transaction:
        transaction.put("L1_declarative/MEM-a.md", b"through the link")


def test_changed_file_keeps_its_permissions(bank: Bank) -> None:
    """N-04: who may read a note does not change with what it says."""
    bank.add([note("a")])
    path_of(bank, "a").chmod(0o640)

    bank.archive("MEM-a")

    assert stat.S_IMODE(path_of(bank, "a").stat().st_mode) == 0o640


def test_log_that_cannot_be_read_stops_before_anything_is_staged(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: an error while planning leaves not even a folder."""
    before = tree(bank.root)

    def refuse(_: AuditLog) -> int:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(AuditLog, "next_number", refuse)
    with pytest.raises(StoreUnwritable):
        bank.add([note("a")])

    assert tree(bank.root) == before


def test_error_inside_frees_the_lock(bank: Bank) -> None:
    """T-02: whatever goes wrong while a writer decides, the next one can write."""
    with pytest.raises(ZeroDivisionError), bank._store.writing("test"):
        raise ZeroDivisionError

    bank.add([note("a")])


# ── The lock, where it is not to be had ───────────────────────────────────────────────────────────────────────────────


def test_second_writer_gets_busy_and_changes_nothing(bank: Bank) -> None:
    """T-02: with a writer in the house a second one waits its time and then says who it was."""
    bank._store._lock_timeout_s = 0
    before = tree(bank.root)

    with bank._store.writing("first"), pytest.raises(BankBusy, match="first"):
        bank.add([note("a")])

    assert tree(bank.root) == before


def test_lock_that_is_not_held_is_neither_freed_nor_signed(tmp_path: Path) -> None:
    """Giving back what one does not have does nothing."""
    lock = WriterLock(tmp_path, timeout_s=0, act="test")

    lock.release()
    lock._sign()

    assert list(tmp_path.iterdir()) == []


def test_refusal_behind_the_turnstile_reaches_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-02: a kernel that lets a waiter through the turnstile and then refuses the lock leaves nothing locked."""
    held = WriterLock(tmp_path, timeout_s=0, act="holder")
    held.acquire()
    real = fcntl.flock
    lock = (tmp_path / "lock").stat()

    def refuse(descriptor: int, operation: int) -> None:
        if operation == fcntl.LOCK_EX and os.path.samestat(os.fstat(descriptor), lock):
            raise OSError(errno.ENOLCK, "No locks available")
        real(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(OSError, match="No locks"):
        WriterLock(tmp_path, timeout_s=30, act="test").acquire()
    held.release()

    assert WriterLock(tmp_path, timeout_s=0, act="next").try_acquire()
