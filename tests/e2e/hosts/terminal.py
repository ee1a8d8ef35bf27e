"""A person at a terminal: starts a client there, reads its screen and presses keys."""

from __future__ import annotations

import codecs
import fcntl
import os
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from typing import TYPE_CHECKING

from tests.e2e.hosts.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType
    from typing import Self

COLUMNS, ROWS = 110, 40
ENTER, DOWN, RIGHT = "\r", "\x1b[B", "\x1b[C"
KEYS = {ENTER: "Enter", DOWN: "↓", RIGHT: "→"}
# How long a client may take to be there, and how long to answer.
START_S, ANSWER_S = 60.0, 60.0
_SIT_DOWN = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
# What a client asks of its terminal before it goes on, and what a terminal says.
_QUERIES = {
    "\x1b[6n": "\x1b[1;1R",
    "\x1b[c": "\x1b[?62;22c",
    "\x1b[0c": "\x1b[?62;22c",
    "\x1b[?u": "\x1b[?0u",
    "\x1b]10;?": "\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    "\x1b]11;?": "\x1b]11;rgb:0000/0000/0000\x1b\\",
}
_REST_S = 0.4


class Terminal:
    """A client on a terminal of its own, as long as the block lasts."""

    def __init__(self, words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
        self._screen = Screen(COLUMNS, ROWS)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._hand, seat = os.openpty()
        fcntl.ioctl(seat, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._child = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _SIT_DOWN, *words],
            cwd=folder,
            env=dict(environment),
            stdin=seat,
            stdout=seat,
            stderr=seat,
            start_new_session=True,
        )
        os.close(seat)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the client, if it has not ended."""
        if self._child.poll() is None:
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait()
        os.close(self._hand)

    @property
    def text(self) -> str:
        """What stands on the screen."""
        return self._screen.text

    def until(self, shown: str, timeout_s: float) -> bool:
        """Read on until something stands on the screen; False if it does not in time, or the client is gone."""
        return self.until_so(lambda: shown in self.text, timeout_s)

    def until_so(self, holds: Callable[[], bool], timeout_s: float) -> bool:
        """Read on until something holds; False if it does not in time, or the client is gone."""
        end = time.monotonic() + timeout_s
        while not holds():
            if time.monotonic() > end or not self._read(end - time.monotonic()):
                return False
        return True

    def rest(self, timeout_s: float = 3.0) -> None:
        """Read on until the client has written nothing for a moment, so that it listens to keys again."""
        end = time.monotonic() + timeout_s
        while time.monotonic() < end and select.select([self._hand], [], [], _REST_S)[0]:
            if not self._read(0):
                return

    def press(self, *keys: str) -> None:
        """Press keys, or type text, each when the client has come to rest."""
        for key in keys:
            self.rest()
            os.write(self._hand, key.encode())

    def _read(self, timeout_s: float) -> bool:
        if not select.select([self._hand], [], [], max(0.0, timeout_s))[0]:
            return True
        try:
            given = self._decoder.decode(os.read(self._hand, 1 << 16))
        except OSError:  # the other end is closed
            return False
        self._screen.feed(given)
        for query, answer in _QUERIES.items():
            if query in given:
                os.write(self._hand, answer.encode())
        return True
