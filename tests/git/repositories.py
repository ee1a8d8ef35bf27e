"""Git repositories for tests: the same on every machine, whatever its owner configured."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "C",
    "GIT_COMMITTER_EMAIL": "c@example.org",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
    "GIT_EDITOR": "true",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
# Other than in a hook, nothing around the test says where the repository is.
_OUTSIDE = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}


def git(where: Path, *words: str, may_fail: bool = False) -> str:
    """Run git in `where`; return what it printed. An error is an exception, unless it may be."""
    done = subprocess.run(
        ["git", "-c", "core.fsync=none", "-c", "gc.auto=0", *words],
        cwd=where,
        env={**_OUTSIDE, **ENVIRONMENT},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert may_fail or not done.returncode, f"git {' '.join(words)}: {done.stdout}{done.stderr}"
    return done.stdout


def begin(where: Path) -> Path:
    """Make an empty repository whose branch is called main."""
    where.mkdir(parents=True, exist_ok=True)
    git(where, "init", "--quiet", "--template=", "--initial-branch=main")
    return where


def commit_all(where: Path, message: str = "change") -> None:
    """Commit all that changed and all that is new."""
    git(where, "add", "--all")
    git(where, "commit", "--quiet", "--no-verify", "--message", message)


def unmerged(where: Path) -> list[str]:
    """The files that git could not merge, seen from the root."""
    return git(where, "diff", "--name-only", "--diff-filter=U").splitlines()
