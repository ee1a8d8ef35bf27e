"""Shell sessions as the documents show them: read them, run them, compare what came out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from demo.keyboard import at_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

# Where the documents say that their reader works.
SHOWN_HOME = "/home/ada"
PROJECT = "shop"
NOT_RUN = "<!-- not run -->"
QUESTION = re.compile(r"\[\w(?:/\w)+\] ")

_FENCE = re.compile(r"(```+)([\w-]*)\s*")
_NAME = re.compile(r"\b(?:MEM|OP|T|EP|P)-[0-9a-z]{8}\b")
_TIME = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_COUNT = re.compile(r"\b\d+ (?=lines|operations|行|个操作)")
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_DISK = re.compile(r"(?:local file system|本地文件系统) \([\w.]+\)")
# Scores follow measured numbers; that they are shown, and what follows from them, is what counts.
_SCORE = re.compile(r"(?<= )\d\.\d\d(?=[ .]|$)", re.MULTILINE)
# Rows come by id, and ids are random: here the order says nothing.
_UNORDERED = re.compile(r"tacit (list|review --list)\b")
# Whether two times in a note differ hangs on the second, and with it the lines of the diff that is shown.
_SHOWS_A_DIFF = re.compile(r"tacit (review|answer)\b")
# Versions of git put it in different words.
_WORDED_BY_GIT = re.compile(r"git merge\b")


class Block(NamedTuple):
    """A fenced block of a Markdown file: its language, its text, the line after its fence, whether tests skip it."""

    language: str
    text: str
    line: int
    skipped: bool


class Step(NamedTuple):
    """One command of a session, what it is said to print, and the line it stands on."""

    command: str
    expected: str
    line: int


def blocks(markdown: str) -> Iterator[Block]:
    """Yield the fenced blocks of a document."""
    lines = markdown.split("\n")
    number = 0
    while number < len(lines):
        opening = _FENCE.fullmatch(lines[number])
        number += 1
        if opening is None:
            continue
        start = number
        while lines[number].rstrip() != opening[1]:
            number += 1
        before = lines[start - 2].strip() if start > 1 else ""
        yield Block(opening[2], "\n".join(lines[start:number]), start + 1, before == NOT_RUN)
        number += 1


def steps(markdown: str) -> list[Step]:
    """Return the commands of all `console` blocks, in order; a command goes on after a backslash at the line's end."""
    found: list[Step] = []
    for block in blocks(markdown):
        if block.language != "console" or block.skipped:
            continue
        command, line, output = "", 0, list[str]()
        for offset, text in enumerate(block.text.split("\n")):
            if command.endswith("\\"):
                command = f"{command[:-1].rstrip()} {text.strip()}"
            elif text.startswith("$ "):
                if command:
                    found.append(Step(command, "\n".join(output), line))
                command, line, output = text[2:], block.line + offset, []
            else:
                output.append(text)
        found.append(Step(command, "\n".join(output), line))
    return found


@dataclass
class Session:
    """A reader at work in a throw-away folder, in one language."""

    home: Path
    language: str
    folder: Path = field(init=False)
    # Names in the document → names that Tacit gave here.
    names: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder = self.home / PROJECT
        self.folder.mkdir()
        subprocess.run(["git", "init", "-q", "-b", "main", self.folder], check=True, env=self.environment())

    def environment(self) -> dict[str, str]:
        """Nothing of this machine's settings: no other bank, no other git configuration."""
        return {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "LC_ALL": "",
            "LC_MESSAGES": "",
            "TACIT_LANG": self.language,
            "TACIT_BANK": "",
            "TACIT_HOME": str(self.home / ".tacit"),
            "VISUAL": "",
            "NO_COLOR": "1",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "Ada",
            "GIT_AUTHOR_EMAIL": "ada@example.org",
            "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@example.org",
        }

    def run(self, command: str, answers: list[str]) -> str:
        """Run a command line as it stands; return what the screen showed, with the folder as documents show it."""
        line = _NAME.sub(lambda match: self.names.get(match[0], match[0]), command)
        if line.startswith("cd "):
            self.folder = (self.folder / line.removeprefix("cd ")).resolve(strict=True)
            return ""
        if answers:
            _, screen = at_terminal(
                ["sh", "-c", line], answers=answers, folder=self.folder, environment=self.environment()
            )
        else:
            screen = subprocess.run(
                ["sh", "-c", line],
                cwd=self.folder,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                check=False,
                start_new_session=True,  # without a controlling terminal, as for a program
            ).stdout
        return screen.replace(str(self.home), SHOWN_HOME).rstrip("\n")

    def difference(self, step: Step) -> str:
        """Run a step; return what differs from what the document says, empty if nothing does."""
        answers = [line[asked.end() :] for line in step.expected.split("\n") if (asked := QUESTION.search(line))]
        shown = self.run(step.command, answers)
        told = _NAME.findall(step.expected)
        given = _NAME.findall(shown)
        if len(told) == len(given):
            for name, real in zip(told, given, strict=True):
                self.names.setdefault(name, real)
        expected = _NAME.sub(lambda match: self.names.get(match[0], match[0]), step.expected)
        if _plain(step.command, expected) == _plain(step.command, shown):
            return ""
        return f"line {step.line}: $ {step.command}\n--- the document says\n{expected}\n--- it prints\n{shown}\n"


def _plain(command: str, text: str) -> list[str]:
    if _WORDED_BY_GIT.match(command):
        return []
    if command == "tacit doctor":
        text = _COUNT.sub("N", text)  # whether a merge had to be healed hangs on the random ids
    if command.startswith(("tacit search", "tacit recall", "tacit propose", "tacit explain")):
        text = _SCORE.sub("N.NN", text)
    steady = _DIGEST.sub("sha256:…", _DISK.sub("local file system", _TIME.sub("TIME", text)))
    lines = [line.rstrip() for line in steady.rstrip("\n").split("\n")]
    if _SHOWS_A_DIFF.match(command):
        lines = [line for line in lines if line and not line.startswith("    ")]
    return sorted(lines) if _UNORDERED.match(command) else lines
