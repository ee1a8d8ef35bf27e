"""An older memory bank that is brought over, and put back."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tacit.audit.record import Channel
from tacit.bank import By, migrating
from tacit.errors import UndoBlocked
from tests.cli.runner import environment, write

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.bank import Bank

SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
TERMINAL = By(Channel.TERMINAL)


def entry_of(bank: Bank) -> str:
    """The entry document."""
    return (bank.root / "MEMORY.md").read_text(encoding="utf-8")


def old_bank(project: Path) -> None:
    """Put a memory bank of an older structure into a project."""
    write(project / "memory-bank/brief.md", "# Brief\n\nWhat it is for.\n")
    write(project / "memory-bank/active.md", "# Active\r\n\r\nNow.  \r\n")
    write(project / "memory-bank/_index.md", "- brief\n- active\n")
    write(project / "memory-bank/learnings/a b.md", "# 教训\n\n先备份。")
    write(project / "memory-bank/picture.png", b"\x89PNG\xff")


@pytest.mark.parametrize("in_git", [False, True])
def test_an_old_bank_is_moved_without_losing_a_byte(bank: Bank, tmp_path: Path, *, in_git: bool) -> None:
    """E-03: every file arrives byte for byte, git sees moves, and a second run finds nothing to do."""
    old_bank(tmp_path)
    before = {path.name: path.read_bytes() for path in (tmp_path / "memory-bank").rglob("*") if path.is_file()}
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    if in_git:
        for words in (["init", "-q"], ["add", "memory-bank"], ["commit", "-qm", "x"]):
            subprocess.run([*git, *words], check=True, env=environment())

    done = bank.entry.refresh()

    after = {path.name: path.read_bytes() for path in (bank.root / "details").rglob("*") if path.is_file()}
    assert (done.case, after) == ("migrate", before)
    assert not (tmp_path / "memory-bank").exists()
    again = bank.entry.refresh()
    assert (again.case, again.applied) == ("refresh", False)
    if in_git:
        status = subprocess.run(
            [*git, "status", "--porcelain"], capture_output=True, check=True, env=environment()
        ).stdout
        assert status.count(b"R  ") == len(before)


def test_a_newer_memory_bank_keeps_its_entry_document(bank: Bank, tmp_path: Path) -> None:
    """E-03: an old MEMORY.md becomes the new one, its user blocks byte for byte, and details keep their places."""
    user = "<!-- USER_BLOCK_START -->\nmine \t\n\n  x\n<!-- USER_BLOCK_END -->\n"
    write(tmp_path / "memory-bank/MEMORY.md", f"# Old\n\n{user}")
    write(tmp_path / "memory-bank/details/design/pay.md", "# Pay\n")

    assert bank.entry.refresh().case == "migrate"

    assert entry_of(bank).startswith(f"# Old\n\n{user}")
    assert (bank.root / "details/design/pay.md").read_text(encoding="utf-8") == "# Pay\n"
    assert "details/design/pay.md" in entry_of(bank)


def test_unsafe_files_of_an_old_bank_stay_where_they_are(bank: Bank, tmp_path: Path) -> None:
    """E-03: a file with a secret is left and named with the kind, never the value; the others move."""
    old_bank(tmp_path)
    write(tmp_path / "memory-bank/tech.md", f"token: {SECRET}\n")
    write(tmp_path / "memory-bank/.env", "A=1\n")

    done = bank.entry.refresh()
    again = bank.entry.refresh()

    told = [line for line in done.plan if line.startswith("Leave memory-bank/")]
    assert len(told) == 2
    assert SECRET not in "".join(told)
    assert sorted(path.name for path in (tmp_path / "memory-bank").iterdir()) == [".env", "tech.md"]
    assert (again.case, again.applied) == ("refresh", False)


def test_a_history_and_links_of_an_old_bank_stay_where_they_are(bank: Bank, tmp_path: Path) -> None:
    """E-03: the repository or submodule that an old bank is stays one, and a link to a folder is left alone."""
    old_bank(tmp_path)
    write(tmp_path / "memory-bank/.git/HEAD", "ref: refs/heads/main\n")
    (tmp_path / "empty").mkdir()
    (tmp_path / "memory-bank/elsewhere").symlink_to(tmp_path / "empty")

    bank.entry.refresh()

    assert sorted(path.name for path in (tmp_path / "memory-bank").iterdir()) == [".git", "elsewhere"]
    assert (tmp_path / "memory-bank/.git/HEAD").is_file()
    assert not (bank.root / "details/.git").exists()
    assert (bank.root / "details/brief.md").is_file()


def test_secrets_of_an_old_bank_stay_where_they_are(bank: Bank, tmp_path: Path) -> None:
    """D-02, E-03: what is a secret by its name is no detail under any ending: it is left, unopened, and named."""
    old_bank(tmp_path)
    secrets = ["learnings/Credentials.MD", "prod.env.md", "secrets.md"]
    for name in secrets:
        write(tmp_path / "memory-bank" / name, "pineapple\n")

    done = bank.entry.refresh()

    told = [line for line in done.plan if line.startswith("Leave memory-bank/")]
    assert [name for name in secrets for line in told if f"{name}: by its name it holds secrets" in line] == secrets
    left = [path for path in (tmp_path / "memory-bank").rglob("*") if path.is_file()]
    assert sorted(path.relative_to(tmp_path / "memory-bank").as_posix() for path in left) == secrets
    assert (bank.root / "details/brief.md").exists()


def test_a_move_that_was_interrupted_is_finished(bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """E-03: what was brought over before a crash is not brought over twice; the old files go with the next run."""
    old_bank(tmp_path)
    write(tmp_path / "memory-bank/MEMORY.md", "# Old\n\nmine\n")
    monkeypatch.setattr(migrating, "take_away", lambda *_: None)
    bank.entry.refresh()
    before = set((bank.root / "details").rglob("*"))
    monkeypatch.undo()

    done = bank.entry.refresh()

    assert (done.case, done.applied) == ("migrate", True)
    assert set((bank.root / "details").rglob("*")) == before
    assert entry_of(bank).count("# Old") == 1
    assert not (tmp_path / "memory-bank").exists()


def test_a_file_changed_while_it_was_moved_stays(bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """E-03: what somebody saved in the old bank meanwhile is not removed."""
    old_bank(tmp_path)
    take_away = migrating.take_away

    def save_first(*given: object) -> None:
        write(tmp_path / "memory-bank/brief.md", "# Brief\n\nnewer\n")
        take_away(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(migrating, "take_away", save_first)
    bank.entry.refresh()

    assert [path.name for path in (tmp_path / "memory-bank").iterdir()] == ["brief.md"]


@pytest.mark.parametrize("by_proposal", [False, True])
def test_undoing_a_move_puts_the_old_bank_back(bank: Bank, tmp_path: Path, *, by_proposal: bool) -> None:
    """A-03, E-03: every file stands where it was, byte for byte, the entry document too, and git knows of it."""
    old_bank(tmp_path)
    write(tmp_path / "memory-bank/MEMORY.md", "# Old\n\nmine\n")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "memory-bank"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *words], check=True, env=environment())
    before = {path: path.read_bytes() for path in (tmp_path / "memory-bank").rglob("*") if path.is_file()}
    stub = entry_of(bank)
    moved = bank.entry.refresh()

    if by_proposal:
        write(tmp_path / "memory-bank/picture.png", b"\x89PNG\xff")  # what stands there already is no trouble
        bank.answer(bank.propose_act("undo", moved.operation_id), "confirm", "terminal")
    else:
        bank.undo(by=TERMINAL)

    assert {path: path.read_bytes() for path in (tmp_path / "memory-bank").rglob("*") if path.is_file()} == before
    assert (entry_of(bank), [path for path in (bank.root / "details").rglob("*") if path.is_file()]) == (stub, [])
    shown = subprocess.run([*git, "diff", "--cached", "--name-only", "memory-bank"], capture_output=True, check=True)
    assert shown.stdout == b""


def test_a_move_that_cannot_be_put_back_is_not_undone(bank: Bank, tmp_path: Path) -> None:
    """A-03: something else stands there by now: nothing is changed, and the error names both places."""
    old_bank(tmp_path)
    bank.entry.refresh()
    write(tmp_path / "memory-bank/brief.md", "# Another\n")
    text = entry_of(bank)

    with pytest.raises(UndoBlocked, match=r"memory-bank/brief\.md, now .*details/brief\.md"):
        bank.undo(by=TERMINAL)

    assert (entry_of(bank), [path.name for path in (tmp_path / "memory-bank").iterdir()]) == (text, ["brief.md"])
    assert (bank.root / "details/brief.md").exists()
