"""A bank that only some branches have: what is private to the machine stays private, and stays."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tacit.bank import Bank, State, usage
from tacit.bank.sessions import Injected
from tacit.errors import BankNotFound
from tacit.store.layout import PRIVATE
from tests.files import held
from tests.git.repositories import begin, commit_all, git
from tests.store.banks import Ticks, note

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ACTS: tuple[Callable[[Bank], object], ...] = (
    lambda bank: bank.search("look"),
    lambda bank: bank.recall("look twice when testing"),
    lambda bank: bank.notes(),
    lambda bank: bank.log(),
    lambda bank: bank.trash(),
    lambda bank: bank.pending(),
    lambda bank: bank.check(),
    lambda bank: bank.doctor(),
    lambda bank: bank.add([note("z")]),
    lambda bank: bank.remember("Never deploy on a Friday"),
    lambda bank: bank.set_state(State.ON),
    lambda bank: bank.reindex(),
)


def test_branch_without_the_bank_shows_and_takes_nothing_private(tmp_path: Path) -> None:
    """B-05: git neither offers the private files of a bank that a branch does not have, nor deletes them later."""
    root = begin(tmp_path / "project")
    git(root, "commit", "--quiet", "--allow-empty", "--message", "nothing")
    git(root, "switch", "--quiet", "--create", "mem")
    ticks = Ticks()
    bank = Bank.init(root, clock=ticks.clock, new_id=ticks.new_id)
    bank.add([note("a")])
    bank.delete("MEM-a")
    bank.add([note("b")])
    bank.session("one").saw_prompt("deploy on a Friday, the typed words")
    bank.recall("deploy on a Friday, the typed words", session="one")
    commit_all(root, "a bank")
    before = private(root)

    git(root, "switch", "--quiet", "main")
    shown = git(root, "status", "--short", "-uall").splitlines()
    (root / "other").write_bytes(b"")
    commit_all(root, "something else")
    git(root, "switch", "--quiet", "mem")

    assert not shown
    assert private(root) == before
    assert any(name.startswith(".local/sessions/") for name in before)
    again = Bank.open(root)
    assert again.state is State.ON
    assert [each.id for each in again.notes()] == ["MEM-b"]
    assert len(again.log()) >= 4
    assert [each.note_id for each in again.trash()] == ["MEM-a"]


@pytest.mark.parametrize(
    ("place", "line"), [("", "/.memory/memory.lock"), ("apps/[web]*", r"/apps/\[web]\*/.memory/memory.lock")]
)
def test_state_is_hidden_by_a_list_of_the_clone(tmp_path: Path, place: str, line: str) -> None:
    """B-05: what stands in that list stays, a linked work tree shares it, and twice is once."""
    root = begin(tmp_path / "project")
    git(root, "commit", "--quiet", "--allow-empty", "--message", "nothing")
    git(root, "worktree", "add", "--quiet", "../beside")
    own = root / ".git/info/exclude"
    own.parent.mkdir(exist_ok=True)
    own.write_bytes(b"mine")
    bank = tmp_path / "beside" / place / ".memory"

    Bank.init(bank)
    Bank.init(bank).set_state(State.PAUSED)

    (bank / ".gitignore").unlink()
    assert own.read_text("utf-8") == f"mine\n{line}\n"
    assert "memory.lock" not in git(tmp_path / "beside", "status", "--short", "-uall")


def test_list_of_the_clone_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    """B-05: the state is set all the same."""
    root = begin(tmp_path / "project")
    (root / ".git/info").mkdir(exist_ok=True)
    (root / ".git/info/exclude").symlink_to(tmp_path / "elsewhere")

    assert Bank.init(root).state is State.ON
    assert not (tmp_path / "elsewhere").exists()


def private(root: Path) -> dict[str, bytes]:
    """Every private file of the bank of a project."""
    return {name: content for name, content in held(root / ".memory").items() if name.startswith(PRIVATE)}


def test_older_bank_is_hidden_by_the_next_write(project: Path) -> None:
    """B-05: a bank from before gets what it lacks, and nothing that walks these folders minds."""
    root = project / ".memory"
    for ignored in root.glob("*/.gitignore"):
        ignored.unlink()
    (root / "conflicts").mkdir()
    bank = Bank.open(project)

    bank.add([note("d")])

    assert {(root / name / ".gitignore").read_bytes() for name in PRIVATE} == {b"*\n"}
    assert bank.check() == (4, [])
    assert [each.name for each in bank.doctor() if not each.ok] == []
    assert not bank.tasks.list()
    bank.purge("MEM-d")
    assert bank.empty_trash(days=0) >= 0
    assert all((root / name / ".gitignore").is_file() for name in PRIVATE)


def test_fresh_clone_is_hidden_by_the_first_recall(project: Path, tmp_path: Path) -> None:
    """B-05: nobody has written there yet, but prompts are kept."""
    git(tmp_path, "clone", "--quiet", str(project), "clone")
    bank = Bank.open(tmp_path / "clone")

    bank.recall("look twice when testing", session="one")

    assert (bank.root / ".local/.gitignore").read_bytes() == b"*\n"


@pytest.mark.parametrize("how", ["moved", "switched"])
def test_bank_that_is_gone_is_not_found_and_not_made_again(project: Path, how: str) -> None:
    """A bank that was open while its folder went answers with an error, and makes nothing in its place."""
    bank = Bank.open(project)
    bank.search("look")
    if how == "moved":
        bank.root.rename(project / "moved")
    else:
        git(project, "switch", "--quiet", "--orphan", "other")
    before = held(project)

    for act in ACTS:
        with pytest.raises(BankNotFound):
            act(bank)
    assert not bank.heal()
    assert bank.heartbeat() is None

    assert bank.state is State.OFF
    assert held(project) == before
    assert bank.root.exists() is (how == "switched")


def test_what_is_noted_in_passing_makes_no_bank(project: Path) -> None:
    """The records of conversations and recalls are let go where the bank went meanwhile."""
    bank = Bank.open(project)
    bank.root.rename(project / "moved")

    bank.session("one").saw_prompt("hello")
    Injected(bank._store.layout, "one").remember("pre", {"MEM-a": "digest"})
    usage.note(bank._store, "one", "pre", ["MEM-a"], injection="", silence="")

    assert not bank.root.exists()


def test_doctor_says_that_the_log_is_lost(project: Path) -> None:
    """A bank that was written to here and has no log has lost it; a fresh clone never had one."""
    bank = Bank.open(project)
    for folder in (".local/audit", ".trash"):
        shutil.rmtree(bank.root / folder)
    lost = {each.name: each for each in bank.doctor()}["audit"]
    (bank.root / "memory.lock").unlink()
    clone = {each.name: each for each in bank.doctor()}["audit"]

    assert (lost.ok, clone.ok) == (False, True)
