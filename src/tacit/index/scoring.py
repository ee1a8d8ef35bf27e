"""How well a document fits a query by its words: the same BM25 for every backend."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

K1 = 1.2
B = 0.6
# A word in the title, in "when to load" or in the one-liner counts as this many in the body.
HEAD_WEIGHT = 2.0


def weight(documents: int, having: int) -> float:
    """Return what a token weighs that `having` of `documents` documents have; one that none has weighs the most."""
    return math.log(1 + (documents - max(1, having) + 0.5) / (max(1, having) + 0.5))


def length(head: str, body: str) -> float:
    """Return the length of a document of joined tokens."""
    return HEAD_WEIGHT * len(head.split()) + len(body.split())


def bm25(weights: Mapping[str, float], head: str, body: str, mean_length: float) -> tuple[float, tuple[str, ...]]:
    """Return the score of a document and the query tokens that it has; each token gives at most its weight."""
    heads, bodies = Counter(head.split()), Counter(body.split())
    long = HEAD_WEIGHT * heads.total() + bodies.total()
    norm = K1 * (1 - B + B * long / (mean_length or 1.0))
    score = 0.0
    matched = []
    for token, token_weight in weights.items():
        count = HEAD_WEIGHT * heads[token] + bodies[token]
        if count:
            matched.append(token)
            score += token_weight * count / (count + norm)
    return score, tuple(matched)
