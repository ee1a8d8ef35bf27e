"""From the scores of two paths to a ranking, and from the evidence to an answer or silence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.index.contract import KeywordScore
    from tacit.index.embed.port import Scale


@dataclass(frozen=True, slots=True)
class Rules:
    """The numbers by which recall decides; measured, see docs/design."""

    per_path: int = 5
    limit: int = 2
    hub_share: float = 0.5
    # A small bank has no background of its own: the usual one counts like this many notes.
    background_notes: float = 10.0
    # This share of the query's weight is enough by keywords alone, beside a model and without one.
    coverage_floor: float = 0.8
    coverage_alone: float = 0.35
    # The second note must reach this share of the first one's score.
    second_ratio: float = 0.8
    # A note marked `local` ranks as if it had this share of its score.
    local_share: float = 0.8


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document with its scores, all from nought to one, but for the evidence: from one on it may be injected."""

    key: str
    semantic: float
    keyword: float
    coverage: float
    score: float
    evidence: float


def background(scale: Scale, median: float, documents: int, rules: Rules) -> float:
    """Return a bank's likeness to a query beyond which a note stands out, drawn to the usual one if it is small."""
    return scale.background + (median - scale.background) * documents / (documents + rules.background_notes)


def by_both(key: str, near: float, behind: float, scale: Scale, words: KeywordScore, rules: Rules) -> Candidate:
    """Return a candidate that a model and keywords speak for; `near` is its likeness, `behind` the bank's background."""
    semantic = min(1.0, max(0.0, (near - scale.low) / (scale.high - scale.low)))
    score = scale.weight * semantic + (1 - scale.weight) * words.score
    # What each path reaches of its own floor, added: one may carry a note alone, or both together.
    evidence = max(0.0, near - behind) / scale.floor + words.coverage / rules.coverage_floor
    return Candidate(key, semantic, words.score, words.coverage, score, evidence)


def by_keywords(key: str, keyword: float, coverage: float, rules: Rules) -> Candidate:
    """Return a candidate that only keywords speak for."""
    return Candidate(key, 0.0, keyword, coverage, keyword, coverage / rules.coverage_alone)


def ranked(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates, best first."""
    return sorted(candidates, key=lambda each: (-each.score, each.key))


def chosen(in_order: Sequence[Candidate], rules: Rules) -> list[Candidate]:
    """Return the nought to two candidates worth saying: each by its own evidence, the second not far behind."""
    taken: list[Candidate] = []
    for candidate in in_order:
        if len(taken) == rules.limit or (taken and candidate.score < rules.second_ratio * taken[0].score):
            break
        if candidate.evidence >= 1.0:
            taken.append(candidate)
    return taken
