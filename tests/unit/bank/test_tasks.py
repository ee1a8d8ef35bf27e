"""Tasks: working memory from start to finish, and what is kept of it."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING

import pytest

from tacit import fsio
from tacit.audit.record import Channel
from tacit.bank import Bank, By, State
from tacit.bank.finishing import Finishing
from tacit.errors import (
    AnswerRefused,
    AssuranceTooLow,
    ChangedMeanwhile,
    GuardRefused,
    StateRefused,
    TacitError,
    TaskNotFound,
    TaskRefused,
)
from tacit.note.model import Note
from tacit.store import apply, transaction
from tacit.tasks.working import TaskState
from tests.files import holders

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.bank import Finished

PERSON = By(Channel.TERMINAL)
MIGRATION = Note(
    id="MEM-mig",
    title="Database migrations",
    when_to_load=("writing a database migration",),
    one_liner="Write the rollback script first.",
    decision="Every migration has a rollback.",
)
OTHER = Note(id="MEM-tea", title="Tea", when_to_load=("brewing tea",), one_liner="Boil the kettle.")
RULE = "When the importer runs, never start a second one on the same file."
CAUSE = "The nightly export fails when the disk quota of the build agent is reached."
PROGRESS = "Done: looked through the export scripts of last year."


@pytest.fixture
def filled(bank: Bank) -> Bank:
    """A bank with a core document and two notes."""
    (bank.root / "L0_core/values.md").write_text("# Values\n\nCare.\n", encoding="utf-8")
    bank.add([MIGRATION, OTHER])
    return bank


def confirmed(done: Finished, option: str = "confirm") -> dict[str, str]:
    """The same answer to every question."""
    return {each.proposal_id: option for each in done.proposals}


def working_files(bank: Bank) -> list[str]:
    """The names of the working memories on disk."""
    return sorted(path.name for path in (bank.root / "L4_working").glob("[!.]*"))


# ── Start, note, resume ───────────────────────────────────────────────────────────────────────────────────────────────


def test_start_loads_the_core_and_the_fitting_notes_whole(filled: Bank) -> None:
    """L-01, L-02: working memory is built from L0 and every note above the recall threshold, whole."""
    task = filled.tasks.start("write the database migration for orders")

    members = json.loads((filled.root / f"L4_working/{task.id}.json").read_bytes())
    assert [each["id"] for each in members["core"]] == ["CORE-values"]
    assert [each["id"] for each in members["notes"]] == ["MEM-mig"]
    assert members["notes"][0]["text"] == filled.text("MEM-mig")


def test_no_body_is_read_before_its_summary_matched(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """L-01: once a bank is known, only the files of notes that fit are read."""
    later = time.time_ns() + 10_000_000_000
    monkeypatch.setattr(time, "time_ns", lambda: later)  # files at rest for a while need not be looked into again
    filled.notes()
    filled.search("anything")
    seen: list[str] = []
    read = fsio.read

    def watched(path: str | os.PathLike[str], **bounds: int) -> bytes | None:
        seen.append(os.fspath(path))
        return read(path, **bounds)

    monkeypatch.setattr(fsio, "read", watched)
    filled.tasks.start("write the database migration for orders")

    assert any(path.endswith("MEM-mig.md") for path in seen)
    assert not any(path.endswith("MEM-tea.md") for path in seen)


def test_an_entry_is_on_disk_when_the_call_returns(filled: Bank, reopen: Callable[[], Bank]) -> None:
    """L-02, L-04: what was noted is there for the next process, and `resume` goes on with it."""
    task = filled.tasks.start("sort the exports")
    filled.tasks.note(RULE)
    filled.tasks.note("Use the small data set.", kind="instruction")

    again = reopen()
    assert [each.text for each in again.tasks.show().entries] == [RULE, "Use the small data set."]
    assert again.tasks.resume().id == task.id
    assert again.log()[-1].operation == "task note"


def test_resume_loads_anew_what_changed(filled: Bank) -> None:
    """L-04: a task that goes on sees the notes as they are now, and keeps its entries."""
    task = filled.tasks.start("write the database migration")
    filled.tasks.note(RULE)
    filled.set_fields("MEM-mig", "edit", title="Migrations of the database")

    again = filled.tasks.resume(task.id)

    assert "Migrations of the database" in again.notes[0].text
    assert [each.text for each in again.entries] == [RULE]
    assert filled.tasks.resume() == again


def test_secrets_do_not_reach_working_memory(filled: Bank) -> None:
    """X-01: an entry with a credential is refused with its kind and place, audited, and nowhere on disk."""
    secret = "sk-ant-api03-" + "Ab3xK9" * 12
    filled.tasks.start("rotate keys")
    with pytest.raises(GuardRefused):
        filled.tasks.note(f"The key is api_key={secret}")
    with pytest.raises(GuardRefused):
        filled.tasks.start(f"use token {secret}")

    assert filled.log()[-1].event == "memory_write_refused"
    assert holders(filled.root, secret) == []


def test_core_documents_with_secrets_are_loaded_without_them(filled: Bank) -> None:
    """X-01: what people left in a core document is not copied into working memory."""
    secret = "sk-ant-api03-" + "Ab3xK9" * 12
    (filled.root / "L0_core/keys.md").write_text(f"# Keys\n\napi_key={secret}\n", encoding="utf-8")

    task = filled.tasks.start("anything at all")

    assert secret not in (filled.root / f"L4_working/{task.id}.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("state", [State.OFF, State.PAUSED, State.PADDING])
def test_states_hold_for_tasks(filled: Bank, state: State) -> None:
    """K-01: tasks write only when ON, and OFF shows nothing."""
    filled.tasks.start("one")
    filled.set_state(state)
    tasks = filled.tasks
    for act in (lambda: tasks.start("t"), lambda: tasks.note("t"), tasks.resume, tasks.finish, tasks.clear):
        with pytest.raises(StateRefused):
            act()
    if state is State.OFF:
        with pytest.raises(StateRefused):
            tasks.show()
        with pytest.raises(StateRefused):
            tasks.list()
    else:
        assert len(tasks.list()) == 1


def test_a_task_that_is_not_named_is_the_innermost(filled: Bank) -> None:
    """Without a name the one running task is meant, a part before its whole; in doubt the caller is asked."""
    with pytest.raises(TaskNotFound):
        filled.tasks.show()
    parent = filled.tasks.start("whole")
    part = filled.tasks.start("part", parent=parent.id)
    assert filled.tasks.show().id == part.id
    filled.tasks.start("another")
    with pytest.raises(TaskRefused, match="several"):
        filled.tasks.note("text")
    with pytest.raises(TaskNotFound, match=part.id):
        filled.tasks.show(f"{part.id}x")
    with pytest.raises(TaskNotFound):
        filled.tasks.show("../outside")


def test_odd_calls_are_refused(filled: Bank) -> None:
    """What makes no sense is told, and nothing is written."""
    filled.tasks.start("one")
    with pytest.raises(TacitError, match="kind"):
        filled.tasks.note("text", kind="guess")
    with pytest.raises(TaskNotFound):
        filled.tasks.start("part", parent="T-none")


# ── Finish ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_finish_asks_before_anything_becomes_a_note(filled: Bank) -> None:
    """L-02: cards are proposals with a suggested layer and the reason; until answered the working memory stays."""
    task = filled.tasks.start("sort the exports")
    for text in (RULE, CAUSE, PROGRESS):
        filled.tasks.note(text)

    done = filled.tasks.finish()

    assert done.state == TaskState.WAITING
    assert [each.decision for each in done.proposals] == ["new", "new"]
    assert "L1 would be its layer" in done.proposals[0].question.question
    assert "L2 would be its layer" in done.proposals[1].question.question
    assert done.left_out == ("entry 3: progress",)
    assert len(filled.notes()) == 3
    assert working_files(filled) == [f"{task.id}.json"]
    assert filled.tasks.finish().proposals == done.proposals


def test_accepted_cards_episode_and_clearing_are_one_operation(filled: Bank) -> None:
    """L-02: twenty cards, the episode and the clearing of working memory are one transaction."""
    filled.tasks.start("sort the exports")
    names = [f"{letter}{letter.upper()}{number}" for number, letter in enumerate("abcdefghijklmnopqrst")]
    for number, name in enumerate(names):
        filled.tasks.note(f"When module {name} is rebuilt, never touch table {name}_{number} by hand.")
    asked = filled.tasks.finish()
    assert len(asked.proposals) == 20

    done = filled.tasks.finish(answers=confirmed(asked), by=PERSON)

    assert (done.state, len(done.cards)) == (TaskState.FINISHED, 20)
    lines = [entry for entry in filled.log() if entry.operation_id == done.operation_id]
    assert sum(entry.event == "memory_note_created" for entry in lines) == 20
    assert {"memory_task_finished", "memory_task_cleared"} <= {entry.event for entry in lines}
    assert working_files(filled) == []
    assert filled.pending() == []
    assert filled.check()[1] == []
    assert all(filled.get(card).source == "distill" for card in done.cards)
    assert "never touch" in filled.resolve(f"mem://L3/{done.episode}#entries")


def test_a_finished_task_can_be_undone(filled: Bank) -> None:
    """A-03: undo takes back cards, episode and clearing together."""
    task = filled.tasks.start("sort the exports")
    filled.tasks.note(RULE)
    done = filled.tasks.finish(answers=confirmed(filled.tasks.finish()), by=PERSON)

    filled.undo(done.operation_id)

    assert working_files(filled) == [f"{task.id}.json"]
    assert done.cards[0] not in {note.id for note in filled.notes()}
    assert filled.check()[1] == []


def test_declined_cards_are_not_written(filled: Bank) -> None:
    """Q-06: no is an answer; the task ends, and the finding stays in the episode alone."""
    filled.tasks.start("sort the exports")
    filled.tasks.note(RULE)

    done = filled.tasks.finish(answers=confirmed(filled.tasks.finish(), "cancel"), by=PERSON)

    assert (done.state, done.cards) == (TaskState.FINISHED, ())
    assert RULE in filled.resolve(f"mem://L3/{done.episode}")


def test_answers_may_come_by_other_doors(filled: Bank) -> None:
    """L-02: cards that were answered elsewhere count, and finishing again ends the task."""
    filled.tasks.start("sort the exports")
    filled.tasks.note(RULE)
    (question,) = filled.tasks.finish().proposals
    note_id = filled.answer(question.proposal_id, "confirm", Channel.TERMINAL).note_id

    done = filled.tasks.finish()

    assert (done.state, done.cards) == (TaskState.FINISHED, (note_id,))


def test_defer_ends_a_task_with_questions_open(filled: Bank) -> None:
    """L-02: `--defer` archives without the answers; the questions go on waiting."""
    filled.tasks.start("sort the exports")
    filled.tasks.note(RULE)

    done = filled.tasks.finish(defer=True)

    assert done.state == TaskState.FINISHED
    assert [each.proposal_id for each in done.proposals] == [each.proposal_id for each in filled.pending()]
    assert working_files(filled) == []


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe"])
def test_without_the_rules_there_are_no_cards(filled: Bank, content: bytes | None) -> None:
    """L-02: README.md is read before cards are made; where it cannot be read none are."""
    readme = filled.root / "README.md"
    if content is None:
        readme.unlink()
    else:
        readme.write_bytes(content)
    filled.tasks.start("sort the exports")
    filled.tasks.note(RULE)

    done = filled.tasks.finish()

    assert (done.state, done.reason, done.proposals) == (TaskState.FINISHED, "no_rules", ())
    assert RULE in filled.resolve(f"mem://L3/{done.episode}")


def test_only_the_user_answers(filled: Bank) -> None:
    """Q-04: a program's word is no answer; the refusal is audited and the task goes on waiting."""
    filled.tasks.start("sort the exports")
    filled.tasks.note(RULE)
    asked = filled.tasks.finish()

    with pytest.raises(AssuranceTooLow):
        filled.tasks.finish(answers=confirmed(asked))
    with pytest.raises(AnswerRefused):
        filled.tasks.finish(answers={"P-other": "confirm"}, by=PERSON)

    assert filled.log()[-1].event == "memory_answer_refused"
    assert filled.tasks.show().state is TaskState.WAITING
    assert len(filled.notes()) == 3


def test_a_bank_that_changed_is_asked_about_again(filled: Bank) -> None:
    """Q-05: if the bank changed between question and answer, that card is decided anew and the others are kept."""
    filled.tasks.start("sort the exports")
    filled.tasks.note(RULE)
    filled.tasks.note(CAUSE)
    asked = filled.tasks.finish()
    filled.remember(RULE)

    done = filled.tasks.finish(answers=confirmed(asked), by=PERSON)

    assert len(done.cards) == 1
    assert RULE.removesuffix(".") not in filled.get(done.cards[0]).title
    assert not {each.proposal_id for each in done.proposals} & {each.proposal_id for each in asked.proposals}


def test_two_cards_that_say_the_same_are_one(filled: Bank) -> None:
    """G-02: a finding that says what an earlier one of the task says makes no second card."""
    filled.tasks.start("sort the exports")
    filled.tasks.note("When adding a package, always use pnpm.")
    filled.tasks.note("When adding a package always use pnpm!")

    done = filled.tasks.finish()

    assert len(done.proposals) == 1
    assert done.left_out == ("entry 2: said_before",)


def test_a_longer_entry_keeps_its_whole_text(filled: Bank) -> None:
    """L-02: the point of an entry is the choice of its card, the whole of it the fact; what makes no note stays."""
    filled.tasks.start("sort the exports")
    filled.tasks.note("When building the exporter, always call it so:\n\n```sh\nexport --all\n```")
    filled.tasks.note("When naming modules, always follow this:\n\n# A heading\n\nof its own.")

    asked = filled.tasks.finish()
    done = filled.tasks.finish(answers=confirmed(asked), by=PERSON)

    assert done.left_out == ("entry 2: payload.refused",)
    assert "export --all" in filled.get(done.cards[0]).fact


def test_an_entry_that_comes_in_during_the_review_is_reviewed_too(
    filled: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-02: nothing is decided on what was read before the lock; who never stops noting ends in a clear error."""
    filled.tasks.start("sort the exports")
    reviewed = Finishing._reviewed
    late = [RULE]

    def slow(self: Finishing) -> object:
        found = reviewed(self)
        if late:
            filled.tasks.note(late.pop())
        return found

    monkeypatch.setattr(Finishing, "_reviewed", slow)
    assert len(filled.tasks.finish().proposals) == 1
    late += [f"Done: part {number} of the old export." for number in range(9)]
    with pytest.raises(ChangedMeanwhile):
        filled.tasks.finish()


def test_entries_after_a_review_are_reviewed_too(filled: Bank) -> None:
    """A task that waits can go on: what comes later is asked about as well."""
    filled.tasks.start("sort the exports")
    filled.tasks.note(RULE)
    filled.tasks.finish()
    filled.tasks.note(CAUSE)

    assert len(filled.tasks.finish().proposals) == 2


# ── Clearing ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_part_is_cleared_with_its_whole(filled: Bank) -> None:
    """L-03: the memory of a part stays while the whole is running, and goes with it without a question."""
    whole = filled.tasks.start("whole")
    part = filled.tasks.start("part", parent=whole.id)
    with pytest.raises(TaskRefused, match="subtasks"):
        filled.tasks.finish(whole.id)

    ended = filled.tasks.finish(part.id)
    assert (ended.state, ended.cleared) == (TaskState.FINISHED, ())
    assert filled.tasks.show(part.id).state is TaskState.FINISHED
    with pytest.raises(TaskRefused, match="ended"):
        filled.tasks.note("more", task=part.id)
    with pytest.raises(TaskRefused, match="ended"):
        filled.tasks.start("more", parent=part.id)

    done = filled.tasks.finish()
    assert set(done.cleared) == {whole.id, part.id}
    assert working_files(filled) == []


def test_a_part_of_a_running_task_is_cleared_only_by_the_user(filled: Bank) -> None:
    """L-03: for a subtask of a long task the user is asked; a program's word does not do."""
    whole = filled.tasks.start("whole")
    part = filled.tasks.start("part", parent=whole.id)
    with pytest.raises(AssuranceTooLow):
        filled.tasks.finish(part.id, clear=True)
    filled.tasks.finish(part.id)
    with pytest.raises(AssuranceTooLow):
        filled.tasks.clear(part.id)
    with pytest.raises(TaskRefused, match="not ended"):
        filled.tasks.clear(whole.id, by=PERSON)
    assert filled.tasks.clear().files == ()

    assert filled.tasks.clear(part.id, by=PERSON).files == (f"L4_working/{part.id}.json",)
    other = filled.tasks.start("other", parent=whole.id)
    assert filled.tasks.finish(other.id, clear=True, by=PERSON).cleared == (other.id,)


def test_what_a_lost_parent_left_is_cleared_unasked(filled: Bank) -> None:
    """L-03: a part whose whole has gone may go."""
    whole = filled.tasks.start("whole")
    part = filled.tasks.start("part", parent=whole.id)
    filled.tasks.finish(part.id)
    (filled.root / f"L4_working/{whole.id}.json").unlink()

    assert filled.tasks.clear().files == (f"L4_working/{part.id}.json",)


# ── Crashes and damage ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_crash_in_the_middle_of_finishing_loses_nothing(
    filled: Bank, reopen: Callable[[], Bank], monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """L-04, T-01: before the commit point the task goes on, after it everything is there."""
    task = filled.tasks.start("sort the exports")
    filled.tasks.note(RULE)
    asked = filled.tasks.finish()

    def die(*_: object) -> None:
        raise SystemExit  # as a kill would: nothing that catches errors or Ctrl-C sees it

    if moment == "before":
        monkeypatch.setattr(transaction.Transaction, "_check_again", die)
    else:
        monkeypatch.setattr(apply, "roll_forward", die)
    with pytest.raises(SystemExit):
        filled.tasks.finish(answers=confirmed(asked), by=PERSON)
    monkeypatch.undo()

    again = reopen()
    if moment == "before":
        assert again.tasks.resume().id == task.id
        assert len(again.tasks.finish(answers=confirmed(asked), by=PERSON).cards) == 1
    assert again.tasks.list() == ()
    assert len(again.notes()) == 4
    assert len(list((again.root / "L3_episodic").glob("EP-*.md"))) == 1
    assert again.check()[1] == []


def test_a_damaged_working_memory_stops_nothing(filled: Bank) -> None:
    """A file that is no task is reported by `check`, and the other tasks go on."""
    filled.tasks.start("one")
    broken = filled.root / "L4_working/T-broken.json"
    broken.write_text("{", encoding="utf-8")

    assert len(filled.tasks.list()) == 1
    with pytest.raises(TaskRefused, match="damaged"):
        filled.tasks.show("T-broken")
    assert [problem.file for problem in filled.check()[1]] == ["L4_working/T-broken.json"]


def test_purge_reaches_working_memory_and_episodes(filled: Bank) -> None:
    """T-05: a purged note is gone from working memory, from its old versions and from the episode it came from."""
    filled.tasks.start("sort the exports")
    filled.tasks.note(RULE)
    done = filled.tasks.finish(answers=confirmed(filled.tasks.finish()), by=PERSON)
    filled.tasks.start("write the database migration")

    for note_id, words in ((done.cards[0], "never start a second one"), ("MEM-mig", "Every migration has a rollback")):
        filled.purge(note_id)
        assert holders(filled.root, words) == []
