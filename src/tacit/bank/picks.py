"""A payload of which the user picked several candidates, as one payload for each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tacit.note.payload import MAX_ITEMS

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORDED_FOR_THE_CHOICE = ("title", "one_liner", "fact", "principle")


def of(given: object) -> list[object]:
    """Return a payload as one payload for each candidate that the user picked from it, or as it is."""
    if not isinstance(given, Mapping):
        return [given]
    picks = given.get("selected_candidates")
    picks = [picks] if isinstance(picks, str) else picks
    if not isinstance(picks, list | tuple) or not 0 < len(picks) <= MAX_ITEMS:
        return [given]
    names = list(dict.fromkeys(each if isinstance(each, str) else "" for each in picks))
    return [_picked(given, pick, names) for pick in names]


def _picked(given: Mapping[str, object], pick: str, picks: Sequence[str]) -> dict[str, object]:
    """Return the payload for one pick: the others were not turned down, and words for another choice are left out."""
    worded = () if pick == given.get("choice") else _WORDED_FOR_THE_CHOICE
    kept = {name: value for name, value in given.items() if name not in worded}
    weighed = given.get("principles")
    if isinstance(weighed, list | tuple):
        kept["principles"] = [each for each in weighed if each == pick or each not in picks]
    return {**kept, "choice": pick, "selected_candidates": [pick]}


def is_one(given: object) -> bool:
    """Whether a payload is what the user picked."""
    return isinstance(given, Mapping) and bool(given.get("selected_candidates"))
