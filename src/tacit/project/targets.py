"""Where pointers into the project lead: to a file, a symbol or a line that is there, or to what became of it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.errors import TacitError
from tacit.project import git

if TYPE_CHECKING:
    from pathlib import Path

# A pointer into the project stands first on its line: a path with a folder or an ending, then a symbol or a line.
_TARGET = re.compile(
    r"^\s*(?:[-*]\s+)?`?(?P<file>(?![A-Za-z][A-Za-z0-9+.-]*://)[\w.@+-]+(?:/[\w.@+-]+)*)"
    r"(?:#(?P<symbol>[\w.$]+)|:(?P<line>\d+)(?:-\d+)?)?`?(?P<rest>.*)$"
)
_DEFINES = r"(?:def|class|func|fn|function|const|let|var|type|struct|enum|interface|trait|module|impl|static)"
_DEFINITION = re.compile(
    rf"^[^\S\n]*(?:[\w@]+[^\S\n]+)*?{_DEFINES}\s+(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]*)", re.MULTILINE
)
_ASSIGNED = re.compile(r"^[^\S\n]*([A-Za-z_$][\w$]*)\s*(?::[^=\n]+)?=(?!=)", re.MULTILINE)
_SKIPPED = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__", "dist", "build", "target"})
_MAX_FILES = 20_000
_MAX_BYTES = 2 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Target:
    """A place in the project: a file, or a symbol or a line in it."""

    file: str
    symbol: str = ""
    line: int = 0

    def __str__(self) -> str:
        return self.file + (f"#{self.symbol}" if self.symbol else f":{self.line}" if self.line else "")


@dataclass(frozen=True, slots=True)
class Stale:
    """Why a target is not there, and where it may be now."""

    reason: str
    nearest: str = ""


def named(text: str) -> list[Target]:
    """Return the targets that the text of a section *Pointers* names; URLs, mem:// pointers and prose are none."""
    found = []
    for line in text.splitlines():
        match = _TARGET.match(line)
        if match is None or not _is_path(match):
            continue
        found.append(Target(match["file"], match["symbol"] or "", int(match["line"] or 0)))
    return found


def _is_path(match: re.Match[str]) -> bool:
    """Whether a line begins with a path: one with an ending, and a folder, a place in it or nothing behind it."""
    file, placed = match["file"], bool(match["symbol"] or match["line"])
    has_ending = re.search(r"[^/.]\.[A-Za-z0-9]{1,8}$", file) is not None
    return has_ending and ("/" in file or placed or not match["rest"].strip())


class Project:
    """The files of a project, looked at when asked and never changed; `without` is the bank's own folder."""

    def __init__(self, root: Path, *, without: str) -> None:
        self._root = root
        self._without = without
        self._files: list[str] | None = None

    def look(self, target: Target) -> Stale | None:
        """Return why a target is not there any more; None if it is."""
        if ".." in target.file.split("/") or not self._is_file(target.file):
            return Stale("the file is not there", self._moved(target))
        if not target.symbol and not target.line:
            return None
        text = self._text(target.file)
        if target.line:
            lines = text.count("\n") + (not text.endswith("\n"))
            return None if target.line <= lines else Stale(f"the file has {lines} lines", f"{target.file}:{lines}")
        name = target.symbol.rpartition(".")[2]
        if re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text):
            return None
        return Stale("the symbol is not in the file", self._renamed(target, name, text))

    def _moved(self, target: Target) -> str:
        """Return where a file went: as git saw it move, else the file of the same name that is nearest by its path."""
        seen = git.renamed_to(self._root, target.file)
        if seen and self._is_file(seen):
            return str(Target(seen, target.symbol, target.line))
        name = target.file.rpartition("/")[2]
        same = [file for file in self._all() if file.rpartition("/")[2] == name]
        if same:
            best = max(same, key=lambda file: SequenceMatcher(None, file, target.file).ratio())
            return str(Target(best, target.symbol, target.line))
        return next(iter(get_close_matches(target.file, self._all(), n=1, cutoff=0.8)), "")

    def _renamed(self, target: Target, name: str, text: str) -> str:
        """Return what a symbol may be called now: the most similar one of its file, else where it went."""
        close = get_close_matches(name, [*_DEFINITION.findall(text), *_ASSIGNED.findall(text)], n=1)
        if close:
            return f"{target.file}#{close[0]}"
        ending = f".{target.file.rpartition('.')[2]}"
        for file in self._all():
            if file.endswith(ending) and name in _DEFINITION.findall(self._text(file)):
                return f"{file}#{name}"
        return ""

    def _all(self) -> list[str]:
        if self._files is None:
            self._files = []
            for folder, names, files in os.walk(self._root):
                names[:] = sorted(name for name in names if name not in _SKIPPED and name != self._without)
                inside = os.path.relpath(folder, self._root)
                self._files += [os.path.normpath(f"{inside}/{name}") for name in sorted(files)]
                if len(self._files) > _MAX_FILES:
                    break
        return self._files

    def _is_file(self, file: str) -> bool:
        return (self._root / file).is_file()

    def _text(self, file: str) -> str:
        try:
            return (fsio.read(self._root / file, limit=_MAX_BYTES) or b"").decode("utf-8", "replace")
        except (TacitError, OSError):
            return ""
