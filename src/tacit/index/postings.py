"""Which documents hold a word, how often, and how long they are: packed into blocks, read without any library."""

from __future__ import annotations

import sys
from array import array
from typing import TYPE_CHECKING

from tacit.index.scoring import B, K1

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Documents are numbered; so many numbers in a row share the blocks of their words.
BLOCK = 256
_MOST_COUNTED = 0xFF
_LONGEST = 0xFFFF


def entry(number: int, count: int, length: int) -> int:
    """Return a document in the block of a word: its place there, how often it has the word, how many words it has."""
    return number % BLOCK | min(count, _MOST_COUNTED) << 8 | min(length, _LONGEST) << 16


def changed(blob: bytes, add: Iterable[int], drop: Iterable[int]) -> bytes:
    """Return a block with entries added, and without those of the document numbers in `drop`."""
    gone = {number % BLOCK for number in drop}
    return _packed([each for each in _unpacked(blob) if each % BLOCK not in gone] + [*add])


def numbers(block: int, blob: bytes) -> list[int]:
    """Return the numbers of the documents in a block."""
    first = block * BLOCK
    return [first + each % BLOCK for each in _unpacked(blob)]


def scores(blocks: Iterable[tuple[str, int, bytes]], weighed: Mapping[str, float], mean_length: float) -> dict[int, float]:
    """Return document number → its score for the tokens of these blocks, by the formula of tacit.index.scoring."""
    found: dict[int, float] = {}
    reached = found.get
    fixed, by_length = K1 * (1 - B), K1 * B / (mean_length or 1.0)
    for token, block, blob in blocks:
        weight = weighed[token]
        first = block * BLOCK
        for each in _unpacked(blob):
            count = each >> 8 & 0xFF
            number = first + (each & 0xFF)
            found[number] = reached(number, 0.0) + weight * count / (count + fixed + by_length * (each >> 16))
    return found


def _packed(entries: list[int]) -> bytes:
    table = array("I", entries)
    if sys.byteorder == "big":
        table.byteswap()
    return table.tobytes()


def _unpacked(blob: bytes) -> array[int]:
    table = array("I")
    table.frombytes(blob)
    if sys.byteorder == "big":
        table.byteswap()
    return table
