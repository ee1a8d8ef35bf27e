"""Rules that are tried only on the lines in which one of their anchors stands."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_LINE = 4 * 1024
# Two pieces of a long line share this much, so that what a cut divides is whole in one of them.
_OVERLAP = 512


class Rule(NamedTuple):
    """A pattern, and plain words without which it cannot match: one anchor, and one of `also` if there are any.

    Quantifiers of a pattern are bounded and not nested, so that no text makes a rule slow.
    """

    name: str
    anchors: tuple[str, ...]
    pattern: str
    also: tuple[str, ...] = ()


class Rulebook:
    """Several rules that are tried together."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._anchored = [(anchor, rule) for rule in rules for anchor in rule.anchors]

    def matches(self, text: str, searched: str) -> Iterator[tuple[str, int, re.Match[str]]]:
        """Yield the name of each rule that matches, the offset of the line and the match in it.

        Anchors are looked for in `searched`, which is the text or its small letters; patterns match in the text.
        """
        present: dict[Rule, list[str]] = {}
        for anchor, rule in self._anchored:
            if anchor in searched:
                present.setdefault(rule, []).append(anchor)
        for rule, anchors in present.items():
            for offset, line in lines_with(text, anchors, searched):
                if not rule.also or any(word in line for word in rule.also):
                    for match in compiled(rule.pattern).finditer(line):
                        yield rule.name, offset, match


def lines_with(text: str, words: Iterable[str], searched: str) -> Iterator[tuple[int, str]]:
    """Yield the lines in which one of the words stands, as `lines_at` does; `searched` is as long as the text."""
    return lines_at(text, _places(searched, words))


def lines_at(text: str, places: Iterable[int]) -> Iterator[tuple[int, str]]:
    """Yield the line of each place once, with its offset; long lines in pieces that overlap."""
    seen = set()
    for place in places:
        start = text.rfind("\n", 0, place) + 1
        if start not in seen:
            seen.add(start)
            end = text.find("\n", place)
            end = end if end >= 0 else len(text)
            for piece in range(start, max(start + 1, end - _OVERLAP), MAX_LINE - _OVERLAP):
                yield piece, text[piece : min(end, piece + MAX_LINE)]


def _places(text: str, words: Iterable[str]) -> Iterator[int]:
    """Yield where the words stand, each at most once a line."""
    for word in words:
        at = text.find(word)
        while at >= 0:
            yield at
            end = text.find("\n", at)
            at = text.find(word, end) if end >= 0 else -1


def small_letters(text: str) -> str:
    """Return the text in small letters, each in its place; one letter alone would become two."""
    return text.replace("İ", "I").lower()


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return the pattern, compiled when it is first needed."""
    return re.compile(pattern)
