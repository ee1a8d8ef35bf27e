"""Governed writes at the terminal: what a person reviews, answers and has explained, and whose answer counts."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Any

import pytest

from tacit.audit.record import Assurance
from tacit.bank import Bank
from tacit.settings import SETTINGS, Setting, parse
from tests.cli import proposals
from tests.cli.proposals import NPM, SAID, notes, payload
from tests.cli.runner import Person, at_terminal, fingerprint, note_text, process, tacit, write

if TYPE_CHECKING:
    from pathlib import Path

# A fixture is found by its name in the file that uses it.
bank = proposals.bank
question = proposals.question


def proposed_now(folder: Path, *payloads: object) -> list[dict[str, Any]]:
    """Hand in payloads by a process whose clock is that of the person who will answer."""
    done = process("propose", write(folder / "payloads.json", json.dumps(payloads)), "--json")
    found: list[dict[str, Any]] = done.document["results"]
    return found


# ── review ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_review_lists_without_a_terminal(question: str) -> None:
    """Q-05: proposals are listed with question, times and diff, for people and programs."""
    listed = process("review", "--list")
    (document,) = process("review", "--list", "--json").document["proposals"]

    assert question in listed.out
    assert (document["proposal_id"], document["decision"]) == (question, "replace")
    assert document["question"]["question_id"] == question
    assert "+Use" in document["diff"] or "+When adding" in document["diff"]
    assert document["created"] < document["expires"]
    assert len(document["digest"]) == 64
    assert document["lost"]
    assert document["reasons"]


@pytest.mark.usefixtures("root")
def test_nothing_to_review() -> None:
    """An empty list is said to be empty."""
    assert tacit("review", "--list").out == "No question is waiting.\n"
    assert tacit("review", "--list", "--json").document["proposals"] == []
    assert at_terminal("review").out == "0 answered, 0 left.\n"


def test_review_needs_a_terminal(bank: Path, question: str) -> None:
    """Q-04: without a controlling terminal nothing is answered, whatever stands on standard input."""
    before = fingerprint(bank)

    result = process("review", stdin="y\ny\n")

    assert (result.code, result.error_code) == (9, "gate.no_terminal")
    assert fingerprint(bank) == before
    assert question


def test_review_carries_out_what_was_shown(bank: Path, question: str) -> None:
    """Q-03: question, the user's words, losses, diff and keys are shown; one key answers."""
    result = at_terminal("review", answers=["y"], NO_COLOR="1")

    assert (result.code, result.err, result.out) == (0, "", "1 answered, 0 left.\n")
    for shown in (
        question,
        "Replace the old note?",
        "points of the old note would be gone",
        "Why you are asked: ",
        "Your words: “When adding a package to the web client, use npm instead of pnpm”",
        "    +When adding a package to the web client, use npm instead of pnpm.",
        "  y  Yes, do it\n  n  No\n  b  Keep both: write it as a new note\n  d  Show the difference first\n",
        "  s  Skip: ask me later\n  q  Quit\n[y/n/b/d/s/q] y\n",
        "Done (replace): MEM-",
    ):
        assert shown in result.screen
    assert notes(bank) == ["When adding a package to the web client, use npm instead of pnpm."]
    last = (bank / ".local/audit/audit-000001.ndjson").read_text(encoding="utf-8").splitlines()[-1]
    assert '"channel":"terminal","' in last.replace('"channel": ', '"channel":')


@pytest.mark.parametrize(
    ("answers", "left", "count"),
    [
        (["n"], 0, 1),
        (["s"], 1, 1),
        (["q"], 1, 1),
        (["\x03"], 1, 1),
        (["\x04"], 1, 1),
        (["x", "\x1b[A", "是", "s"], 1, 1),
        (["d", "n"], 0, 1),
        (["b"], 0, 2),
        (["N"], 0, 1),
    ],
    ids=["no", "skip", "quit", "^C", "^D", "wrong keys", "diff first", "both", "capital"],
)
def test_review_hears_single_keys(bank: Path, question: str, answers: list[str], left: int, count: int) -> None:
    """Q-02: each key is an answer or repeats the question; leaving changes nothing."""
    result = at_terminal("review", "--json", answers=answers)

    assert result.code == 0
    assert result.document["left"] == left == len(Bank.open(bank).pending())
    assert len(result.document["answers"]) == 1 - left
    assert len(notes(bank)) == count
    assert question in result.screen


def test_review_of_a_conflict_asks_which_holds(bank: Path, project: Path) -> None:
    """G-02: where the user's words do not decide, old, new and both have keys of their own."""
    assert [each["decision"] for each in proposed_now(project, payload(choice=NPM))] == ["veto"]

    result = at_terminal("review", answers=["o"])

    assert "[t/o/b/n/d/s/q] o\n" in result.screen
    assert "Left as it was." in result.screen
    assert notes(bank) == ["When adding a package to the web client, use pnpm instead of npm."]


def test_review_goes_from_the_newest_to_the_oldest(root: Path, project: Path) -> None:
    """Skipped questions are not asked again in the same walk."""
    other = payload(scene="naming a branch", choice="start with the ticket", principles=["start with the ticket"])
    ids = sorted(str(result["proposal_id"]) for result in proposed_now(project, payload(), other))

    result = at_terminal("review", answers=["s", "y"])

    assert result.out == "1 answered, 1 left.\n"
    assert [name for name in ids if name in result.screen] == ids
    assert len(notes(root)) == 1


def test_question_is_asked_anew_when_the_bank_changed(bank: Path, question: str) -> None:
    """Q-05: an answer to a bank that is no more leads to the new question, at once."""
    note_id = Bank.open(bank).notes()[0].id
    Bank.open(bank).tag(note_id, add=["changed"])

    result = at_terminal("review", answers=["y", "y"])

    assert "The bank has changed since; this is the question now:" in result.screen
    assert result.out == "1 answered, 0 left.\n"
    assert len(notes(bank)) == 1
    assert question


def test_review_in_chinese(question: str) -> None:
    """Q-07: the question, the labels and the result come in the user's language; the keys stay."""
    result = at_terminal("review", answers=["n"], TACIT_LANG="zh")

    assert "要用新的替换旧的吗？" in result.screen
    assert "  s  跳过，以后再问\n" in result.screen
    assert result.out == "已回答 1 个，还有 0 个。\n"
    assert question in result.screen


# ── answer ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("option", ["confirm", "cancel", "new_instead"])
def test_answer_without_a_terminal_is_nobodys(bank: Path, question: str, option: str) -> None:
    """Q-04: nothing that a caller can pass carries out an answer: no flag, no variable, nothing on standard input."""
    result = process("answer", question, option, "--json", stdin="y\n", TACIT_CHANNEL="terminal", CI="1")

    assert (result.code, result.error_code) == (9, "gate.assurance")
    assert [each.proposal_id for each in Bank.open(bank).pending()] == [question]
    assert len(notes(bank)) == 1
    for flag in ("--yes", "--channel=terminal", "--force"):
        assert process("answer", question, option, flag).code == 2


def test_answer_shows_the_difference_without_a_terminal(question: str) -> None:
    """Looking needs nobody's consent."""
    shown = process("answer", question, "show_diff")
    document = process("answer", question, "show_diff", "--json").document

    assert "    +When adding a package to the web client, use npm instead of pnpm.\n" in shown.out
    assert (document["proposal_id"], document["status"], document["superseded"]) == (question, "shown", [])
    assert document["question"]["question_id"] == question


def test_answer_asks_whether_it_is_the_users(bank: Path, question: str) -> None:
    """Q-04: question and diff stand on the terminal before the answer is carried out."""
    old = Bank.open(bank).notes()[0].id

    result = at_terminal("answer", question, "confirm", "--json", answers=["y"])

    assert result.code == 0
    assert "Replace the old note?" in result.screen
    assert "Is this your answer: Yes, do it? [y/N] " in result.screen
    document = result.document
    assert (document["proposal_id"], document["status"], document["decision"]) == (question, "applied", "replace")
    assert document["superseded"] == [old]
    assert document["operation_id"].startswith("OP-")


def test_answer_is_not_given_by_a_no(bank: Path, question: str) -> None:
    """Who did not mean it changes nothing; the question waits on."""
    before = fingerprint(bank)

    result = at_terminal("answer", question, "confirm", answers=["n"])

    assert (result.code, result.error_code) == (12, "gate.declined")
    assert fingerprint(bank) == before


def test_answer_to_a_changed_bank_asks_anew(bank: Path, question: str) -> None:
    """Q-05: the answer names the new question."""
    Bank.open(bank).tag(Bank.open(bank).notes()[0].id, add=["changed"])

    result = at_terminal("answer", question, "confirm", answers=["y"])

    assert result.out.startswith("The bank has changed since; the question is asked anew as P-")


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [(("P-none", "confirm"), 4, "proposal.not_found"), (("QUESTION", "take_new"), 3, "answer.refused")],
)
def test_answer_that_makes_no_sense(
    question: str, person: Person, words: tuple[str, str], code: int, error: str
) -> None:
    """An unknown proposal or option is told before anybody is asked."""
    result = tacit("answer", *(question if word == "QUESTION" else word for word in words))

    assert (result.code, result.error_code) == (code, error)
    assert person.was_asked() == ""


# ── explain ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_explain_a_proposal(question: str) -> None:
    """G-06: neighbours, scores, the user's words, and what each answer would do."""
    told = tacit("explain", question)
    document = tacit("explain", question, "--json").document

    assert told.code == 0
    for part in ("conflicting, ", "Scores: ", "Your words: “", "confirm: Yes, do it. It would change L1_declarative/"):
        assert part in told.out
    assert "cancel: No. It would change nothing." in told.out
    assert (document["kind"], document["id"]) == ("proposal", question)
    assert [each["id"] for each in document["effects"]] == ["confirm", "cancel", "new_instead"]
    assert document["pending"]["decision"] == "replace"


def test_explain_a_note_and_its_operation(bank: Path) -> None:
    """A note tells how it came to be, in words, from the log."""
    note_id = Bank.open(bank).notes()[0].id
    assert tacit("remember", SAID).code == 0

    told = tacit("explain", note_id)
    steps = tacit("explain", note_id, "--json").document["steps"]
    operation = tacit("explain", steps[1]["operation_id"])

    assert "It was decided: new." in told.out
    assert "It was decided: dedupe." in told.out
    assert "It is about the same situation. [relation.same_scene]" in told.out
    assert f"{note_id}: same, 1.00" in operation.out
    assert steps[0]["verdict"] == "new"
    assert steps[0]["scores"]["total"] == sum(steps[0]["scores"][f"d{number}"] for number in range(1, 6))
    assert steps[1]["neighbours"][0]["relation"] == "same"


def test_explain_what_was_answered(question: str) -> None:
    """After the answer the proposal's story is in the log, and the note says which question it came from."""
    made = at_terminal("answer", question, "confirm", "--json", answers=["y"]).document["note_id"]

    assert "proposal answered" in tacit("explain", question).out
    assert f"It is what you answered to {question}." in tacit("explain", made).out


def test_explain_a_note_that_was_made_by_hand(root: Path) -> None:
    """Of a file that somebody put there the log knows nothing, and that is said."""
    write(root / "L1_declarative/MEM-hand.md", note_text())

    assert "its file was made past Tacit" in tacit("explain", "MEM-hand").out


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize(
    ("what", "error"),
    [("MEM-none", "note.not_found"), ("OP-none", "operation.not_found"), ("P-none", "proposal.not_found")],
)
def test_explain_what_there_is_not(what: str, error: str) -> None:
    """What does not exist cannot be explained."""
    result = tacit("explain", what)

    assert (result.code, result.error_code) == (4, error)


# ── acts without a terminal ───────────────────────────────────────────────────────────────────────────────────────────


def test_an_act_without_a_terminal_waits_for_its_answer(bank: Path) -> None:
    """Q-04: without a terminal a deletion makes a proposal, once, and a person carries it out."""
    note_id = Bank.open(bank).notes()[0].id

    asked = process("delete", note_id, "--json")
    again = process("delete", note_id)

    assert (asked.code, asked.document["code"]) == (9, "gate.proposed")
    proposal = asked.document["proposal_id"]
    assert proposal in asked.err
    assert proposal in again.err
    assert [each.decision for each in Bank.open(bank).pending()] == ["delete"]
    assert at_terminal("review", answers=["y"]).out == "1 answered, 0 left.\n"
    assert notes(bank) == []


@pytest.mark.parametrize("act", ["delete", "archive"])
def test_core_documents_are_not_proposed(root: Path, act: str) -> None:
    """What no command may change is refused, not asked."""
    write(root / "L0_core/values.md", "# Values\n")

    assert tacit(act, "CORE-values").error_code == "field.refused"
    assert Bank.open(root).pending() == []


def test_undo_without_a_terminal_waits(bank: Path) -> None:
    """An undo can wait as well, and is carried out as the undo that it is."""
    operation = Bank.open(bank).log()[-1].operation_id
    proposal = process("undo", "--json").document["proposal_id"]

    done = at_terminal("answer", proposal, "confirm", "--json", answers=["y"]).document

    assert (done["status"], done["decision"]) == ("applied", "undo")
    assert notes(bank) == []
    assert operation


def test_an_act_on_a_changed_note_is_asked_anew(bank: Path) -> None:
    """Q-05: the walk asks about the note as it is by now, at once, and a yes to that counts."""
    (note,) = Bank.open(bank).notes()
    assert process("archive", note.id).code == 9
    tacit("tag", note.id, "x")

    walked = at_terminal("review", "--json", answers=["y", "y"])

    assert walked.screen.count("Archive “") == 2
    assert "The bank has changed since; this is the question now:" in walked.screen
    assert [each["status"] for each in walked.document["answers"]] == ["applied"]
    assert Bank.open(bank).get(note.id).status == "archive"
    assert walked.document["left"] == 0


def test_an_answer_in_the_personal_bank_names_a_command_that_works(root: Path, person: Person) -> None:
    """Y-02, A-03: what went to the user's own bank is taken back there, as the sentence says."""
    mine = {"scene": "writing code comments", "principles": ["in English", "x"], "choice": "in English"}
    payload = write(root.parent / "p.json", json.dumps([{**mine, "source": "choice", "apply": "personal"}]))
    proposal = tacit("propose", payload, "--json").document["results"][0]["proposal_id"]
    person.will_say("y", "y")

    said = tacit("answer", proposal, "confirm").out
    command = re.search("`tacit (.+)`", said)

    assert command is not None
    assert tacit(*shlex.split(command[1])).out.startswith("Undone: ")


def test_undo_passes_over_questions(bank: Path, question: str) -> None:
    """A-03: the last operation in effect is the last one that changed something, not a question or a refusal."""
    assert process("answer", question, "confirm").code == 9

    result = at_terminal("undo", "--json", answers=["y"])

    assert result.code == 0
    assert "(propose, " in result.screen
    assert notes(bank) == []


# ── the policy ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_policy_is_changed_on_the_terminal_alone(root: Path, person: Person) -> None:
    """Q-04: whose answer counts is the user's to say."""
    person.will_say("y")

    assert tacit("config", "gate.new", "terminal").out == "gate.new = terminal\n"
    assert person.was_asked() == "Set gate.new to terminal? It decides whose answer counts. [y/N] "
    assert Bank.open(root).settings.text("gate.new") == "terminal"
    assert process("config", "gate.new", "prompt", stdin="y\n").error_code == "gate.no_terminal"


GATES = [setting for setting in SETTINGS if setting.name.startswith("gate.")]


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.name)
def test_no_setting_lowers_a_gate(gate: Setting) -> None:
    """Q-04: a setting may ask for more than the default, never for less, whoever edits the file."""
    least = Assurance(str(gate.default)).rank
    assert all(Assurance(choice).rank >= least for choice in gate.choices)
    assert len(GATES) == 8
    for word in Assurance:
        found = parse(f'format = 1\n[gate]\n{gate.name.partition(".")[2]} = "{word}"\n')
        assert Assurance(found.text(gate.name)).rank >= least
