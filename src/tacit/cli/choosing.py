"""Several of a list, chosen by a person on the controlling terminal in one answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.messages import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.cli.terminal import Terminal

_TRIES = 3


def several(screen: Terminal, items: Sequence[tuple[str, str]]) -> list[int]:
    """Show items, each a line and what stands below it; return the places of those that the person chose, from 0."""
    for number, (line, below) in enumerate(items, 1):
        screen.show(f"{number:>3}  {line}", bold=True)
        if below:
            screen.show(below)
    for _ in range(_TRIES):
        chosen = read(screen.line(say("choose.which")), len(items))
        if chosen is not None:
            return chosen
        screen.show(say("choose.again", count=len(items)))
    return []


def read(answer: str, count: int) -> list[int] | None:
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
