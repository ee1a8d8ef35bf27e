"""Ask both paths of an index, and put what they say together into candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tacit.index.contract import Nearness
from tacit.recall import rank
from tacit.text.tokens import is_latin

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from tacit.index.calibration import Pair
    from tacit.index.contract import Filter, Index, KeywordScore
    from tacit.index.embed.port import Vector
    from tacit.recall.distil import Distilled
    from tacit.recall.rank import Candidate, Rules

# How many notes a pair's further models read, at least: the nearest by its first.
_PREFILTER = 50


class Meanings(Protocol):
    """The models at hand."""

    def pairs(self) -> Mapping[str, Pair]:
        """Return how each pair of scripts is read; a pair without a model is missing."""

    def identity(self, model: str) -> str:
        """Return what the vectors of a model are stamped with."""

    def expect(self, models: Collection[str], text: str) -> None:
        """Begin with the vectors of a query, so that those which take long are made beside other work."""

    def query(self, model: str, text: str) -> Vector:
        """Return the vector of a query; raises ModelUnusable if the model fails."""


def candidates(
    index: Index, wish: Distilled, meanings: Meanings | None, wanted: Filter, rules: Rules, *, per_path: int
) -> list[Candidate]:
    """Return the union of both paths' best documents with all their scores, best first."""
    asked = meanings if wish.meaning.strip() else None
    pairs = _pairs(index, asked, wish.meaning) if asked else {}
    if asked:
        asked.expect({reading.model for pair in pairs.values() for reading in pair.readings}, wish.meaning)
    words = index.by_keywords(wish.keywords, per_path, wanted)
    clear: dict[str, tuple[float, Pair]] = {}
    if asked:
        clear = _clearness(index, wish.meaning, asked, pairs, wanted=wanted, rules=rules, also=words, limit=per_path)
    best = [key for key in sorted(clear, key=lambda key: (-clear[key][0], key))[:per_path] if clear[key][0] > 0]
    scores: dict[str, KeywordScore] = {
        **index.coverage(wish.keywords, [key for key in best if key not in words]),
        **words,
    }
    latin = is_latin(wish.meaning)
    made = [_candidate(key, scores[key], clear.get(key), rules, latin_query=latin) for key in scores]
    return rank.ranked(rank.held_back(made, clear))


def _clearness(
    index: Index,
    meaning: str,
    meanings: Meanings,
    pairs: Mapping[bool, Pair],
    *,
    wanted: Filter,
    rules: Rules,
    also: Iterable[str],
    limit: int,
) -> dict[str, tuple[float, Pair]]:
    """Return how far documents stand out for a meaning, in both scripts: the nearest ones, and those of `also`."""
    latin_query = is_latin(meaning)
    keep = list(also)
    vectors: dict[str, Vector] = {}
    found: dict[str, tuple[float, Pair]] = {}
    for latin_document, pair in pairs.items():
        clear: dict[str, float] = {}
        first = max(_PREFILTER, 2 * limit) if len(pair.readings) > 1 else limit
        for reading in pair.readings:
            if reading.model not in vectors:
                vectors[reading.model] = meanings.query(reading.model, meaning)
            near = Nearness(latin_document, latin_query, rules.hub_share, reading.hub, reading.background_share > 0)
            # The first model finds, the further ones only read what it found.
            most, keys = (0, list(clear)) if clear else (first, keep)
            hits = index.by_vector(
                meanings.identity(reading.model), vectors[reading.model], most, wanted, near, also=keys
            )
            behind = rank.background(reading, hits.median, hits.documents, rules)
            for key, value in hits.scores.items():
                clear[key] = clear.get(key, -pair.handicap) + rank.clearness(reading, value, behind)
        found |= {key: (value, pair) for key, value in clear.items()}
    return found


def _pairs(index: Index, meanings: Meanings, meaning: str) -> dict[bool, Pair]:
    """Return how the documents that there are, in Latin script (True) and in others, are read for a meaning.

    A model that leads no pair of them is not asked: what it would add is not worth its time.
    """
    from tacit.index.embed.port import pair as name_of  # hooks that only ask for words need no models

    pairs, latin_query = meanings.pairs(), is_latin(meaning)
    names = {latin: name_of(latin_query=latin_query, latin_document=latin) for latin in (True, False)}
    found = {latin: pairs[name] for latin, name in names.items() if name in pairs and index.may_hold(latin=latin)}
    leaders = {pair.readings[0].model for pair in found.values()}
    return {latin: pair.among(leaders) for latin, pair in found.items()}


def _candidate(
    key: str, words: KeywordScore, clear: tuple[float, Pair] | None, rules: Rules, *, latin_query: bool
) -> Candidate:
    """Return a document with all its scores; one that has no vector yet is judged by its words alone."""
    if clear is None:
        return rank.by_keywords(key, words, rules, latin_query=latin_query)
    return rank.by_both(key, clear[0], words, clear[1], rules)
