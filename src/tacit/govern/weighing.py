"""What speaks for which reading of two notes that no single rule decides: weights to be read and argued about.

Every signal is a share, or one for yes. Its weights say how much it speaks for "the same" and for "conflicting"; what
speaks for "both hold" is nought, so a reading that stays below nought is not taken. The weights were fitted, not
chosen: by `evals.governance.fit`, on pairs that no published figure comes from.
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
    "says_mine": (4.3, 1.0),  # the share of the candidate's choice that the note says
    "says_theirs": (1.6, -0.4),  # the share of the note's choice that the candidate says
    "says_one": (2.0, 0.1),  # the larger of the two
    "topic": (5.7, 9.1),  # the share of scenes and choices that both have
    "both_say_no": (4.0, -0.5),
    "opposites": (0.3, 5.3),
    "other_value": (-4.0, 0.4),
    "other_order": (-3.2, 4.3),
    "bias": (-3.6, -3.9),
}
WITH_MODEL: Weights = {
    "says_mine": (1.8, -0.3),
    "says_theirs": (1.3, -0.4),
    "says_one": (1.9, -0.2),
    "topic": (3.0, 6.2),
    "both_say_no": (4.1, -0.1),
    "opposites": (-0.6, 4.7),
    "other_value": (-5.8, -0.9),
    "other_order": (-3.8, 4.1),
    "topic_meaning": (3.1, 5.0),
    "choice_meaning": (9.2, 5.9),
    "bias": (-6.2, -6.5),
}


def reading(signals: Mapping[str, float], *, same: bool) -> Reading:
    """Return what the signals speak for most; `same` is whether two notes may be called the same at all."""
    weights = WITH_MODEL if "choice_meaning" in signals else BY_WORDS
    found = {**signals, "bias": 1.0}
    alike, against = (sum(found[name] * pair[column] for name, pair in weights.items()) for column in (0, 1))
    if same and alike > max(against, 0.0):
        return Reading.SAME
    return Reading.CONFLICT if against > 0.0 else Reading.BESIDE
