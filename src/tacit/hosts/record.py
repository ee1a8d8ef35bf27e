"""What an installation put where, so that it can be taken back to the byte; kept in the user's own directory."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit import fsio
from tacit.hosts.wiring import Piece, Put, Scope

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Splice:
    """At `at`, `old` made way for `new`."""

    at: int
    old: str
    new: str


class Spliced:
    """A text and what was done to it, in order."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.splices: list[Splice] = []

    def put(self, at: int, new: str, *, until: int | None = None) -> None:
        """Put `new` at a place, over what stands there up to `until`."""
        end = at if until is None else until
        self.splices.append(Splice(at, self.text[at:end], new))
        self.text = self.text[:at] + new + self.text[end:]


def reverted(text: str, splices: list[Splice]) -> str | None:
    """Return the text as it was before the splices; None if it is not the text that they led to."""
    for each in reversed(splices):
        end = each.at + len(each.new)
        if text[each.at : end] != each.new:
            return None
        text = text[: each.at] + each.old + text[end:]
    return text


_FORMAT = 1


@dataclass(slots=True)
class Kept:
    """One file of an installation: fingerprints before (empty: it was not there) and after, and what was done.

    A file of our own has no puts. Only what we put in is kept, never what else stands in the file.
    """

    file: Path
    before: str
    after: str
    is_own: bool = False
    splices: list[Splice] = field(default_factory=list)
    puts: list[Put] = field(default_factory=list)


@dataclass(slots=True)
class Record:
    """One installation, and the directories that were made for it."""

    host: str
    scope: Scope
    root: Path
    version: str = ""
    is_mcp_hook: bool = False
    files: list[Kept] = field(default_factory=list)
    directories: list[Path] = field(default_factory=list)

    def of(self, file: Path) -> Kept | None:
        """Return what was done to a file, if anything was."""
        return next((each for each in self.files if each.file == file), None)


def path(home: Path, host: str, scope: Scope, root: Path) -> Path:
    """Return where the record of an installation is."""
    project = f"-{sha256(os.fsencode(root)).hexdigest()[:12]}" if scope is Scope.PROJECT else ""
    return home / "installs" / f"{host}-{scope}{project}.json"


def read(file: Path) -> Record | None:
    """Return a record; None if there is none, or none that can be read."""
    content = fsio.read(file)
    if content is None:
        return None
    try:
        return _record(json.loads(content))
    except (ValueError, RecursionError, KeyError, TypeError):
        return None


def every(home: Path) -> Iterator[Record]:
    """Yield all records."""
    for file in sorted((home / "installs").glob("*.json")):
        found = read(file)
        if found is not None:
            yield found


def written(record: Record) -> bytes:
    """Return a record as bytes."""
    members = {"format": _FORMAT, **asdict(record)}
    text = json.dumps(members, ensure_ascii=False, indent=1, default=str)
    # The name of a folder need not be UTF-8; json reads the surrogates back that Python makes of it.
    return text.encode("utf-8", "surrogatepass") + b"\n"


def _record(members: dict[str, Any]) -> Record:
    return Record(
        members["host"],
        Scope(members["scope"]),
        Path(members["root"]),
        str(members["version"]),
        bool(members["is_mcp_hook"]),
        [_kept(each) for each in members["files"]],
        [Path(each) for each in members["directories"]],
    )


def _kept(members: dict[str, Any]) -> Kept:
    puts = [
        Put(Piece(**each["piece"] | {"path": tuple(each["piece"]["path"])}), each["made_from"], each["keeps_comma"])
        for each in members["puts"]
    ]
    splices = [Splice(**each) for each in members["splices"]]
    return Kept(Path(members["file"]), members["before"], members["after"], members["is_own"], splices, puts)
