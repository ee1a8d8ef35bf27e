"""The comparison with other memories is made from what was measured and read, and says where Tacit is behind."""

from __future__ import annotations

import json
import math
import tomllib
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from benchmarks.peers import PEERS, charts, corpus
from benchmarks.peers.contract import marks
from benchmarks.peers.embedder import vector
from benchmarks.peers.rows import ROWS, Row, ahead, own_value, reasons, shown
from scripts import make_comparison

FEATURES: dict[str, Any] = tomllib.loads(make_comparison.FEATURES.read_text(encoding="utf-8"))
FIGURES: dict[str, Any] = json.loads(make_comparison.FIGURES.read_text(encoding="utf-8"))
LESS, MORE = Row("speed", "speed", "速度", "ms", digits=1), Row("hits", "hits", "命中", "%", more=True)


@pytest.mark.parametrize("name", sorted(make_comparison.pages()))
def test_comparison_is_current(name: str) -> None:
    """Pages and charts are what the figures say; `python scripts/make_comparison.py` makes them so."""
    assert (make_comparison.ROOT / name).read_text(encoding="utf-8") == make_comparison.pages()[name]


def test_every_peer_is_measured_or_left_out_with_a_reason() -> None:
    """Nobody is missing without a word."""
    assert [peer["name"] for peer in FIGURES["peers"]] == [kind.name for kind in PEERS]
    assert all(peer.get("left_out") or peer["version"] for peer in FIGURES["peers"])


def test_where_tacit_is_behind_the_page_says_why() -> None:
    """A row in which another is ahead has a reason in both languages."""
    peers = [peer for peer in FIGURES["peers"] if "left_out" not in peer]
    behind = [row.key for row in ROWS if ahead(row, peers) and own_value(row, peers) is not None]
    assert [key for key in behind if set(reasons().get(key, {})) != {"english", "chinese"}] == []


def test_reasons_are_about_rows() -> None:
    """A reason for a row that there is not would never be read."""
    assert set(reasons()) <= {row.key for row in ROWS}


def test_a_reason_refers_to_a_row_only_where_that_row_is_told() -> None:
    """What holds for two rows is said once, and whole where the first of them is not on the page."""
    alone, beside = reasons(), reasons(["1000.memory_mb"])
    assert alone["10000.memory_mb"] == alone["1000.memory_mb"] == beside["1000.memory_mb"]
    assert beside["10000.memory_mb"]["english"] == "As for “memory with 1,000 notes”."


@pytest.mark.parametrize("feature", FEATURES["feature"], ids=lambda feature: str(feature["english"]))
def test_every_feature_is_marked_for_every_product(feature: dict[str, Any]) -> None:
    """No cell is empty, and what is not known is marked so."""
    assert set(feature["marks"]) == {product["key"] for product in FEATURES["product"]}
    assert set(feature["marks"].values()) <= set(make_comparison.SIGNS)
    assert feature["chinese"]


def test_every_product_names_its_sources() -> None:
    """Whoever doubts a mark can look."""
    assert [product["name"] for product in FEATURES["product"] if not product["sources"]] == []


def test_level_is_not_behind() -> None:
    """Only who is better is ahead, best first; a figure that is missing is neither."""
    peers = [
        {"name": "tacit", "speed": 2.04, "hits": 0.9},
        {"name": "tacit with models", "speed": 1.0, "hits": 1.0},
        {"name": "level", "speed": 2.0, "hits": 0.9},
        {"name": "quick", "speed": 1.9},
        {"name": "quicker", "speed": 1, "hits": 0.91},
    ]
    assert ahead(LESS, peers) == ["quicker", "quick"]
    assert ahead(MORE, peers) == ["quicker"]
    assert [shown(MORE, peer) for peer in peers[2:4]] == ["90 %", "–"]


def test_no_figure_of_ours_is_behind() -> None:
    """What Tacit did not get through is told as such, and not passed over."""
    row = Row("10000.speed", "speed", "速度", "ms")
    peers = [{"name": "tacit", "10000": {"not_within_s": 150.0}}, {"name": "other", "10000": {"speed": 3.2}}]
    assert ahead(row, peers) == ["other"]
    assert [shown(row, peer) for peer in peers] == ["> 150 s", "3 ms"]


def test_charts_are_svg_with_a_bar_for_each_figure() -> None:
    """They can be read by any viewer, and follow the page's colours."""
    peers = [{"name": "tacit", "install_mb": 30.0}, {"name": "<other>", "install_mb": 60.0}]
    drawn = charts.drawn({"taken": "2026-11-16", "peers": [*peers, {"name": "gone", "left_out": "not here"}]})
    assert set(drawn) == set(charts.CHARTS)
    for text in drawn.values():
        assert ET.fromstring(text).tag.endswith("svg")  # noqa: S314  we drew it ourselves
        assert "prefers-color-scheme: dark" in text
    assert "60 MB" in drawn["side-speed.svg"]
    assert "gone" not in drawn["side-speed.svg"]


def test_notes_are_all_different() -> None:
    """Ten thousand notes, each with one question that it alone answers."""
    entries = corpus.notes(0, 10_000)
    chinese, questions = corpus.chinese()
    assert len({entry.question for entry in entries}) == len({entry.text for entry in entries}) == 10_000
    assert not {entry.mark for entry in entries} & {entry.mark for entry in chinese}
    assert len({question.text for question in questions}) == 2 * len(chinese)
    assert all(marks(entry.text) == [entry.mark] for entry in (*entries[::99], *chinese))


def test_hashed_words_are_near_where_words_are_shared() -> None:
    """The endpoint gives what keywords give, in English and Chinese."""

    def nearness(one: str, other: str) -> float:
        return sum(a * b for a, b in zip(vector(one), vector(other), strict=True))

    assert math.isclose(nearness("the login worker", "worker: the LOGIN"), 1.0)
    assert nearness("支付服务调用超时", "支付服务超时") > nearness("支付服务调用超时", "图片上传压缩")
    assert not any(vector(""))
