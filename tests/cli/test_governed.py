"""Governed writes at the terminal: what an agent proposes, what a person remembers, reviews and answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tacit.audit.record import Assurance
from tacit.bank import Bank
from tacit.settings import SETTINGS, Setting, parse
from tests.cli.runner import Person, Result, at_terminal, fingerprint, note_text, process, tacit, write
from tests.files import holders

if TYPE_CHECKING:
    from pathlib import Path

SCENE, PNPM, NPM = "adding a package to the web client", "use pnpm", "use npm"
SAID = "When adding a package to the web client, use pnpm instead of npm"
# Made here, so that no scanner takes this file for a leak.
SECRET = "ghp_" + "a8Kd0Zp2" * 4 + "Qx9B"
DOUBTFUL = "The password is hunter2."


def payload(**members: object) -> dict[str, object]:
    """A payload as an agent sends it; its words cannot be verified here."""
    return {"scene": SCENE, "principles": [PNPM, NPM], "choice": PNPM, "source": "remember", **members}


def proposed(folder: Path, *payloads: object, options: tuple[str, ...] = ()) -> Result:
    """Hand in payloads in a file."""
    return tacit("propose", write(folder / "payloads.json", json.dumps(payloads)), *options)


def proposed_now(folder: Path, *payloads: object) -> list[dict[str, Any]]:
    """Hand in payloads by a process whose clock is that of the person who will answer."""
    done = process("propose", write(folder / "payloads.json", json.dumps(payloads)), "--json")
    found: list[dict[str, Any]] = done.document["results"]
    return found


def first(result: Result) -> dict[str, Any]:
    """The first result of a document."""
    found: dict[str, Any] = result.document["results"][0]
    return found


@pytest.fixture
def bank(root: Path) -> Path:
    """A bank that knows about pnpm."""
    assert tacit("remember", SAID).code == 0
    return root


@pytest.fixture
def question(bank: Path) -> str:
    """A proposal that contradicts the note, waiting for its answer."""
    result = process("remember", "When adding a package to the web client, use npm instead of pnpm", "--json")
    assert bank.is_dir()
    return str(first(result)["proposal_id"])


def notes(root: Path) -> list[str]:
    """The one-liners of the bank."""
    return [note.one_liner for note in Bank.open(root).notes()]


# ── propose ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_agents_payload_waits_for_the_user(root: Path, project: Path) -> None:
    """Q-01: what was not verifiably said by the user becomes a question, with its options and reasons."""
    result = proposed(project, payload(), options=("--json",))

    found = first(result)
    assert result.code == 0
    assert (found["payload"], found["decision"], found["written"]) == (0, "new", False)
    assert found["proposal_id"].startswith("P-")
    assert found["question"]["question_id"] == found["proposal_id"]
    assert [option["id"] for option in found["question"]["options"]] == ["confirm", "cancel", "show_diff"]
    assert found["question"]["allow_multiple"] is False
    assert set(found["scores"]) == {"d1", "d2", "d3", "d4", "d5", "total"}
    assert "It quotes no words of yours." in found["reasons"]
    assert "evidence.no_words" in found["rules"]
    assert notes(root) == []


def test_one_sentence_for_each_payload(root: Path, project: Path) -> None:
    """C-04, P-02: a refused payload says in a line why and what to do; the others go on; the call is handled."""
    result = proposed(project, payload(), {"scene": "x"}, payload(choice="use bun"))

    lines = result.out.splitlines()
    assert (result.code, result.err, len(lines)) == (0, "", 3)
    assert lines[0].startswith("Payload 1: P-")
    assert lines[1].startswith("Payload 2: source: is missing. Mend the payload: give one of auto, remember")
    assert lines[2].startswith("Payload 3: choice: is none of the principles.")
    assert len(Bank.open(root).pending()) == 1


def test_words_seen_in_the_conversation_are_written_at_once(root: Path, project: Path) -> None:
    """Q-01: only what the user verifiably said, nearly word for word and without doubt, is written silently."""
    Bank.open(root).session("talk").saw_prompt(SAID)
    spoken = payload(
        source="auto",
        confidence="high",
        choice="use pnpm instead of npm",
        principles=["use pnpm instead of npm", NPM],
        origin={"text": SAID, "spans": [{"start": 0, "end": 10, "label": "scene"}]},
        claim={"id": "c1", "digest": "pnpm for packages"},
    )

    result = proposed(project, spoken, options=("--conversation", "talk", "--generation", "g1"))

    assert result.out.startswith("Remembered as MEM-")
    assert "takes it back" in result.out
    assert len(notes(root)) == 1
    last = (root / ".local/audit/audit-000001.ndjson").read_text(encoding="utf-8").splitlines()[-1]
    assert '"conversation_id":"talk"' in last
    assert '"generation_id":"g1"' in last


def test_payload_on_standard_input(root: Path) -> None:
    """One object is as good as an array, and - is standard input."""
    done = process("propose", "-", "--json", stdin=json.dumps(payload()))

    assert first(done)["decision"] == "new"
    assert len(Bank.open(root).pending()) == 1


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"not json", "is no JSON (line 1)"),
        (b"", "is no JSON"),
        (b"\xff\xfe\x00", "is no JSON"),
        (b"[" * 100_000, "is no JSON"),
        (b"7", "is neither an array nor an object"),
        (b"null", "is neither an array nor an object"),
        (b'["' + b"x" * 1_000_000 + b'"]', "has more than 1000000 bytes"),
        (None, "cannot be read (No such file or directory)"),
        ("folder", "cannot be read (Is a directory)"),
    ],
    ids=["text", "empty", "bytes", "deep", "number", "null", "large", "missing", "directory"],
)
def test_what_is_no_payload_is_refused(root: Path, project: Path, content: bytes | str | None, reason: str) -> None:
    """P-02: input that is no list of payloads ends in one clear error with a stable code; nothing is changed."""
    before = fingerprint(root)
    file = project / "given"
    if isinstance(content, bytes):
        write(file, content)
    elif content:
        file.mkdir()

    result = tacit("propose", file)

    assert (result.code, result.error_code) == (3, "payload.refused")
    assert reason in result.err
    assert fingerprint(root) == before


def test_no_payload_is_fine(root: Path, project: Path) -> None:
    """An empty array is handled: there is nothing to say."""
    result = proposed(project, options=("--json",))

    assert (result.code, result.document["results"]) == (0, [])
    assert root.is_dir()


def test_half_a_character_is_refused(root: Path, project: Path) -> None:
    """A text that no UTF-8 file can hold refuses its payload, and nothing else."""
    write(project / "half.json", json.dumps(payload()).replace(PNPM, "use \\ud800"))

    assert first(tacit("propose", project / "half.json", "--json"))["decision"] == "refused"
    assert Bank.open(root).pending() == []


def test_dry_run_writes_nothing(bank: Path, project: Path) -> None:
    """--dry-run decides and leaves the bank as it is."""
    before = fingerprint(bank)

    result = proposed(project, payload(), payload(choice=NPM), options=("--dry-run",))

    assert result.out.splitlines()[1].startswith("Payload 2: You would be asked (veto): ")
    after = {name: content for name, content in fingerprint(bank).items() if not name.startswith(".local/index.db")}
    assert after == {name: content for name, content in before.items() if not name.startswith(".local/index.db")}


def test_decision_is_explained(bank: Path, project: Path) -> None:
    """G-06: --explain shows neighbours, scores with their reasons, and the rules that fired."""
    result = proposed(project, payload(choice=NPM), options=("--explain",))

    note_id = Bank.open(bank).notes()[0].id
    assert f"    {note_id} “" in result.out
    assert "conflicting, " in result.out
    assert "Scores: " in result.out
    assert "D1 2  decision gain: it chooses one way over another." in result.out
    assert "[words.unverified]" in result.out
    assert "Filled in by Tacit: " in result.out


def test_scores_that_were_brought_are_said_to_be(root: Path, project: Path) -> None:
    """S-01: scores of the payload are used as they are."""
    result = proposed(project, payload(scores=dict.fromkeys(("d1", "d2", "d3", "d4", "d5"), 2)), options=("--explain",))

    assert "Scores: 10 of 10. A fact and a principle." in result.out
    assert "D5 2  stability: brought by the payload." in result.out
    assert root.is_dir()


@pytest.mark.parametrize(
    "members",
    [
        {"evidence": f"see {SECRET}"},
        {"origin": {"text": "x", "turn": SECRET}},
        {"origin": {"text": "x", "unknown": {"deep": [SECRET]}}},
        {"origin": {SECRET: "x"}},
        {"evidence": DOUBTFUL},
    ],
    ids=["field", "turn", "unknown member", "name", "doubtful"],
)
def test_a_secret_in_a_payload_never_reaches_the_disk(root: Path, project: Path, members: dict[str, object]) -> None:
    """X-01: wherever it stands, the payload is refused with kind and place; no file has the value."""
    result = proposed(project, payload(**members), options=("--json",))

    assert first(result)["decision"] == "refused"
    assert first(result)["rules"][0] in ("guard.refused", "payload.refused")
    assert SECRET not in result.out
    assert holders(root, SECRET) == holders(root, "hunter2") == []


# ── remember ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_remember_writes_and_remembers_once(root: Path) -> None:
    """C-01, Q-01: what a person types is their own act: written at once, recognised when it is said again."""
    once = tacit("remember", *SAID.split())
    again = tacit("remember", SAID, "--json")

    assert once.out.startswith("Remembered as MEM-")
    assert (first(again)["decision"], first(again)["written"], again.document["answer"]) == ("dedupe", False, None)
    (note,) = Bank.open(root).notes()
    assert note.when_to_load == ("When adding a package to the web client",)
    assert note.confirmed.startswith("command ")


def test_remember_takes_the_parts_by_option(root: Path) -> None:
    """What is named apart is taken as named."""
    result = tacit(
        "remember", "--scene", SCENE, "--choice", PNPM, "--not", NPM, "--not", "use yarn", "--kind", "pattern",
        "--layer", "L2", "--team", "--title", "Pnpm", "--when", "adding", "--when", "updating", "--one-liner",
        "Use pnpm.", "--tag", "web", "--timing", "both", "--strength", "validated", "--scope", "broad", "--signals",
        "a lock file", "--counter-signals", "the legacy folder", "--evidence", "the team's meeting", "--pointer",
        "https://pnpm.io", "--explain",
    )  # fmt: skip

    assert (result.code, result.err) == (0, "")
    (summary,) = Bank.open(root).notes()
    note = Bank.open(root).get(summary.id)
    assert (note.title, note.one_liner, note.layer, note.kind) == ("Pnpm", "Use pnpm.", "L2", "pattern")
    assert (note.audience, note.timing, note.strength, note.scope) == ("team", "both", "validated", "broad")
    assert (note.tags, note.when_to_load) == (("web",), ("adding a package to the web client", "adding", "updating"))
    assert "use yarn" in note.alternatives
    assert "the legacy folder" in note.counter_signals
    assert "https://pnpm.io" in note.pointers


def test_remember_asks_for_the_parts(root: Path, person: Person) -> None:
    """Without words on the command line a person is asked for situation, choice and alternatives."""
    person.will_say(SCENE, PNPM, "use npm; use yarn")

    result = tacit("remember")

    assert (result.code, result.err) == (0, "")
    assert person.was_asked() == (
        "In which situation? What was chosen? What was not chosen (several with ; between, or nothing)? "
    )
    (summary,) = Bank.open(root).notes()
    assert "use yarn" in Bank.open(root).get(summary.id).alternatives


@pytest.mark.usefixtures("root")
def test_remember_nothing(person: Person) -> None:
    """Who chooses nothing has said no."""
    person.will_say(SCENE, "")

    assert tacit("remember").error_code == "gate.declined"


@pytest.mark.usefixtures("root")
def test_remember_needs_words_where_nobody_can_be_asked() -> None:
    """Without a terminal the words must be on the command line."""
    result = tacit("remember")

    assert result.code == 2
    assert "TEXT or --choice must be given" in result.err


def test_remember_leaves_a_question_where_nobody_can_be_asked(bank: Path) -> None:
    """S-04: a conflict without a terminal waits, and the sentence says how to answer."""
    result = tacit("remember", "When adding a package to the web client, use npm instead of pnpm")

    assert result.out.endswith(" waits for your answer (replace): `tacit review`.\n")
    assert len(Bank.open(bank).pending()) == 1


def test_remember_asks_at_once_on_a_terminal(bank: Path) -> None:
    """A conflict is asked right there, and the answer is the user's."""
    words = ("remember", "When adding a package to the web client, use npm instead of pnpm", "--json")

    result = at_terminal(*words, answers=["y"])

    assert result.code == 0
    assert "Replace the old note?" in result.screen
    assert (first(result)["written"], result.document["answer"]["status"]) == (True, "applied")
    assert result.document["answer"]["note_id"] == first(result)["note_id"]
    assert notes(bank) == ["When adding a package to the web client: use npm instead of pnpm."]


def test_remember_left_unanswered_waits(bank: Path) -> None:
    """Who quits the question finds it in the review."""
    result = at_terminal("remember", "When adding a package to the web client, use npm instead of pnpm", answers=["q"])

    assert result.code == 0
    assert len(Bank.open(bank).pending()) == 1


def test_remember_refuses_a_secret(root: Path) -> None:
    """X-01: one sentence says what it looks like and what to do; the exit code is that of refused input."""
    result = tacit("remember", f"the deploy token is {SECRET}")

    assert result.code == 3
    assert "this looks like secret (github-token)" in result.out
    assert len(result.out.splitlines()) == 1
    assert holders(root, SECRET) == []


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 12)])
def test_remember_asks_about_a_doubt(root: Path, person: Person, answer: str, code: int) -> None:
    """X-01: what merely looks like a secret is the person's to judge."""
    person.will_say(answer)

    result = tacit("remember", "--scene", "testing on staging", "--choice", DOUBTFUL)

    assert "This looks like secret (password)" in person.was_asked()
    assert result.code == code
    assert len(notes(root)) == (code == 0)


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
        "    +When adding a package to the web client: use npm instead of pnpm.",
        "  y  Yes, do it\n  n  No\n  b  Keep both: write it as a new note\n  d  Show the difference first\n",
        "  s  Skip: ask me later\n  q  Quit\n[y/n/b/d/s/q] y\n",
        "Done (replace): MEM-",
    ):
        assert shown in result.screen
    assert notes(bank) == ["When adding a package to the web client: use npm instead of pnpm."]
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
    assert notes(bank) == ["When adding a package to the web client: use pnpm instead of npm."]


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

    assert "    +When adding a package to the web client: use npm instead of pnpm.\n" in shown.out
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
    [("MEM-none", "note.not_found"), ("OP-none", "note.not_found"), ("P-none", "proposal.not_found")],
)
def test_explain_what_there_is_not(what: str, error: str) -> None:
    """What does not exist cannot be explained."""
    result = tacit("explain", what)

    assert (result.code, result.error_code) == (4, error)


# ── sessions ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_sessions_are_listed_and_cleared(root: Path) -> None:
    """P-06: what is kept of conversations is listed without their words, and deleted on request."""
    for name in ("one", "two"):
        Bank.open(root).session(name).saw_prompt("a secret thought")
    write(root / ".local/sessions/spoilt.said.json", "{")
    tacit("recall", "a prompt about packages", "--session", "one")

    listed = tacit("sessions", "list")
    kept = tacit("sessions", "list", "--json").document["sessions"]

    assert "secret thought" not in listed.out
    assert sorted(each["prompts"] for each in kept) == [0, 1, 1]
    assert {"name", "seen", "prompts", "declined"} == set(kept[0])
    assert tacit("sessions", "clear", "--older-than", "30000").out == "Deleted 0 records of conversations.\n"
    assert tacit("sessions", "clear", "--json").document["cleared"] >= 3
    assert tacit("sessions", "list").out == "Nothing is kept of any conversation.\n"


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
