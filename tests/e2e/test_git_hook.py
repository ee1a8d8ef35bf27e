"""The pre-commit hook, from `tacit init --hook` to a commit that git refuses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.runner import environment, note_text, process, write

COMMANDS = Path(sys.executable).parent
NEW = ("new", "--title", "T", "--when", "w", "--one-liner", "l")
ON_PATH = f"{COMMANDS}{os.pathsep}{os.environ['PATH']}"


def git(folder: Path, *words: str, path: str = ON_PATH) -> subprocess.CompletedProcess[str]:
    """Run git as its user would, with `tacit` on the PATH."""
    return subprocess.run(
        ["git", "-c", "user.name=Test", "-c", "user.email=test@example.org", *words],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
        env=environment(PATH=path),
        start_new_session=True,
    )


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git project with a bank, a note and the hook, all committed."""
    folder = tmp_path / "my project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert git(folder, "init", "-q", "-b", "main").returncode == 0
    assert process("init", "--hook").code == 0
    assert process(*NEW).code == 0
    assert git(folder, "add", "-A").returncode == 0
    first = git(folder, "commit", "-q", "-m", "bank")
    assert first.returncode == 0, first.stderr
    return folder


def test_valid_note_passes(project: Path) -> None:
    """A note that is in order is committed; what is private to this machine is not."""
    assert process(*NEW).code == 0
    git(project, "add", "-A")

    done = git(project, "commit", "-m", "another")

    assert done.returncode == 0, done.stderr
    tracked = git(project, "ls-files", ".memory").stdout.splitlines()
    assert len([name for name in tracked if "/MEM-" in name]) == 2
    assert not [name for name in tracked if name.startswith((".memory/.local", ".memory/.trash", ".memory/memory."))]


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("L1_declarative/MEM-x.md", "no note", "note.syntax"),
        ("L2_procedural/MEM-x.md", note_text("MEM-x").replace("Test it.", "mem://L1/MEM-gone"), "pointer.dangling"),
        ("INDEX.md", "# Edited by hand\n", "index.stale"),
        ("L1_declarative/MEM-x.md", "<<<<<<< a\n=======\n>>>>>>> b\n", "note.conflicted"),
    ],
    ids=["broken", "dangling", "stale index", "conflict"],
)
def test_broken_note_is_refused(project: Path, name: str, text: str, complaint: str) -> None:
    """A commit that would carry a broken note or a stale INDEX.md is refused, with file and reason."""
    before = git(project, "rev-parse", "HEAD").stdout
    write(project / ".memory" / name, text)
    git(project, "add", "-A")

    done = git(project, "commit", "-m", "broken")

    assert done.returncode == 1
    assert f"[{complaint}]" in done.stdout + done.stderr
    assert name in done.stdout + done.stderr
    assert git(project, "rev-parse", "HEAD").stdout == before


def test_what_is_staged_counts(project: Path) -> None:
    """A broken file that is not part of the commit does not stop it; `commit -a` and a single path are seen through."""
    (note,) = (project / ".memory/L1_declarative").glob("MEM-*.md")
    good = note.read_bytes()
    write(project / "code.py", "x = 1\n")
    git(project, "add", "code.py")
    write(note, "broken")

    alone = git(project, "commit", "-m", "code alone")
    everything = git(project, "commit", "-a", "-m", "everything")
    by_path = git(project, "commit", "-m", "by path", "--", str(note))
    write(note, good)

    assert alone.returncode == 0, alone.stderr
    assert (everything.returncode, by_path.returncode) == (1, 1)
    assert "[note.syntax]" in everything.stdout + everything.stderr
    assert "[note.syntax]" in by_path.stdout + by_path.stderr


def test_hook_in_a_sub_directory_and_a_worktree(project: Path) -> None:
    """The hook finds the bank from wherever git is called, and each worktree checks its own bank."""
    (project / "src").mkdir()
    assert git(project, "worktree", "add", "-q", "-b", "side", "../side").returncode == 0
    side = project.parent / "side"
    write(side / ".memory/L1_declarative/MEM-bad.md", "broken")
    write(project / "src/code.py", "x = 1\n")
    git(side, "add", "-A")
    git(project, "add", "-A")

    in_main = git(project / "src", "commit", "-m", "code")
    in_side = git(side / ".memory", "commit", "-m", "broken")

    assert in_main.returncode == 0, in_main.stderr
    assert in_side.returncode == 1
    assert "MEM-bad.md" in in_side.stdout + in_side.stderr


def test_hook_without_tacit_stands_in_nobodys_way(project: Path, tmp_path: Path) -> None:
    """On a machine without Tacit a commit goes through."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("git", "sh", "cat"):
        found = next(path for folder in os.get_exec_path() if (path := Path(folder) / name).exists())
        (tools / name).symlink_to(found)
    write(project / ".memory/L1_declarative/MEM-x.md", "broken")
    git(project, "add", "-A")

    assert git(project, "commit", "-q", "-m", "no tacit here", path=str(tools)).returncode == 0


def test_clone_works_after_one_question(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-06: a clone has the notes and no state: it reads, refuses to write, and is turned on by one command."""
    clone = project.parent / "clone"
    assert git(project, "clone", "-q", str(project), str(clone)).returncode == 0
    monkeypatch.chdir(clone)

    read, refused = process("list", "--json"), process(*NEW)
    turned_on, written = process("state", "on"), process(*NEW)

    assert len(read.document["notes"]) == 1
    assert (refused.code, refused.error_code) == (8, "state.refused")
    assert (turned_on.code, written.code) == (0, 0)
    assert process("check").code == 0
