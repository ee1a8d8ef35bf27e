"""Questions on the controlling terminal: the one place where a command hears a person and not a program."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import termios
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import click

from tacit import fsio
from tacit.errors import Declined, TerminalNeeded
from tacit.messages import say
from tacit.text import one_line, printable, simplified

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_YES = frozenset({"y", "yes", "是", "好", "确认"})
_MAX_ANSWER_BYTES = 4000
_ENTER = (b"\r", b"\n")
_LEAVING = (b"", b"\x03", b"\x04")  # the terminal is gone, ^C, ^D
_ESCAPE = b"\x1b"
# What single keys need: no waiting for Enter, no echo of ours, and ^C as a key, so that the modes are always put back.
_LINE_MODES = termios.ICANON | termios.ECHO | termios.ISIG
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def is_there() -> bool:
    """Whether there is a controlling terminal to ask on."""
    descriptor = fsio.open_terminal()
    if descriptor is None:
        return False
    os.close(descriptor)
    return True


def ask(act: str, question: str) -> None:
    """Ask a yes-or-no question; return if the answer is yes.

    Raises TerminalNeeded without a controlling terminal (standard input does not count: a program can fill it),
    and Declined for every answer but yes.
    """
    with opened(act) as terminal:
        answer = terminal.line(f"{question} {say('yes_no')} ")
    if simplified.read(answer.strip().lower()) not in _YES:
        raise Declined(act=act)


def line(act: str, question: str) -> str:
    """Return what a person types; raise TerminalNeeded without a controlling terminal."""
    with opened(act) as terminal:
        return one_line(terminal.line(question))


def choose(act: str, question: str, words: Sequence[str]) -> str:
    """Return which of the words a person types; the first one for anything else, so that nothing is overruled."""
    typed = line(act, question).lower()
    return next((word for word in words if typed and word.startswith(typed)), words[0])


@contextmanager
def opened(act: str) -> Iterator[Terminal]:
    """Give the controlling terminal; raise TerminalNeeded if there is none."""
    descriptor = fsio.open_terminal()
    if descriptor is None:
        raise TerminalNeeded(act=act)
    try:
        yield Terminal(descriptor, act)
    finally:
        os.close(descriptor)


class Terminal:
    """The controlling terminal, open for a while. Whatever is shown is made safe for it first."""

    def __init__(self, descriptor: int, act: str) -> None:
        self._descriptor = descriptor
        self._act = act

    def show(self, text: str, *, fg: str | None = None, bold: bool = False) -> None:
        """Show a line, in colour unless the person wants none."""
        styled = (fg is not None or bold) and not os.environ.get("NO_COLOR")
        safe = printable(text)
        self._write((click.style(safe, fg=fg, bold=bold or None) if styled else safe) + "\n")

    def show_diff(self, lines: Sequence[str]) -> None:
        """Show the lines of a unified diff."""
        for line in lines:
            self.show(f"    {line}", fg=_COLOURS.get(line[:1]))

    def line(self, question: str) -> str:
        """Ask for a line; nothing if the person ended the input."""
        self._write(printable(question))
        try:
            return os.read(self._descriptor, _MAX_ANSWER_BYTES).decode("utf-8", "replace")
        except OSError as error:
            raise TerminalNeeded(act=self._act) from error

    def press(self, keys: Sequence[str]) -> str:
        """Ask for one of these keys, without Enter; nothing if the person left by ^C or ^D or the terminal is gone.

        What was typed before the question stood there does not count, and any other key repeats it.
        """
        with _single_keys(self._descriptor):
            while True:
                self._write(f"[{'/'.join(keys)}] ")
                key = self._key()
                self._write(f"{key}\n")
                if key in keys or not key:
                    return key

    def _key(self) -> str:
        """Return the next key as a small letter; what is no letter key counts as `?`."""
        pressed = self._byte()
        while pressed in _ENTER:
            pressed = self._byte()
        if pressed in _LEAVING:
            return ""
        if pressed == _ESCAPE or pressed >= b"\x80":  # an arrow, a sign of several bytes: its rest is no key
            while select.select([self._descriptor], [], [], 0)[0] and self._byte():
                pass
        return pressed.decode().lower() if pressed.isalpha() else "?"

    def _byte(self) -> bytes:
        try:
            return os.read(self._descriptor, 1)
        except OSError:
            return b""

    def _write(self, text: str) -> None:
        rest = text.encode()
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError as error:
            raise TerminalNeeded(act=self._act) from error


@contextmanager
def _single_keys(descriptor: int) -> Iterator[None]:
    """Let the terminal give single keys; its modes are put back however this ends, by a signal too."""
    try:
        before = termios.tcgetattr(descriptor)
    except termios.error:
        yield  # gone, or no terminal after all: reading says so
        return
    modes = list(before)
    modes[3] &= ~_LINE_MODES
    ends = (signal.SIGTERM, signal.SIGHUP)
    handlers = {each: signal.signal(each, lambda number, _: sys.exit(128 + number)) for each in ends}
    try:
        termios.tcsetattr(descriptor, termios.TCSAFLUSH, modes)
        yield
    finally:
        with suppress(termios.error):
            termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)
        for each, handler in handlers.items():
            signal.signal(each, handler)


_TRIES = 3


def choose_several(screen: Terminal, items: Sequence[tuple[str, str]]) -> list[int]:
    """Show items, each a line and what stands below it; return the places of those that the person chose, from 0."""
    for number, (line, below) in enumerate(items, 1):
        screen.show(f"{number:>3}  {line}", bold=True)
        if below:
            screen.show(below)
    for _ in range(_TRIES):
        chosen = places_in(screen.line(say("choose.which")), len(items))
        if chosen is not None:
            return chosen
        screen.show(say("choose.again", count=len(items)))
    return []


def places_in(answer: str, count: int) -> list[int] | None:
    """Return the places that an answer such as `1 3-4`, `a` or nothing names; None if it is none of these."""
    words = re.split(r"[\s,;，；、]+", answer.strip().lower())
    if words == [""] or words in (["n"], ["none"], ["0"]):
        return []
    if words in (["a"], ["all"]):
        return list(range(count))
    chosen: list[int] = []
    for word in words:
        span = re.fullmatch(r"(\d{1,4})(?:-(\d{1,4}))?", word)
        first, last = (int(span[1]), int(span[2] or span[1])) if span else (0, 0)
        if not 1 <= first <= last <= count:
            return None
        chosen += range(first - 1, last)
    return list(dict.fromkeys(chosen))
