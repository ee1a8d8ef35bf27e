"""What git knows about the project around a bank, asked without changing anything."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tacit.project import git
from tests.git.repositories import ENVIRONMENT, begin, commit_all
from tests.git.repositories import git as run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _same_git_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module under test runs git as well: it sees the same settings as the test."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


def test_directory_is_found_going_up(tmp_path: Path) -> None:
    """Git's directory is the nearest one above, found without running git."""
    (tmp_path / "project" / ".git").mkdir(parents=True)
    deep = tmp_path / "project" / "a" / "b"

    assert git.directory(deep) == tmp_path / "project" / ".git"
    assert git.directory(tmp_path) is None


@pytest.mark.parametrize("absolute", [True, False])
def test_file_leads_to_the_directory(tmp_path: Path, *, absolute: bool) -> None:
    """B-06: in a worktree or submodule `.git` is a file that names the directory."""
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / ".git").write_text(f"gitdir: {real if absolute else '../real'}\n", encoding="utf-8")

    assert git.directory(tmp_path / "tree") == real


def test_file_that_leads_nowhere_is_passed_over(tmp_path: Path) -> None:
    """A file called `.git` that is none of git's does not hide the repository above."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / ".git").write_bytes(b"\xff nonsense")

    assert git.directory(tmp_path / "below") == tmp_path / ".git"


@pytest.mark.parametrize("name", ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"])
def test_unfinished_work_shows(tmp_path: Path, name: str) -> None:
    """I-02: whatever git waits for, the bank waits with it."""
    (tmp_path / ".git").mkdir()
    assert not git.is_busy(tmp_path)

    (tmp_path / ".git" / name).mkdir()

    assert git.is_busy(tmp_path)


def test_no_repository_is_never_busy(tmp_path: Path) -> None:
    """I-02: without git there is nothing to wait for."""
    assert not git.is_busy(tmp_path)


def test_hooks_are_where_git_looks_for_them(tmp_path: Path) -> None:
    """A configured folder for hooks is found, and no repository has none."""
    assert git.hooks_directory(tmp_path) is None
    root = begin(tmp_path / "project")
    assert git.hooks_directory(root) == root / ".git" / "hooks"

    run(root, "config", "core.hooksPath", "tools/hooks")

    assert git.hooks_directory(root) == root / "tools" / "hooks"


def test_a_folder_is_named_as_git_names_it(tmp_path: Path) -> None:
    """Paths that git is to clean begin at the top of the work tree; without one there is only the name."""
    bank = tmp_path / "project/web client/.memory"
    bank.mkdir(parents=True)
    assert git.place_of(bank) == ".memory/"
    begin(tmp_path / "project")
    assert git.place_of(bank) == "web client/.memory/"
    assert git.place_of(tmp_path / "project") == ""


def test_staged_files_come_with_their_bytes(tmp_path: Path) -> None:
    """N-05: names and contents are given as git has them: any bytes, nothing added, links and modules left out."""
    root = begin(tmp_path / "project")
    assert git.staged(root) == {}
    bank = root / "bank"
    bank.mkdir()
    contents = {
        "a.md": b"one\r\ntwo",
        "数据.md": b"",
        "with space.md": b"\0\xff\n",
        os.fsdecode(b"\xfe.md"): b"x" * 100_000,
    }
    for name, content in contents.items():
        (bank / name).write_bytes(content)
    (bank / "link.md").symlink_to("a.md")
    (root / "outside.md").write_bytes(b"")
    run(root, "add", "--all")
    (bank / "a.md").write_bytes(b"changed since")

    assert git.staged(bank) == contents


HOOK = """#!/bin/sh
exec {python} -c '
import json, sys
from pathlib import Path
from tacit.project import git
found = {{name: content.decode() for name, content in (git.staged(Path(sys.argv[1])) or {{}}).items()}}
Path(sys.argv[2]).write_text(json.dumps(found), encoding="utf-8")
' {bank} {told}
"""


@pytest.mark.parametrize("linked", [False, True], ids=["main tree", "linked worktree"])
@pytest.mark.parametrize("words", [[], ["a.md"]], ids=["index", "named file"])
def test_hook_sees_what_is_about_to_be_committed(tmp_path: Path, words: list[str], *, linked: bool) -> None:
    """N-05: git tells a hook by its environment which index is meant; in a worktree, and for `git commit FILE`, too."""
    root = begin(tmp_path / "project")
    (root / "bank").mkdir()
    (root / "bank" / "a.md").write_bytes(b"old")
    commit_all(root)
    if linked:
        run(root, "worktree", "add", "--quiet", "-b", "side", str(tmp_path / "linked"))
        root = tmp_path / "linked"
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    hook = hooks / "pre-commit"
    told = tmp_path / "told.json"
    hook.write_text(HOOK.format(python=sys.executable, bank=root / "bank", told=told), encoding="utf-8")
    hook.chmod(0o755)
    run(root, "config", "core.hooksPath", str(hooks))
    (root / "bank" / "a.md").write_bytes(b"new")
    (root / "bank" / "b.md").write_bytes(b"other")
    run(root, "add", "--all")

    run(root / "bank", "commit", "--quiet", "--message", "with a hook", *words)

    expected = {"a.md": "new"} if words else {"a.md": "new", "b.md": "other"}
    assert json.loads(told.read_bytes()) == expected


def test_no_repository_has_nothing_staged(tmp_path: Path) -> None:
    """Outside a work tree there is no answer, which is not the same as nothing."""
    assert git.staged(tmp_path) is None


def test_broken_repository_has_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A git that lists files and cannot read them is not believed in part."""
    root = begin(tmp_path / "project")
    (root / "a.md").write_bytes(b"")
    commit_all(root)
    real = git.run

    def fail(where: Path, *words: str, stdin: bytes = b"") -> bytes | None:
        return None if words[0] == "cat-file" else real(where, *words, stdin=stdin)

    monkeypatch.setattr(git, "run", fail)

    assert git.staged(root) is None


def test_ignored_paths_are_known(tmp_path: Path) -> None:
    """B-05: whether a path is ignored is git's word; outside a work tree it has none."""
    assert git.ignores(tmp_path, "x") is None
    root = begin(tmp_path / "project")
    (root / ".gitignore").write_bytes(b"/private/\n")

    assert git.ignores(root, "private/x") is True
    assert git.ignores(root, "public/x") is False


@pytest.mark.parametrize("error", [FileNotFoundError(), subprocess.TimeoutExpired("git", 30)], ids=["none", "slow"])
def test_missing_or_hanging_git_has_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """A machine without git, or one where it hangs, is a machine without answers, not an error."""

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(subprocess, "run", fail)

    assert git.staged(tmp_path) is None
    assert git.ignores(tmp_path, "x") is None
    assert git.hooks_directory(tmp_path) is None
