"""The vectors of one model in memory: exact for ordinary banks, by sign bits first for large ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.index.contract import Fitting, Nearness
    from tacit.index.embed.port import Vector

# Up to this many rows every cosine is computed; above, only those of the rows whose sign bits lie near, from memory up
# to the second number and from the disk beyond.
EXACT_ROWS = 12_000
KEPT_ROWS = 24_000
# How many rows whose signs differ least are looked at more closely, and how many of these are compared exactly, from
# memory and from the disk: of 8,850 rows of English sentences, these hold 99 and 98 of 100 of the ten nearest.
_LIKELY = 2_000
_COMPARED_KEPT = 1_000
_COMPARED_FETCHED = 400
# How many of the best rows are looked at for documents, and how many stand for all when the background is measured.
_BEST = 300
_SAMPLE = 500
# So many rows are compared at a time, for what is in between to stay in the processor's cache.
_STRETCH = 16_384
# The marks of a row that no question may find.
_DEAD = 0
# The eight signs that a byte holds.
_OF_BYTE = numpy.where(numpy.unpackbits(numpy.arange(256, dtype=numpy.uint8)[:, None], axis=1), 1, -1)
# How large a number of a vector of unit length is on average, times the root of how many there are.
_MEAN_SIZE = (2 / numpy.pi) ** 0.5


@dataclass(frozen=True, slots=True)
class Rows:
    """Some vectors, column by column: where each is stored, its document, that one's marks and hubs, its sign bits."""

    places: Sequence[int]
    numbers: Sequence[int]
    marks: Sequence[int]
    hubs_latin: Sequence[float]
    hubs_cjk: Sequence[float]
    signs: bytes


class VectorTable:
    """Rows that can be added and dropped; `fetch` brings the exact vectors of places, in the order of places."""

    def __init__(self, dimension: int, fetch: Callable[[Sequence[int]], Sequence[tuple[int, bytes]]]) -> None:
        words = (dimension + 63) // 64
        self._dimension = dimension
        self._fetch = fetch
        # What the cosine of two vectors is about when so many of their signs differ.
        self._cosines = numpy.cos(numpy.linspace(0, numpy.pi, dimension + 1)).astype(numpy.float32)
        self._size = 0
        self._dead = 0
        self._places = numpy.empty(0, numpy.int64)
        self._numbers = numpy.empty(0, numpy.int64)
        self._marks = numpy.empty(0, numpy.uint8)
        self._hubs = numpy.empty((2, 0), numpy.float32)
        self._bits = numpy.empty((words, 0), numpy.uint64)
        self._vectors: numpy.ndarray | None = numpy.empty((0, dimension), numpy.float32)
        self._sorted: tuple[numpy.ndarray, numpy.ndarray] | None = None
        self._sample: tuple[numpy.ndarray, numpy.ndarray] | None = None
        self._fits: dict[Fitting, tuple[numpy.ndarray, int]] = {}
        self._surpluses: dict[tuple[bool, float, float], numpy.ndarray] = {}

    def __len__(self) -> int:
        return self._size - self._dead

    def add(self, rows: Rows, exact: numpy.ndarray | None = None) -> None:
        """Add rows at the end; `exact` are their vectors where they are at hand, otherwise they are fetched."""
        count = len(rows.places)
        end = self._size + count
        self._places = self._with(self._places, numpy.array(rows.places, numpy.int64))
        self._numbers = self._with(self._numbers, numpy.array(rows.numbers, numpy.int64))
        self._marks = self._with(self._marks, numpy.array(rows.marks, numpy.uint8))
        self._hubs = self._with(self._hubs, numpy.array([rows.hubs_latin, rows.hubs_cjk], numpy.float32), axis=1)
        self._bits = self._with(self._bits, numpy.frombuffer(rows.signs, "<u8").reshape(count, -1).T, axis=1)
        if end > KEPT_ROWS:
            self._vectors = None
        if self._vectors is not None:
            new = self._fetched(rows.places) if exact is None else exact.astype(numpy.float32, copy=False)
            if end > EXACT_ROWS and self._vectors.dtype == numpy.float32:
                self._vectors = _shortened(self._vectors)
            is_whole = self._vectors.dtype == numpy.float32
            # Column by column a product with all of them takes half the time; of shortened ones some rows are taken.
            self._vectors = self._with(self._vectors, new if is_whole else _shortened(new), by="F" if is_whole else "C")
        self._size = end
        self._forget_what_was_asked()

    def drop(self, numbers: Sequence[int]) -> None:
        """Remove the rows of these documents."""
        rows = self._rows_of(numbers)
        self._marks[rows] = _DEAD
        self._dead += len(rows)
        self._numbers[rows] = -1
        if len(rows):
            self._forget_what_was_asked()
        if self._dead > self._size // 4:
            self._forget_the_dead()

    def nearest(
        self, vector: Vector, limit: int, near: Nearness, *, also: Sequence[int], fitting: Fitting
    ) -> tuple[dict[int, float], float, int]:
        """Return document number → best value of its rows, the median value, and how many rows there are.

        There are the `limit` best, and the documents of `also`.

        The value is the cosine less the document's surplus as a hub. Only rows count whose marks are fitting.
        """
        fits, count = self._that_fit(fitting)
        if not count:
            return {}, 0.0, 0
        surplus = self._surplus(near)
        asked = self._rows_of(also)
        if not limit and not near.with_median:
            median, rows = 0.0, asked
            those = self._exact(rows) @ vector - surplus[rows]
        elif self._vectors is not None and self._vectors.dtype == numpy.float32:
            values = self._vectors[: self._size] @ vector - surplus
            median = _median(values if count == self._size else values[fits]) if near.with_median else 0.0
            fitted = values if count == self._size else numpy.where(fits, values, -numpy.inf)
            best = _largest(fitted, 4 * limit)
            if len(set(self._numbers[best].tolist())) < limit:  # some documents have many rows
                best = _largest(fitted, max(_BEST, 4 * limit))
            rows = numpy.concatenate([best, asked])
            those = values[rows]
        else:
            median = self._sampled_median(vector, surplus, fits) if near.with_median else 0.0
            guessed = asked[:0]
            if limit:
                guessed = _largest(numpy.where(fits, self._guessed(vector) - surplus, -numpy.inf), _LIKELY)
                compared = _COMPARED_FETCHED if self._vectors is None else _COMPARED_KEPT
                guessed = guessed[_largest(self._weighed(vector, guessed) - surplus[guessed], compared)]
            rows = numpy.concatenate([guessed, asked])
            those = self._exact(rows) @ vector - surplus[rows]
            best = _largest(those[: len(guessed)], max(_BEST, 4 * limit))
            picked = numpy.concatenate([best, numpy.arange(len(guessed), len(rows))])
            rows, those = rows[picked], those[picked]
        kept = fits[rows]
        order = numpy.argsort(-those[kept], kind="stable")
        found: dict[int, float] = {}
        missing = set(also)
        for number, value in zip(self._numbers[rows[kept]][order].tolist(), those[kept][order].tolist(), strict=True):
            if len(found) < limit or number in missing:
                found.setdefault(number, value)
                missing.discard(number)
            elif not missing:
                break
        return found, median, count

    def _that_fit(self, fitting: Fitting) -> tuple[numpy.ndarray, int]:
        """Return which rows have fitting marks, and how many; the same is asked again and again."""
        found = self._fits.get(fitting)
        if found is None:
            marks = self._marks[: self._size]
            needed, any_of, refused = fitting
            fits = ((marks & (needed | refused)) == needed) & ((marks & any_of) != 0)
            found = self._fits[fitting] = fits, int(numpy.count_nonzero(fits))
        return found

    def _surplus(self, near: Nearness) -> numpy.ndarray:
        """Return what is taken from the cosine of each row, for its document is a hub; kept like the above."""
        asked = near.latin_query, near.hub_share, near.usual_hub
        found = self._surpluses.get(asked)
        if found is None:
            hubs = self._hubs[0 if near.latin_query else 1, : self._size]
            found = self._surpluses[asked] = near.hub_share * (hubs - near.usual_hub)
        return found

    def _guessed(self, vector: Vector) -> numpy.ndarray:
        """Return about the cosine of every row: of two vectors, as many signs differ as the angle is wide."""
        asked = signs(vector.reshape(1, -1))[0]
        guessed = numpy.empty(self._size, numpy.float32)
        # Made once and used again: new memory for each word would take longer than the counting.
        unlike = numpy.empty(min(_STRETCH, self._size), numpy.uint64)
        counted = numpy.empty(len(unlike), numpy.uint8)
        for start in range(0, self._size, _STRETCH):
            end = min(start + _STRETCH, self._size)
            some, counts = unlike[: end - start], counted[: end - start]
            differ = numpy.zeros(end - start, numpy.uint16)
            for word, wanted in zip(self._bits[:, start:end], asked, strict=True):
                numpy.bitwise_xor(word, wanted, out=some)
                differ += numpy.bitwise_count(some, out=counts)
            guessed[start:end] = self._cosines[differ]
        return guessed

    def _weighed(self, vector: Vector, rows: numpy.ndarray) -> numpy.ndarray:
        """Return more nearly the cosine of some rows: each sign counts as much as the number it meets in the vector."""
        whole = numpy.zeros(64 * len(self._bits), numpy.float32)
        whole[: self._dimension] = vector
        worth = whole.reshape(-1, 8) @ _OF_BYTE.T.astype(numpy.float32)  # of each byte's 256 values
        total = numpy.zeros(len(rows), numpy.float32)
        for word, worths in zip(self._bits, worth.reshape(-1, 8, 256), strict=True):
            signs_of_rows = word[rows].astype("<u8", copy=False).view(numpy.uint8).reshape(-1, 8)
            for place, by_value in enumerate(worths):
                total += by_value[signs_of_rows[:, place]]
        weighed: numpy.ndarray = total / (_MEAN_SIZE * self._dimension**0.5)
        return weighed

    def _sampled_median(self, vector: Vector, surplus: numpy.ndarray, fits: numpy.ndarray) -> float:
        if self._sample is None:
            rows = numpy.flatnonzero(self._marks[: self._size])
            rows = rows[:: max(1, len(rows) // _SAMPLE)]
            self._sample = (rows, self._exact(rows))
        rows, vectors = self._sample
        fit = fits[rows]
        if not fit.any():
            return 0.0
        return _median((vectors @ vector - surplus[rows])[fit])

    def _exact(self, rows: numpy.ndarray) -> numpy.ndarray:
        """Return the exact vectors of rows."""
        if self._vectors is None:
            return self._fetched(self._places[rows])
        exact: numpy.ndarray = self._vectors[rows]
        if exact.dtype == numpy.uint16:
            exact = numpy.left_shift(exact, 16, dtype=numpy.uint32).view(numpy.float32)
        return exact

    def _fetched(self, places: Sequence[int] | numpy.ndarray) -> numpy.ndarray:
        """Return the exact vectors of places, in their order; nought for one that another process has taken out."""
        wanted = numpy.asarray(places, numpy.int64)
        stored = self._fetch(numpy.unique(wanted).tolist())
        vectors = numpy.zeros((len(wanted), self._dimension), numpy.float32)
        if stored:
            there = numpy.array([place for place, _ in stored], numpy.int64)
            joined = numpy.frombuffer(b"".join([blob for _, blob in stored]), "<f2").reshape(len(stored), -1)
            rows = numpy.minimum(there.searchsorted(wanted), len(there) - 1)
            found = there[rows] == wanted
            vectors[found] = joined[rows[found]]
        return vectors

    def _rows_of(self, numbers: Sequence[int]) -> numpy.ndarray:
        """Return the rows of these documents."""
        if self._sorted is None:
            # Documents get their vectors nearly in the order of their numbers, which this kind of sorting knows to use.
            order = numpy.argsort(self._numbers[: self._size], kind="stable")
            self._sorted = (order, self._numbers[order])
        order, in_order = self._sorted
        wanted = numpy.array(sorted(numbers), numpy.int64)
        starts, ends = in_order.searchsorted(wanted, "left"), in_order.searchsorted(wanted, "right")
        places = [numpy.arange(start, end) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        return order[numpy.concatenate(places)] if places else numpy.empty(0, numpy.int64)

    def _forget_the_dead(self) -> None:
        stay = self._marks[: self._size] != _DEAD
        for name in ("_places", "_numbers", "_marks", "_hubs", "_bits"):
            setattr(self, name, getattr(self, name)[..., : self._size][..., stay])
        if self._vectors is not None:
            rows = self._vectors[: self._size][stay]
            self._vectors = numpy.asfortranarray(rows) if rows.dtype == numpy.float32 else rows
        self._size, self._dead = int(stay.sum()), 0
        self._sample = None
        self._forget_what_was_asked()

    def _forget_what_was_asked(self) -> None:
        self._sorted = None
        self._fits.clear()
        self._surpluses.clear()

    def _with(
        self, table: numpy.ndarray, new: numpy.ndarray, axis: int = 0, by: Literal["C", "F"] = "C"
    ) -> numpy.ndarray:
        """Return `table` with `new` after its used part, grown by half when it is full; rows run along `axis`."""
        used, end = self._size, self._size + new.shape[axis]
        before = (slice(None),) * axis
        if end > table.shape[axis]:
            shape = (*table.shape[:axis], max(end, used + used // 2), *table.shape[axis + 1 :])
            grown = numpy.empty(shape, table.dtype, by)
            grown[*before, :used] = table[*before, :used]
            table = grown
        table[*before, used:end] = new
        return table


def _shortened(vectors: numpy.ndarray) -> numpy.ndarray:
    """Return the upper halves of floats, rounded: good enough here, and far quicker to make whole than `float16`."""
    return ((numpy.ascontiguousarray(vectors).view(numpy.uint32) + 0x8000) >> 16).astype(numpy.uint16)


def as_blob(vector: Vector) -> bytes:
    """Return a vector as it is stored: half-precision floats, little endian."""
    return vector.astype("<f2").tobytes()


def signs(vectors: numpy.ndarray) -> numpy.ndarray:
    """Return one bit for each number, packed into words of 64."""
    packed = numpy.packbits(vectors > 0, axis=1)
    if missing := -packed.shape[1] % 8:
        packed = numpy.pad(packed, ((0, 0), (0, missing)))
    return numpy.ascontiguousarray(packed).view("<u8")


def _median(values: numpy.ndarray) -> float:
    """Return the median of at least one value; numpy's own takes longer to begin than to count a thousand."""
    half = len(values) // 2
    parted = numpy.partition(values, half)
    upper = parted[half]
    return float(upper if len(values) % 2 else (parted[:half].max() + upper) / 2)


def _largest(values: numpy.ndarray, count: int) -> numpy.ndarray:
    """Return the places of the largest values, largest first."""
    if 0 < count < len(values):  # by the least of them: quicker than to part the places
        places = (values >= numpy.partition(values, -count)[-count]).nonzero()[0]
    else:
        places = numpy.arange(min(count, len(values)))
    in_order: numpy.ndarray = places[(-values[places]).argsort(kind="stable")[:count]]
    return in_order
