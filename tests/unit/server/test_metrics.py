"""The counts of several workers: added up, never falling, and nothing read that is half written."""

from __future__ import annotations

import logging
import re

import pytest

pytest.importorskip("starlette", reason="starlette is not installed: pip install 'tacit[server]'")

from tacit.server.log import Handler, Log
from tacit.server.metrics import Board, Metrics

ASKED = 'tacit_requests_total{act="recall",status="200"}'
MIDDLE = ("0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "5.0", "10.0")


def none() -> dict[str, float]:
    """Nothing is looked up."""
    return {}


def test_workers_are_added_up() -> None:
    """Y-03: whichever worker is asked tells what all of them did."""
    board = Board(2)
    one, other = Metrics(board, 0, none), Metrics(board, 1, none)
    for worker in (one, one, other):
        worker.began()
        worker.ended("recall", 200, 0.03)
    one.show()
    assert f"{ASKED} 3\n" in other.text()
    assert "tacit_workers 2\n" in other.text()


def test_a_bucket_holds_what_those_before_it_hold() -> None:
    """Y-03: a request is in every bucket whose bound it kept, and a bound that is kept exactly counts."""
    metrics = Metrics(Board(1), 0, none)
    for took_s in (0.01, 0.03, 99):
        metrics.began()
        metrics.ended("recall", 200, took_s)
    buckets = re.findall(r'_bucket\{act="recall",le="([^"]+)"\} (\d+)', metrics.text())
    assert buckets == [("0.005", "0"), ("0.01", "1"), ("0.025", "1"), *((each, "2") for each in MIDDLE), ("+Inf", "3")]
    assert 'tacit_request_seconds_count{act="recall"} 3\n' in metrics.text()


def test_a_follower_counts_on() -> None:
    """Y-03: a counter does not fall when a worker dies, and what was under way then is forgotten."""
    board = Board(1)
    first = Metrics(board, 0, none)
    first.began()
    first.began()
    first.ended("recall", 200, 0.03)
    first.show()
    text = Metrics(board, 0, none).text()
    assert f"{ASKED} 1\n" in text
    assert "tacit_requests_under_way 0\n" in text


def test_what_is_half_written_is_not_read() -> None:
    """Y-03: a page that a killed worker left is passed over, and one that is too long is not shown."""
    board = Board(2)
    board.put(1, {ASKED: 5})
    board._pages[len(board._pages) // 2 + 12] ^= 1
    assert board.get(1) == {}
    board.put(1, {"x" * 100_000: 1})
    assert board.get(1) == {}
    assert ASKED not in Metrics(board, 0, none).text()


def test_libraries_speak_as_we_do() -> None:
    """Y-03: a warning of a library is a line of JSON with the place of its exception, and without its text."""
    lines: list[str] = []
    logger = logging.Logger("library")  # noqa: LOG001  one that nobody else has
    logger.addHandler(Handler(Log(lines.append)))
    try:
        raise ValueError("a private prompt")  # noqa: EM101, TRY003, TRY301  the text is the subject
    except ValueError:
        logger.exception("failed")
    logger.warning("plain")
    assert "private" not in "".join(lines)
    assert '"error": "ValueError"' in lines[0]
    assert __file__ in lines[0]
    assert '"what": "plain"' in lines[1]


def test_a_full_disk_hinders_no_answer() -> None:
    """Y-03: a log that cannot be written is not written."""

    def full(line: str) -> None:
        raise OSError(line)

    Log(full).fault("anything")
