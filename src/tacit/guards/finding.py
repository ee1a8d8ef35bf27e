"""What a guard found and where, without the text that it found."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_TEXT = 64 * 1024
MAX_LINE = 4 * 1024
# Two windows of a long line share this much, so that what a cut divides is whole in one of them.
_OVERLAP = 512
_LINE = re.compile(r"[^\n]+")


class Tier(StrEnum):
    """What follows from a finding: the write is refused, the user is asked, or the note is set aside unread."""

    REFUSE = "refuse"
    ASK = "ask"
    QUARANTINE = "quarantine"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in one text, by offsets; for the guards themselves and for removing what they found."""

    guard: str
    rule: str
    tier: Tier
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Finding:
    """The kind and the place of what was found, never the value; line and column count from 1 within the field."""

    guard: str
    rule: str
    tier: Tier
    field: str
    line: int
    column: int


def windows(text: str, start: int = 0) -> Iterator[tuple[int, str]]:
    """Yield each line from `start` on with its offset, long ones in overlapping pieces, so that no rule sees more."""
    for match in _LINE.finditer(text, start):
        line, offset = match.group(), match.start()
        for at in range(0, max(1, len(line) - _OVERLAP), MAX_LINE - _OVERLAP):
            yield offset + at, line[at : at + MAX_LINE]
