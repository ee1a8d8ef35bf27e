"""Questions on the controlling terminal: the one place where a command hears a person and not a program."""

from __future__ import annotations

import os

from tacit import fsio
from tacit.errors import Declined, TerminalNeeded
from tacit.messages import say
from tacit.text import printable

_YES = frozenset({"y", "yes", "是", "好", "确认"})
_MAX_ANSWER_BYTES = 1000


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
    descriptor = fsio.open_terminal()
    if descriptor is None:
        raise TerminalNeeded(act=act)
    try:
        os.write(descriptor, f"{printable(question)} {say('yes_no')} ".encode())
        answer = os.read(descriptor, _MAX_ANSWER_BYTES).decode("utf-8", "replace")
    except OSError as error:
        raise TerminalNeeded(act=act) from error
    finally:
        os.close(descriptor)
    if answer.strip().lower() not in _YES:
        raise Declined(act=act)
