"""Columns of rows in the form in which PostgreSQL itself keeps arrays: thousands of rows go in by one statement."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import numpy
from psycopg.adapt import Dumper
from psycopg.pq import Format

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from psycopg.abc import Buffer

# The numbers by which PostgreSQL knows the types of the elements; those of its own types never change.
_TEXT, _BYTES = 25, 17
_BIG, _INTEGER, _REAL = (20, "i8"), (23, "i4"), (700, "f4")
_SEPARATOR = "\x1e"


class Column(bytes):
    """An array in binary form; the statement that takes it says of which type."""

    __slots__ = ()


class ColumnDumper(Dumper):
    """Hands a column on as it is."""

    format = Format.BINARY

    def dump(self, obj: Column) -> Buffer:
        """Return the bytes."""
        return obj


def texts(values: Sequence[str]) -> Column:
    """Return a column of texts, without the one character that PostgreSQL cannot keep."""
    return _of_bytes(_TEXT, [value.replace("\0", "").encode() for value in values])


def lists(values: Iterable[Sequence[str]]) -> Column:
    """Return a column of lists of texts, each as one text that `LISTED` takes apart."""
    cleaned = ((text.replace(_SEPARATOR, " ") for text in each) for each in values)
    return texts([_SEPARATOR.join(("", *each)) for each in cleaned])


LISTED = "(string_to_array({}, E'\\x1e'))[2:]"


def blobs(values: Sequence[bytes]) -> Column:
    """Return a column of bytes."""
    return _of_bytes(_BYTES, values)


def big_numbers(values: Sequence[int]) -> Column:
    """Return a column of whole numbers of eight bytes."""
    return _of_numbers(*_BIG, values)


def numbers(values: Sequence[int]) -> Column:
    """Return a column of whole numbers of four bytes."""
    return _of_numbers(*_INTEGER, values)


def reals(values: Sequence[float]) -> Column:
    """Return a column of real numbers of four bytes."""
    return _of_numbers(*_REAL, values)


def half_vectors(kind: int, rows: numpy.ndarray) -> Column:
    """Return a column of pgvector's halfvec, whose number in this database is `kind`."""
    count, dimension = rows.shape
    table = numpy.zeros(
        count, [("size", ">i4"), ("dimension", ">i2"), ("unused", ">i2"), ("vector", ">f2", (dimension,))]
    )
    table["size"], table["dimension"], table["vector"] = 4 + 2 * dimension, dimension, rows
    return Column(_head(kind, count) + table.tobytes())


def vectors(blob: bytes, count: int) -> numpy.ndarray:
    """Return what `half_vectors` put in, as `halfvec_send` gives so many of them, one after the other."""
    rows = numpy.frombuffer(blob, ">f2").reshape(count, -1)
    return rows[:, 2:].astype(numpy.float32)


def _of_numbers(kind: int, form: str, values: Sequence[float]) -> Column:
    table = numpy.zeros(len(values), [("size", ">i4"), ("value", f">{form}")])
    table["size"], table["value"] = int(form[1]), values
    return Column(_head(kind, len(values)) + table.tobytes())


def _of_bytes(kind: int, values: Sequence[bytes]) -> Column:
    size = struct.Struct(">i").pack
    pieces = [_head(kind, len(values))]
    for value in values:
        pieces += (size(len(value)), value)
    return Column(b"".join(pieces))


def _head(kind: int, count: int) -> bytes:
    """Return how an array of one dimension begins; an empty one has none."""
    return struct.pack(">iiiii", 1, 0, kind, count, 1) if count else struct.pack(">iii", 0, 0, kind)
