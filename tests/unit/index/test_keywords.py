"""Which words of a query are looked for, and where."""

from __future__ import annotations

from tacit.index import keywords

HOLDERS = {"rare": 3, "deploy": 1_500, "always": 9_000, "never": 9_500}
WEIGHED = {"rare": 8.0, "deploy": 2.0, "always": 0.1, "never": 0.05}


def test_words_that_most_documents_hold_are_not_looked_for() -> None:
    """F-02: they tell none apart, and cost the most."""
    assert keywords.affordable(HOLDERS, WEIGHED) == ["rare", "deploy"]
    assert keywords.affordable({"always": 12, "rare": 3}, {"always": 0.1, "rare": 2.0}) == ["rare", "always"]


def test_the_rarest_word_is_looked_for_in_any_case() -> None:
    """F-02: if nothing else is known, the newest documents stand for the many that hold it."""
    common = {"always": 9_000, "never": 9_500}
    chosen = keywords.affordable(common, WEIGHED)
    blocks = [("always", number, b"") for number in range(10)]

    assert chosen == ["always"]
    assert [block for _, block, _ in keywords.telling(blocks, common, WEIGHED)] == [8, 9]
    assert keywords.telling([*blocks, ("rare", 1, b"")], HOLDERS, WEIGHED) == [*blocks, ("rare", 1, b"")]
    assert keywords.telling([], common, WEIGHED) == []
