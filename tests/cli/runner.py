"""Ways to run `tacit` in a test: in this process, as a process of its own, and by a person at a terminal."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import termios
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner

from demo.keyboard import converse
from tacit.cli.app import app
from tests.files import DERIVED, PASSING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TACIT = str(Path(sys.executable).parent / "tacit")
# Makes the terminal on standard input the controlling one, then becomes the command.
_SIT_DOWN = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
_PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True)
class Result:
    """What a command left behind: exit code, standard output and error, and what its terminal showed."""

    code: int
    out: str
    err: str
    screen: str = ""

    @property
    def document(self) -> dict[str, Any]:
        """Standard output as the one JSON document that it must be."""
        return json.loads(self.out)

    @property
    def error_code(self) -> str:
        """The code in brackets at the end of the first line of an error."""
        first = next((line for line in self.err.splitlines() if line.startswith("tacit: ")), "")
        return first.rpartition("[")[2].removesuffix("]")


def tacit(*words: str | Path) -> Result:
    """Run a command in this process, in the working directory, without a terminal unless a fixture gave one."""
    done = CliRunner(catch_exceptions=False).invoke(app, [str(word) for word in words], prog_name="tacit")
    return Result(done.exit_code, done.stdout, done.stderr)


def process(*words: str | Path, stdin: str = "", **variables: str) -> Result:
    """Run a command as a process without a controlling terminal, as an agent or a script would."""
    done = subprocess.run(
        [TACIT, *map(str, words)],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        env=environment(**variables),
        start_new_session=True,
        check=False,
    )
    return Result(done.returncode, done.stdout, done.stderr)


def at_terminal(
    *words: str | Path, answers: Sequence[str] = (), all_on_screen: bool = False, **variables: str
) -> Result:
    """Run a command with a controlling terminal; each answer is typed when a question stands on the screen.

    Standard output and error are pipes, so that the questions alone are on the screen, unless `all_on_screen`.
    """
    screen, seat = os.openpty()
    _quieten(seat)
    elsewhere = None if all_on_screen else subprocess.PIPE
    child = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _SIT_DOWN, TACIT, *map(str, words)],
        stdin=seat,
        stdout=elsewhere or seat,
        stderr=elsewhere or seat,
        encoding="utf-8",
        env=environment(**variables),
        start_new_session=True,
    )
    os.close(seat)
    try:
        shown = converse(screen, answers)
        out, err = child.communicate(timeout=_PATIENCE_S)
    finally:
        child.kill()
        os.close(screen)
    return Result(child.returncode, out or "", err or "", shown.decode("utf-8", "replace").replace("\r\n", "\n"))


def environment(**variables: str) -> dict[str, str]:
    """The environment of a process, without anything that leads to another bank, language, repository or editor."""
    left_out = ("TACIT_", "GIT_", "LC_", "LANG", "VISUAL", "EDITOR", "NO_COLOR", "FORCE_COLOR")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    return {**kept, "LANG": "C.UTF-8", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, **variables}


def fingerprint(root: Path) -> dict[str, str]:
    """What a tree holds, path by path: kind, mode and content; neither the lock's files nor the bytes of SQLite."""
    found: dict[str, str] = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if name.endswith((".local/lock", ".local/lock.turnstile", *PASSING)):
            continue
        status = path.lstat()
        if path.is_symlink():
            content = os.fspath(path.readlink())
        else:
            content = sha256(path.read_bytes()).hexdigest() if path.is_file() and path.name != DERIVED else ""
        found[name] = f"{status.st_mode:o} {content}"
    return found


def write(path: Path, content: str | bytes) -> Path:
    """Put a file there as a person would with an editor, with the folders it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def note_text(note_id: str = "MEM-hand", title: str = "Written by hand", **more: str) -> str:
    """A valid note as a person might write it; `more` are further keys of its front matter."""
    keys: Mapping[str, str] = {"id": note_id, "title": title, **more}
    front = "".join(f"{key}: {value}\n" for key, value in keys.items())
    return f"---\n{front}---\n\n## When to load\n\n- when testing\n\n## One-liner\n\nTest it.\n"


def new(*more: str, title: str = "Use pnpm") -> Result:
    """Write a note in an empty bank; its id is MEM-00000003, its operation OP-00000002."""
    return tacit("new", "--title", title, "--when", "adding a package", "--one-liner", "Use pnpm, never npm.", *more)


def said(result: Result) -> str:
    """What a command that went well said to people."""
    assert (result.code, result.err) == (0, "")
    return result.out


def told(result: Result, command: str) -> dict[str, Any]:
    """What a command that went well told a program: the document on standard output, and nothing else anywhere."""
    assert (result.code, result.err) == (0, "")
    document = result.document
    assert document.pop("schema") == f"tacit.{command}/1"
    return document


def _quieten(seat: int) -> None:
    """Let the terminal not echo what is typed, so that the screen shows what the command wrote and nothing else."""
    modes = termios.tcgetattr(seat)
    modes[3] &= ~termios.ECHO
    termios.tcsetattr(seat, termios.TCSANOW, modes)


class Person:
    """Somebody at the terminal of a command that runs in this process; the answers are typed in advance."""

    def __init__(self) -> None:
        self._screen, self._seat = os.openpty()
        _quieten(self._seat)

    def will_say(self, *answers: str) -> None:
        """Type the answers to the questions to come."""
        for answer in answers:
            os.write(self._screen, answer.encode() + b"\n")

    def was_asked(self) -> str:
        """What stood on the screen since the last look."""
        shown = b""
        while select.select([self._screen], [], [], 0)[0]:
            shown += os.read(self._screen, 4096)
        return shown.decode("utf-8", "replace").replace("\r\n", "\n")

    def sit_down(self) -> int:
        """Open the terminal, in place of `tacit.fsio.open_terminal`."""
        return os.dup(self._seat)

    def leave(self) -> None:
        """Close the terminal."""
        os.close(self._seat)
        os.close(self._screen)
