"""What a guard found and where, without the text that it found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Tier(StrEnum):
    """What follows from a finding: the write is refused, the user is asked, or the note is set aside unread."""

    REFUSE = "refuse"
    ASK = "ask"
    QUARANTINE = "quarantine"


class Spot(NamedTuple):
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
