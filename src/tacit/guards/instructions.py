"""Text that speaks to an agent instead of informing it; this finds the clumsy, not the careful."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.guards.anchors import Rulebook, small_letters
from tacit.guards.finding import Spot, Tier
from tacit.guards.instruction_rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

GUARD = "instruction"
_BOOK = Rulebook(RULES)


def find(text: str) -> Iterator[Spot]:
    """Yield the passages that instruct whoever reads them as an agent."""
    small = small_letters(text)
    for name, offset, match in _BOOK.matches(small, small):
        yield Spot(GUARD, name, Tier.QUARANTINE, offset + match.start(), offset + match.end())
