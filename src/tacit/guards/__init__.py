"""From text to findings: secrets, personal data, injected instructions, deceptive Unicode."""

from __future__ import annotations

import string
from bisect import bisect_right
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tacit.guards import characters, instructions, personal, secrets
from tacit.guards.finding import Finding, Spot, Tier

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["MAX_TEXT", "Finding", "Tier", "inspect", "redact"]

MAX_TEXT = 64 * 1024
_LONGEST_VALUE = 4_000
_OF_VALUES = string.ascii_letters + string.digits + string.punctuation


def inspect(texts: Mapping[str, str] | Iterable[tuple[str, str]]) -> tuple[Finding, ...]:
    """Return what all guards find in the named texts, by field and place: each rule once a line, and no value.

    The texts are read as one, so that three addresses in three fields are three addresses. Of a text that is longer
    than `MAX_TEXT`, the rest is not looked at and is a finding itself.
    """
    named = [*(texts.items() if isinstance(texts, Mapping) else texts)]
    # A byte order mark may begin a text, but not stand in the middle of the whole.
    whole = "\n".join(f" {text[1:MAX_TEXT]}" if text.startswith("\ufeff") else text[:MAX_TEXT] for _, text in named)
    hidden = characters.hidden(whole)
    spots = [*_apart(_values(whole, hidden)), *characters.find(whole, hidden)]
    spots += [*characters.lookalikes(whole), *instructions.find(whole)]
    too_long = any(len(text) > MAX_TEXT for _, text in named)
    return tuple(_told(named, whole, spots)) if spots or too_long else ()


def redact(text: str) -> str:
    """Return the text with each secret and each piece of personal data replaced by the name of its rule."""
    seen = text[:MAX_TEXT]
    spots = _apart(_values(seen, characters.hidden(seen)))
    if len(text) > MAX_TEXT:
        # What the bound divides is not known by its half, so the half goes too.
        last = seen[-_LONGEST_VALUE:]
        start = MAX_TEXT - len(last) + len(last.rstrip(_OF_VALUES))
        spots.append(Spot(secrets.GUARD, "too-long", Tier.REFUSE, start, len(text)))
    parts, done = [], 0
    for spot in spots:
        parts += [text[done : spot.start], f"[removed: {spot.rule}]"]
        done = spot.end
    return "".join([*parts, text[done:]])


def _values(text: str, hidden: list[int]) -> Iterator[Spot]:
    """Yield what must not be kept. The text is read as it looks: what nobody sees, and escapes, hide no secret."""
    looks = characters.plain(text, hidden)
    shown = characters.unescaped(*looks)
    for reading, places in (looks, shown) if shown else (looks,):
        for guard in (secrets, personal):
            for spot in guard.find(reading):
                yield spot._replace(start=places[spot.start], end=places[spot.end - 1] + 1)


def _told(named: list[tuple[str, str]], whole: str, spots: list[Spot]) -> Iterator[Finding]:
    """Yield the findings in order, with the field of each and the line and column in it."""
    lines = [0, *(place + 1 for place, char in enumerate(whole) if char == "\n")]
    ordered = sorted(spots, key=lambda each: each.start)
    told = set()
    first = at = 0
    for field, text in named:
        end = first + min(len(text), MAX_TEXT)
        top = bisect_right(lines, first)
        while at < len(ordered) and ordered[at].start <= end:
            spot = ordered[at]
            at += 1
            line = bisect_right(lines, spot.start)
            if (spot.rule, line) not in told:
                told.add((spot.rule, line))
                yield Finding(spot.guard, spot.rule, spot.tier, field, line - top + 1, spot.start - lines[line - 1] + 1)
        if len(text) > MAX_TEXT:
            line = bisect_right(lines, end)
            yield Finding(secrets.GUARD, "too-long", Tier.REFUSE, field, line - top + 1, end - lines[line - 1] + 1)
        first = end + 1


def _apart(spots: Iterable[Spot]) -> list[Spot]:
    """Return the spots in order, none overlapping: where two meet, the one that refuses stays, else the longer one."""
    kept: list[Spot] = []
    for spot in sorted(spots, key=lambda each: (each.tier is not Tier.REFUSE, each.start - each.end)):
        place = bisect_right(kept, spot.start, key=lambda each: each.start)
        is_free = place == 0 or kept[place - 1].end <= spot.start
        if is_free and (place == len(kept) or spot.end <= kept[place].start):
            kept.insert(place, spot)
    return kept
