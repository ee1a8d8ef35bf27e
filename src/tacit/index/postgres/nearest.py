"""The vectors of one bank in PostgreSQL: kept for all banks, found by an HNSW index in a large one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy
from psycopg import sql

from tacit.index import keywords, vectors
from tacit.index.postgres import columns
from tacit.index.postgres.door import WITH_VALUES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from psycopg import Connection

    from tacit.index.contract import Filter, Nearness, Vectors
    from tacit.index.embed.port import Vector

# How many near rows of a large bank are compared exactly, and how many rows stand for all in its background.
_RESCORED = 300
_SAMPLE = 500

# What is known of its document stands with each vector, so that no question needs to join: with many banks in a table
# nobody can foretell how many rows a bank has, and a join planned for one row is slow for thousands.
_MAY_BE_FOUND = sql.SQL(
    "bank = %(bank)s AND model = %(model)s AND is_latin = %(latin)s AND timing = ANY(%(timings)s)"
    " AND status <> ALL(%(left_out)s)"
)
# The cosine less the document's surplus as a hub.
_VALUE = sql.SQL(
    "-(vector::vector <#> %(vector)s::vector)"
    " - %(share)s * (CASE WHEN %(latin_query)s THEN hub_latin ELSE hub_cjk END - %(usual)s)"
)
_NEAR = sql.SQL("""
SELECT number FROM vectors WHERE {may_be_found}
ORDER BY vector::halfvec({dimension}) <#> %(vector)s::halfvec({dimension}) LIMIT %(rescored)s
""")
_THESE = sql.SQL("""
SELECT number, max({value}) FROM vectors WHERE {may_be_found} AND number = ANY(%(numbers)s)
GROUP BY number ORDER BY 2 DESC, 1
""").format(value=_VALUE, may_be_found=_MAY_BE_FOUND)
_MEDIAN = sql.SQL("""
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY {value}) FROM vectors WHERE {may_be_found} AND number = ANY(ARRAY(
    SELECT generate_series(1, next_number, greatest(1, next_number / %(sample)s)) FROM banks WHERE bank = %(bank)s
))
""").format(value=_VALUE, may_be_found=_MAY_BE_FOUND)
_COUNT = sql.SQL("SELECT count(*) FROM vectors WHERE {may_be_found}").format(may_be_found=_MAY_BE_FOUND)


class NearestRows:
    """The vectors of a bank, by model; each method works in the transaction that it is given."""

    def __init__(self, bank: UUID, half_vector: int) -> None:
        self._bank = bank
        self._half_vector = half_vector
        self._prepared: set[str] = set()

    def keep(self, asking: Connection, model: str, given: Mapping[str, Vectors]) -> None:
        """Replace the vectors of documents; unknown keys are passed over."""
        known = {
            row[0]: row[1:]
            for row in asking.execute(
                "SELECT key, number, status, timing, is_latin FROM documents WHERE bank = %s AND key = ANY(%s)",
                (self._bank, columns.texts(list(given))),
            )
        }
        asking.execute(
            "DELETE FROM vectors WHERE bank = %s AND model = %s AND number = ANY(%s)",
            (self._bank, model, [number for number, *_ in known.values()]),
        )
        rows = [
            (*known[key], part, those.hub_latin, those.hub_cjk, row)
            for key, those in given.items()
            if key in known
            for part, row in enumerate(those.rows)
        ]
        if rows:
            numbers, statuses, timings, latin, parts, hubs_latin, hubs_cjk, exact = zip(*rows, strict=True)
            asking.execute(
                "INSERT INTO vectors SELECT %s, %s, * FROM unnest(%s::bigint[], %s::integer[], %s::text[], %s::text[],"
                " %s::boolean[], %s::real[], %s::real[], %s::halfvec[])",
                (
                    self._bank,
                    model,
                    columns.big_numbers(numbers),
                    columns.numbers(parts),
                    columns.texts(statuses),
                    columns.texts(timings),
                    list(latin),
                    columns.reals(hubs_latin),
                    columns.reals(hubs_cjk),
                    columns.half_vectors(self._half_vector, numpy.stack(exact)),
                ),
            )

    def prepare(self, asking: Connection, model: str) -> None:
        """Make the HNSW index of a model once the bank has become large."""
        if model not in self._prepared and self._is_large(asking, model):
            row = asking.execute(
                "SELECT vector_dims(vector) FROM vectors WHERE bank = %s AND model = %s LIMIT 1", (self._bank, model)
            ).fetchone()
            asking.execute("SELECT make_nearest(%s, %s)", (model, row[0] if row else 0))
            self._prepared.add(model)

    def forget(self, asking: Connection, model: str) -> None:
        """Take out all vectors of a model."""
        asking.execute("DELETE FROM vectors WHERE bank = %s AND model = %s", (self._bank, model))
        asking.execute("SELECT drop_nearest(%s)", (model,))
        self._prepared.discard(model)

    def find(
        self,
        asking: Connection,
        model: str,
        vector: Vector,
        limit: int,
        *,
        wanted: Filter,
        near: Nearness,
        also: Sequence[int],
    ) -> tuple[dict[int, float], float, int]:
        """Return number → value, median and count in a large bank: candidates by their index, exact values of these.

        There are the `limit` nearest documents that may be found, and those of `also`. The value of a document is the
        best cosine of its rows less its surplus as a hub.
        """
        values: dict[str, Any] = {
            "bank": self._bank,
            "model": model,
            "vector": _text(vector),
            "timings": list(wanted.timings),
            "left_out": keywords.left_out(wanted),
            "latin": near.latin_documents,
            "latin_query": near.latin_query,
            "share": near.hub_share,
            "usual": near.usual_hub,
        }
        asking.execute(WITH_VALUES)
        numbers = set(also)
        if limit:
            # An index of vectors knows their dimension, which is a part of the type.
            nearest = _NEAR.format(may_be_found=_MAY_BE_FOUND, dimension=sql.Literal(len(vector)))
            numbers |= {number for (number,) in asking.execute(nearest, {**values, "rescored": _RESCORED})}
        rows = asking.execute(_THESE, {**values, "numbers": list(numbers)}).fetchall()
        best = {number: value for place, (number, value) in enumerate(rows) if place < limit or number in also}
        ((count,),) = asking.execute(_COUNT, values)
        if not near.with_median:
            return best, 0.0, count
        ((median,),) = asking.execute(_MEDIAN, {**values, "sample": _SAMPLE})
        return best, median or 0.0, count

    def _is_large(self, asking: Connection, model: str) -> bool:
        """Whether a bank has more rows of a model than are all compared; so many are looked at and no more."""
        row = asking.execute(
            "SELECT FROM vectors WHERE bank = %s AND model = %s OFFSET %s LIMIT 1",
            (self._bank, model, vectors.EXACT_ROWS),
        ).fetchone()
        return row is not None


def _text(vector: Vector) -> str:
    """Return a vector as pgvector reads it, with as many digits as bring back the very same numbers."""
    return f"[{','.join(['%.9g'] * len(vector)) % tuple(vector.tolist())}]"
