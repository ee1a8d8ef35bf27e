"""Acts on notes that wait for the user because nobody could be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.bank.values import By
from tacit.errors import (
    AssuranceTooLow,
    FieldRefused,
    NoteNotFound,
    OperationNotFound,
    ProposalNotFound,
    StateRefused,
    TacitError,
    UndoBlocked,
)
from tacit.note.model import Layer
from tests.unit.bank.conftest import note
from tests.unit.bank.talk import lines, shared_files

if TYPE_CHECKING:
    from tacit.bank import Bank


@pytest.fixture
def bank(bank: Bank) -> Bank:
    """A bank with one note."""
    bank.add([note("MEM-a", "Alpha")])
    return bank


def only(bank: Bank) -> str:
    """The question of the one proposal that waits."""
    (waiting,) = bank.pending()
    return waiting.question.question


def test_a_deletion_waits(bank: Bank) -> None:
    """Q-04: without a terminal a delete makes a proposal; the user's yes at the terminal carries it out."""
    before = shared_files(bank.root)
    proposal = bank.propose_act("delete", "MEM-a")

    assert shared_files(bank.root) == before
    assert only(bank) == "Move “Alpha” (MEM-a) to the trash?"
    for channel in ("python", "elicitation", "prompt"):
        with pytest.raises(AssuranceTooLow):
            bank.answer(proposal, "confirm", channel)
    done = bank.answer(proposal, "confirm", "terminal")
    assert (done.status, done.decision) == ("applied", "delete")
    assert bank.notes() == []
    assert [each.note_id for each in bank.trash()] == ["MEM-a"]


def test_an_archival_waits(bank: Bank) -> None:
    """Q-01: archiving is asked about; nothing but the status changes."""
    text = bank.text("MEM-a")
    proposal = bank.propose_act("archive", "L1_declarative/MEM-a.md")

    assert "Archive" in only(bank)
    bank.answer(proposal, "confirm", "elicitation")
    assert bank.get("MEM-a").status == "archive"
    assert set(bank.text("MEM-a").splitlines()) - set(text.splitlines()) == {"status: archive"}


def test_an_undo_waits(bank: Bank) -> None:
    """Q-04, A-03: an undo by proposal brings back the exact bytes, as an operation that is told as an undo."""
    before = shared_files(bank.root)
    deleted = bank.delete("MEM-a")
    proposal = bank.propose_act("undo", deleted.operation_id)

    assert deleted.operation_id in only(bank)
    with pytest.raises(AssuranceTooLow):
        bank.answer(proposal, "confirm", "prompt")
    bank.answer(proposal, "confirm", "terminal")
    assert shared_files(bank.root) == before
    assert bank.trash() == []


def test_an_undo_of_a_setting(bank: Bank) -> None:
    """A-01: what is no note is told in the log as what it is."""
    before = shared_files(bank.root)
    done = bank.set_setting("language", "zh")
    bank.answer(bank.propose_act("undo", done.operation_id), "confirm", "terminal")

    assert shared_files(bank.root) == before
    assert [line["event"] for line in lines(bank)[-2:]] == ["memory_settings_changed", "memory_proposal_answered"]


def test_a_restore_over_a_note_waits(bank: Bank) -> None:
    """Q-04: bringing a note back over the one in its place needs the terminal, and takes the old bytes as they were."""
    old = bank.text("MEM-a")
    bank.delete("MEM-a")
    (bank.root / "L1_declarative/MEM-a.md").write_text(old.replace("Alpha", "Beta"), encoding="utf-8")
    proposal = bank.propose_act("restore", "MEM-a")

    assert only(bank) == "Bring back “Alpha” (MEM-a) over the note in its place?"
    bank.answer(proposal, "confirm", "web")
    assert bank.text("MEM-a") == old


def test_a_restore_over_a_moved_note(bank: Bank) -> None:
    """Q-04: so does one whose id stands in another layer by now; there is one note of that id afterwards."""
    bank.delete("MEM-a")
    bank.add([note("MEM-a", "Beta", layer=Layer.PROCEDURAL)])
    bank.answer(bank.propose_act("restore", "MEM-a"), "confirm", "terminal")

    assert [(each.title, each.file) for each in bank.notes()] == [("Alpha", "L1_declarative/MEM-a.md")]


def test_a_restore_in_an_empty_place(bank: Bank) -> None:
    """A-03: where nothing stands in its place the removed note comes back as it was, without a new stamp."""
    before = shared_files(bank.root)
    done = bank.delete("MEM-a")
    bank.answer(bank.propose_act("restore", done.operation_id), "confirm", "terminal")

    assert shared_files(bank.root) == before


@pytest.mark.parametrize("operation", ["delete", "archive"])
def test_the_note_changed_meanwhile(bank: Bank, operation: str) -> None:
    """Q-04, Q-05: an approval is void once the note is not what was shown: nothing changes, and it is asked anew."""
    proposal = bank.propose_act(operation, "MEM-a")
    path = bank.root / "L1_declarative/MEM-a.md"
    path.write_text(path.read_text(encoding="utf-8") + "\nedited\n", encoding="utf-8")
    edited = shared_files(bank.root)

    again = bank.answer(proposal, "confirm", "terminal")

    assert shared_files(bank.root) == edited
    assert (again.status, again.decision, again.note_id) == ("asked_again", operation, "MEM-a")
    assert [each.proposal_id for each in bank.pending()] == [again.proposal_id]
    assert again.proposal_id != proposal
    assert bank.answer(again.proposal_id, "confirm", "terminal").status == "applied"
    assert bank.pending() == []


@pytest.mark.parametrize("operation", ["delete", "archive"])
def test_the_note_stands_elsewhere_by_now(bank: Bank, operation: str) -> None:
    """Q-05: a note that was moved meanwhile is asked about where it stands."""
    proposal = bank.propose_act(operation, "MEM-a")
    bank.move("MEM-a", Layer.PROCEDURAL)

    again = bank.answer(proposal, "confirm", "terminal")

    assert again.status == "asked_again"
    assert "L2_procedural/MEM-a.md" in bank.pending()[0].diff


@pytest.mark.parametrize("operation", ["delete", "archive", "restore", "undo"])
def test_an_act_that_cannot_be_done_any_more_is_put_aside(bank: Bank, operation: str) -> None:
    """Q-05: where what it is about is gone, the question waits no more, and the user is told why."""
    if operation in ("restore", "undo"):
        bank.delete("MEM-a")
    proposal = bank.propose_act(operation, "" if operation == "undo" else "MEM-a")
    if operation in ("restore", "undo"):
        bank.restore("MEM-a")
    else:
        bank.delete("MEM-a")
    before = shared_files(bank.root)

    with pytest.raises(ProposalNotFound, match="it was put aside, because the bank has changed since: "):
        bank.answer(proposal, "confirm", "terminal")

    assert bank.pending() == []
    assert shared_files(bank.root) == before
    assert lines(bank)[-1]["event"] == "memory_answer_refused"


def test_an_undo_that_waits_makes_no_double_id(bank: Bank) -> None:
    """N-03, Q-05: what is in its way when it is answered counts, not only what was when it was asked for."""
    old = bank.text("MEM-a")
    done = bank.delete("MEM-a")
    proposal = bank.propose_act("undo", done.operation_id)
    (bank.root / "L1_declarative/renamed.md").write_text(old, encoding="utf-8")

    with pytest.raises(ProposalNotFound, match=r"renamed\.md bears the id MEM-a by now"):
        bank.answer(proposal, "confirm", "terminal")
    assert [each.file for each in bank.notes()] == ["L1_declarative/renamed.md"]


def test_no_to_an_act(bank: Bank) -> None:
    """Q-02: a declined act changes nothing and waits no more."""
    before = shared_files(bank.root)
    done = bank.answer(bank.propose_act("delete", "MEM-a"), "cancel", "terminal")

    assert (done.status, done.decision, bank.pending()) == ("declined", "cancel", [])
    assert shared_files(bank.root) == before


@pytest.mark.parametrize("channel", ["elicitation", "prompt"])
def test_no_needs_the_same_assurance(bank: Bank, channel: str) -> None:
    """Q-04: who may not say yes to a deletion may not take the question away either."""
    proposal = bank.propose_act("delete", "MEM-a")

    with pytest.raises(AssuranceTooLow):
        bank.answer(proposal, "cancel", channel)
    assert len(bank.pending()) == 1


@pytest.mark.parametrize("operation", ["", "new", "merge", "replace", "import", "purge", "Delete"])
def test_only_acts_can_be_kept(bank: Bank, operation: str) -> None:
    """Q-04: no act goes by the policy of another one."""
    with pytest.raises(FieldRefused, match="operation"):
        bank.propose_act(operation, "MEM-a")


@pytest.mark.parametrize("operation", ["delete", "archive"])
@pytest.mark.parametrize(
    "what",
    [
        "MEM-none",
        "L1_declarative/MEM-none.md",
        "CORE-values",
        "L0_core/values.md",
        "tacit.toml",
        "memory.lock",
        "MEMORY.md",
        "../outside.md",
        "/etc/passwd",
        "",
        "L1_declarative/MEM-broken.md",
    ],
)
def test_only_notes_can_be_acted_on(bank: Bank, operation: str, what: str) -> None:
    """Q-04, X-04: core documents, settings, state and whatever is outside are no notes."""
    (bank.root / "L0_core/values.md").write_text("# Values\n\nBe kind.\n", encoding="utf-8")
    (bank.root / "L1_declarative/MEM-broken.md").write_text("no note\n", encoding="utf-8")

    with pytest.raises((NoteNotFound, FieldRefused)):
        bank.propose_act(operation, what)
    assert bank.pending() == []


@pytest.mark.parametrize(
    ("operation", "what", "error"),
    [
        ("restore", "MEM-a", NoteNotFound),
        ("restore", "", NoteNotFound),
        ("undo", "OP-none", OperationNotFound),
    ],
)
def test_nothing_to_bring_back(bank: Bank, operation: str, what: str, error: type[TacitError]) -> None:
    """A-03: an act on what is not there is refused before it becomes a question."""
    with pytest.raises(error):
        bank.propose_act(operation, what)


def test_final_operations_stay(bank: Bank) -> None:
    """A-03: what cannot be undone is not asked about."""
    first = lines(bank)[0]["operation_id"]

    with pytest.raises(UndoBlocked):
        bank.propose_act("undo", first)


def test_acts_need_a_bank_that_is_on(bank: Bank) -> None:
    """K-01: a paused bank makes no proposals."""
    (bank.root / "memory.lock").write_text("PAUSED\n", encoding="utf-8")

    with pytest.raises(StateRefused):
        bank.propose_act("delete", "MEM-a", by=By())
