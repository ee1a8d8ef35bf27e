"""What speaks for which reading of two notes that no single rule decides: weights to be read and argued about.

Every signal is a share, or one for yes. Its weights say how much it speaks for "the same" and for "conflicting"; what
speaks for "both hold" is nought, so a reading that stays below nought is not taken. The weights were fitted, not
chosen: by `evals.governance.fit`, on pairs that no published figure comes from, on strangers put together from them,
and on the nearest notes of other topics. The bias was then lowered by one: in a bank a candidate meets many more
strangers than kin.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


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


def reading(signals: Mapping[str, float], *, same: bool, named: bool = True) -> Reading:
    """Return what the signals speak for most; `same` is whether two notes may be called the same at all.

    `named` is whether one of the signals says what a conflict would be about.
    """
    weights = WITH_MODEL if "choice_meaning" in signals else BY_WORDS
    found = {**signals, "bias": 1.0}
    alike, against = (sum(found[name] * pair[column] for name, pair in weights.items()) for column in (0, 1))
    if same and alike > max(against, 0.0):
        return Reading.SAME
    return Reading.CONFLICT if against > (0.0 if named else UNNAMED) else Reading.BESIDE
