"""What a crash left: completed if it was committed, discarded if not, set aside if the disk damaged it."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from tacit import fsio
from tacit.audit.log import AuditLog
from tacit.audit.record import Event, Record
from tacit.errors import ConflictKept, SymlinkRefused
from tacit.note.model import Layer
from tacit.store import apply, recovery
from tacit.store.lock import WriterLock
from tests.files import holders
from tests.store.banks import Killed, ids, note, path_of, reopen, tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.bank import Bank


def kill(*_: object, **__: object) -> None:
    """End here."""
    raise Killed


def killed_after_commit(bank: Bank, monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> Path:
    """Let the process die right after its commit point; the directory of the transaction is what it leaves."""
    with monkeypatch.context() as patch:
        patch.setattr(apply, "roll_forward", kill)
        with pytest.raises(Killed):
            act()
    [directory] = (bank.root / "staging").glob("[!.]*")
    return directory


def resealed(content: bytes, **members: object) -> bytes:
    """A journal with other members and a fingerprint that fits."""
    body = json.dumps({**json.loads(content.partition(b"\n")[2]), **members}).encode()
    return fsio.digest(body).encode() + b"\n" + body


def test_committed_transaction_is_completed(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-01: with a journal the next open rolls forward, without asking anybody."""
    killed_after_commit(bank, monkeypatch, lambda: bank.add([note("a")]))
    assert not path_of(bank, "a").exists()

    again = reopen(bank)

    assert path_of(bank, "a").exists()
    assert again.kept_aside == []
    assert again.check() == (1, [])


def test_uncommitted_transaction_is_discarded(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-01: without a journal nothing happened."""
    before = tree(bank.root)
    with monkeypatch.context() as patch:
        patch.setattr(fsio, "sync_files", kill)
        with pytest.raises(Killed):
            bank.add([note("a")])
    assert len(list((bank.root / "staging").glob("[!.]*"))) == 1

    reopen(bank)

    assert tree(bank.root) == before


def test_completion_is_seen_as_done_by_its_audit_lines(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-01: a crash after the last step but one leaves nothing to do but to tidy up."""
    bank.add([note("a")])
    real = fsio.rename

    def rename(source: Path, target: Path) -> None:
        if target.parent.name == ".trash":
            raise Killed
        real(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(fsio, "rename", rename)
        with pytest.raises(Killed):
            bank.archive("MEM-a")
    with monkeypatch.context() as patch:
        patch.setattr(apply._Step, "put_in_place", kill)
        again = reopen(bank)

    assert again.get("MEM-a").status == "archive"
    assert again.check() == (1, [])
    assert again.undo().undone


@pytest.mark.parametrize(
    "harm",
    [
        lambda content: content[:-1],
        lambda content: content.replace(b"MEM-a", b"MEM-z"),
        lambda _: b"",
        lambda _: b"\xff\xfe\n{}",
        lambda content: resealed(content, version=99),
    ],
    ids=["cut", "changed", "empty", "no text", "from the future"],
)
def test_damaged_journal_is_set_aside_and_told(
    bank: Bank, monkeypatch: pytest.MonkeyPatch, harm: Callable[[bytes], bytes]
) -> None:
    """T-01: a journal whose bytes are not what was written is carried out by nobody and kept for a person to see."""
    directory = killed_after_commit(bank, monkeypatch, lambda: bank.add([note("a")]))
    journal = directory / "journal.json"
    journal.write_bytes(harm(journal.read_bytes()))
    assert bank._store.unfinished() == []

    again = reopen(bank)

    assert again.kept_aside == [f"conflicts/damaged-{directory.name}"]
    assert (bank.root / again.kept_aside[0] / "0").exists()
    assert [problem.code for problem in again.check()[1]] == ["store.conflict"]
    again.add([note("b")])
    assert ids(again) == ["MEM-b"]


def test_other_things_in_staging_are_left_alone(bank: Bank) -> None:
    """Recovery touches what transactions made, and nothing else."""
    (bank.root / "staging" / "proposal.json").write_bytes(b"{}")

    reopen(bank).add([note("a")])

    assert [path.name for path in (bank.root / "staging").glob("[!.]*")] == ["proposal.json"]


def test_recovery_makes_a_folder_that_is_gone(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-01: git removes empty folders; a committed note finds its place all the same."""
    killed_after_commit(bank, monkeypatch, lambda: bank.add([note("a", layer=Layer.PROCEDURAL)]))
    shutil.rmtree(bank.root / "L2_procedural")

    assert ids(reopen(bank)) == ["MEM-a"]
    assert (bank.root / "L2_procedural" / "MEM-a.md").exists()


def test_destroying_what_is_gone_with_its_folder_is_fine(bank: Bank) -> None:
    """T-05: what shall be destroyed may already be gone."""
    with bank._store.writing("test") as transaction:
        transaction.destroy(".local/sessions/old.json")
        transaction.record(Record(event=Event.TRASH_EMPTIED, operation="test"))
        transaction.commit()

    assert bank.check() == (0, [])


def test_old_bytes_that_shall_not_be_kept_go_after_a_kill(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-05: what a purge changes leaves its old bytes nowhere, even if it is completed by the next command."""
    task = bank.root / "L4_working/T-a.json"
    task.parent.mkdir(exist_ok=True)
    task.write_text("swordfish", encoding="utf-8")

    def change() -> None:
        with bank._store.writing("purge") as transaction:
            transaction.put("L4_working/T-a.json", b"clean", keep=False)
            transaction.record(Record(event=Event.NOTE_PURGED, operation="purge"))
            transaction.commit()

    killed_after_commit(bank, monkeypatch, change)
    again = reopen(bank)

    assert task.read_text(encoding="utf-8") == "clean"
    assert holders(bank.root, "swordfish") == []
    assert next(check.ok for check in again.doctor() if check.name == "undo")


def test_opener_does_not_wait_for_a_writer(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-02: while somebody writes, opening leaves the recovery to them, and reads."""
    directory = killed_after_commit(bank, monkeypatch, lambda: bank.add([note("a")]))
    writer = WriterLock(bank.root / ".local", timeout_s=0, act="test")
    assert writer.try_acquire()

    assert ids(reopen(bank)) == ["MEM-a"]

    assert directory.exists()
    writer.release()


def test_recovery_does_not_follow_a_link(bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: a link in place of a folder stops recovery and writing, never reading, and is told by `check`."""
    killed_after_commit(bank, monkeypatch, lambda: bank.add([note("a")]))
    (bank.root / "L1_declarative").rename(tmp_path / "outside")
    (bank.root / "L1_declarative").symlink_to(tmp_path / "outside")

    again = reopen(bank)

    assert list((tmp_path / "outside").iterdir()) == []
    assert "path.symlink" in [problem.code for problem in again.check()[1]]
    with pytest.raises(SymlinkRefused):
        again.add([note("b")])


def test_place_without_staging_has_nothing_left_over(bank: Bank) -> None:
    """B-06: a fresh clone has no staging folder, and a file in its place is no folder."""
    shutil.rmtree(bank.root / "staging")
    assert recovery.left_over(bank._store.layout) == []
    (bank.root / "staging").write_bytes(b"")
    assert recovery.left_over(bank._store.layout) == []


def test_conflict_found_by_a_writer_is_not_silent(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: what a writer's recovery sets aside stands in conflicts/, where `check` points at it."""
    killed_after_commit(bank, monkeypatch, lambda: bank.add([note("a")]))
    path_of(bank, "a").write_bytes(b"somebody else's")

    bank.add([note("b")])

    assert "store.conflict" in [problem.code for problem in bank.check()[1]]


def test_index_that_flaps_is_left_to_healing(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """I-02: a derived file that somebody keeps taking away makes no conflict and no failure."""
    real = fsio.exchange

    def exchange(first: Path, second: Path) -> None:
        if second.name == "INDEX.md":
            raise FileNotFoundError
        real(first, second)

    with monkeypatch.context() as patch:
        patch.setattr(fsio, "exchange", exchange)
        bank.add([note("a")])

    assert reopen(bank).check() == (1, [])


def test_conflict_names_files_of_people_only(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the note and not INDEX.md, which nobody has to look at."""
    monkeypatch.setattr(fsio, "link_new", lambda _, target: target.write_bytes(b"theirs"))

    with pytest.raises(ConflictKept) as caught:
        bank.add([note("a")])

    assert caught.value.details["file"] == "L1_declarative/MEM-a.md"


def test_silent_transaction_is_refused(bank: Bank) -> None:
    """A-01: a change that would leave no line in the log is a mistake of the program, found before it is made."""
    before = tree(bank.root)

    with bank._store.writing("test") as transaction:
        transaction.put("MEMORY.md", b"changed")
        with pytest.raises(ValueError, match="audit log"):
            transaction.commit()

    assert tree(bank.root) == before


def test_log_goes_on_after_a_segment_of_nonsense(bank: Bank) -> None:
    """A-02: the number goes on from the last line that can be read, and the damage shows."""
    bank.add([note("a")])
    (bank._store.layout.audit / "audit-000002.ndjson").write_bytes(b'[]\n{"n": "one"}\nwords\n')

    bank.add([note("b")])

    assert [entry.note_id for entry in bank.log()] == ["", "MEM-a", "MEM-b"]
    count, damages = bank._store.log.verify()
    assert count == 3
    assert [damage.reason for damage in damages] == ["the line cannot be read"] * 3


@pytest.mark.parametrize("lines", [1, 40])
def test_log_rotates_inside_transactions(bank: Bank, monkeypatch: pytest.MonkeyPatch, lines: int) -> None:
    """A-02: a new segment begins between two operations, never inside one, and a crash there changes nothing."""
    bank._store.log = AuditLog(bank._store.layout.audit, segment_bytes=1)
    bank.add([note(f"{number:02d}") for number in range(lines)])
    bank.archive("MEM-00")
    with monkeypatch.context() as patch:
        patch.setattr(fsio, "append", kill)
        with pytest.raises(Killed):
            bank.delete("MEM-00")

    reopen(bank)

    segments = sorted(path.read_bytes().count(b"\n") for path in bank._store.layout.audit.iterdir())
    assert segments == sorted([1, lines, 1, 1])
    assert bank._store.log.verify() == (3 + lines, [])
