"""Ask both paths of an index, and put what they say together into candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tacit.index.contract import Nearness
from tacit.index.embed.port import pair
from tacit.recall import rank
from tacit.text.tokens import is_latin

if TYPE_CHECKING:
    from tacit.index.contract import Filter, Index, KeywordScore
    from tacit.index.embed.port import Scale, Vector
    from tacit.recall.distil import Distilled
    from tacit.recall.rank import Candidate, Rules


class Meanings(Protocol):
    """The models at hand: which of them serves a pair of scripts, and its vector of a query."""

    def serving(self, pair_name: str) -> tuple[str, Scale] | None:
        """Return identity and scale of the model for a pair; None if there is none."""

    def query(self, model: str, text: str) -> Vector:
        """Return the vector of a query; raises ModelUnusable if the model fails."""


def candidates(
    index: Index, wish: Distilled, meanings: Meanings | None, wanted: Filter, rules: Rules, *, per_path: int
) -> list[Candidate]:
    """Return the union of both paths' best documents with all their scores, best first."""
    keywords = index.by_keywords(wish.keywords, per_path, wanted)
    near: dict[str, tuple[float, float, Scale]] = {}
    if meanings is not None and wish.meaning.strip():
        latin_query = is_latin(wish.meaning)
        vectors: dict[str, Vector] = {}
        for latin_document in (True, False):
            serving = meanings.serving(pair(latin_query=latin_query, latin_document=latin_document))
            if serving is None:
                continue
            model, scale = serving
            if model not in vectors:
                vectors[model] = meanings.query(model, wish.meaning)
            nearness = Nearness(latin_document, latin_query, rules.hub_share, scale.hub)
            hits = index.by_vector(model, vectors[model], per_path, wanted, nearness, also=keywords)
            behind = rank.background(scale, hits.median, hits.documents, rules)
            near |= {key: (value, behind, scale) for key, value in hits.scores.items()}
    best = _best(near, per_path)
    missing = [key for key in best if key not in keywords]
    scores: dict[str, KeywordScore] = {**keywords, **index.coverage(wish.keywords, missing)}
    return rank.ranked([_candidate(key, scores[key], near.get(key), rules) for key in scores])


def _best(near: dict[str, tuple[float, float, Scale]], limit: int) -> list[str]:
    """Return the keys that stand out most, over both scripts of notes."""

    def height(key: str) -> float:
        value, _, scale = near[key]
        return (value - scale.low) / (scale.high - scale.low)

    return sorted(near, key=lambda key: (-height(key), key))[:limit]


def _candidate(
    key: str, words: KeywordScore, near: tuple[float, float, Scale] | None, rules: Rules
) -> Candidate:
    """Return a document with all its scores; one that has no vector yet is judged by its words alone."""
    if near is None:
        return rank.by_keywords(key, words.score, words.coverage, rules)
    value, behind, scale = near
    return rank.by_both(key, value, behind, scale, words, rules)
