"""What an adapter says of a memory: how it is had, started, told, asked, and how its store is read from outside."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from benchmarks.peers.corpus import Entry

INSTALL_S = 600
MARK = re.compile(r"\bN\d{5}(?!\d)")
_CAN_LOAD = "import sqlite3, sys; sys.exit(not hasattr(sqlite3.connect(':memory:'), 'enable_load_extension'))"
_IS_NEW = "import sys; sys.exit(sys.version_info < ({major}, {minor}))"
PYTHONS = ("python3", "/usr/bin/python3", "python3.11", "python3.12", "python3.13", "python3.14")


class UnavailableError(Exception):
    """A memory cannot be had or cannot run here; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool."""

    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Server:
    """How a server is started."""

    words: list[str]
    environment: dict[str, str] = field(default_factory=dict)


class Peer(ABC):
    """A memory behind an MCP server on standard input and output."""

    name: str
    # The package whose version is told.
    package: str
    # By what its search finds, in the words of the tables.
    finds_by: str = "keywords"
    # What had to be done so that it runs here, for the tables.
    remarks: str = ""
    # Whether the MCP server is its own; else what its tools look like says nothing of it.
    has_server: bool = True

    def __init__(self, cache: Path, endpoint: str) -> None:
        self.place = cache / self.name.replace(" ", "-")
        self.endpoint = endpoint

    @abstractmethod
    def install(self) -> None:
        """Put it into the cache unless it is there; raise UnavailableError if it cannot be had in reasonable time."""

    @abstractmethod
    def version(self) -> str:
        """Return which version was installed."""

    def prepare(self, home: Path) -> None:  # noqa: B027  most need nothing
        """Make an empty store in a home of its own."""

    @abstractmethod
    def server(self, home: Path) -> Server:
        """Return how its server is started over the store in a home."""

    @abstractmethod
    def add(self, entry: Entry, *, insist: bool = False) -> Call:
        """Return the call that writes a note; `insist` where it should be written though it is like another one."""

    @abstractmethod
    def search(self, query: str, most: int) -> Call:
        """Return the call that finds notes."""

    def is_written(self, text: str, structured: Mapping[str, Any]) -> bool:  # noqa: ARG002  for those that say more
        """Whether an answer that is no error says that the note was written."""
        return bool(text)

    def fill(self, home: Path, entries: Iterable[Entry]) -> bool:  # noqa: ARG002  for those that can
        """Write many notes without the server, in the form that is documented for this; False if there is no way."""
        return False

    @abstractmethod
    def stored(self, home: Path) -> set[str]:
        """Return the marks of the notes that are in the store, read without the server."""

    def has_read_all(self, home: Path) -> bool:  # noqa: ARG002  for those that read on behind the answers
        """Whether nothing is left to do behind the answers, such as vectors of new notes."""
        return True

    def broken(self, home: Path) -> int:  # noqa: ARG002  for those whose files can be torn
        """Return how many parts of the store cannot be read."""
        return 0

    def size_mb(self) -> float:
        """Return what was installed, without the interpreter and without what it compiles for itself."""
        files = (path for path in self.place.rglob("*") if path.is_file() and not path.is_symlink())
        return sum(path.stat().st_size for path in files if "__pycache__" not in path.parts) / 1e6


def marks(text: str) -> list[str]:
    """Return the marks in a text, each once, in order."""
    return list(dict.fromkeys(MARK.findall(text)))


def run(name: str, words: Sequence[str | Path], seconds: int = INSTALL_S) -> None:
    """Run a step of an installation; what it says in the end becomes the reason if it fails."""
    try:
        done = subprocess.run(
            [str(word) for word in words], capture_output=True, check=False, timeout=seconds, encoding="utf-8"
        )
    except FileNotFoundError as error:
        reason = f"{error.filename} is not here"
        raise UnavailableError(reason) from None
    except subprocess.TimeoutExpired:
        reason = f"{name} was not installed within {seconds} s"
        raise UnavailableError(reason) from None
    if done.returncode:
        last = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith("WARNING")][-1:]
        raise UnavailableError("".join(last)[:200] or f"{name} could not be installed")


def environment(place: Path, packages: Sequence[str], *, python: str = sys.executable) -> None:
    """Make a fresh virtual environment with packages, once; the stamp is written last.

    Installed by uv where pip can get it: it resolves in seconds what pip takes many minutes for.
    """
    stamp = place / "installed"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == json.dumps(packages):
        return
    shutil.rmtree(place, ignore_errors=True)
    run(place.name, [python, "-m", "venv", "--without-pip", place])
    tools = place.with_name("uv")
    if not (tools / "bin/uv").exists():
        run("uv", [sys.executable, "-m", "venv", tools])
        run("uv", [tools / "bin/python", "-m", "pip", "install", "-qq", "--prefer-binary", "uv"])
    overrides = place.with_name("overrides.txt")
    # fastmcp asks for a list of certificates that is newer than some indexes hold; any recent one will do.
    overrides.write_text("certifi>=2024\n", encoding="utf-8")
    words: list[str | Path] = [
        tools / "bin/uv",
        "pip",
        "install",
        "-q",
        "--python",
        place / "bin/python",
        "--override",
        overrides,
    ]
    run(place.name, [*words, *packages])
    stamp.write_text(json.dumps(packages), encoding="utf-8")


def python(*, at_least: tuple[int, int] = (3, 11), loads_extensions: bool = False) -> str:
    """Return a Python that is new enough, and whose SQLite loads extensions if that is needed."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/*/bin/python3")
    for name in (sys.executable, *PYTHONS, *map(str, sorted(pyenv))):
        found = shutil.which(name)
        tests = [_IS_NEW.format(major=at_least[0], minor=at_least[1]), *([_CAN_LOAD] if loads_extensions else [])]
        if found and all(
            subprocess.run([found, "-c", test], check=False, capture_output=True).returncode == 0 for test in tests
        ):
            return found
    wish = " whose SQLite loads extensions" if loads_extensions else ""
    reason = f"there is no Python {at_least[0]}.{at_least[1]} or newer{wish}"
    raise UnavailableError(reason)


def version_in(place: Path, package: str) -> str:
    """Return the version of a package in a virtual environment."""
    ask = f"from importlib.metadata import version; print(version({package!r}))"
    done = subprocess.run([str(place / "bin/python"), "-c", ask], capture_output=True, check=True, encoding="utf-8")
    return done.stdout.strip()
