"""Several of a list in one answer."""

from __future__ import annotations

import pytest

from tacit.cli.terminal import places_in


@pytest.mark.parametrize(
    ("answer", "places"),
    [
        ("", []),
        ("\n", []),
        ("n", []),
        ("a", [0, 1, 2, 3]),
        ("ALL", [0, 1, 2, 3]),
        ("2", [1]),
        ("1, 3-4", [0, 2, 3]),
        ("1，3", [0, 2]),
        ("3 1 3", [2, 0]),
        ("5", None),
        ("0 1", None),
        ("4-2", None),
        ("yes", None),
    ],
)
def test_answers_name_places(answer: str, places: list[int] | None) -> None:
    """Numbers, ranges, all or none; anything else is asked again."""
    assert places_in(answer, 4) == places
