"""Plain BM25, to compare with: lower-case words and pairs of CJK characters, nothing of the product's."""

from __future__ import annotations

import math
import re
from collections import Counter

_WORD = re.compile(r"[a-z0-9_]+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_K1, _B = 1.2, 0.75


class PlainBm25:
    """The texts of one bank by id, ranked for a query."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._counts = {name: Counter(_words(text)) for name, text in texts.items()}
        self._holders = Counter(word for counts in self._counts.values() for word in counts)
        self._mean = sum(counts.total() for counts in self._counts.values()) / max(1, len(texts))

    def ranked(self, query: str, limit: int) -> list[str]:
        """Return the ids of the best texts that share a word with the query."""
        words = set(_words(query)) & self._holders.keys()
        scores = {name: self._score(words, counts) for name, counts in self._counts.items()}
        return sorted((name for name in scores if scores[name] > 0), key=lambda name: (-scores[name], name))[:limit]

    def _score(self, words: set[str], counts: Counter[str]) -> float:
        norm = _K1 * (1 - _B + _B * counts.total() / self._mean)
        return sum(self._rarity(word) * counts[word] * (_K1 + 1) / (counts[word] + norm) for word in words)

    def _rarity(self, word: str) -> float:
        return math.log(1 + (len(self._counts) - self._holders[word] + 0.5) / (self._holders[word] + 0.5))


def _words(text: str) -> list[str]:
    found = []
    for run in _WORD.findall(text.lower()):
        found += [run] if run.isascii() or len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)]
    return found
