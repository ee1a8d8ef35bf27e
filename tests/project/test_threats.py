"""SECURITY.md names the tests for each threat, and every one of them is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_LINK = re.compile(r"\[(test_\w+)\]\((tests/[\w/]+\.py)\)")


def _threats() -> dict[str, list[tuple[str, str]]]:
    """Return each threat of the table with its tests: name and file."""
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    table = text.partition("| threat |")[2].partition("\n\n")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    return {row[0]: _LINK.findall(row[-1]) for row in rows}


THREATS = _threats()


@pytest.mark.parametrize("threat", THREATS)
def test_a_threat_has_tests_and_they_exist(threat: str) -> None:
    """A threat without a test would be a wish; a test that was renamed is named anew."""
    assert THREATS[threat], f"no test is named for: {threat}"
    for name, file in THREATS[threat]:
        assert f"\ndef {name}(" in (ROOT / file).read_text(encoding="utf-8"), f"{file} has no {name}"


def test_the_list_of_threats_is_read() -> None:
    """The table is found, and nothing was lost from it unnoticed."""
    assert len(THREATS) >= 40
