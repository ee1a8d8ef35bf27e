"""What speaks for which reading of two notes that no single rule decides: weights to be read and argued about.

Every signal is a share, or one for yes. Its weights say how much it speaks for "the same" and for "conflicting"; what
speaks for "both hold" is nought, so a reading that stays below nought is not taken. The weights were fitted, not
chosen: by `evals.governance.fit`, on pairs that no published figure comes from, and on strangers put together from
them, and on the nearest notes of a bank where no two say the same. The bias was then lowered by one: in a bank a
candidate meets many more strangers than kin.
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
    "says_mine": (0.3, -6.7),  # the share of the candidate's choice that the note says
    "says_theirs": (6.1, 1.0),  # the share of the note's choice that the candidate says
    "says_one": (-6.4, -5.2),  # the larger of the two
    "topic": (22.7, 28.2),  # the share of scenes and choices that both have
    "both_say_no": (-0.4, -7.0),
    "opposites": (-0.5, 6.5),
    "other_value": (-7.4, -0.1),
    "other_order": (-11.0, 1.7),
    "bias": (-6.5, -7.2),
}
WITH_MODEL: Weights = {
    "says_mine": (-2.7, -5.9),
    "says_theirs": (2.3, 0.3),
    "says_one": (-1.7, -4.0),
    "topic": (20.0, 24.7),
    "both_say_no": (-0.2, -6.2),
    "opposites": (-1.0, 6.7),
    "other_value": (-8.5, -0.8),
    "other_order": (-12.2, 1.0),
    "topic_meaning": (6.3, 8.4),
    "choice_meaning": (5.8, 0.2),
    "bias": (-9.8, -9.8),
}


# A conflict that nothing names, no opposites, other value or other order, must stand out by so much: two notes about
# one thing mostly both hold.
UNNAMED = 5.7


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
