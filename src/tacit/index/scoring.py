"""How well a document fits a query by its words: the same BM25 for every backend."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tacit.index.contract import KeywordScore

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

K1 = 1.0
B = 0.5
# A single CJK character says little next to the pairs it stands in: it keeps this share of its rarity.
_SINGLE_CJK = 0.2
_FIRST_CJK = "\u3040"
# A bank is taken to have at least so many documents: in a smaller one rarity would mean nothing.
_LEAST_DOCUMENTS = 20
# A query weighs as much as this many words that no document has, at least and at most: one word alone is not all that
# was asked, and a long prompt need not be covered whole.
_LEAST_QUERY = 3.0
_FULL_QUERY = 5.0


def weights(tokens: Iterable[str], holders: Mapping[str, int], documents: int) -> dict[str, float]:
    """Return what each token weighs, given how many of all documents hold it; one that none holds weighs the most."""
    return {token: _weight(token, holders.get(token, 0), documents) for token in tokens}


class Asked:
    """A query with the weights of its tokens, ready to be held against documents."""

    def __init__(self, weighed: Mapping[str, float], documents: int, mean_length: float) -> None:
        unknown = _weight("", 0, documents)
        total = sum(weighed.values())
        self._weighed = weighed
        self._mean_length = mean_length or 1.0
        self._possible = min(total, _FULL_QUERY * unknown) or 1.0
        self._asked = min(max(total, _LEAST_QUERY * unknown), _FULL_QUERY * unknown)

    def score(self, words: str) -> KeywordScore:
        """Return how well a document of blank-separated tokens fits, and how much of the query it has."""
        tokens = words.split(" ")
        norm = K1 * (1 - B + B * len(tokens) / self._mean_length)
        reached = covered = 0.0
        for token, weight in self._weighed.items():
            # Looked for in the text first: most words of a query are not in it, and a set of all would take longer.
            if token in words and (count := tokens.count(token)):
                covered += weight
                reached += weight * count / (count + norm)
        return KeywordScore(min(1.0, reached / self._possible), min(1.0, covered / self._asked), len(tokens))


def _weight(token: str, holders: int, documents: int) -> float:
    rarity = math.log(1 + (max(documents, _LEAST_DOCUMENTS) - holders + 0.5) / (holders + 0.5))
    return rarity * _SINGLE_CJK if len(token) == 1 and token >= _FIRST_CJK else rarity
