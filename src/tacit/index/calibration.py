"""How the cosines of models are read: measured numbers, for each pair of scripts of a query and a note.

cosine      the best cosine between the query and a vector of the note
hub         the note's mean best cosine to prompts about anything, a part of which is taken away
background  the median of that over the notes of a bank
clearness   how far a note stands out from the background, in usual spreads of one query's cosines
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tacit.index.embed.port import PAIRS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from tacit.index.embed.port import Descriptor


# Where the model that leads a pair is missing, meaning counts for no more than keywords.
_WEIGHT_WITHOUT_THE_LEADER = 0.5


@dataclass(frozen=True, slots=True)
class Reading:
    """How one model's cosines read for one pair; `share` is its part in the pair's clearness.

    `background_share` says how much a bank's own background counts against the usual one.
    """

    model: str
    share: float
    hub: float
    background: float
    spread: float
    background_share: float


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of scripts: who reads it, and what is enough.

    `handicap` is the clearness that a note in another language must have more. `floor` is the clearness that is enough
    without any keyword, `coverage_floor` the share of the query that is enough without any meaning. `weight` is the
    part of meaning in the score, the rest is the keywords'. A document of `long_tokens` is long.
    """

    readings: tuple[Reading, ...]
    handicap: float = 0.0
    floor: float = 4.0
    coverage_floor: float = 0.5
    weight: float = 0.7
    long_tokens: int = 150

    def among(self, models: Collection[str]) -> Pair:
        """Return the pair as those of its readings have it that are by these models; their shares add to one again."""
        present = tuple(reading for reading in self.readings if reading.model in models)
        if present == self.readings:
            return self
        total = sum(reading.share for reading in present)
        spread = tuple(replace(reading, share=reading.share / total) for reading in present)
        led = present[0] == self.readings[0]
        return replace(self, readings=spread, weight=self.weight if led else _WEIGHT_WITHOUT_THE_LEADER)


# Their cosines scatter by 0.07 and 0.06; the larger spreads let notes at their floors rank alike in all pairs.
_ARCTIC = Reading("arctic-embed-s", share=0.85, hub=0.355, background=0.318, spread=0.086, background_share=0.0)
_BGE = Reading("bge-small-zh", share=0.75, hub=0.24, background=0.261, spread=0.0835, background_share=0.0)


def _use(share: float, hub: float, background: float, spread: float) -> Reading:
    return Reading("use-multilingual", share, hub, background, spread, background_share=0.0)


# Chinese has two tokens a character, some three a word.
_LONG_CJK = 500
_MEASURED = {
    "latin-latin": Pair((_ARCTIC, _use(0.15, 0.06, 0.16, 0.08)), floor=3.1, coverage_floor=0.46),
    "cjk-cjk": Pair((_BGE, _use(0.25, 0.08, 0.14, 0.09)), floor=2.8, coverage_floor=1.0, long_tokens=_LONG_CJK),
    "cjk-latin": Pair((_use(1.0, 0.06, 0.15, 0.085),), handicap=0.3, floor=1.9, coverage_floor=0.7),
    "latin-cjk": Pair(
        (_use(1.0, 0.06, 0.13, 0.09),), handicap=0.3, floor=2.2, coverage_floor=1.0, long_tokens=_LONG_CJK
    ),
}
# A model that nobody has measured is read cautiously.
_UNMEASURED = Pair((), floor=5.0, coverage_floor=0.5, weight=0.5)


def readings(models: Sequence[Descriptor]) -> dict[str, Pair]:
    """Return how each pair of scripts is read with these models; a pair that none of them serves is missing."""
    names = {descriptor.name for descriptor in models}
    found: dict[str, Pair] = {}
    for name in PAIRS:
        measured = _MEASURED[name]
        own = next((each for each in models if name in each.pairs and each.name not in _KNOWN), None)
        if any(reading.model in names for reading in measured.readings):
            found[name] = measured.among(names)
        elif own is not None:
            plain = Reading(own.name, share=1.0, hub=0.3, background=0.35, spread=0.07, background_share=0.7)
            found[name] = replace(_UNMEASURED, readings=(plain,))
    return found


_KNOWN = frozenset(reading.model for measured in _MEASURED.values() for reading in measured.readings)


def models_of(pairs: Mapping[str, Pair]) -> dict[str, bool | None]:
    """Return model → the script of notes it needs vectors of: Latin, others, or both (None)."""
    scripts: dict[str, set[bool]] = {}
    for name, measured in pairs.items():
        for reading in measured.readings:
            scripts.setdefault(reading.model, set()).add(name.endswith("latin"))
    return {model: None if len(both) > 1 else next(iter(both)) for model, both in scripts.items()}
