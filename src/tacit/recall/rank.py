"""From the scores of two paths to a ranking, and from the evidence to an answer or silence."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from tacit.index.calibration import Pair, Reading
    from tacit.index.contract import KeywordScore

# What one that is held back has of the other's score: less, whatever it is.
_BEHIND = 0.99


class Rules(NamedTuple):
    """The numbers by which recall decides, whatever the models; measured on tuning halves."""

    per_path: int = 5
    limit: int = 2
    # How much of a note's surplus likeness to any prompt is taken away.
    hub_share: float = 0.5
    # A small bank has no background of its own: the usual one counts like this many notes.
    background_notes: float = 10.0
    # The clearness that counts as one.
    full_clearness: float = 14.0
    # The share of the floors that is enough for a long document: what it says of one thing stands among others.
    long_share: float = 0.6
    # The share of a query in Latin script that is enough where no model can tell.
    coverage_alone: float = 0.3
    # The same for a query in Chinese, Japanese or Korean.
    coverage_alone_cjk: float = 0.4
    # A note that is said must reach this share of the best candidate's score.
    near_best: float = 0.85
    # A note marked `local` ranks as if it had this share of its score.
    local_share: float = 0.8
    # The part of meaning in the score; 0 for what was measured for the models.
    weight: float = 0.0
    # How much surer recall must be than its measured floors say.
    caution: float = 1.0


class Candidate(NamedTuple):
    """A document with its scores, all from nought to one, but for the evidence: from one on it may be injected."""

    key: str
    semantic: float
    keyword: float
    coverage: float
    score: float
    evidence: float


class Judged(Protocol):
    """Whatever is to be said, with the candidate that it is judged by."""

    @property
    def candidate(self) -> Candidate:
        """How well it fits."""


_Judged = TypeVar("_Judged", bound=Judged)


def background(reading: Reading, median: float, documents: int, rules: Rules) -> float:
    """Return the likeness beyond which a note stands out: the usual one, moved towards the bank's own."""
    trust = reading.background_share * documents / (documents + rules.background_notes)
    return reading.background + trust * (median - reading.background)


def clearness(reading: Reading, value: float, behind: float) -> float:
    """Return what one model adds to the clearness of a note."""
    return reading.share * (value - behind) / reading.spread


def by_both(key: str, clear: float, words: KeywordScore, pair: Pair, rules: Rules) -> Candidate:
    """Return a candidate that models and keywords speak for."""
    semantic = min(1.0, max(0.0, clear / rules.full_clearness))
    weight = rules.weight or pair.weight
    score = weight * semantic + (1 - weight) * words.score
    # What each path reaches of its own floor, at right angles: one may carry a note alone, or both together.
    evidence = hypot(max(0.0, clear) / pair.floor, words.coverage / pair.coverage_floor)
    if words.length >= pair.long_tokens:
        evidence /= rules.long_share
    return Candidate(key, semantic, words.score, words.coverage, score, evidence / rules.caution)


def by_keywords(key: str, words: KeywordScore, rules: Rules, *, latin_query: bool) -> Candidate:
    """Return a candidate that only keywords speak for, because no model can tell."""
    enough = rules.coverage_alone if latin_query else rules.coverage_alone_cjk
    return Candidate(key, 0.0, words.score, words.coverage, words.score, words.coverage / enough / rules.caution)


def lowered(candidate: Candidate, status: str, rules: Rules) -> Candidate:
    """Return a candidate as it ranks by its note's status: one marked `local` lower."""
    return candidate._replace(score=candidate.score * rules.local_share) if status == "local" else candidate


def held_back(candidates: Sequence[Candidate], read: Container[str]) -> list[Candidate]:
    """Return the candidates such that none whose vectors are still to come overtakes one that has more of the words.

    What is judged by words alone is measured by another rule, and would otherwise stand before a better one.
    """
    ahead = [each for each in candidates if each.key in read]
    return [
        each
        if each.key in read
        else each._replace(
            score=min([each.score, *(_BEHIND * other.score for other in ahead if other.keyword >= each.keyword)])
        )
        for each in candidates
    ]


def ranked(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates, best first."""
    return sorted(candidates, key=lambda each: (-each.score, each.key))


def chosen(in_order: Sequence[_Judged], rules: Rules) -> list[_Judged]:
    """Return the nought to two worth saying: each by its own evidence, none far behind the best."""
    near = (each for each in in_order if each.candidate.score >= rules.near_best * in_order[0].candidate.score)
    return [each for each in near if each.candidate.evidence >= 1.0][: rules.limit]
