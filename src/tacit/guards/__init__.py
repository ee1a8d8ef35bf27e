"""From text to findings: secrets, personal data, injected instructions, deceptive Unicode."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tacit.guards import characters, instructions, lookalikes, personal, secrets
from tacit.guards.finding import MAX_TEXT, Finding, Spot, Tier

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Finding", "Tier", "inspect", "redact"]


def inspect(texts: Mapping[str, str] | Iterable[tuple[str, str]]) -> tuple[Finding, ...]:
    """Return what all guards find in the named texts, by field and place: each rule once a line, and no value."""
    named = texts.items() if isinstance(texts, Mapping) else texts
    return tuple(finding for field, text in named for finding in _findings(field, text))


def redact(text: str) -> str:
    """Return the text with each secret and each piece of personal data replaced by the name of its rule."""
    parts, done = [], 0
    for spot in _apart(_values(text)):
        parts += [text[done : spot.start], f"[removed: {spot.rule}]"]
        done = spot.end
    return "".join([*parts, text[done:]])


def _values(text: str) -> Iterator[Spot]:
    """Yield what must not be kept; the part of a text that is too long to be looked at is such a value too.

    The text is read as it looks: characters that nobody sees do not hide a secret.
    """
    looks, places = characters.plain(text[:MAX_TEXT])
    for guard in (secrets, personal):
        for spot in guard.find(looks):
            yield Spot(spot.guard, spot.rule, spot.tier, places[spot.start], places[spot.end - 1] + 1)
    if len(text) > MAX_TEXT:
        yield Spot(secrets.GUARD, "too-long", Tier.REFUSE, MAX_TEXT, len(text))


def _findings(field: str, text: str) -> Iterator[Finding]:
    seen = text[:MAX_TEXT]
    spots = _apart(_values(text))
    for guard in (characters, lookalikes, instructions):
        spots += guard.find(seen)
    starts = [0, *(place + 1 for place, char in enumerate(text) if char == "\n")] if spots else []
    told = set()
    for spot in sorted(spots, key=lambda each: each.start):
        line = bisect_right(starts, spot.start)
        if (spot.rule, line) not in told:
            told.add((spot.rule, line))
            yield Finding(spot.guard, spot.rule, spot.tier, field, line, spot.start - starts[line - 1] + 1)


def _apart(spots: Iterable[Spot]) -> list[Spot]:
    """Return the spots in order, none overlapping: where two meet, the one that refuses stays, else the longer one."""
    kept: list[Spot] = []
    for spot in sorted(spots, key=lambda each: (each.tier is not Tier.REFUSE, each.start - each.end)):
        if all(spot.end <= other.start or spot.start >= other.end for other in kept):
            kept.append(spot)
    return sorted(kept, key=lambda each: each.start)
