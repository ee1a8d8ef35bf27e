"""Which documents hold a word, packed into blocks and read without any library, and how well they fit: BM25."""

from __future__ import annotations

import math
import sys
from array import array
from typing import TYPE_CHECKING

from tacit.index.contract import KeywordScore

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

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


# Documents are numbered; so many numbers in a row share the blocks of their words.
BLOCK = 1024
_ENTRY_BYTES = 4
_COUNT_BITS = 6
_MOST_COUNTED = (1 << _COUNT_BITS) - 1
_LENGTH_AT = 16
_COUNT_AT = _LENGTH_AT - _COUNT_BITS
_LONGEST = 0xFFFF
# So many of the best are sorted first: most often no more are asked for.
_FEW = 32


def entry(number: int, count: int, length: int) -> int:
    """Return a document in the block of a word: its place there, how often it has the word, how many words it has."""
    return number % BLOCK | min(count, _MOST_COUNTED) << _COUNT_AT | min(length, _LONGEST) << _LENGTH_AT


def changed(blob: bytes, add: Iterable[int], drop: Iterable[int]) -> bytes:
    """Return a block with entries added, and without those of the document numbers in `drop`."""
    gone = {number % BLOCK for number in drop}
    return _packed([each for each in _unpacked(blob) if each % BLOCK not in gone] + [*add])


def numbers(block: int, blob: bytes) -> list[int]:
    """Return the numbers of the documents in a block."""
    first = block * BLOCK
    return [first + each % BLOCK for each in _unpacked(blob)]


def best(
    blocks: Iterable[tuple[str, int, bytes]], weighed: Mapping[str, float], mean_length: float, most: int
) -> Iterator[tuple[int, float]]:
    """Yield at most so many document numbers with their scores for the tokens of these blocks, best first.

    The scores are those of `Asked`. A process that has loaded numpy for its vectors uses it here too.
    """
    fixed, by_length = K1 * (1 - B), K1 * B / (mean_length or 1.0)
    if "numpy" in sys.modules:
        yield from _best_at_once(blocks, weighed, fixed, by_length, most)
        return
    found: dict[int, float] = {}
    reached = found.get
    for token, block, blob in blocks:
        weight = weighed[token]
        first = block * BLOCK
        for each in _unpacked(blob):
            count = each >> _COUNT_AT & _MOST_COUNTED
            number = first + each % BLOCK
            found[number] = reached(number, 0.0) + weight * count / (count + fixed + by_length * (each >> _LENGTH_AT))
    in_order = sorted(sorted(found), key=found.__getitem__, reverse=True)  # twice: quicker than by pairs of numbers
    for number in in_order[:most]:
        yield number, found[number]


def _best_at_once(
    blocks: Iterable[tuple[str, int, bytes]],
    weighed: Mapping[str, float],
    fixed: float,
    by_length: float,
    most: int,
) -> Iterator[tuple[int, float]]:
    import numpy

    rows = [(weighed[token], block * BLOCK, _whole(blob)) for token, block, blob in blocks]
    if not rows:
        return
    weights, firsts, blobs = zip(*rows, strict=True)
    sizes = [len(blob) // _ENTRY_BYTES for blob in blobs]
    entries = numpy.frombuffer(b"".join(blobs), "<u4")
    counts = entries >> _COUNT_AT & _MOST_COUNTED
    reached = numpy.repeat(weights, sizes) * counts / (counts + (fixed + by_length * (entries >> _LENGTH_AT)))
    # Every document of the blocks that there are has a place: adding up by place is quicker than by sorted numbers.
    different = sorted(set(firsts))
    at = entries & (BLOCK - 1)
    if len(different) > 1:
        starts = {first: order * BLOCK for order, first in enumerate(different)}
        at = at + numpy.repeat([starts[first] for first in firsts], sizes)
    scores = numpy.bincount(at, reached)
    given = 0
    for wanted in (min(_FEW, most), most):
        places = scores.nonzero()[0]
        if len(places) > wanted:  # many places are empty, and alike ones take long to part
            those = scores[places]
            places = places[those >= numpy.partition(those, -wanted)[-wanted]]
        places = places[(-scores[places]).argsort(kind="stable")[given:wanted]]
        documents = numpy.array(different)[places // BLOCK] + places % BLOCK
        yield from zip(documents.tolist(), scores[places].tolist(), strict=True)
        given = wanted


def _packed(entries: list[int]) -> bytes:
    table = array("I", entries)
    if sys.byteorder == "big":
        table.byteswap()
    return table.tobytes()


def _whole(blob: bytes) -> bytes:
    """Return the entries of a block that are there in full: one that a damaged file cuts off counts for nothing."""
    torn = len(blob) % _ENTRY_BYTES
    return blob[:-torn] if torn else blob


def _unpacked(blob: bytes) -> array[int]:
    table = array("I")
    table.frombytes(_whole(blob))
    if sys.byteorder == "big":
        table.byteswap()
    return table
