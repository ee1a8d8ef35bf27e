"""A person at a terminal: runs a command on a pseudo-terminal and types an answer when it asks."""

from __future__ import annotations

import os
import pty
import re
import select
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_PATIENCE_S = 60.0
# How a question ends: with the answers that it takes.
_ASKS = re.compile(rb"\[\w(?:/\w)+\] ")


def at_terminal(
    words: Sequence[str],
    *,
    answers: Sequence[str] = (),
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> tuple[int, str]:
    """Run `words` with a controlling terminal; return the exit code and what the screen showed.

    Each answer is typed when a question that ends with its answers, such as `[y/N] `, stands on the screen.
    """
    child, screen = pty.fork()
    if child == 0:
        if folder is not None:
            os.chdir(folder)
        os.execvpe(words[0], list(words), {**os.environ, **(environment or {})})  # noqa: S606  no shell on purpose
    shown = converse(screen, answers)
    os.close(screen)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), shown.decode("utf-8", "replace").replace("\r\n", "\n")


def converse(screen: int, answers: Sequence[str]) -> bytes:
    """Read a screen until the other side closes, typing the next answer whenever a question stands there."""
    shown = b""
    asked = 0
    left = list(answers)
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline:
        if not select.select([screen], [], [], 0.5)[0]:
            continue
        try:
            piece = os.read(screen, 4096)
        except OSError:  # Linux says EIO when the other side has closed
            break
        if not piece:
            break
        shown += piece
        if left and len(_ASKS.findall(shown)) > asked:
            asked += 1
            os.write(screen, left.pop(0).encode() + b"\n")
    return shown
