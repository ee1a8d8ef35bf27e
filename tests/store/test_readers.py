"""Readers take no lock, never wait, and see all of a transaction or nothing of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.audit.log import AuditLog
from tacit.audit.record import Event, Record
from tacit.bank import Bank, State
from tacit.errors import NoteNotFound
from tacit.note.model import Layer
from tacit.store import apply
from tacit.store import scan as scans
from tacit.store import store as stores
from tacit.store.lock import WriterLock
from tacit.store.store import Store
from tests.store.banks import Killed, ids, note, path_of, reopen, tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tacit.store.layout import Layout
    from tacit.store.scan import Scan

A = "L1_declarative/MEM-a.md"


def kill(*_: object, **__: object) -> None:
    """End here."""
    raise Killed


@pytest.fixture
def filled(bank: Bank) -> Bank:
    """A bank with one note."""
    bank.add([note("a")])
    return bank


@pytest.fixture
def reader(filled: Bank) -> Iterator[Bank]:
    """The same bank, opened by somebody who only reads while a writer holds the lock."""
    lock = WriterLock(filled.root / ".local", timeout_s=0, act="test")
    opened = reopen(filled)
    assert lock.try_acquire()
    yield opened
    lock.release()


def interrupted(act: Callable[[], object], monkeypatch: pytest.MonkeyPatch, *, in_place: bool) -> None:
    """Let a writer commit and stop: with its files in place but not logged, or before it touched any."""
    with monkeypatch.context() as patch:
        if in_place:
            patch.setattr(AuditLog, "add", kill)
        else:
            patch.setattr(apply, "roll_forward", kill)
        patch.setattr(WriterLock, "acquire", lambda _: None)  # the reader's fixture holds it
        with pytest.raises(Killed):
            act()


@pytest.mark.parametrize("in_place", [False, True], ids=["not in place", "in place"])
def test_committed_transaction_is_read_as_done(
    filled: Bank, reader: Bank, monkeypatch: pytest.MonkeyPatch, *, in_place: bool
) -> None:
    """T-02: from the commit point on every reader sees all of it, by id, by path and in the list."""

    def act() -> None:
        with filled._store.writing("test") as transaction:
            content = transaction.read(A) or b""
            transaction.put(A, content.replace(b"Look twice.", b"Look again."), note_id="MEM-a")
            transaction.put("L2_procedural/MEM-b.md", content.replace(b"MEM-a", b"MEM-b"), note_id="MEM-b")
            transaction.record(Record(event=Event.NOTE_UPDATED, operation="test"))
            transaction.commit()

    interrupted(act, monkeypatch, in_place=in_place)
    before = tree(filled.root)

    assert [(each.id, each.one_liner) for each in reader.notes()] == [
        ("MEM-a", "Look again."),
        ("MEM-b", "Look twice."),
    ]
    assert reader.get("MEM-a").one_liner == "Look again."
    assert reader.get("MEM-b").layer is Layer.PROCEDURAL
    assert reader.check() == (2, [])
    assert tree(filled.root) == before, "a reader wrote"


@pytest.mark.parametrize("in_place", [False, True], ids=["not in place", "in place"])
@pytest.mark.parametrize("operation", ["delete", "purge"])
def test_committed_removal_is_read_as_done(
    filled: Bank, reader: Bank, monkeypatch: pytest.MonkeyPatch, operation: str, *, in_place: bool
) -> None:
    """T-02, T-05: a note that is removed or purged is gone from the commit point on."""
    interrupted(lambda: getattr(filled, operation)("MEM-a"), monkeypatch, in_place=in_place)

    assert ids(reader) == []
    assert reader._store.read(A) is None
    with pytest.raises(NoteNotFound):
        reader.get("MEM-a")


def test_committed_state_holds_at_once(filled: Bank, reader: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """K-01: a state that is committed counts, wherever its file is."""
    interrupted(lambda: filled.set_state(State.OFF), monkeypatch, in_place=False)

    assert (filled.root / "memory.lock").read_bytes() == b"ON\n"
    assert reader.state is State.OFF


def test_other_files_are_read_past_a_transaction(filled: Bank, reader: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """A transaction in the making hides nothing that it does not change."""
    interrupted(lambda: filled.add([note("b")]), monkeypatch, in_place=False)

    assert reader._store.read(A) == path_of(filled, "a").read_bytes()


# ── A writer that comes in between ────────────────────────────────────────────────────────────────────────────────────


def during_scan(monkeypatch: pytest.MonkeyPatch, acts: list[Callable[[], object]]) -> None:
    """Let writers act, each while one scan of a reader is on its way."""
    real = scans.scan

    def scan(layout: Layout, previous: Scan | None = None) -> Scan:
        found = real(layout, previous)
        if acts:
            acts.pop(0)()
        return found

    monkeypatch.setattr(stores, "scan", scan)


def test_note_moved_during_a_scan_is_seen_once(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-02: a note on its way from one folder to the other is neither missing nor double."""
    reader = reopen(filled)
    during_scan(monkeypatch, [lambda: filled.move("MEM-a", Layer.PROCEDURAL)])

    assert [(each.id, each.file) for each in reader.notes()] == [("MEM-a", "L2_procedural/MEM-a.md")]


def test_transaction_committed_during_a_scan_is_seen_whole(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-02: a scan that began before a commit and ended after it sees all of it, even if the writer died there."""
    reader = reopen(filled)
    during_scan(
        monkeypatch, [lambda: interrupted(lambda: filled.move("MEM-a", Layer.PROCEDURAL), monkeypatch, in_place=False)]
    )

    assert [(each.id, each.file) for each in reader.notes()] == [("MEM-a", "L2_procedural/MEM-a.md")]


def test_transaction_without_a_journal_is_not_seen(filled: Bank) -> None:
    """T-02: before the commit point there is nothing to see."""
    staged = filled.root / "staging" / "tx-0000000009-OP-x"
    staged.mkdir()
    (staged / "0").write_bytes(b"half a note")

    assert ids(filled) == ["MEM-a"]
    assert filled._store.unfinished() == []


def test_reader_gives_up_chasing_writers(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-02: against a writer that never pauses a reader ends all the same."""
    reader = reopen(filled)
    real = AuditLog.position
    monkeypatch.setattr(stores, "_ROUNDS", 3)
    names = iter("bcdefgh")

    def position(log: AuditLog) -> object:
        if log is reader._store.log:
            filled.add([note(next(names))])
        return real(log)

    monkeypatch.setattr(AuditLog, "position", position)

    assert ids(reader) == [f"MEM-{name}" for name in "abcde"]


def test_note_moved_between_finding_and_reading_is_found_again(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-02: a reader that knows the old path looks for the new one."""
    reader = reopen(filled)
    real = Store.read
    moves = [Layer.PROCEDURAL, Layer.DECLARATIVE]

    def read(store: Store, path: str) -> bytes | None:
        if store is reader._store and path.endswith(".md") and moves:
            filled.move("MEM-a", moves.pop(0))
        return real(store, path)

    monkeypatch.setattr(Store, "read", read)

    assert reader.get("MEM-a").id == "MEM-a"
    assert reader.text("MEM-a") == path_of(filled, "a").read_text(encoding="utf-8")


def test_note_removed_between_finding_and_reading_is_not_found(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-02: a note that is gone is gone, not empty."""
    monkeypatch.setattr(Store, "read", lambda _, path: b"ON" if path == "memory.lock" else None)

    with pytest.raises(NoteNotFound):
        filled.get("MEM-a")


def test_check_judges_one_moment(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-02: a writer that comes in between is no problem of the bank; `check` looks again."""
    reader = reopen(filled)
    acts: list[Callable[[], object]] = [lambda: filled.add([note("b")]), lambda: filled.delete("MEM-a")]
    real = Store.read

    def read(store: Store, path: str) -> bytes | None:
        if store is reader._store and path == "INDEX.md" and acts:
            acts.pop(0)()
        return real(store, path)

    monkeypatch.setattr(Store, "read", read)

    assert reader.check() == (1, [])


def test_check_ends_in_front_of_a_writer_that_never_pauses(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-02: after some rounds the bank is judged as it was seen."""
    moments = iter(range(100))
    monkeypatch.setattr(Store, "moment", lambda _: next(moments))

    assert filled.check() == (1, [])
