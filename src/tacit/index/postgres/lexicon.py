"""All words of a bank with the documents that hold them, packed: a hundred bytes a word would be too many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    # A part of the documents that hold a word: its number, how many documents, and their entries, which are missing in
    # the further blocks of a large bank.
    Block = tuple[int, int, bytes | None]

_HASH_BITS = 0xFFFFFFFF


class Lexicon:
    """Rows of token, block and entries, in any order.

    `tokens` are separated by blanks, one for each row; `blocks` and `sizes`, which are the bytes of each row's entries,
    are numbers of four bytes, the highest first.
    """

    def __init__(self, tokens: str, blocks: bytes, sizes: bytes, entries: bytes) -> None:
        those = tokens.split(" ")
        hashes = _hashes(those)
        self._tokens = tokens
        self._places = _sums(numpy.array([*map(len, those)], numpy.uint32) + 1)
        self._blocks = numpy.frombuffer(blocks, ">i4").astype(numpy.int32)
        self._ends = _sums(numpy.frombuffer(sizes, ">i4"))
        self._entries = entries
        # Rows by the hash of their token: all words of a question are found at once.
        self._rows = numpy.argsort(hashes, kind="stable").astype(numpy.uint32)
        self._hashes = hashes[self._rows]
        self.bytes = len(tokens.encode()) + len(entries) + 20 * len(self._blocks)

    def of(self, tokens: Sequence[str]) -> Iterator[tuple[str, int, int, bytes]]:
        """Yield the blocks of words, each with its word; none for a word that no document holds."""
        if not len(self._blocks):
            return
        hashes = _hashes(tokens)
        starts, ends = (self._hashes.searchsorted(hashes, side).tolist() for side in ("left", "right"))
        for token, start, end in zip(tokens, starts, ends, strict=True):
            for row in self._rows[start:end].tolist():
                if self._tokens[self._places[row] : self._places[row + 1] - 1] == token:  # and not one of the same hash
                    entries = self._entries[self._ends[row] : self._ends[row + 1]]
                    yield token, int(self._blocks[row]), len(entries) // 4, entries


def _hashes(tokens: Iterable[str]) -> numpy.ndarray:
    return numpy.array([hash(token) & _HASH_BITS for token in tokens], numpy.uint32)


def _sums(sizes: numpy.ndarray) -> numpy.ndarray:
    """Return where each of some pieces begins, and where the last one ends."""
    sums = numpy.zeros(len(sizes) + 1, numpy.uint32)
    numpy.cumsum(sizes, out=sums[1:])
    return sums
