"""Tests of all words of a bank, packed."""

from __future__ import annotations

import struct

import pytest

from tacit.index.postgres import copies

ROWS = [("blue", 0, b"aaaa"), ("red", 0, b"bbbbcccc"), ("red", 1, b"dddd"), ("红", 0, b"eeee")]


def made(rows: list[tuple[str, int, bytes]]) -> copies.Lexicon:
    """Return a lexicon of rows, as the database hands them over."""
    tokens = " ".join(token for token, _, _ in rows)
    blocks = b"".join(struct.pack(">i", block) for _, block, _ in rows)
    sizes = b"".join(struct.pack(">i", len(entries)) for _, _, entries in rows)
    return copies.Lexicon(tokens, blocks, sizes, b"".join(entries for _, _, entries in rows))


@pytest.mark.parametrize("bits", [0xFFFFFFFF, 0b1, 0])
def test_a_word_is_told_from_others_of_the_same_hash(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: all words of a question are found at once, each with its own blocks; one that is not there has none."""
    monkeypatch.setattr(copies, "_HASH_BITS", bits)
    found = list(made(ROWS).of(["红", "green", "red", "blue"]))
    assert sorted(found) == sorted((token, block, len(each) // 4, each) for token, block, each in ROWS)


def test_an_empty_bank_has_no_words() -> None:
    """Y-03: a bank without documents is asked like any other."""
    assert list(made([]).of(["red"])) == []
