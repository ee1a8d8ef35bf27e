"""Blocks of words: what is put in comes out, and a torn block does no harm; and scores, by hand."""

from __future__ import annotations

import math
import sys

import pytest

from tacit.index import postings
from tacit.index.postings import Asked, weights

ENTRIES = [postings.entry(3, 2, 40), postings.entry(700, 1, 80)]


@pytest.mark.parametrize("is_loaded", [True, False], ids=["numpy", "plain"])
@pytest.mark.parametrize("torn", [b"", b"\0", b"\0\1", b"\0\1\2"])
def test_a_torn_entry_counts_for_nothing(torn: bytes, monkeypatch: pytest.MonkeyPatch, *, is_loaded: bool) -> None:
    """X-05: the bytes behind the last whole entry of a damaged index are passed over, with and without numpy."""
    import numpy  # noqa: F401  what is loaded is used

    if not is_loaded:
        monkeypatch.delitem(sys.modules, "numpy")
    blob = postings.changed(b"", ENTRIES, []) + torn

    assert postings.numbers(2, blob) == [2051, 2748]
    assert postings.changed(blob, [], [3]) == postings.changed(b"", ENTRIES[1:], [])
    found = postings.best([("word", 2, blob), ("other", 0, torn)], {"word": 1.0, "other": 2.0}, 60.0, 5)
    assert [number for number, _ in found] == [2051, 2748]


@pytest.mark.parametrize("most", [1, 3, 7, 40, 100])
def test_the_best_are_the_same_with_and_without_numpy(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-04: however many are asked for, of documents that fit alike the older ones come first."""
    import numpy  # noqa: F401  what is loaded is used

    some = [postings.entry(number, 1 + number % 3, 40) for number in range(60)]
    blocks = [("word", 0, postings.changed(b"", some, [])), ("other", 0, postings.changed(b"", some[10:30], []))]
    asked = (blocks, {"word": 1.0, "other": 0.5}, 60.0, most)
    at_once = list(postings.best(*asked))
    monkeypatch.delitem(sys.modules, "numpy")
    assert [number for number, _ in at_once] == [number for number, _ in postings.best(*asked)]


def test_rare_tokens_weigh_more() -> None:
    """F-02: what few documents hold says more, and what none holds the most."""
    weighed = weights(["common", "rare", "unknown"], {"common": 50, "rare": 1}, 100)
    assert weighed["common"] == pytest.approx(math.log(1 + 50.5 / 50.5))
    assert weighed["rare"] == pytest.approx(math.log(1 + 99.5 / 1.5))
    assert weighed["unknown"] > weighed["rare"] > weighed["common"] > 0


def test_single_characters_weigh_little() -> None:
    """F-02: a CJK character alone says less than a pair or a letter."""
    weighed = weights(["数", "数据", "x"], {}, 100)
    assert weighed["数"] < weighed["数据"] / 2
    assert weighed["x"] == weighed["数据"]


def test_score_by_hand() -> None:
    """F-02: BM25 over what is possible; coverage over what was asked, for a query of the usual length."""
    asked = Asked({"a": 1.0, "b": 1.0}, 10**6, 4.0)
    norm = postings.K1 * (1 - postings.B + postings.B * 4 / 4.0)
    assert asked.score("a a x y").score == pytest.approx(2 / (2 + norm) / 2)
    assert asked.score("x y z x") == (0.0, 0.0, 4)


def test_scores_stay_within_their_bounds() -> None:
    """F-03: both numbers are between nought and one, for the shortest and the longest query."""
    for count in (1, 3, 500):
        weighed = weights([f"t{number}" for number in range(count)], {}, 100)
        found = Asked(weighed, 100, 5.0).score(" ".join(weighed) + " " + " ".join(weighed))
        assert 0 < found.score <= 1
        assert 0 < found.coverage <= 1


def test_one_word_is_not_all_that_was_asked() -> None:
    """F-04: a single word that matches covers a part alone, three cover the query."""
    unknown = weights(["x"], {}, 100)["x"]
    assert Asked({"a": unknown}, 100, 1.0).score("a").coverage == pytest.approx(1 / 3)
    assert Asked(dict.fromkeys("abc", unknown), 100, 1.0).score("a b c").coverage == pytest.approx(1.0)


def test_empty_query_and_empty_document() -> None:
    """F-05: nothing asked and nothing there is nothing found, not an error."""
    assert Asked({}, 0, 0.0).score("a") == (0.0, 0.0, 1)
    assert Asked({"a": 1.0}, 0, 0.0).score("") == (0.0, 0.0, 1)
