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
