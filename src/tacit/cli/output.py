"""What a command prints: for people by default, one JSON document for programs."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from tacit.errors import AnswerNeeded, OutputLost
from tacit.messages import explain, head
from tacit.text import clip, escaped, pad, printable, width

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tacit.errors import TacitError

_LONG_JSON_CHARS = 100_000
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


class Output:
    """The way out of one command. Whatever comes from a note is made safe for a terminal first."""

    def __init__(self, name: str, *, as_json: bool) -> None:
        self._name = name
        self._as_json = as_json
        self._coloured = is_terminal() and not os.environ.get("NO_COLOR")
        self._lost = ""
        if as_json and isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # JSON is UTF-8 in every locale

    def finish(self) -> None:
        """Raise OutputLost if something could not be printed; that nobody read on is no loss."""
        if self._lost:
            raise OutputLost(reason=self._lost)

    def give(self, document: dict[str, object], *lines: str) -> None:
        """Print the document for programs, or the lines for people."""
        if self._as_json:
            self._print(escaped(_as_json({"schema": f"tacit.{self._name}/1", **document})))
            return
        for line in lines:
            self._print(printable(line))

    def give_line(self, document: dict[str, object], *lines: str) -> None:
        """Print the document for programs on one line, or the lines for people."""
        if self._as_json:
            self._print(escaped(json.dumps({"schema": f"tacit.{self._name}/1", **document}, ensure_ascii=False)))
            return
        self.give(document, *lines)

    def table(self, document: dict[str, object], names: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Print a document for programs, or a table for people; the last column is cut to fit the terminal."""
        if self._as_json:
            self.give(document)
            return
        self.rows(names, rows)

    def rows(self, names: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Print a table for people."""
        if self._as_json:
            return
        cells = [[printable(cell).replace("\n", " ") for cell in row] for row in (map(head, names), *rows)]
        *widths, last = [max(map(width, column)) for column in zip(*cells, strict=True)]
        if is_terminal():
            last = min(last, max(get_terminal_size().columns - sum(widths) - 2 * len(widths), 10))
        first, *lines = ["  ".join([*map(pad, row, widths), clip(row[-1], last)]).rstrip() for row in cells]
        self.styled(first, bold=True)
        if lines:
            self._print("\n".join(lines))

    @contextmanager
    def progress(self) -> Iterator[Callable[[int, int], None]]:
        """Show how far long work has come, on a terminal; elsewhere nothing is shown."""
        if not sys.stderr.isatty():
            yield lambda _done, _total: None
            return
        with click.progressbar(length=1000, file=sys.stderr, show_pos=False) as bar:

            def show(done: int, total: int) -> None:
                bar.update(1000 * done // max(total, 1) - bar.pos)

            yield show

    def diff(self, text: str) -> None:
        """Print a unified diff for people."""
        if self._as_json:
            return
        for line in text.splitlines():
            self.styled(f"    {printable(line)}", fg=_COLOURS.get(line[:1]))

    def styled(self, text: str, *, fg: str | None = None, bold: bool = False) -> None:
        """Print a line for people, in colour on a terminal."""
        if not self._as_json:
            safe = printable(text)
            styled = self._coloured and (fg is not None or bold)
            self._print(click.style(safe, fg=fg, bold=bold or None) if styled else safe)

    def warn(self, text: str) -> None:
        """Tell people something beside the result."""
        try:
            click.echo(printable(text), err=True)
        except OSError:  # there is no place left to tell it
            sys.stderr = io.StringIO()

    def _print(self, text: str) -> None:
        """Print text on standard output; if it cannot be written, the command goes on without a word."""
        if sys.stdout is None:
            self._lost, sys.stdout = os.strerror(errno.EBADF), io.StringIO()
        try:
            click.echo(text)
        except OSError as error:
            sys.stdout = io.StringIO()  # what the real one has not written would be an error when Python ends
            if not isinstance(error, BrokenPipeError):
                self._lost = error.strerror or str(error)

    def fail(self, error: TacitError) -> None:
        """Tell an error: a sentence and the next step on stderr, with its code; as JSON on stdout too."""
        sentence, hint = explain(error)
        if self._as_json:
            shaped = {"schema": "tacit.error/1", "code": error.code, "message": sentence, "hint": hint}
            if isinstance(error, AnswerNeeded):
                shaped["proposal_id"] = str(error.details["proposal"])
            self._print(escaped(json.dumps(shaped, ensure_ascii=False, indent=2)))
        self.warn(f"tacit: {sentence} [{error.code}]")
        if hint:
            self.warn(f"  {hint}")


def is_terminal() -> bool:
    """Whether standard output is a terminal; it may be closed."""
    return sys.stdout is not None and sys.stdout.isatty()


def _as_json(document: dict[str, object]) -> str:
    """Return a document as JSON; indented while it is short enough to be read, which takes Python far longer."""
    text = json.dumps(document, ensure_ascii=False)
    return text if len(text) > _LONG_JSON_CHARS else json.dumps(document, ensure_ascii=False, indent=2)
