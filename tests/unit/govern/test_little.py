"""Two remarks that are the same but for something little that turns them."""

from __future__ import annotations

import pytest

from tacit.govern.relation import judge, turned_by_little
from tacit.note.payload import Relation
from tests.unit.govern.test_relation import note


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("retry if status >= 500", "retry if status < 500"),
        ("pin it to ^1.2.3", "pin it to ~1.2.3"),
        ("name files in camelCase", "name files in CamelCase"),
        ("read max_size", "read MAX_SIZE"),
        ("冷库温度保持在 -5 度", "冷库温度保持在 5 度"),
        ("shift it by -1", "shift it by +1"),
        ("write strings with ' around them", 'write strings with " around them'),
    ],
)
def test_signs_and_names_are_compared_literally(one: str, other: str) -> None:
    """G-03: what differs in a sign, or in the case of an identifier, says something else, in both directions."""
    assert turned_by_little(one, other) == turned_by_little(other, one) == "other_value"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("flags default to on", "flags default to off"),
        ("sort the names up", "sort the names down"),
        ("wait for all reviewers", "wait for any reviewers"),
        ("温度大于 5 报警", "温度小于 5 报警"),
    ],
)
def test_a_little_opposite_turns_a_remark(one: str, other: str) -> None:
    """G-03: as little a word as "on" is the whole of what some remarks say."""
    assert turned_by_little(one, other) == turned_by_little(other, one) == "opposites"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use pnpm.", "use pnpm"),
        ("use GitHub actions", "Use github actions"),
        ("retry from x >= 3", "retry from x ≥ 3"),
        ("**always** run the linter", "always run the linter"),
        ("keep logs, always", "keep logs always"),
        ("use two-phase commits", "use two phase commits"),
        ("wait for all reviewers", "wait for any of the two reviewers"),
    ],
)
def test_spelling_is_no_difference(one: str, other: str) -> None:
    """G-03: capitals of a sentence, emphasis, and signs spelled in two ways."""
    assert turned_by_little(one, other) == ""


def test_a_correction_is_not_taken_for_a_duplicate() -> None:
    """G-02: the user mended a sign; that is asked about, never dropped as said already."""
    found = judge(note("calling the API", "retry if status < 500"), note("calling the API", "retry if status >= 500"))
    assert found.relation is Relation.CONFLICTING
