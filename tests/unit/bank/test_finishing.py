"""The end of a task: what its findings are compared by, and its questions that were asked anew."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tacit.audit.record import Channel
from tacit.bank import By
from tacit.note.model import Note
from tacit.tasks.working import TaskState

if TYPE_CHECKING:
    from tacit.bank import Bank, Finished

PERSON = By(Channel.TERMINAL)


def confirmed(done: Finished) -> dict[str, str]:
    """Yes to every question."""
    return {each.proposal_id: "confirm" for each in done.proposals}


# ── One title, many findings ──────────────────────────────────────────────────────────────────────────────────────────


def test_findings_of_one_task_do_not_contradict_each_other(bank: Bank) -> None:
    """G-01: the title that they have in common is no situation; each is accepted as it was asked."""
    bank.tasks.start("Migrate the orders table")
    bank.tasks.note("Always run migrations inside a transaction.")
    bank.tasks.note("We decided to keep prices as integer cents, by default.")
    asked = bank.tasks.finish().proposals

    answers = [bank.answer(each.proposal_id, "confirm", Channel.TERMINAL) for each in asked]

    assert [each.status for each in answers] == ["applied", "applied"]
    assert bank.tasks.finish().cards == tuple(each.note_id for each in answers)
    assert bank.govern().proposals == ()


def test_a_title_is_no_situation_that_a_note_is_about(bank: Bank) -> None:
    """G-01: words of the title alone make no finding the same as a note, nor its contrary."""
    bank.add([Note(id="MEM-pnpm", title="Use pnpm", when_to_load=("installing a package",), one_liner="Use pnpm.")])
    bank.tasks.start("Install pnpm package for time stamps")
    bank.tasks.note("The root cause of the login failure was clock skew between the servers.")

    assert [each.decision for each in bank.tasks.finish().proposals] == ["new"]


def test_findings_that_say_the_contrary_are_asked_about(bank: Bank) -> None:
    """G-03: a yes against a no, and what a note turned down, are conflicts without any situation."""
    bank.tasks.start("Migrate the orders table")
    bank.tasks.note("Always deploy on Fridays.")
    bank.tasks.finish(answers=confirmed(bank.tasks.finish()), by=PERSON)
    bank.tasks.start("Sort the exports")
    bank.tasks.note("Never deploy on Fridays.")

    assert [each.decision for each in bank.tasks.finish().proposals] == ["veto"]


# ── Asked anew ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def waits_anew(bank: Bank) -> str:
    """The question that an answer by another door led to, because a note that speaks against its card came between."""
    bank.tasks.start("sort the exports")
    bank.tasks.note("When adding a package, always use pnpm.")
    (question,) = bank.tasks.finish(by=By(conversation_id="talk")).proposals
    bank.remember("When adding a package, never use pnpm.")
    again = bank.answer(question.proposal_id, "confirm", Channel.TERMINAL)
    assert (again.status, again.decision) == ("asked_again", "veto")
    return again.proposal_id


def test_a_question_asked_anew_by_another_door_is_open_too(bank: Bank, waits_anew: str) -> None:
    """L-02: while an answer is open the working memory stays, also where the decision was made anew elsewhere."""
    for _ in range(2):
        done = bank.tasks.finish()
        assert (done.state, [each.proposal_id for each in done.proposals]) == (TaskState.WAITING, [waits_anew])
    assert bank.tasks.show().proposals == (waits_anew,)

    deferred = bank.tasks.finish(defer=True)

    assert (deferred.state, [each.proposal_id for each in deferred.proposals]) == (TaskState.FINISHED, [waits_anew])


def test_a_question_asked_anew_can_be_answered_by_the_task(bank: Bank, waits_anew: str) -> None:
    """L-02: whoever ends the task may answer what another door asked anew."""
    done = bank.tasks.finish(answers={waits_anew: "take_new"}, by=PERSON)

    assert (done.state, len(done.cards)) == (TaskState.FINISHED, 1)


def test_cards_list_what_a_question_asked_anew_became(bank: Bank, waits_anew: str) -> None:
    """L-02: what was accepted under an id that the task never saw is one of its cards; the cards of others are not."""
    task = bank.tasks.show().id
    note_id = bank.answer(waits_anew, "take_new", Channel.TERMINAL).note_id
    other = bank.tasks.start("count the imports").id
    bank.tasks.note("When the importer runs, never start a second one on the same file.")
    (theirs,) = bank.tasks.finish(other).proposals
    bank.answer(theirs.proposal_id, "confirm", Channel.TERMINAL)
    log = bank.root / ".local/audit/audit-000001.ndjson"
    strange = {"event": "memory_note_created", "source": "distill", "file": "../x", "reason": "answer to P-x:"}
    log.write_bytes(log.read_bytes() + json.dumps(strange).encode() + b"\n")

    done = bank.tasks.finish(task)

    assert (done.state, done.cards) == (TaskState.FINISHED, (note_id,))
