"""Where one client runs: a home and a project of its own, the model, and a transcript of all that happens."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.e2e.hosts.model import Model

ROOT = Path(__file__).parents[3]
COMMANDS = Path(sys.executable).parent
TURN_S = 90
_OWN = frozenset({".git", ".memory"})
_LARGE = 1_000_000


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command left behind; `code` is None for one that was stopped because it took too long."""

    code: int | None
    out: str
    err: str


@dataclass
class Place:
    """One run of one client."""

    root: Path
    model: Model
    commands: Sequence[Path]
    variables: dict[str, str] = field(default_factory=dict)
    transcript: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Make home and project anew."""
        shutil.rmtree(self.root, ignore_errors=True)
        self.home, self.project = self.root / "home", self.root / "project"
        self.home.mkdir(parents=True)
        self.project.mkdir()
        self.run(["git", "init", "-q", "-b", "main"])

    @property
    def repository(self) -> Path:
        """A copy of what the repository has for marketplaces and plugins."""
        copy = self.root / "repository"
        for name in (".agents", ".claude-plugin", "plugin"):
            shutil.copytree(ROOT / name, copy / name, dirs_exist_ok=True)
        return copy

    @property
    def bank(self) -> Path:
        """The bank of the project."""
        return self.project / ".memory"

    @property
    def environment(self) -> dict[str, str]:
        """What the client and everything below it gets: nothing of the machine's own settings."""
        path = [*map(str, self.commands), str(COMMANDS), "/usr/local/bin", "/usr/bin", "/bin"]
        bare = {"HOME": str(self.home), "PATH": ":".join(path), "LANG": "C.UTF-8", "TERM": "xterm-256color"}
        return {**bare, **self.variables}

    def write(self, name: str, content: str, *, at_home: bool = False) -> None:
        """Write a file of the user's own, with the folders it needs."""
        path = (self.home if at_home else self.project) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")

    def run(self, words: Sequence[str], *, timeout_s: float = TURN_S) -> Ran:
        """Run a command in the project; what it started is ended with it if it takes too long."""
        out, err = self.root / "stdout", self.root / "stderr"
        with out.open("wb") as out_file, err.open("wb") as err_file:
            child = subprocess.Popen(
                list(words),
                cwd=self.project,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=out_file,
                stderr=err_file,
                start_new_session=True,
            )
            try:
                code: int | None = child.wait(timeout_s)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
                code = None
        return Ran(code, _text(out), _text(err))

    def show(self, words: Sequence[str], ran: Ran) -> None:
        """Put a command and what it printed into the transcript."""
        self.tell(f"$ {shlex.join(words)}")
        self.tell(ran.out.strip())

    def tell(self, text: str) -> None:
        """Put a passage into the transcript."""
        if text:
            self.transcript.append(text)

    def files(self) -> Mapping[str, bytes]:
        """Return what the project holds, without the bank and git's own."""
        return {
            path.relative_to(self.project).as_posix(): path.read_bytes()
            for path in sorted(self.project.rglob("*"))
            if path.is_file() and path.relative_to(self.project).parts[0] not in _OWN
        }

    def settings(self) -> Mapping[str, bytes]:
        """Return what the home holds, without Tacit's own and what is too large for settings."""
        return {
            f"~/{path.relative_to(self.home).as_posix()}": path.read_bytes()
            for path in sorted(self.home.rglob("*"))
            if path.is_file() and path.relative_to(self.home).parts[0] != ".tacit" and path.stat().st_size < _LARGE
        }

    def notes(self) -> Mapping[str, bytes]:
        """Return the bank's notes, byte for byte."""
        return {path.relative_to(self.bank).as_posix(): path.read_bytes() for path in self.bank.glob("L[0-3]_*/*.md")}


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
