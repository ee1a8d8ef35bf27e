"""Figures that documents quote are those that the last measuring kept."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.project.documents import ROOT, text_of

COLUMNS = ("silence", "false silence", "right said")


def kept(name: str, part: str, **wanted: object) -> dict[str, Any]:
    """Return the row of kept figures that has the wanted values."""
    rows = json.loads((ROOT / f"evals/results/{name}.json").read_text(encoding="utf-8"))[part]
    return next(row for row in rows if wanted.items() <= row.items())


def test_recall_is_as_good_as_its_page_says() -> None:
    """The page on recall quotes the reported halves as they were last measured, to a hundredth."""
    page = text_of("docs/design/002-recall.md")
    bold = next(line for line in page.splitlines() if "| **1.0** |" in line)
    others = re.search(r"gives (\.\d\d), (\.\d\d) and (\.\d\d) on its reported half at 1\.0", page)
    assert others is not None
    said = {"own": re.findall(r"\*\*(\.\d\d)\*\*", bold)[:3], "others": list(others.groups())}
    for part, figures in said.items():
        row = kept("recall", part, half="report", way="both", group="all")
        assert [float(figure) for figure in figures] == pytest.approx([row[key] for key in COLUMNS], abs=0.0051), part


def test_guards_find_what_the_threat_model_says() -> None:
    """SECURITY.md says how many foreign instructions are found, of those that the rules were not made on."""
    share = kept("guards", "injection", group="report", should="alarm")["share"]
    assert f"they find {round(100 * share)} in a hundred" in " ".join(text_of("SECURITY.md").split())
