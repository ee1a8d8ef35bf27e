"""Tests of the vectors of one model in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
import pytest

from tacit.index import contract, vectors
from tacit.index.contract import Filter, Nearness

if TYPE_CHECKING:
    from collections.abc import Sequence

NEAR = Nearness(latin_documents=True, latin_query=True, hub_share=0.5, usual_hub=0.5, with_median=True)
FITTING = contract.fitting(Filter(), NEAR)


def near_each_other(dimension: int) -> numpy.ndarray:
    """Return vectors that share a direction, as those of sentences do."""
    chance = numpy.random.default_rng(11)
    rows = 0.5 + chance.standard_normal((2_000, dimension), dtype=numpy.float32)
    return rows / numpy.linalg.norm(rows, axis=1, keepdims=True)


def table_of(rows: numpy.ndarray) -> vectors.VectorTable:
    """Return a table of these vectors, each of a document of its own; it fetches them from `rows`."""

    def fetch(places: Sequence[int]) -> list[tuple[int, bytes]]:
        return [(place, vectors.as_blob(rows[place])) for place in places]

    table = vectors.VectorTable(rows.shape[1], fetch)
    places = range(len(rows))
    marked = [contract.marks_of("both", "active", is_latin=True)] * len(rows)
    hubs = [0.5] * len(rows)
    table.add(vectors.Rows(places, places, marked, hubs, hubs, vectors.signs(rows).tobytes()))
    return table


@pytest.mark.parametrize("kept_rows", [0, 24_000])
@pytest.mark.parametrize("dimension", [384, 500])
def test_a_few_rows_chosen_by_their_signs_hold_the_nearest(
    monkeypatch: pytest.MonkeyPatch, dimension: int, kept_rows: int
) -> None:
    """F-02: of the rows whose signs are like a question's only a few are compared, and the best are among them."""
    rows = near_each_other(dimension)
    chance = numpy.random.default_rng(12)
    asked = rows[:40] + 0.6 * chance.standard_normal((40, dimension), dtype=numpy.float32) / dimension**0.5
    exact = table_of(rows)
    for name, value in (("EXACT_ROWS", 100), ("KEPT_ROWS", kept_rows), ("_LIKELY", 400)):
        monkeypatch.setattr(vectors, name, value)
    for name in ("_COMPARED_KEPT", "_COMPARED_FETCHED"):
        monkeypatch.setattr(vectors, name, 100)
    table = table_of(rows)
    for number, vector in enumerate(asked):
        wanted, median, count = exact.nearest(vector, 1, NEAR, also=[7, 9], fitting=FITTING)
        found = table.nearest(vector, 1, NEAR, also=[7, 9], fitting=FITTING)
        assert number in found[0]
        assert found[0] == pytest.approx(wanted, abs=1e-2)
        assert found[1] == pytest.approx(median, abs=0.02)
        assert found[2] == count


@pytest.mark.parametrize("values", [[3.0], [1.0, 4.0], [5.0, 1.0, 4.0], [4.0, 1.0, 2.0, 8.0]])
def test_the_median_is_that_of_numpy(values: list[float]) -> None:
    """F-02: the value in the middle, or between the two in the middle."""
    given = numpy.array(values, numpy.float32)
    assert vectors._median(given) == numpy.median(given)
