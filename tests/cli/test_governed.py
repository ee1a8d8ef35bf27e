"""Governed writes at the terminal: what an agent proposes, what a person remembers, what is kept of their words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tacit.bank import Bank
from tests.cli import proposals
from tests.cli.proposals import NPM, PNPM, SAID, SCENE, first, notes, payload
from tests.cli.runner import Person, Result, at_terminal, fingerprint, process, tacit, write
from tests.files import holders

if TYPE_CHECKING:
    from pathlib import Path

# A fixture is found by its name in the file that uses it.
bank = proposals.bank

# Made here, so that no scanner takes this file for a leak.
SECRET = "ghp_" + "a8Kd0Zp2" * 4 + "Qx9B"
DOUBTFUL = "The password is hunter2."


def proposed(folder: Path, *payloads: object, options: tuple[str, ...] = ()) -> Result:
    """Hand in payloads in a file."""
    return tacit("propose", write(folder / "payloads.json", json.dumps(payloads)), *options)


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
    assert fingerprint(bank) == before


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


@pytest.mark.parametrize("option", ["--conversation", "--generation"])
def test_a_secret_names_no_conversation(root: Path, project: Path, option: str) -> None:
    """X-01: neither the log nor a proposal gets it."""
    result = proposed(project, payload(), options=(option, SECRET, "--json"))

    assert (first(result)["decision"], first(result)["rules"]) == ("refused", ["guard.refused"])
    assert SECRET not in result.out
    assert holders(root, SECRET) == []


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
    assert notes(bank) == ["When adding a package to the web client, use npm instead of pnpm."]


def test_remember_left_unanswered_waits(bank: Path) -> None:
    """Who quits the question finds it in the review."""
    result = at_terminal("remember", "When adding a package to the web client, use npm instead of pnpm", answers=["q"])

    assert result.code == 0
    assert len(Bank.open(bank).pending()) == 1


def test_remember_asks_about_what_says_nothing(root: Path) -> None:
    """S-04: one word is no note until the person says so, and they are told why."""
    result = tacit("remember", "hm", "--json")

    assert (first(result)["written"], first(result)["rules"]) == (False, ["score.unverifiable_but_asked"])
    assert len(Bank.open(root).pending()) == 1


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
