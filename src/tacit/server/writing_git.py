"""An answer as git knows it: a commit on a branch of a clone, or a patch for those who have one."""

from __future__ import annotations

import os
import re
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from tacit import fsio
from tacit.bank.wiring import BANK_DIRECTORY
from tacit.project import git
from tacit.server.visit import Refused
from tacit.store.layout import INDEX, SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_TIMEOUT_S = 30
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
BRANCHES = "tacit"
# What this machine's user has set about git must not change a patch.
_ALONE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
_PATCH = ("--stdout", "--full-index", "--binary", "--no-renames", "--no-signature", "--no-stat", "-1")


class Change(NamedTuple):
    """What goes into a commit: who answered and when (in seconds), the message, and the files (None: removed)."""

    who: str
    at_s: int
    message: str
    files: Mapping[str, bytes | None]


class Clone:
    """A clone of the repository that a bank is in, with a work tree or bare; its work tree is left alone."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def files(self, commit: str) -> tuple[str, dict[str, bytes]]:
        """Return the folder of the bank inside a commit, and what is in it; raise Refused if there is none.

        A commit that the clone has not is fetched from where it came.
        """
        if not _COMMIT.fullmatch(commit) or not self._has(commit, fetch=True):
            raise Refused(409, "clone.behind", "The clone of this bank has not the commit that was pushed.")
        for inside in (f"{BANK_DIRECTORY}/", ""):
            found = git.tree(self._place, inside, commit) or {}
            if SETTINGS in found:
                return inside, found
        raise Refused(409, "clone.unusable", "The clone of this bank holds no bank at the commit that was pushed.")

    def _has(self, commit: str, *, fetch: bool) -> bool:
        if git.run(self._place, "cat-file", "-e", f"{commit}^{{commit}}") is not None:
            return True
        return fetch and git.told(self._place, "fetch", "--quiet").code == 0 and self._has(commit, fetch=False)

    def answered(self, name: str) -> tuple[str, str] | None:
        """Return the commit of a branch and its message; None if there is no such branch."""
        found = git.run(self._place, "log", "-1", "--format=%H%n%B", f"refs/heads/{BRANCHES}/{name}", "--")
        if found is None:
            return None
        commit, _, message = found.decode("utf-8", "replace").partition("\n")
        return commit, message

    def commit(self, name: str, base: str, inside: str, change: Change) -> str:
        """Put a change on a new branch that begins at a commit; return the new commit.

        Git's own files are all that is changed: no hook of a commit runs, and nothing is checked out.
        """
        aside = f"refs/{BRANCHES}/{name}"
        files = {f"{inside}{file}": content for file, content in change.files.items()}
        stream = _commit(aside, change._replace(files=files), base)
        made = _git(self._place, "-c", "core.fsync=all", "fast-import", "--quiet", "--force", stdin=stream)
        commit = made.decode("ascii").strip()
        try:
            # The commit point: before this line nothing is answered. An empty old value says that it must be new.
            _git(self._place, "-c", "core.fsync=all", "update-ref", f"refs/heads/{BRANCHES}/{name}", commit, "")
        finally:
            git.run(self._place, "update-ref", "-d", aside)
        return commit


def clone_of(folder: Path | None, organisation: str, bank: str) -> Clone | None:
    """Return the clone at `ORGANISATION/BANK` of a folder, bare ones with or without `.git`; None if there is none."""
    for place in (folder / organisation / name for name in (bank, f"{bank}.git")) if folder else ():
        if (place / ".git").exists() or (place / "HEAD").is_file():
            return Clone(place)
    return None


def patch(before: Mapping[str, bytes], change: Change) -> bytes:
    """Return a change as `git am` takes it, relative to the bank's folder; INDEX.md, which is derived, is left out."""
    files = {file: content for file, content in change.files.items() if file != INDEX}
    old = {file: before[file] for file in files if file in before}
    with _repository() as place:
        ref = "refs/heads/main"
        first = _commit(ref, change._replace(message="before", files=old))
        _git(place, "fast-import", "--quiet", stdin=first + _commit(ref, change._replace(files=files)), alone=True)
        return _git(place, "format-patch", *_PATCH, ref, alone=True)


@contextmanager
def _repository() -> Iterator[Path]:
    folder = fsio.make_private_directory()
    try:
        _git(folder, "init", "--quiet", "--bare", "--template=", ".", alone=True)
        yield folder
    finally:
        fsio.remove_tree(folder)


def _commit(ref: str, change: Change, base: str = "") -> bytes:
    """Return a commit as `git fast-import` reads it, and the wish to be told its name.

    Without `base` it follows what the stream has put on `ref` before.
    """
    who = f"tacit token {change.who} <{change.who}@tokens.invalid> {change.at_s} +0000"
    message = change.message.encode()
    lines = [f"commit {ref}\nmark :1\nauthor {who}\ncommitter {who}\ndata {len(message)}\n".encode(), message, b"\n"]
    if base:
        lines.append(f"from {base}\n".encode())
    for file, content in change.files.items():
        name = os.fsencode(file).replace(b"\\", b"\\\\").replace(b'"', b'\\"')
        if content is None:
            lines.append(b'D "%b"\n' % name)
        else:
            lines.append(b'M 100644 inline "%b"\ndata %d\n%b\n' % (name, len(content), content))
    return b"".join([*lines, b"\n", b"get-mark :1\n"])


def _git(place: Path, *words: str, stdin: bytes = b"", alone: bool = False) -> bytes:
    """Return what git says; raise Refused if it fails, with the reason for the log alone."""
    try:
        done = subprocess.run(  # noqa: S603  fixed words, no shell
            ["git", "-C", os.fspath(place), *words],  # noqa: S607  the git of whoever runs the server
            input=stdin,
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
            env={**os.environ, **(_ALONE if alone else {})},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _unusable(str(error)) from error
    if done.returncode:
        raise _unusable(os.fsdecode(done.stderr).strip()[:500])
    return done.stdout


def _unusable(detail: str) -> Refused:
    message = "git could not keep the answer, so nothing was changed; the server's log says why."
    return Refused(503, "clone.unusable", message, {"Retry-After": "60"}, detail=detail)
