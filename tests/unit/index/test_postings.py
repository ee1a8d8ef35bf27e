"""Blocks of words: what is put in comes out, and a torn block does no harm."""

from __future__ import annotations

import sys

import pytest

from tacit.index import postings

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
