"""What only a person may do: asked on the terminal, heard from nowhere else.

All of it with real processes: what counts is the controlling terminal, and a process has one or has none.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tacit.bank import Bank
from tests.cli.runner import at_terminal, environment, fingerprint, note_text, process, tacit, write

if TYPE_CHECKING:
    from pathlib import Path

ID = "MEM-asked"
FILE = f"L1_declarative/{ID}.md"


@dataclass(frozen=True)
class Case:
    """A command that asks, the question, and a sign in the audit log that it was carried out."""

    words: tuple[str, ...]
    question: str
    sign: str

    @property
    def act(self) -> str:
        """How the command calls itself in its refusals."""
        return " ".join(word for word in self.words if word.isalpha())


CASES = [
    Case(("edit", ID), f"Save these changes to {ID}?", '"operation":"update"'),
    Case(("archive", ID), f"Archive {ID} “Ask me”, so that it is recalled no more?", '"operation":"archive"'),
    Case(("delete", ID), f"Move {ID} “Ask me” to the trash?", '"operation":"delete"'),
    Case(("undo",), "Undo OP-", '"operation":"undo"'),
    Case(("restore", "MEM-gone"), "L1_declarative/MEM-gone.md exists; replace it", '"operation":"restore"'),
    Case(("trash", "empty", "--days=0"), "Destroy 4 finished operations for good?", '"operation":"trash empty"'),
    Case(("purge", ID), f"Destroy every trace of {ID} for good (1 private copy)?", '"operation":"purge"'),
]
EACH = pytest.mark.parametrize("case", CASES, ids=lambda case: case.act)


@pytest.fixture
def bank(root: Path, tmp_path: Path) -> Path:
    """A bank with a note, a removed note whose place is taken again, and an editor that adds a line."""
    gone = write(root / "L1_declarative/MEM-gone.md", note_text("MEM-gone", "Gone"))
    write(root / FILE, note_text(ID, "Ask me"))
    opened = Bank.open(root)
    opened.delete("MEM-gone")
    write(gone, note_text("MEM-gone", "Another"))
    opened.tag(ID, add=["once"])
    write(tmp_path / "editor", "#!/bin/sh\necho 'A new line.' >> \"$1\"\n").chmod(0o755)
    return root


def editor_of(bank: Path) -> str:
    """The editor that the person uses."""
    return str(bank.parents[1] / "editor")


def audit(bank: Path) -> str:
    """The audit log."""
    return (bank / ".local/audit/audit-000001.ndjson").read_text(encoding="utf-8")


@EACH
def test_yes_on_the_terminal_is_heard(bank: Path, case: Case) -> None:
    """A person who says yes is heard; the log says that it was a person, and standard output is JSON alone."""
    result = at_terminal(*case.words, "--json", answers=["y"], EDITOR=editor_of(bank))

    assert (result.code, result.err) == (0, "")
    assert case.question in result.screen
    assert result.document["schema"].startswith("tacit.")
    done = audit(bank).splitlines()[-1]
    assert case.sign in done
    assert '"channel":"terminal"' in done
    assert '"assurance":"terminal"' in done


@pytest.mark.parametrize(
    ("case", "answer"),
    [*((case, "n") for case in CASES), *((CASES[2], answer) for answer in ("", "yo", "N", "no y", "\x04"))],
    ids=lambda value: value.act if isinstance(value, Case) else repr(value),
)
def test_anything_but_yes_changes_nothing(bank: Path, case: Case, answer: str) -> None:
    """Every answer but yes, and none at all, leaves the bank byte for byte as it was."""
    before = fingerprint(bank)

    result = at_terminal(*case.words, answers=[answer], EDITOR=editor_of(bank))

    assert result.code == 12
    assert result.error_code == "gate.declined"
    after = fingerprint(bank)
    if case.act == "edit":
        assert after.pop(".local/edit").startswith("4")
        assert after.pop(f".local/edit/{ID}.md") != ""
    assert after == before


@EACH
def test_without_a_terminal_nothing_happens(bank: Path, case: Case) -> None:
    """Without a controlling terminal the command refuses, and yes on standard input is not taken for an answer.

    What can wait becomes a proposal; of the bank nothing changes but that and the log.
    """
    before = fingerprint(bank)

    result = process(*case.words, "--json", stdin="y\ny\nyes\n", EDITOR=editor_of(bank))

    assert result.code == 9
    assert case.act in result.err
    waits = case.words[0] in ("archive", "delete", "undo", "restore")
    assert result.error_code == result.document["code"] == ("gate.proposed" if waits else "gate.no_terminal")
    changed = {name for name, content in fingerprint(bank).items() if before.get(name) != content}
    changed = {name for name in changed if not name.startswith(".trash/tx-")}  # the transaction that logged it
    if waits:
        assert changed == {
            "staging/proposals",
            f"staging/proposals/{result.document['proposal_id']}.json",
            ".local/audit/audit-000001.ndjson",
        }
    else:
        assert "Run the command yourself in a terminal." in result.err
        assert changed == set()


@pytest.mark.parametrize("flag", ["--yes", "-y", "--force", "-f", "--no-input"])
@EACH
def test_no_flag_lifts_the_question(bank: Path, case: Case, flag: str) -> None:
    """No flag answers for the person; it is refused as unknown."""
    before = fingerprint(bank)

    result = tacit(*case.words, flag)

    assert result.code == 2
    assert fingerprint(bank) == before


def test_question_in_chinese(bank: Path) -> None:
    """Q-07: a person is asked in Chinese and may answer in Chinese."""
    result = at_terminal("delete", ID, answers=["是"], TACIT_LANG="zh")

    assert result.code == 0
    assert result.screen == f"要把 {ID}「Ask me」移到回收站吗？ [y/N] "
    assert result.out == f"{ID} 已在回收站；用 `tacit restore {ID}` 可恢复。\n"
    assert not (bank / FILE).exists()


# ── the first command in a fresh clone ────────────────────────────────────────────────────────────────────────────────

NEW = ("new", "--title", "T", "--when", "w", "--one-liner", "l")


@pytest.fixture
def clone(bank: Path) -> Path:
    """The bank as git would have cloned it: without its state and all that is private."""
    (bank / "memory.lock").unlink()
    return bank


def test_fresh_clone_asks_once_whether_to_turn_on(clone: Path) -> None:
    """B-06: in a fresh clone everything works after one question."""
    first = at_terminal(*NEW, answers=["y"])
    second = process(*NEW)

    assert first.code == second.code == 0
    assert first.screen == "Turn this bank on, so that Tacit may write to it? [y/N] "
    assert first.err == (
        "[memory: PAUSED] This bank has no state yet, as in a fresh clone: notes are read, nothing is written.\n"
    )
    assert (clone / "memory.lock").read_text(encoding="utf-8") == "ON\n"
    assert second.err == ""


def test_fresh_clone_stays_paused_when_the_answer_is_no(clone: Path) -> None:
    """K-01: a bank without a state is not written to before somebody says so."""
    before = fingerprint(clone)

    result = at_terminal(*NEW, answers=["n"])

    assert (result.code, result.error_code) == (12, "gate.declined")
    assert fingerprint(clone) == before


def test_fresh_clone_without_a_terminal_is_paused(clone: Path) -> None:
    """K-01: a state that is missing is PAUSED: reading works and says so, writing is refused."""
    before = fingerprint(clone)

    read = process("list")
    written = process(*NEW, stdin="y\n")

    assert read.code == 0
    assert read.err.startswith("[memory: PAUSED] This bank has no state yet")
    assert ID in read.out
    assert (written.code, written.error_code) == (8, "state.refused")
    assert "[memory: PAUSED]" in written.err
    assert fingerprint(clone) == before


# ── init's offer of a git hook ────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def repository(project: Path) -> Path:
    """A git project as `git init` leaves it, as far as looking for hooks needs it."""
    subprocess.run(["git", "init", "-q", str(project)], check=True, env=environment())
    (project / ".git/hooks/pre-commit.sample").unlink(missing_ok=True)
    return project


@pytest.mark.parametrize(("answer", "installed"), [("y", True), ("n", False)])
def test_init_offers_the_hook(repository: Path, answer: str, *, installed: bool) -> None:
    """On a terminal init offers the pre-commit hook; no is fine too, the bank is made either way."""
    result = at_terminal("init", answers=[answer, "n"])

    assert result.code == 0
    assert result.screen.startswith("Install a git pre-commit hook that checks the notes before each commit? [y/N] ")
    assert "Fetch the models that find notes by their meaning" in result.screen
    assert (repository / ".git/hooks/pre-commit").exists() == installed
    assert (repository / ".memory/tacit.toml").is_file()


@pytest.mark.parametrize("flag", ["--yes", "--bare"])
def test_init_asks_nothing_when_told_so(repository: Path, flag: str) -> None:
    """B-05: --yes and --bare make the skeleton alone."""
    result = at_terminal("init", flag)

    assert (result.code, result.screen) == (0, "")
    assert not (repository / ".git/hooks/pre-commit").exists()


def test_init_without_a_terminal_installs_no_hook(repository: Path) -> None:
    """Without a terminal init makes the bank and leaves the offer out."""
    result = process("init", stdin="y\n")

    assert (result.code, result.err) == (0, "")
    assert not (repository / ".git/hooks/pre-commit").exists()
