"""How well a document fits a query by its words: the same BM25 for every backend."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from tacit.index.contract import KeywordScore

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

K1 = 1.0
B = 0.5
# A single CJK character says little next to the pairs it stands in.
_SINGLE_CJK = 0.2
_FIRST_CJK = "\u3040"
# A query weighs at most as much as this many words that no document has: a long prompt need not be covered whole.
_FULL_QUERY = 5.0


def weights(tokens: Iterable[str], holders: Mapping[str, int], documents: int) -> dict[str, float]:
    """Return what each token weighs, given how many of all documents hold it; one that none holds weighs the most."""
    return {token: _weight(token, holders.get(token, 0), documents) for token in tokens}


def possible(weighed: Mapping[str, float], documents: int) -> float:
    """Return the most that a document can score for a query of these weights."""
    return min(sum(weighed.values()), _FULL_QUERY * _weight("", 0, documents)) or 1.0


def score(weighed: Mapping[str, float], most: float, words: str, mean_length: float) -> KeywordScore:
    """Return how well a document of blank-separated tokens fits, from nought to one, and how much of the query it has."""
    counts = Counter(words.split(" "))
    norm = K1 * (1 - B + B * counts.total() / (mean_length or 1.0))
    reached = covered = 0.0
    for token, weight in weighed.items():
        count = counts[token]
        if count:
            covered += weight
            reached += weight * count / (count + norm)
    return KeywordScore(min(1.0, reached / most), min(1.0, covered / most))


def _weight(token: str, holders: int, documents: int) -> float:
    rarity = math.log(1 + (documents - holders + 0.5) / (holders + 0.5))
    return rarity * _SINGLE_CJK if len(token) == 1 and token >= _FIRST_CJK else rarity
