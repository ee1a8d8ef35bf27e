"""How the cosines of models are read: measured numbers, for each pair of scripts of a query and a note.

cosine      the best cosine between the query and a vector of the note
hub         the note's mean best cosine to prompts about anything, a part of which is taken away
background  the median of that over the notes of a bank
clearness   how far a note stands out from the background, in usual spreads of one query's cosines
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.index.embed.port import PAIRS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tacit.index.embed.port import Descriptor


@dataclass(frozen=True, slots=True)
class Reading:
    """How a model's cosines read for one pair; `background_share` says how much a bank's own background counts."""

    model: str
    hub: float
    background: float
    spread: float
    background_share: float


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of scripts: who reads it, and what is enough.

    `handicap` is the clearness that a note in another language must have more. `floor` is the clearness that is enough
    without any keyword, `coverage_floor` the share of the query that is enough without any meaning. `weight` is the
    part of meaning in the score, the rest is the keywords'.
    """

    reading: Reading
    handicap: float = 0.0
    floor: float = 4.0
    coverage_floor: float = 0.5
    weight: float = 0.7


_ARCTIC = Reading("arctic-embed-s", hub=0.52, background=0.54, spread=0.05, background_share=0.5)


def _use(hub: float, background: float) -> Reading:
    return Reading("use-multilingual", hub, background, spread=0.075, background_share=0.0)


# How each pair is read, the best way first: the next one counts where the model of the first is missing.
_MEASURED = {
    "latin-latin": (
        Pair(_ARCTIC, floor=3.4, coverage_floor=0.4),
        Pair(_use(0.085, 0.13), floor=3.8, coverage_floor=0.4, weight=0.5),
    ),
    "cjk-cjk": (Pair(_use(0.10, 0.145), floor=4.7, coverage_floor=0.7),),
    "cjk-latin": (Pair(_use(0.07, 0.11), handicap=0.5, floor=4.5, coverage_floor=0.53),),
    "latin-cjk": (Pair(_use(0.08, 0.13), handicap=0.5, floor=4.5, coverage_floor=0.53),),
}
_KNOWN = frozenset(pair.reading.model for measured in _MEASURED.values() for pair in measured)


def readings(models: Sequence[Descriptor]) -> dict[str, Pair]:
    """Return how each pair of scripts is read with these models; a pair that none of them serves is missing."""
    names = {descriptor.name for descriptor in models}
    found: dict[str, Pair] = {}
    for name in PAIRS:
        measured = next((pair for pair in _MEASURED[name] if pair.reading.model in names), None)
        own = next((each for each in models if name in each.pairs and each.name not in _KNOWN), None)
        if measured is not None:
            found[name] = measured
        elif own is not None:
            # A model that nobody has measured is read cautiously.
            plain = Reading(own.name, hub=0.3, background=0.35, spread=0.07, background_share=0.7)
            found[name] = Pair(plain, floor=5.0, coverage_floor=0.5, weight=0.5)
    return found


def models_of(pairs: Mapping[str, Pair]) -> dict[str, bool | None]:
    """Return model → the script of notes it needs vectors of: Latin, others, or both (None)."""
    scripts: dict[str, set[bool]] = {}
    for name, measured in pairs.items():
        scripts.setdefault(measured.reading.model, set()).add(name.endswith("latin"))
    return {model: None if len(both) > 1 else next(iter(both)) for model, both in scripts.items()}
