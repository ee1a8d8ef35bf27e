"""English stems."""

from __future__ import annotations

import pytest

from tacit.text.stem import stem


@pytest.mark.parametrize(
    "family",
    [
        "deploy deploys deployed deploying deployment deployments",
        "configure configures configured configuring configuration configurations",
        "migrate migrates migrated migrating migration migrations",
        "cache caches cached caching",
        "run runs running",
        "study studies studied studying",
        "test tests tested testing",
        "hopeful hopefulness",
        "generalize generalizes generalization",
    ],
)
def test_forms_of_a_word_meet(family: str) -> None:
    """F-02: whatever form of an English word is asked for, its other forms are found."""
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("ties", "tie"),
        ("status", "status"),
        ("class", "class"),
        ("agreed", "agre"),
        ("bleed", "bleed"),
        ("bled", "bled"),
        ("sing", "sing"),
        ("sized", "size"),
        ("hopping", "hop"),
        ("falling", "fall"),
        ("filing", "file"),
        ("happy", "happi"),
        ("relational", "relat"),
        ("rational", "ration"),
        ("replacement", "replac"),
        ("adoption", "adopt"),
        ("onion", "onion"),
        ("rate", "rate"),
        ("cease", "ceas"),
        ("controll", "control"),
    ],
)
def test_stem_of_a_word(word: str, expected: str) -> None:
    """Endings go where enough of the word is left, and only there."""
    assert stem(word) == expected


@pytest.mark.parametrize("word", ["", "a", "bus", "naïve", "数据", "x86", "utf8s"])
def test_other_words_stay(word: str) -> None:
    """Short words, words with digits and words of other languages come back as they are."""
    assert stem(word) == word


@pytest.mark.parametrize(("one", "other"), [("universe", "unit"), ("policy", "police"), ("test", "text")])
def test_different_words_stay_apart(one: str, other: str) -> None:
    """A stem is not so short that different words meet."""
    assert stem(one) != stem(other)
