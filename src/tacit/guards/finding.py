"""What a guard found and where, without the text that it found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_TEXT = 64 * 1024
MAX_LINE = 4 * 1024
# Two windows of a long line share this much, so that what a cut divides is whole in one of them.
_OVERLAP = 512


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


def lines_with(text: str, words: Iterable[str], within: str = "") -> Iterator[tuple[int, str]]:
    """Yield the lines in which one of the words stands, with their offsets; long lines in pieces that overlap.

    `within` is what is searched in place of the text, such as its small letters; it must be as long.
    """
    searched = within or text
    seen = set()
    for word in words:
        at = searched.find(word)
        while at >= 0:
            start = text.rfind("\n", 0, at) + 1
            end = text.find("\n", at)
            end = end if end >= 0 else len(text)
            if start not in seen:
                seen.add(start)
                for piece in range(start, max(start + 1, end - _OVERLAP), MAX_LINE - _OVERLAP):
                    yield piece, text[piece : min(end, piece + MAX_LINE)]
            at = searched.find(word, end)
