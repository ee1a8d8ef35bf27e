"""Figures that documents quote are those that the last measuring kept."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.project.documents import ROOT, tables, text_of

COLUMNS = ("silence", "false silence", "right said")
DOWN = "503 database.unusable"


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


def test_faults_of_the_team_server_are_those_that_were_kept() -> None:
    """The table of faults has every suite of the last campaign: how often, what was acknowledged, lost and wrong."""
    campaign = json.loads((ROOT / "benchmarks/results/team-faults.json").read_text(encoding="utf-8"))
    wanted = [
        [*(suite[key] for key in ("faults", "acknowledged", "lost", "wrong")), suite["statuses"].get(DOWN, 0)]
        for suite in campaign["suites"]
    ]
    page = text_of("docs/scale.md").split("\n| fault | times |", 1)[1]
    rows = next(tables(f"| fault | times |{page}"))
    assert [[int(cell.replace(",", "")) for cell in row[1:6]] for row in rows] == wanted


def test_recall_of_the_team_server_is_as_quick_as_was_kept() -> None:
    """Each line about recall has the median and the p95 of that kind of asking, with 100 banks and with 1,000."""
    kinds = {"twenty times in a bank": "at once, one bank 20 times", "thinking, each time": "think 1 s, any bank"}
    asked = json.loads((ROOT / "benchmarks/results/team.json").read_text(encoding="utf-8"))["recall"]
    lines = re.findall(r"^\| (one client|32 clients), (.*?) \| (.*?) \|", text_of("docs/scale.md"), flags=re.MULTILINE)
    assert len(lines) == 5
    for clients, how, figures in lines:
        name = next((kind for words, kind in kinds.items() if words in how), "at once, any bank")
        wanted = [
            f"median {row['p50_ms']:.1f} ms, p95 {row['p95_ms']:.1f} ms"
            for row in asked
            if (row["clients"], row["name"]) == (1 if clients == "one client" else 32, name)
        ]
        assert re.findall(r"median [\d.]+ ms, p95 [\d.]+ ms", figures) == wanted, how
