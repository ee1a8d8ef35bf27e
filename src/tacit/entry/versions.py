"""Whether a version that a document names is one that the project allows."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBERS = re.compile(r"\d+(?:\.\d+)*")
_CLAUSE = re.compile(r"(===?|~=|~>|>=|<=|!=|[<>^~=])?\s*v?(\d+(?:\.\d+)*(?:\.[x*])?)")


@dataclass(frozen=True, slots=True)
class Said:
    """A version as a document says it; `or_newer` for "3.11+" and the like."""

    text: str
    or_newer: bool = False

    @property
    def numbers(self) -> tuple[int, ...]:
        """Its parts."""
        return numbers(self.text)


def numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of the first version in a text; none if there is no version."""
    found = _NUMBERS.search(text)
    return tuple(map(int, found[0].split("."))) if found else ()


def agrees(said: Said, wanted: str) -> bool | None:
    """Whether a document's version is one that a manifest's words allow; None if these say nothing."""
    clauses = [(operator or "", numbers(version)) for operator, version in _CLAUSE.findall(wanted)]
    if not clauses or "||" in wanted or wanted.strip() == "*":
        return None
    lowest = next(
        (parts for operator, parts in clauses if operator in ("", "==", "===", "=", ">=", "^", "~", "~=", "~>")), ()
    )
    if not lowest:
        return None
    operator = next(operator for operator, parts in clauses if parts == lowest)
    mine = said.numbers
    if said.or_newer:
        return _is_prefix(mine, lowest) or (operator != ">=" and mine <= lowest)
    if _is_prefix(mine, lowest) or _is_prefix(lowest, mine):
        return True
    if mine < lowest:
        return False
    if any(operator == "<" and mine >= parts for operator, parts in clauses):
        return False
    match operator:
        case ">=":
            return True
        case "^":
            fixed = next((place for place, part in enumerate(lowest) if part), len(lowest) - 1) + 1
            return mine[:fixed] == lowest[:fixed]
        case "~" | "~=" | "~>":
            fixed = max(1, len(lowest) - 1)
            return mine[:fixed] == lowest[:fixed]
        case _:
            return False


def is_exactly(said: Said, locked: str) -> bool:
    """Whether a document's version is the locked one, as far as it says."""
    have = numbers(locked)
    return said.numbers <= have if said.or_newer else _is_prefix(said.numbers, have)


def plain(wanted: str, like: str) -> str:
    """Return the version in a manifest's words with as many parts as `like` has, for a correction."""
    have = numbers(wanted)
    return ".".join(map(str, have[: max(1, len(numbers(like)))]))


def _is_prefix(short: tuple[int, ...], long: tuple[int, ...]) -> bool:
    padded = (*long, *(0,) * (len(short) - len(long)))
    return padded[: len(short)] == short
