"""What git knows about the project around a bank."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

# Files in git's directory that stand there while a merge, rebase or the like waits to be finished.
_UNFINISHED = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
_TIMEOUT_S = 30
_NETWORK_S = 120


def directory(start: Path) -> Path | None:
    """Return git's own directory for the work tree around `start`, without running git; None outside one."""
    for place in (start, *start.parents):
        dot_git = place / ".git"
        if dot_git.is_dir():
            return dot_git
        if dot_git.is_file():  # a worktree or submodule: the file names the directory
            text = dot_git.read_text(encoding="utf-8", errors="replace").strip()
            if text.startswith("gitdir:"):
                return (place / text.removeprefix("gitdir:").strip()).resolve()
    return None


def is_busy(start: Path) -> bool:
    """Whether a merge, rebase, cherry-pick or revert waits to be finished in the work tree around `start`."""
    found = directory(start)
    return found is not None and any((found / name).exists() for name in _UNFINISHED)


def hooks_directory(start: Path) -> Path | None:
    """Return where git looks for hooks; None outside a work tree."""
    answer = run(start, "rev-parse", "--git-path", "hooks")
    return None if answer is None else (start / os.fsdecode(answer.rstrip(b"\n"))).resolve()


def place_of(root: Path) -> str:
    """Return where a folder is in its work tree, with a slash at its end; outside of one, its name."""
    answer = run(root, "rev-parse", "--show-prefix")
    return f"{root.name}/" if answer is None else os.fsdecode(answer.rstrip(b"\n"))


def staged(root: Path) -> dict[str, bytes] | None:
    """Return path → bytes of every file below `root` as it stands in git's index; None outside a work tree."""
    # From the top of the work tree, because there git's own environment for hooks is meant to be read.
    top, inside = _top(root)
    listing = run(top, "--literal-pathspecs", "ls-files", "--stage", "-z", "--", inside or ".")
    if listing is None:
        return None
    entries = [entry.partition(b"\t") for entry in listing.split(b"\0") if entry]
    return _contents(top, inside, [(head.split(b" ")[1], path) for head, _, path in entries if head.startswith(b"100")])


def committed(root: Path, commit: str) -> tuple[str, dict[str, bytes]] | None:
    """Return the full name of a commit, and path → bytes of every file below `root` in it; None if there is none."""
    top, inside = _top(root)
    name = run(top, "rev-parse", "--verify", "--end-of-options", f"{commit}^{{commit}}")
    if name is None:
        return None
    full = name.decode("ascii").strip()
    contents = tree(top, inside, full)
    return None if contents is None else (full, contents)


def _top(root: Path) -> tuple[Path, str]:
    """Return the top of the work tree around a folder, and where in it the folder is, with a slash at its end."""
    top = next((place for place in (root, *root.parents) if (place / ".git").exists()), root)
    return top, f"{root.relative_to(top).as_posix()}/" if root != top else ""


def tree(top: Path, inside: str, commit: str) -> dict[str, bytes] | None:
    """Return path → bytes of every file below the folder `inside/` (or nothing) of a commit; None if it is not there.

    `top` is a work tree's own folder, or a bare repository. The files of submodules are among them that are fetched.
    """
    listing = run(top, "--literal-pathspecs", "ls-tree", "-r", "-z", f"{commit}^{{commit}}", "--", inside or ".")
    if listing is None:
        return None
    entries = [entry.partition(b"\t") for entry in listing.split(b"\0") if entry]
    plain = [(head.split(b" ")[2], path) for head, _, path in entries if head.startswith(b"100")]
    contents = _contents(top, inside, plain)
    for head, _, path in entries:
        place = top / os.fsdecode(path)
        if contents is not None and head.startswith(b"160000") and (place / ".git").exists():
            own = place.relative_to(top / inside).as_posix()
            below = tree(place, "", head.split(b" ")[2].decode("ascii")) or {}
            contents |= {f"{own}/{name}": content for name, content in below.items()}
    return contents


def _contents(top: Path, inside: str, plain: list[tuple[bytes, bytes]]) -> dict[str, bytes] | None:
    """Return path → bytes of these objects, which git knows by name."""
    if not plain:
        return {}
    asked = b"".join(name + b"\n" for name, _ in plain)
    answer = run(top, "cat-file", "--batch", stdin=asked)
    if answer is None:
        return None
    contents: dict[str, bytes] = {}
    at = 0
    for _, path in plain:
        end = answer.index(b"\n", at)
        size = int(answer[at:end].rsplit(b" ", 1)[1])
        contents[os.fsdecode(path).removeprefix(inside)] = answer[end + 1 : end + 1 + size]
        at = end + 1 + size + 1
    return contents


def renamed_to(root: Path, path: str) -> str:
    """Return where the commit that took a file away put its content, as git tells renames; nothing if it did not."""
    gone = run(root, "log", "-1", "--format=%H", "--diff-filter=D", "--no-renames", "--", path)
    commit = (gone or b"").decode("ascii", "replace").strip()
    if not commit:
        return ""
    top = run(root, "rev-parse", "--show-prefix")
    prefix = os.fsdecode((top or b"").rstrip(b"\n"))
    listed = run(root, "show", "--format=", "--name-status", "-M", "-z", "--diff-filter=R", commit) or b""
    parts = [os.fsdecode(part) for part in listed.split(b"\0")]
    for old, new in zip(parts[1::3], parts[2::3], strict=False):
        if old == f"{prefix}{path}" and new.startswith(prefix):
            return new.removeprefix(prefix)
    return ""


def ignores(root: Path, path: str) -> bool | None:
    """Whether git ignores a path below `root`; None outside a work tree or without git."""
    done = _done(root, "check-ignore", "-q", "--", path)
    return None if isinstance(done, Exception) else {0: True, 1: False}.get(done.returncode)


class Told(NamedTuple):
    """How a run of git ended, and the last line it said about it."""

    code: int
    last_line: str


def told(where: Path, *words: str) -> Told:
    """Run git with the network in a folder, never asking for a password; tell how it ended."""
    done = _done(where, *words, timeout_s=_NETWORK_S, more={"GIT_TERMINAL_PROMPT": "0"})
    if isinstance(done, Exception):
        return Told(1, str(done))
    lines = [line.strip() for line in os.fsdecode(done.stderr).splitlines() if line.strip()]
    said = [line for line in lines if line.startswith(("fatal:", "error:"))] or lines
    return Told(done.returncode, said[0][:300] if said else "")


def run(where: Path, *words: str, stdin: bytes = b"") -> bytes | None:
    """Run git in a folder; return what it printed, None if it failed or is not there."""
    done = _done(where, *words, stdin=stdin)
    return None if isinstance(done, Exception) or done.returncode else done.stdout


def _done(
    where: Path, *words: str, stdin: bytes = b"", timeout_s: int = _TIMEOUT_S, more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes] | Exception:
    """Return how git ended in a folder, with `more` in its environment, or why it could not be run."""
    try:
        return subprocess.run(  # noqa: S603  fixed words, no shell
            ["git", "-C", os.fspath(where), *words],  # noqa: S607  the user's own git
            input=stdin,
            capture_output=True,
            timeout=timeout_s,
            check=False,
            env={**_environment(), **(more or {})},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return error


def _environment() -> dict[str, str]:
    """Return the environment for git.

    A hook in a linked worktree is given GIT_DIR alone, and git would then take the bank's directory for the work tree.
    Without it git finds both by itself; the index that is about to be committed (GIT_INDEX_FILE) stays.
    """
    alone = "GIT_WORK_TREE" not in os.environ
    return {name: value for name, value in os.environ.items() if not (alone and name == "GIT_DIR")}
