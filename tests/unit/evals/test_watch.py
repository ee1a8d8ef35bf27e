"""How the figures of the evals are held to what was kept."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

import pytest

from evals import watch
from evals.run import SUITES
from evals.watch import Figure, judged, raised, watched

if TYPE_CHECKING:
    from pathlib import Path

RESULTS = {
    "own": [
        {"half": "report", "way": "both", "group": "all", "hit@1": 0.8, "false silence": 0.3},
        {"half": "report", "way": "both", "group": "none", "hit@1": 0.1},
        {"half": "report", "way": "no model", "group": "all", "hit@1": 0.6},
        {"half": "tune", "way": "both", "group": "all", "hit@1": 0.9},
    ]
}


def words(*figures: Figure, kept: dict[str, float]) -> list[str]:
    """Return the verdicts alone."""
    return [word for _, _, word in judged(list(figures), kept)]


def test_only_the_reported_figures_of_all_are_watched() -> None:
    """Groups and the tuning half are left out; which way is better comes from the rules."""
    found = {each.name: (each.value, each.more) for each in watched("recall", RESULTS, with_models=True)}
    assert found == {
        "recall · own · hit@1": (0.8, True),
        "recall · own · false silence": (0.3, False),
        "recall · own · no model · hit@1": (0.6, True),
    }


def test_figures_of_models_are_left_out_where_there_are_none() -> None:
    """A machine without models is not held to what models reached."""
    assert [each.name for each in watched("recall", RESULTS, with_models=False)] == ["recall · own · no model · hit@1"]


def test_a_set_that_was_not_measured_is_not_watched() -> None:
    """Nothing is said of the public sets without their folder."""
    assert watched("governance", {"siblings": {"payloads": 9, "wrong": 1}}, with_models=False) == [
        Figure("governance · siblings · wrong", 1.0, more=False, tolerance=2.0)
    ]


@pytest.mark.parametrize(
    ("now", "word"), [(0.9, "better"), (0.8, "same"), (0.79, "within"), (0.789, "worse"), (0.7, "worse")]
)
def test_a_figure_may_fall_short_by_its_tolerance(now: float, word: str) -> None:
    """Exactly the tolerance is still within."""
    assert words(Figure("a", now, more=True, tolerance=0.01), kept={"a": 0.8}) == [word]


def test_less_is_better_where_the_rules_say_so() -> None:
    """More false alarms are worse."""
    assert words(Figure("a", 0.2, more=False, tolerance=0.01), kept={"a": 0.1}) == ["worse"]
    assert words(Figure("a", 0.0, more=False, tolerance=0.01), kept={"a": 0.1}) == ["better"]


def test_small_losses_do_not_add_up() -> None:
    """What is within the tolerance is not kept, so the next one is compared with the same mark."""
    verdicts = judged([Figure("a", 0.795, more=True, tolerance=0.01)], {"a": 0.8})
    assert raised({"a": 0.8}, verdicts, anyway=False) == {"a": 0.8}
    assert raised({"a": 0.8}, verdicts, anyway=True) == {"a": 0.795}


def test_a_worse_figure_is_told_and_not_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The history has every run, the kept figures only what is better or what a person took."""
    good, bad = (Figure("a", value, more=True, tolerance=0.01) for value in (0.8, 0.5))
    assert watch.hold([good], tmp_path, anyway=False)
    assert not watch.hold([bad], tmp_path, anyway=False)
    assert "1 of 1 became worse: a" in capsys.readouterr().out
    assert json.loads((tmp_path / watch.KEPT).read_text(encoding="utf-8")) == {"a": 0.8}
    assert watch.hold([bad], tmp_path, anyway=True)
    assert json.loads((tmp_path / watch.KEPT).read_text(encoding="utf-8")) == {"a": 0.5}
    assert len((tmp_path / watch.HISTORY).read_text(encoding="utf-8").splitlines()) == 3


def test_every_rule_names_a_suite_that_there_is() -> None:
    """A rule with a wrong name would watch nothing."""
    rules = tomllib.loads(watch.WATCHED.read_text(encoding="utf-8"))["watch"]
    assert {rule["suite"] for rule in rules} == set(SUITES)
