"""Which documents are worth holding against all words of a query: the same choice for every backend."""

from __future__ import annotations

import math
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from tacit.index import postings
from tacit.index.contract import QUARANTINED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tacit.index.contract import Filter

# How many documents found by the rarer words of a query are held against all of its words.
_CANDIDATES = 60
BEFORE_FILTER = 10 * _CANDIDATES
# How many matches are looked at for that; the rarest words come first, common ones only if there is room.
_BUDGET = 5_000
# A token that weighs less stands in more than half of the documents. Where these are many it tells none apart: it is
# looked for only if there is no other, and then in the newest blocks of documents alone.
_TELLING = math.log(2)
_MANY = 1_000
_NEWEST_BLOCKS = 2


def affordable(holders: Mapping[str, int], weighed: Mapping[str, float]) -> list[str]:
    """Return the rarest tokens whose matches fit the budget together, the rarest one in any case."""
    chosen: list[str] = []
    spent = 0
    for token in sorted(holders, key=lambda token: (holders[token], token)):
        spent += holders[token]
        if not chosen or (spent <= _BUDGET and _tells(token, holders[token], weighed[token])):
            chosen.append(token)
    return chosen


def telling(
    blocks: Iterable[tuple[str, int, bytes]], holders: Mapping[str, int], weighed: Mapping[str, float]
) -> Iterable[tuple[str, int, bytes]]:
    """Return those blocks of chosen tokens that are worth reading: all, or the newest of a token that tells nothing."""
    those = list(blocks)
    if any(_tells(token, holders[token], weighed[token]) for token in {token for token, _, _ in those}):
        return those
    newest = max((block for _, block, _ in those), default=0)
    return [each for each in those if each[1] > newest - _NEWEST_BLOCKS]


def _tells(token: str, holders: int, weight: float) -> bool:
    """Whether a token tells documents apart; a single character of CJK weighs little however rare it is."""
    return holders <= _MANY or weight >= _TELLING or len(token) == 1


def left_out(wanted: Filter) -> list[str]:
    """Return the statuses of documents that may not be found."""
    return [*([] if wanted.archived else ["archive"]), *([] if wanted.quarantined else [QUARANTINED])]


def promising(
    reached: Iterator[tuple[int, float]],
    limit: int,
    more: float,
    fetch: Callable[[Sequence[int]], Iterable[tuple[int, str, str]]],
) -> Iterator[tuple[str, str]]:
    """Yield key and words of the best documents: `limit` of them, and those that may yet turn out as good.

    `more` is how much better than it is so far a document can turn out to be. `fetch` brings number, key and words of
    those among some documents that may be found.
    """
    given, enough = 0, 0.0
    size = max(1, 2 * limit)
    while some := dict(islice(reached, size)):
        size *= 2  # where the first are not enough, there are many alike
        for number, key, words in sorted(fetch(list(some)), key=lambda row: -some[row[0]]):
            if given >= limit and (some[number] + more < enough or given >= max(limit, _CANDIDATES)):
                return
            given += 1
            if given == limit:
                enough = some[number]
            yield key, words


def statistics(come: Mapping[int, str], gone: Mapping[int, str]) -> tuple[dict[str, int], int]:
    """Return how many more documents hold each token, and how many more tokens there are, after documents change.

    `come` and `gone` map the numbers of documents to their words.
    """
    holders: Counter[str] = Counter()
    length = 0
    for words, sign in ((come, 1), (gone, -1)):
        for tokens in map(str.split, words.values()):
            length += sign * len(tokens)
            for token in set(tokens):
                holders[token] += sign
    return {token: change for token, change in sorted(holders.items()) if change}, length


def movements(come: Mapping[int, str], gone: Mapping[int, str]) -> dict[tuple[str, int], tuple[list[int], list[int]]]:
    """Return token and block → the entries to add and the document numbers to drop, in the order of blocks."""
    moved: dict[tuple[str, int], tuple[list[int], list[int]]] = {}
    for number, words in come.items():
        tokens = words.split()
        for token, count in Counter(tokens).items():
            packed = postings.entry(number, count, len(tokens))
            moved.setdefault((token, number // postings.BLOCK), ([], []))[0].append(packed)
    for number, words in gone.items():
        for token in set(words.split()):
            moved.setdefault((token, number // postings.BLOCK), ([], []))[1].append(number)
    return dict(sorted(moved.items()))


def unfit(rows: Iterable[tuple[int, str | None]], blocks: Iterable[tuple[str, int, bytes]]) -> list[str]:
    """Return where the blocks of words do not fit the documents' own words; `rows` are numbers with words."""
    held: dict[int, set[str]] = {}
    for token, block, blob in blocks:
        for number in postings.numbers(block, blob):
            held.setdefault(number, set()).add(token)
    found = [
        f"the words of document {number} are not those it is found by"
        for number, words in rows
        if words is None or set(words.split()) != held.pop(number, set())
    ]
    return found + [f"document {number} is found by words and is not there" for number in held]
