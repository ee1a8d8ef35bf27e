"""Which reading of two notes the signals speak for, where no single rule decides: two readers, and who is heard.

The first adds up what each signal speaks for. The second, a small net, weighs signals in groups: units and readings add
up what speaks for them, a unit only above nought; its tables are in `weights`. The first is heard, unless the
second is sure that it is wrong. How both were fitted is in evals/governance/README.md.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from tacit.govern import weights

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence


class Reading(StrEnum):
    """How two notes about something near stand to each other."""

    BESIDE = "beside"  # both hold
    SAME = "same"
    CONFLICT = "conflict"


# Signal: (for the same, for a conflict). "bias" is what both have to overcome.
Weights = dict[str, tuple[float, float]]
BY_WORDS: Weights = {
    "says_mine": (1.1, -6.0),  # the share of the candidate's choice that the note says
    "says_theirs": (6.9, 1.6),  # the share of the note's choice that the candidate says
    "says_one": (-7.4, -6.1),  # the larger of the two
    "topic": (22.7, 28.6),  # the share of scenes and choices that both have
    "both_say_no": (0.1, -6.9),
    "opposites": (0.0, 7.1),
    "other_value": (-7.5, -0.3),
    "other_order": (-11.0, 2.2),
    "bias": (-6.9, -7.8),
}
WITH_MODEL: Weights = {
    "says_mine": (-2.4, -5.6),
    "says_theirs": (2.9, 0.9),
    "says_one": (-2.2, -4.7),
    "topic": (19.5, 24.5),
    "both_say_no": (0.2, -6.1),
    "opposites": (-0.8, 7.0),
    "other_value": (-8.3, -0.6),
    "other_order": (-12.5, 1.2),
    "topic_meaning": (7.7, 9.9),
    "choice_meaning": (5.8, -0.1),
    "bias": (-10.6, -10.6),
}
# A conflict that nothing names, no opposites, other value or other order, must stand out by so much: two notes about
# one thing mostly both hold.
UNNAMED = 5.5
# By how much the second reader must be sure to leave two notes alone, to ask about them, and to call a conflict what
# the first calls the same, or the other way round.
LEAVES, ASKS, TURNS = 1.5, 2.0, 0.5


def first(signals: Mapping[str, float], *, same: bool, named: bool = True) -> Reading:
    """Return what the signals speak for, added up; `same` is whether two notes may be called the same at all.

    `named` is whether one of the signals says what a conflict would be about.
    """
    table = WITH_MODEL if "choice_meaning" in signals else BY_WORDS
    found = {**signals, "bias": 1.0}
    alike, against = (sum(found[name] * pair[column] for name, pair in table.items()) for column in (0, 1))
    if same and alike > max(against, 0.0):
        return Reading.SAME
    return Reading.CONFLICT if against > (0.0 if named else UNNAMED) else Reading.BESIDE


def reading(heard: Reading, signals: Mapping[str, float], possible: Collection[Reading]) -> Reading:
    """Return what the first reader was heard to say, or one of the possible readings that the second is sure of."""
    found = second(signals)
    kin = max((Reading.SAME, Reading.CONFLICT), key=found.__getitem__)
    sure = found[kin] - found[Reading.BESIDE]
    if heard is not Reading.BESIDE and sure < -LEAVES:
        return Reading.BESIDE
    is_turned = abs(found[Reading.SAME] - found[Reading.CONFLICT]) > TURNS
    return kin if kin in possible and (sure > ASKS if heard is Reading.BESIDE else is_turned) else heard


def second(signals: Mapping[str, float]) -> dict[Reading, float]:
    """Return how much speaks for each reading, weighed in groups."""
    units, readings = _tables(with_model="choice_meaning" in signals)
    sums = list(units["bias"])
    for name, value in signals.items():
        if value:
            sums = [total + value * weight for total, weight in zip(sums, units[name], strict=True)]
    counted = [max(0.0, total) for total in sums]
    return {each: readings[each][-1] + sum(map(float.__mul__, counted, readings[each][:-1])) for each in Reading}


@cache
def _tables(*, with_model: bool) -> tuple[Mapping[str, Sequence[float]], Mapping[str, Sequence[float]]]:
    """Return signal → what it adds to each unit, and reading → what each unit adds to it, the reading's own last."""
    found = weights.WITH_MODEL if with_model else weights.BY_WORDS
    tables = [
        {name: [int(each) / weights.SCALE for each in row.split()] for name, row in part.items()} for part in found
    ]
    return tables[0], tables[1]
