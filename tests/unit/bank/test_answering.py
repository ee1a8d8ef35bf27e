"""Answers to proposals: once, from a channel that is sure enough, on the bank as it was shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tacit.audit.record import Channel
from tacit.bank import proposals
from tacit.bank.values import Context
from tacit.errors import (
    AnswerRefused,
    AssuranceTooLow,
    ProposalNotFound,
    ProposalVoid,
    StateRefused,
)
from tests.unit.bank.talk import NPM, PNPM, Talk, lines, payload, shared_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.bank import Bank
    from tacit.bank.values import Outcome
    from tests.unit.bank.conftest import Clock


def made_by(talk: Talk, operation_id: str) -> list[dict[str, Any]]:
    """The lines of one operation."""
    return [line for line in lines(talk.bank) if line["operation_id"] == operation_id]


def file_of(talk: Talk, made: Outcome) -> Path:
    """Where a proposal is kept."""
    return talk.bank.root / proposals.file_of(made.proposal_id)


def test_yes_to_a_new_note(talk: Talk) -> None:
    """Q-04, A-01: a confirmed note says who confirmed it and when, and so does the log."""
    made = talk.user("Short names, I guess.").doubtful()
    done = talk.bank.answer(made.proposal_id, "confirm", "elicitation")

    assert (done.status, done.decision, done.proposal_id) == ("applied", "new", made.proposal_id)
    note = talk.bank.get(done.note_id)
    assert done.note_id == made.note_id
    assert note.confirmed == "elicitation 2026-01-02T03:04:05Z"
    created, answered = made_by(talk, done.operation_id)
    assert (created["event"], created["note_id"], created["channel"], created["assurance"]) == (
        "memory_note_created",
        done.note_id,
        "elicitation",
        "elicitation",
    )
    assert answered["event"] == "memory_proposal_answered"
    assert answered["reason"].startswith("confirm sha256:")
    assert talk.bank.pending() == []
    assert not file_of(talk, made).exists()


def test_yes_to_a_merge(talk: Talk) -> None:
    """G-02, A-01: one note of both, the old one in the trash, named by `supersedes`; one line a note, one operation."""
    first = talk.written()
    done = talk.bank.answer(talk.merge().proposal_id, "confirm", "terminal")

    note = talk.bank.get(done.note_id)
    assert (done.status, done.decision, done.superseded) == ("applied", "merge", (first.note_id,))
    assert note.supersedes == (first.note_id,)
    assert (note.decision, note.signals) == (PNPM, "- the lockfile is pnpm-lock.yaml")
    assert "It took 42 s." in note.evidence
    assert note.confirmed.startswith("terminal ")
    assert [each.id for each in talk.bank.notes()] == [done.note_id]
    assert [each.note_id for each in talk.bank.trash()] == [first.note_id]
    told = made_by(talk, done.operation_id)
    assert [(line["event"], line["note_id"], line["operation"]) for line in told] == [
        ("memory_note_created", done.note_id, "merge"),
        ("memory_note_deleted", first.note_id, "merge"),
        ("memory_proposal_answered", first.note_id, "merge"),
    ]
    assert {(line["channel"], line["assurance"]) for line in told} == {("terminal", "terminal")}


@pytest.mark.parametrize("kind", ["merge", "replace"])
def test_undo_brings_both_back(talk: Talk, kind: str) -> None:
    """A-03: undoing an answer takes out the new note and brings back the old one, byte for byte."""
    talk.written()
    before = shared_files(talk.bank.root)
    made = getattr(talk, kind)()
    done = talk.bank.answer(made.proposal_id, "confirm", "terminal")
    assert shared_files(talk.bank.root) != before

    talk.bank.undo(done.operation_id)

    assert shared_files(talk.bank.root) == before


def test_undo_goes_by_changes(talk: Talk) -> None:
    """A-03: proposals and declined answers change no note, so undo reaches past them."""
    talk.written()
    made = talk.merge()
    talk.bank.answer(made.proposal_id, "cancel", "terminal")
    talk.bank.undo()

    assert talk.bank.notes() == []


def test_yes_to_a_replacement(talk: Talk) -> None:
    """G-02: the old note goes to the trash, the new one names it."""
    first = talk.written()
    done = talk.bank.answer(talk.replace().proposal_id, "confirm", "web")

    assert (done.decision, done.superseded) == ("replace", (first.note_id,))
    (note,) = talk.bank.notes()
    assert (talk.bank.get(note.id).decision, note.supersedes) == (NPM, (first.note_id,))


@pytest.mark.parametrize(
    ("option", "status", "decision", "choices"),
    [
        ("take_new", "applied", "replace", [NPM]),
        ("both", "applied", "new", [NPM, PNPM]),
        ("keep_old", "declined", "keep_old", [PNPM]),
        ("cancel", "declined", "cancel", [PNPM]),
    ],
)
def test_answers_to_a_conflict(talk: Talk, option: str, status: str, decision: str, choices: list[str]) -> None:
    """G-02: keep the old one, take the new one, keep both, or none of it."""
    first = talk.written()
    done = talk.bank.answer(talk.veto().proposal_id, option, "prompt")

    assert (done.status, done.decision) == (status, decision)
    assert done.note_id == (first.note_id if option == "keep_old" else "" if option == "cancel" else done.note_id)
    assert sorted(talk.bank.get(each.id).decision for each in talk.bank.notes()) == choices


def test_new_instead_of_a_merge(talk: Talk) -> None:
    """Q-02: the user may keep both notes; the new one points at the old one."""
    first = talk.written()
    done = talk.bank.answer(talk.merge().proposal_id, "new_instead", "elicitation")

    assert (done.status, done.decision, len(talk.bank.notes())) == ("applied", "new", 2)
    assert f"mem://L1/{first.note_id}" in talk.bank.get(done.note_id).pointers


def test_show_diff_asks_again(talk: Talk) -> None:
    """Q-02: showing the difference changes nothing, and the question stands."""
    talk.written()
    made = talk.merge()
    before, log = shared_files(talk.bank.root), len(lines(talk.bank))
    done = talk.bank.answer(made.proposal_id, "show_diff", "none")

    assert done.status == "shown"
    assert "+- the lockfile is pnpm-lock.yaml" in done.diff
    assert done.question == made.question
    assert (shared_files(talk.bank.root), len(lines(talk.bank))) == (before, log)
    assert talk.bank.answer(made.proposal_id, "confirm", "terminal").status == "applied"


def test_an_answer_is_used_once(talk: Talk) -> None:
    """Q-04: a second answer, even the same one, finds nothing that waits."""
    made = talk.user("Short names.").doubtful()
    talk.bank.answer(made.proposal_id, "confirm", "terminal")
    before = shared_files(talk.bank.root)

    with pytest.raises(ProposalNotFound, match=r"is waiting for an answer \(it was answered: confirm\)\.$"):
        talk.bank.answer(made.proposal_id, "confirm", "terminal")
    assert shared_files(talk.bank.root) == before


def test_declined_is_remembered_in_the_conversation(talk: Talk) -> None:
    """Q-06: the same candidate is not asked again in that session, in another one it is."""
    made = talk.user("Short names, I guess.").doubtful()
    assert talk.bank.answer(made.proposal_id, "cancel", "elicitation").status == "declined"

    again = talk.agent(scene="Naming branches", choice="use short names", confidence="medium")
    assert (again.decision, again.rules, again.proposal_id) == ("skip", ("declined",), "")
    assert Talk(talk.bank, "conversation-2").user("Short names, I guess.").doubtful().proposal_id
    assert lines(talk.bank)[-1]["event"] == "memory_proposal_made"


def test_a_choice_that_was_declined_is_not_written_in_another_scene(talk: Talk) -> None:
    """Q-06: whatever the agent calls the situation now, what the user said no to is asked, never written silently."""
    made = talk.user("Use short names.").agent(choice="use short names", confidence="medium")
    talk.bank.answer(made.proposal_id, "cancel", "elicitation")

    again = talk.agent(scene="naming files", choice="use short names", confidence="high")
    assert (again.written, again.rules) == (False, ("evidence.declined",))


def test_declined_is_asked_again_by_hand(talk: Talk) -> None:
    """Q-06: what the user asks for by hand is taken, whatever they said before."""
    made = talk.user("Short names, I guess.").doubtful()
    talk.bank.answer(made.proposal_id, "cancel", "terminal")

    wish = {"scene": "naming branches", "choice": "use short names", "principles": ["use short names"]}
    assert talk.bank.remember(wish, talk.context).written


@pytest.mark.parametrize("channel", [Channel.PYTHON, Channel.COMMAND, Channel.NONE])
def test_an_unattended_no_leaves_it_open(talk: Talk, channel: Channel) -> None:
    """Q-04: a headless client's automatic decline is not the user's word: the proposal waits, and is not forgotten."""
    made = talk.user("Short names, I guess.").doubtful()
    with pytest.raises(AssuranceTooLow):
        talk.bank.answer(made.proposal_id, "cancel", channel)

    assert [each.proposal_id for each in talk.bank.pending()] == [made.proposal_id]
    assert talk.doubtful().proposal_id


def test_a_proposal_expires(talk: Talk, clock: Clock, reopen: Callable[[], Bank]) -> None:
    """Q-05: after its time a proposal is listed no more, cannot be answered, and its end is audited."""
    made = talk.user("Short names, I guess.").doubtful()
    clock.now = "2026-01-16T03:04:04Z"
    assert len(talk.bank.pending()) == 1
    clock.now = "2026-01-16T03:04:05Z"
    assert talk.bank.pending() == []
    before = shared_files(talk.bank.root)

    with pytest.raises(ProposalNotFound, match="expired"):
        talk.bank.answer(made.proposal_id, "confirm", "terminal")
    assert [line["event"] for line in lines(talk.bank)[-2:]] == ["memory_proposal_expired", "memory_answer_refused"]
    clock.now = "2026-01-02T03:04:06Z"  # setting the clock back does not bring it back
    with pytest.raises(ProposalNotFound):
        reopen().answer(made.proposal_id, "confirm", "terminal")
    assert shared_files(talk.bank.root) == before


def test_old_proposals_are_swept(talk: Talk, clock: Clock) -> None:
    """Q-05, P-06: files of proposals that wait no more go when the next one is made; what waits stays."""
    old = talk.user("Short names, I guess.").doubtful()
    clock.now = "2026-01-10T00:00:00Z"
    waits = talk.agent(scene="naming tags", choice="use long names", confidence="low")
    folder = talk.bank.root / "staging/proposals"
    (folder / "P-stray.json").write_text("{}", encoding="utf-8")
    (folder / ".P-torn.json.17.ab12cd34.tmp").write_text("{", encoding="utf-8")  # a kill left it
    (folder / f"{waits.proposal_id}.json.bak").write_text("{}", encoding="utf-8")
    clock.now = "2026-01-17T00:00:00Z"
    new = talk.agent(scene="naming hosts", choice="use plain names", confidence="low")

    assert {path.name for path in folder.iterdir()} == {
        f"{waits.proposal_id}.json",
        f"{new.proposal_id}.json",
        f"{waits.proposal_id}.json.bak",
    }
    assert not file_of(talk, old).exists()
    expired = [line["file"] for line in lines(talk.bank) if line["event"] == "memory_proposal_expired"]
    assert expired == [proposals.file_of(old.proposal_id)]


def test_sweeping_leaves_changed_files_alone(talk: Talk) -> None:
    """Q-04: a proposal that somebody changed is void and stays for a look; it is neither listed nor carried out."""
    made = talk.user("Short names, I guess.").doubtful()
    file_of(talk, made).write_text("{}", encoding="utf-8")
    talk.agent(scene="naming hosts", choice="use plain names", confidence="low")

    assert file_of(talk, made).exists()
    assert made.proposal_id not in [each.proposal_id for each in talk.bank.pending()]


def test_a_new_process_answers(talk: Talk, reopen: Callable[[], Bank]) -> None:
    """Q-05: proposals survive restarts."""
    talk.written()
    made = talk.merge()
    other = reopen()

    assert [each.proposal_id for each in other.pending()] == [made.proposal_id]
    assert other.answer(made.proposal_id, "confirm", "terminal").status == "applied"


def test_what_was_shown_is_what_is_approved(talk: Talk) -> None:
    """Q-04: an approval is bound to the digest of the exact change."""
    talk.written()
    made = talk.merge()
    (waiting,) = talk.bank.pending()

    with pytest.raises(ProposalVoid, match="not what was shown"):
        talk.bank.answer(made.proposal_id, "confirm", "terminal", shown="0" * 64)
    assert talk.bank.answer(made.proposal_id, "confirm", "terminal", shown=waiting.digest).status == "applied"


@pytest.mark.parametrize("option", ["yes", "Confirm", "", "confirm\n", "take_new", "confirm cancel"])
def test_unknown_options_are_refused(talk: Talk, option: str) -> None:
    """Q-02, A-01: meaning hangs on ids; a refused answer is audited by its code, not by its words."""
    talk.written()
    made = talk.merge()

    with pytest.raises(AnswerRefused):
        talk.bank.answer(made.proposal_id, option, "terminal")
    last = lines(talk.bank)[-1]
    assert (last["event"], last["reason"], last["file"], last["channel"]) == (
        "memory_answer_refused",
        "answer.refused",
        proposals.file_of(made.proposal_id),
        "terminal",
    )
    assert len(talk.bank.pending()) == 1


def test_a_stricter_policy_holds_at_once(talk: Talk, reopen: Callable[[], Bank]) -> None:
    """Q-04: the policy is that of the moment of the answer, whoever raised it, in an open bank too."""
    talk.written()
    made = talk.merge()
    reopen().set_setting("gate.merge", "terminal")

    with pytest.raises(AssuranceTooLow, match="merge needs an answer by terminal or surer"):
        talk.bank.answer(made.proposal_id, "confirm", "prompt")
    assert talk.bank.answer(made.proposal_id, "confirm", "terminal").status == "applied"


@pytest.mark.parametrize("state", ["OFF", "PAUSED", "PADDING"])
def test_no_answer_in_another_state(talk: Talk, state: str) -> None:
    """K-01: only a bank that is ON takes answers."""
    made = talk.user("Short names, I guess.").doubtful()
    (talk.bank.root / "memory.lock").write_text(f"{state}\n", encoding="utf-8")

    with pytest.raises(StateRefused):
        talk.bank.answer(made.proposal_id, "confirm", "terminal")


def test_purge_takes_proposals_too(talk: Talk) -> None:
    """T-05: a proposal that holds a purged note's content goes with it."""
    first = talk.written()
    made = talk.merge()
    talk.bank.purge(first.note_id)

    assert not file_of(talk, made).exists()
    with pytest.raises(ProposalNotFound, match="its file is gone"):
        talk.bank.answer(made.proposal_id, "confirm", "terminal")


def test_two_proposals_for_one_candidate(talk: Talk) -> None:
    """Q-05: once one of two like proposals is carried out the other is decided anew, and finds nothing to add."""
    talk.user("Short names, I guess.")
    one = talk.doubtful()
    two = talk.agent(scene="naming branches", choice="use short names", confidence="low", evidence="Said in passing.")
    talk.bank.answer(one.proposal_id, "confirm", "terminal")
    done = talk.bank.answer(two.proposal_id, "confirm", "terminal")

    assert (done.status, done.decision) == ("decided_anew", "dedupe")
    assert len(talk.bank.notes()) == 1


def test_the_same_payload_waits_once(talk: Talk) -> None:
    """Q-05: what is proposed again while it waits is the same question, said in the log, whoever shows it."""
    talk.user("Short names, I guess.")
    one, two = talk.doubtful(), talk.doubtful()

    assert two.proposal_id == one.proposal_id
    assert two.question == one.question
    assert len(talk.bank.pending()) == 1
    assert lines(talk.bank)[-1]["event"] == "memory_write_skipped"
    assert talk.bank.answer(two.proposal_id, "confirm", "terminal").status == "applied"


def test_names_of_conversations_stay_in_the_log(talk: Talk) -> None:
    """A-01: the answer's lines name the conversation in which it was proposed."""
    made = talk.bank.propose([payload("x", confidence="low")], Context("c9", "g9"))[0]
    done = talk.bank.answer(made.proposal_id, "confirm", "terminal")

    assert {(line["conversation_id"], line["generation_id"]) for line in made_by(talk, done.operation_id)[:1]} == {
        ("c9", "g9")
    }
