"""All words of a bank with the documents that hold them, packed: a hundred bytes a word would be too many."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import numpy

if TYPE_CHECKING:
    from collections.abc import Iterator

    # A part of the documents that hold a word: its number, how many documents, and their entries, which are missing in
    # the further blocks of a large bank.
    Block = tuple[int, int, bytes | None]


class Lexicon:
    """Rows of token, block and entries, in the order of tokens by their code points.

    `tokens` are separated by blanks, one for each row; `blocks` and `sizes`, which are the bytes of each row's entries,
    are numbers of four bytes, the highest first.
    """

    def __init__(self, tokens: str, blocks: bytes, sizes: bytes, entries: bytes) -> None:
        self._tokens = tokens
        self._places = _sums(numpy.array([*map(len, tokens.split(" "))], numpy.uint32) + 1)
        self._blocks = numpy.frombuffer(blocks, ">i4").astype(numpy.int32)
        self._ends = _sums(numpy.frombuffer(sizes, ">i4"))
        self._entries = entries
        self.bytes = len(tokens.encode()) + len(entries) + 12 * len(self._blocks)

    def of(self, token: str) -> list[Block]:
        """Return the blocks of a word; none if no document holds it."""
        return list(self._rows(token))

    def _rows(self, token: str) -> Iterator[Block]:
        row = bisect_left(range(len(self._blocks)), token, key=self._token)
        while row < len(self._blocks) and self._token(row) == token:
            entries = self._entries[self._ends[row] : self._ends[row + 1]]
            yield int(self._blocks[row]), len(entries) // 4, entries
            row += 1

    def _token(self, row: int) -> str:
        return self._tokens[self._places[row] : self._places[row + 1] - 1]


def _sums(sizes: numpy.ndarray) -> numpy.ndarray:
    """Return where each of some pieces begins, and where the last one ends."""
    sums = numpy.zeros(len(sizes) + 1, numpy.uint32)
    numpy.cumsum(sizes, out=sums[1:])
    return sums
