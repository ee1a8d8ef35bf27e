"""The vectors of one model in memory: exact for ordinary banks, by sign bits first for very large ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tacit.index.contract import Nearness
    from tacit.index.embed.port import Vector

# Up to this many rows every cosine is computed; above, only those whose sign bits lie near.
EXACT_ROWS = 20_000
# How many near rows are then compared exactly, and how many rows stand for all when the spread is measured.
_RESCORED = 600
_SAMPLE = 2_000


@dataclass(frozen=True, slots=True)
class Row:
    """One vector: the document it belongs to, that document's marks and hubs, and its half-precision bytes."""

    number: int
    marks: int
    hub_latin: float
    hub_cjk: float
    blob: bytes


class VectorTable:
    """Rows that can be added and dropped; `fetch` brings the exact vectors of documents when only bits are kept."""

    def __init__(self, dimension: int, fetch: Callable[[list[int]], Iterable[tuple[int, bytes]]]) -> None:
        self._dimension = dimension
        self._fetch = fetch
        self._size = 0
        self._keeps_exact = True
        self._numbers = numpy.empty(0, numpy.int64)
        self._marks = numpy.empty(0, numpy.int64)
        self._hubs = numpy.empty((0, 2), numpy.float32)
        self._vectors = numpy.empty((0, dimension), numpy.float32)
        self._bits = numpy.empty((0, 0), numpy.uint64)
        self._sample = numpy.empty((0, dimension), numpy.float32)

    def __len__(self) -> int:
        return self._size

    def add(self, rows: list[Row]) -> None:
        """Add rows at the end."""
        if not rows:
            return
        halves = numpy.frombuffer(b"".join(row.blob for row in rows), "<f2").reshape(len(rows), self._dimension)
        numbers = numpy.array([row.number for row in rows], numpy.int64)
        marks = numpy.array([row.marks for row in rows], numpy.int64)
        hubs = numpy.array([(row.hub_latin, row.hub_cjk) for row in rows], numpy.float32)
        self._hubs = self._appended(self._hubs, hubs)
        self._numbers = self._appended(self._numbers, numbers)
        self._marks = self._appended(self._marks, marks)
        if self._keeps_exact:
            self._vectors = self._appended(self._vectors, halves.astype(numpy.float32))
        else:
            self._bits = self._appended(self._bits, _signs(halves))
        self._size += len(rows)
        if self._keeps_exact and self._size > EXACT_ROWS:
            self._keep_bits_only()

    def drop(self, numbers: set[int]) -> None:
        """Remove the rows of these documents."""
        if not numbers or not self._size:
            return
        gone = numpy.isin(self._numbers[: self._size], numpy.fromiter(numbers, numpy.int64, len(numbers)))
        if not gone.any():
            return
        stay = ~gone
        count = int(stay.sum())
        for name in ("_numbers", "_marks", "_hubs", "_vectors" if self._keeps_exact else "_bits"):
            table = getattr(self, name)
            table[:count] = table[: self._size][stay]
        self._size = count

    def nearest(
        self, vector: Vector, limit: int, near: Nearness, *, also: set[int], needed: int, any_of: int, refused: int
    ) -> tuple[dict[int, float], float, int]:
        """Return document number → best value of its rows, the median value, and how many rows there are.

        There are the `limit` best, and the documents of `also`.

        The value is the cosine less the document's surplus as a hub. Only rows count that have all marks of `needed`,
        one of `any_of` and none of `refused`.
        """
        marks = self._marks[: self._size]
        rows = numpy.flatnonzero(((marks & needed) == needed) & ((marks & any_of) != 0) & ((marks & refused) == 0))
        if not len(rows):
            return {}, 0.0, 0
        surplus = near.hub_share * (self._hubs[: self._size, 0 if near.latin_query else 1] - near.usual_hub)
        if not self._keeps_exact:
            return self._nearest_by_bits(vector, limit, rows, surplus, also)
        values = (self._vectors[: self._size] @ vector - surplus)[rows]
        best = _largest(values, limit * 4)
        found: dict[int, float] = {}
        for number, value in zip(self._numbers[rows[best]].tolist(), values[best].tolist(), strict=True):
            if len(found) < limit:
                found.setdefault(number, value)
        for place in numpy.flatnonzero(numpy.isin(self._numbers[rows], list(also - found.keys()))).tolist():
            number = int(self._numbers[rows[place]])
            found[number] = max(float(values[place]), found.get(number, -1.0))
        return found, float(numpy.median(values)), len(rows)

    def _nearest_by_bits(
        self, vector: Vector, limit: int, rows: numpy.ndarray, surplus: numpy.ndarray, also: set[int]
    ) -> tuple[dict[int, float], float, int]:
        wanted = _signs(vector.reshape(1, -1))
        bits = self._bits[: self._size]
        near = numpy.bitwise_count((bits if len(rows) == self._size else bits[rows]) ^ wanted)
        best = rows[_largest(-near.sum(axis=1, dtype=numpy.int32), _RESCORED)]
        best = numpy.concatenate([best, rows[numpy.isin(self._numbers[rows], list(also))]])
        surplus_of = dict(zip(self._numbers[best].tolist(), surplus[best].tolist(), strict=True))
        found: dict[int, float] = {}
        for number, blob in self._fetch(list(surplus_of)):
            value = float(numpy.frombuffer(blob, "<f2").astype(numpy.float32) @ vector) - surplus_of[number]
            found[number] = max(value, found.get(number, -1.0))
        ordered = sorted(found, key=lambda number: (-found[number], number))
        kept = {number: found[number] for place, number in enumerate(ordered) if place < limit or number in also}
        return kept, float(numpy.median(self._sample @ vector)), len(rows)

    def _keep_bits_only(self) -> None:
        exact = self._vectors[: self._size]
        self._bits = _signs(exact)
        self._sample = exact[:: max(1, self._size // _SAMPLE)].copy()
        self._vectors = numpy.empty((0, self._dimension), numpy.float32)
        self._keeps_exact = False

    def _appended(
        self, table: numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.generic]], new: numpy.ndarray
    ) -> numpy.ndarray:
        """Return `table` with `new` after its used part, grown by half when it is full."""
        used, end = self._size, self._size + len(new)
        if end > len(table) or table.shape[1:] != new.shape[1:]:
            grown = numpy.empty((max(end, used + used // 2), *new.shape[1:]), new.dtype)
            grown[:used] = table[:used]
            table = grown
        table[used:end] = new
        return table


def as_blob(vector: Vector) -> bytes:
    """Return a vector as it is stored: half-precision floats, little endian."""
    return vector.astype("<f2").tobytes()


def _signs(vectors: numpy.ndarray) -> numpy.ndarray:
    """Return one bit for each number, packed into words of 64."""
    packed = numpy.packbits(vectors > 0, axis=1)
    missing = -packed.shape[1] % 8
    return numpy.ascontiguousarray(numpy.pad(packed, ((0, 0), (0, missing)))).view(numpy.uint64)


def _largest(values: numpy.ndarray, count: int) -> numpy.ndarray:
    """Return the places of the largest values, largest first."""
    places = numpy.argpartition(-values, count)[:count] if len(values) > count else numpy.arange(len(values))
    return places[numpy.argsort(-values[places], kind="stable")]
