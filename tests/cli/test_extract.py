"""`tacit extract`: what is worth keeping of a conversation, chosen on the terminal or left for a review."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.bank import Bank
from tests.cli.runner import Person, at_terminal, fingerprint, process, tacit, write
from tests.git.repositories import begin

if TYPE_CHECKING:
    from pathlib import Path

TALK = """\
User: Can you fix the lint job?
Assistant: You must always use tabs.
User: We never force push to main. For now skip the changelog.
User: In invoices we round half up, and only at the end.
"""
RULE = "We never force push to main."


def test_dry_run_shows_each_sentence_and_writes_nothing(root: Path, project: Path) -> None:
    """C-01: each candidate with its turn, its sentence, what it is and by which rule."""
    write(project / "talk.txt", TALK)
    before = fingerprint(root)

    result = tacit("extract", "talk.txt", "--dry-run")

    assert result.out.splitlines()[:2] == [
        "  1  We never force push to main.",
        "    from turn 2: “We never force push to main.”  [convention, convention]",
    ]
    assert "tabs" not in result.out
    assert "changelog" not in result.out
    assert fingerprint(root) == before


def test_person_chooses_several_at_once(root: Path, project: Path, person: Person) -> None:
    """C-01: one multi-select; what is picked is written, the rest is not."""
    write(project / "talk.txt", TALK)
    person.will_say("nonsense", "2")

    result = tacit("extract", "talk.txt", "--json")

    assert [each["written"] for each in result.document["results"]] == [True]
    (note,) = Bank.open(root).notes()
    assert (note.source, note.origin) == ("extract", "user")
    assert "round half up" in note.one_liner
    assert "Please type numbers from 1 to 2" in person.was_asked()


def test_choosing_none_writes_nothing(root: Path, project: Path, person: Person) -> None:
    """Enter alone is a no to all."""
    write(project / "talk.txt", TALK)
    person.will_say("")

    assert tacit("extract", "talk.txt").out == ""
    assert Bank.open(root).notes() == []
    assert Bank.open(root).pending() == []


def test_without_a_terminal_candidates_wait(root: Path, project: Path) -> None:
    """C-02: what comes from a conversation passes the gate: it waits for `tacit review`."""
    write(project / "talk.txt", TALK)

    result = tacit("extract", "talk.txt", "--json")

    assert result.document["candidates"][0]["sentence"] == RULE
    assert all(each["proposal_id"] for each in result.document["results"])
    assert len(Bank.open(root).pending()) == 2


def test_nothing_worth_keeping_is_silence(root: Path) -> None:
    """C-04: nothing to keep, nothing said; standard input is read for a dash."""
    result = process("extract", "-", stdin="Thanks, that works!", TACIT_BANK=str(root))

    assert (result.code, result.out, result.err) == (0, "", "")


def test_last_recorded_conversation_is_the_default(root: Path) -> None:
    """Without a file the prompts of the last conversation are read; where none is kept, that is said."""
    assert "No conversation is kept" in tacit("extract").out
    Bank.open(root).session("c1").saw_prompt(RULE)

    assert RULE in tacit("extract", "--dry-run").out


def test_withheld_secrets_are_counted(root: Path, project: Path) -> None:
    """X-01: a secret is neither shown nor kept, only counted."""
    secret = "AKIA" + "Q3EGRIDOVZ7TLKRW"
    write(project / "talk.txt", f"User: We always use the key {secret} for uploads.\n")

    result = tacit("extract", "talk.txt", "--json")

    assert (result.document["withheld"], result.document["candidates"]) == (1, [])
    assert secret not in result.out + result.err
    assert root.is_dir()


def test_unreadable_transcripts_are_told(root: Path, project: Path) -> None:
    """C-04: a failure is one sentence and what to do."""
    write(project / "folder/x", "")

    for name in ("missing.txt", "folder"):
        result = tacit("extract", name)
        assert (result.code, result.error_code) == (3, "payload.refused")
    assert root.is_dir()


def test_init_offers_first_notes_from_the_project(tmp_path: Path) -> None:
    """C-01: on a terminal init proposes three to six notes, chosen in one answer; the choice is written."""
    project = begin(tmp_path / "shop")
    write(project / "README.md", "# Shop\n\nThe shop sells books to people who read a lot.\n\n## Usage\n\nOpen it.\n")
    write(project / "Makefile", "test:\n\tpytest\nrelease:\n\ttwine\n")
    write(project / "src/app.py", "")

    result = at_terminal("init", "--bank", project / ".memory", answers=["n", "1 2", "n"], TACIT_HOME=str(tmp_path))

    assert result.code == 0, result.err
    assert 3 <= len(re.findall(r"(?m) [1-9]  \S", result.screen)) <= 6
    notes = Bank.open(project / ".memory").notes()
    assert len(notes) == 2
    assert {each.source for each in notes} == {"init"}


def test_init_for_programs_makes_the_skeleton_alone(project: Path) -> None:
    """C-01: `--yes` and `--bare` write no note, whatever the project says."""
    write(project / "README.md", "# Shop\n\nThe shop sells books to people who read a lot.\n")

    assert tacit("init", "--bare", "--json").code == 0
    assert Bank.open(project / ".memory").notes() == []


def test_empty_bank_offers_a_start(project: Path, person: Person) -> None:
    """C-05: where the project suggests nothing, the person is told how to begin."""
    person.will_say("n")

    assert "Write down the few constraints you care most about" in tacit("init", "--bank", str(project / ".memory")).err
