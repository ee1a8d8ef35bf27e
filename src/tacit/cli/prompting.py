"""Open questions on the controlling terminal: a line of text, or one of a few words."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.errors import TerminalNeeded
from tacit.text import one_line, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

_MAX_ANSWER_BYTES = 4000


def line(act: str, question: str) -> str:
    """Return what a person types; raise TerminalNeeded without a controlling terminal."""
    descriptor = fsio.open_terminal()
    if descriptor is None:
        raise TerminalNeeded(act=act)
    try:
        os.write(descriptor, printable(question).encode())
        return one_line(os.read(descriptor, _MAX_ANSWER_BYTES).decode("utf-8", "replace"))
    except OSError as error:
        raise TerminalNeeded(act=act) from error
    finally:
        os.close(descriptor)


def choose(act: str, question: str, words: Sequence[str]) -> str:
    """Return which of the words a person types; the first one for anything else, so that nothing is overruled."""
    typed = line(act, question).lower()
    return next((word for word in words if typed and word.startswith(typed)), words[0])
