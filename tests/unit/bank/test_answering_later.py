"""Answers to proposals after the bank has changed, and after a crash: decided anew, never overwritten, never twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tacit import fsio
from tacit.bank import proposals
from tacit.errors import ChangedMeanwhile, ProposalNotFound
from tacit.store import apply
from tacit.store.transaction import Transaction
from tests.store.banks import Killed
from tests.unit.bank.talk import NPM, PNPM, SCENE, Talk, shared_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.bank import Bank


def test_the_note_was_edited_meanwhile(talk: Talk) -> None:
    """Q-05, T-03: an edit of the note is never overwritten: the decision is made anew, with the edit, and asked."""
    first = talk.written()
    made = talk.merge()
    path = talk.bank.root / talk.bank.locate(first.note_id)
    edited = path.read_text(encoding="utf-8").replace("## Decision", "## Signals\n\n- a hand wrote this\n\n## Decision")
    path.write_text(edited, encoding="utf-8")
    done = talk.bank.answer(made.proposal_id, "confirm", "terminal")

    assert (done.status, done.decision) == ("asked_again", "merge")
    assert path.read_text(encoding="utf-8") == edited
    assert done.proposal_id != made.proposal_id
    assert done.question is not None
    again = talk.bank.answer(done.proposal_id, "confirm", "terminal")
    assert "- a hand wrote this" in talk.bank.get(again.note_id).signals
    with pytest.raises(ProposalNotFound, match="changed meanwhile"):
        talk.bank.answer(made.proposal_id, "confirm", "terminal")


def test_the_note_was_deleted_meanwhile(talk: Talk) -> None:
    """Q-05: without the note there is nothing to merge with: decided anew, and asked for what the user never said."""
    first = talk.written()
    made = talk.merge()
    talk.bank.delete(first.note_id)
    done = talk.bank.answer(made.proposal_id, "confirm", "terminal")

    assert (done.status, done.decision) == ("asked_again", "new")
    assert done.outcome is not None
    assert done.outcome.rules == ("evidence.inferred",)
    again = talk.bank.answer(done.proposal_id, "confirm", "terminal")
    assert [each.id for each in talk.bank.notes()] == [again.note_id]


def test_another_note_came_meanwhile(talk: Talk) -> None:
    """Q-05: a note that now contradicts the candidate turns a yes into a new question."""
    made = talk.user(f"{PNPM}, I guess").agent(confidence="low")
    talk.bank.remember({"scene": SCENE, "choice": NPM, "principles": [NPM, PNPM]})
    done = talk.bank.answer(made.proposal_id, "confirm", "terminal")

    assert (done.status, done.decision) == ("asked_again", "veto")
    assert len(talk.bank.notes()) == 1


def test_a_body_changed_by_hand_counts_as_a_change(talk: Talk) -> None:
    """Q-05: an edit that INDEX.md does not show is a change of the bank all the same."""
    scene = "committing in the web client"
    other = talk.bank.remember({"scene": scene, "choice": "commit the lockfile", "principles": ["commit the lockfile"]})
    made = talk.user(f"{PNPM}, I guess").agent(confidence="low")
    path = talk.bank.root / talk.bank.locate(other.note_id)
    path.write_text(
        path.read_text(encoding="utf-8").replace("commit the lockfile", NPM).replace(scene, SCENE)
        + f"\n## Alternatives\n\n- {PNPM}\n",
        encoding="utf-8",
    )
    done = talk.bank.answer(made.proposal_id, "confirm", "terminal")

    assert (done.status, done.decision) == ("asked_again", "veto")


def test_an_unrelated_note_changes_nothing(talk: Talk) -> None:
    """Q-05: a change that leads to the same decision does not ask the user twice."""
    talk.written()
    made = talk.merge()
    talk.bank.remember("When brewing coffee, use filtered water")

    assert talk.bank.answer(made.proposal_id, "confirm", "terminal").status == "applied"


def test_saved_by_an_editor_at_the_last_moment(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: a save between the look and the commit is found by the transaction, and nothing is written."""
    first = talk.written()
    made = talk.merge()
    path = talk.bank.root / talk.bank.locate(first.note_id)
    settle = proposals.settle

    def saved(*arguments: Any, **named: Any) -> None:  # noqa: ANN401  stands in for another function
        path.write_text(path.read_text(encoding="utf-8") + "\nsaved\n", encoding="utf-8")
        settle(*arguments, **named)

    monkeypatch.setattr(proposals, "settle", saved)
    with pytest.raises(ChangedMeanwhile):
        talk.bank.answer(made.proposal_id, "confirm", "terminal")
    assert path.read_text(encoding="utf-8").endswith("saved\n")
    assert len(talk.bank.notes()) == 1
    assert len(talk.bank.pending()) == 1


def test_killed_before_the_line(talk: Talk, monkeypatch: pytest.MonkeyPatch, reopen: Callable[[], Bank]) -> None:
    """T-01: a proposal whose line never reached the log does not count, and is swept."""

    def killed(_: object) -> None:
        raise Killed

    talk.user("Short names, I guess.")
    with monkeypatch.context() as patch:
        patch.setattr(Transaction, "commit", killed)
        with pytest.raises(Killed):
            talk.doubtful()
    (stray,) = (talk.bank.root / "staging/proposals").iterdir()
    bank = reopen()

    assert bank.pending() == []
    with pytest.raises(ProposalNotFound):
        bank.answer(stray.stem, "confirm", "terminal")
    Talk(bank).user("Short names, I guess.").doubtful()
    assert not stray.exists()


def test_killed_before_the_file_is_dropped(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, reopen: Callable[[], Bank]
) -> None:
    """T-01: an answer that is committed is never applied twice, even if the proposal's file is still there."""

    def killed(*_: object) -> None:
        raise Killed

    talk.written()
    made = talk.merge()
    with monkeypatch.context() as patch:
        patch.setattr(proposals, "drop", killed)
        with pytest.raises(Killed):
            talk.bank.answer(made.proposal_id, "confirm", "terminal")
    bank = reopen()
    after = shared_files(bank.root)

    assert (bank.root / proposals.file_of(made.proposal_id)).exists()
    assert bank.pending() == []
    with pytest.raises(ProposalNotFound):
        bank.answer(made.proposal_id, "confirm", "terminal")
    assert shared_files(bank.root) == after


def test_killed_right_after_the_commit_point(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, reopen: Callable[[], Bank]
) -> None:
    """T-01: an answer whose journal stands is completed by the next open, once."""

    def killed(*_: object) -> None:
        raise Killed

    first = talk.written()
    made = talk.merge()
    with monkeypatch.context() as patch:
        patch.setattr(apply, "roll_forward", killed)
        with pytest.raises(Killed):
            talk.bank.answer(made.proposal_id, "confirm", "terminal")
    bank = reopen()

    assert [each.supersedes for each in bank.notes()] == [(first.note_id,)]
    with pytest.raises(ProposalNotFound):
        bank.answer(made.proposal_id, "confirm", "terminal")
    assert len(bank.notes()) == 1


def test_failing_to_drop_the_file_is_no_failure(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-01: the log is what counts; a file that cannot be removed is swept later."""
    remove = fsio.remove

    def refuse(path: Path) -> None:
        if path.parent.name == "proposals":
            raise PermissionError
        remove(path)

    made = talk.user("Short names, I guess.").doubtful()
    with monkeypatch.context() as patch:
        patch.setattr(fsio, "remove", refuse)
        assert talk.bank.answer(made.proposal_id, "confirm", "terminal").status == "applied"
    assert talk.bank.pending() == []


def test_a_conversation_that_cannot_be_kept_is_no_failure(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-01: where what was declined cannot be remembered, the answer counts all the same."""
    replace = fsio.replace

    def refuse(path: Path, *arguments: Any, **named: Any) -> None:  # noqa: ANN401  stands in for another function
        if path.parent.name == "sessions":
            raise PermissionError
        replace(path, *arguments, **named)

    made = talk.user("Short names, I guess.").doubtful()
    monkeypatch.setattr(fsio, "replace", refuse)

    assert talk.bank.answer(made.proposal_id, "cancel", "terminal").status == "declined"
    assert talk.doubtful().proposal_id
