"""Keyword scores, by hand."""

from __future__ import annotations

import math

import pytest

from tacit.index import postings
from tacit.index.postings import Asked, weights


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
