"""The index in one SQLite file: documents, their words and their vectors."""

from __future__ import annotations

import sqlite3
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from tacit.index import scoring
from tacit.index.contract import QUARANTINED, Counts, Found, KeywordScore, VectorHits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from tacit.index.contract import Document, Filter, Nearness, Vectors
    from tacit.index.embed.port import Vector
    from tacit.index.vectors import Row, VectorTable

# Raised when tables, tokens or scoring change: an index of another version is made anew.
VERSION = 2
_BUSY_S = 5.0
# How many candidates of FTS5's own ranking are scored by ours.
_CANDIDATES = 60
_BEFORE_FILTER = 5 * _CANDIDATES
# How many matches a query may make SQLite rank; the rarest words come first, common ones only if there is room.
_BUDGET = 5_000
# SQLite takes at most this many values in one statement, with some to spare.
_MOST_VALUES = 900
_BATCH = 5_000
# How many changes are kept, for processes that hold vectors in memory to catch up with.
_CHANGES = 5_000

_SCHEMA = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, note_id TEXT NOT NULL,
    file TEXT NOT NULL, layer TEXT NOT NULL, status TEXT NOT NULL, timing TEXT NOT NULL, origin TEXT NOT NULL,
    title TEXT NOT NULL, one_liner TEXT NOT NULL, is_latin INTEGER NOT NULL
);
CREATE TABLE passages (
    number INTEGER NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (number, part)
) WITHOUT ROWID;
CREATE TABLE vectors (
    model TEXT NOT NULL, number INTEGER NOT NULL, part INTEGER NOT NULL, hub_latin REAL NOT NULL,
    hub_cjk REAL NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, number, part)
) WITHOUT ROWID;
CREATE TABLE frequencies (token TEXT PRIMARY KEY, holders INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE changes (change INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER NOT NULL);
CREATE VIRTUAL TABLE words USING fts5 (tokens, tokenize = 'ascii');
INSERT INTO facts VALUES ('documents', 0), ('length', 0);
"""

# FTS5's ascii tokenizer takes every character above 127 as part of a word: so punctuation moves there.
_SAFE = {code: 0xE000 + code for code in range(33, 127) if not chr(code).isalnum()}
# Marks of a vector's document: its timing, whether it is archived or quarantined, whether it is in Latin script.
_TIMINGS = {"pre": 1, "post": 2, "both": 16}
_ARCHIVED = 4
_LATIN = 8
_QUARANTINED = 32
_STATUSES = {"archive": _ARCHIVED, QUARANTINED: _QUARANTINED}
_COLUMNS = tuple(field.name for field in fields(Found))
_NAMES = ", ".join(_COLUMNS)


class SqliteIndex:
    """One file under `.local/`, or memory alone where no file can be written.

    Every method may raise sqlite3.DatabaseError for a damaged file; whoever wires the index then makes it anew.
    """

    def __init__(self, path: Path | None) -> None:
        name = ":memory:" if path is None else str(path)
        self._tables: dict[str, tuple[int, VectorTable]] = {}
        self._whole: dict[tuple[str, bool | None], int] = {}
        self._connection = sqlite3.connect(name, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def close(self) -> None:
        """Give back the connection."""
        self._connection.close()

    def known(self) -> dict[str, str]:
        """Return key → digest of every document."""
        return dict(self._connection.execute("SELECT key, digest FROM documents"))

    def update(self, put: Iterable[Document], drop: Iterable[str]) -> None:
        """Add, replace and remove documents in one transaction."""
        with _Writing(self._connection):
            for key in drop:
                self._remove(key)
            for document in put:
                self._remove(document.key)
                self._add(document)
            self._forget_old_changes()

    def find(self, keys: Iterable[str]) -> dict[str, Found]:
        """Return what is known of these documents."""
        found = {}
        for key in keys:
            row = self._one(f"SELECT {_NAMES} FROM documents WHERE key = ?", key)
            if row is not None:
                members: dict[str, Any] = dict(zip(_COLUMNS, row, strict=True))
                found[key] = Found(**{**members, "is_latin": bool(members["is_latin"])})
        return found

    def by_keywords(self, tokens: Sequence[str], limit: int, wanted: Filter) -> dict[str, KeywordScore]:
        """Return the best documents for these tokens, found by FTS5 and scored by our own formula."""
        safe = [token.translate(_SAFE) for token in dict.fromkeys(tokens)]
        asked = _affordable(self._holders(safe))
        if not asked:
            return {}
        left_out = [*([] if wanted.archived else ["archive"]), *([] if wanted.quarantined else [QUARANTINED])]
        # FTS5 keeps the best by itself as long as nothing is joined; what may not be found is left out afterwards.
        rows = self._connection.execute(
            "SELECT key, words.tokens FROM"
            " (SELECT rowid AS best, rank AS place FROM words WHERE words MATCH ?"
            f" ORDER BY rank LIMIT {_BEFORE_FILTER})"
            " JOIN documents ON number = best JOIN words ON words.rowid = best"
            f" WHERE timing IN ({_marks(wanted.timings)}) AND status NOT IN ({_marks(left_out)})"
            f" ORDER BY place, key LIMIT {_CANDIDATES}",
            (" OR ".join(f'"{token}"' for token in asked), *wanted.timings, *left_out),
        )
        scored = self._scored(safe, rows)
        return dict(sorted(scored.items(), key=lambda item: (-item[1].score, item[0]))[:limit])

    def coverage(self, tokens: Sequence[str], keys: Iterable[str]) -> dict[str, KeywordScore]:
        """Return how these documents fit the tokens."""
        chosen = list(keys)
        rows: list[tuple[str, str]] = []
        for start in range(0, len(chosen), _MOST_VALUES):
            some = chosen[start : start + _MOST_VALUES]
            rows += self._connection.execute(
                "SELECT key, words.tokens FROM documents JOIN words ON number = words.rowid"
                f" WHERE key IN ({_marks(some)})",
                some,
            )
        return self._scored([token.translate(_SAFE) for token in dict.fromkeys(tokens)], rows)

    def by_vector(
        self, model: str, vector: Vector, limit: int, wanted: Filter, near: Nearness, *, also: Iterable[str] = ()
    ) -> VectorHits:
        """Return the documents of one script nearest to a vector of one model, and those of `also` in any case."""
        rows = (self._one("SELECT number FROM documents WHERE key = ?", key) for key in also)
        numbers, median, documents = self._table(model, len(vector)).nearest(
            vector,
            limit,
            near,
            also={int(str(row[0])) for row in rows if row is not None},
            any_of=sum(_TIMINGS[timing] for timing in wanted.timings),
            needed=_LATIN if near.latin_documents else 0,
            refused=(0 if wanted.archived else _ARCHIVED)
            | (0 if wanted.quarantined else _QUARANTINED)
            | (0 if near.latin_documents else _LATIN),
        )
        scores: dict[str, float] = {}
        for number, value in numbers.items():
            row = self._one("SELECT key FROM documents WHERE number = ?", number)
            if row is not None:
                scores[str(row[0])] = value
        return VectorHits(scores, median, documents)

    def without_vectors(self, model: str, limit: int, *, latin: bool | None) -> list[tuple[str, tuple[str, ...]]]:
        """Return key and passages of documents that have no vectors of this model yet, newest first.

        Once none was missing, only what changed since is looked at: this is asked before every recall.
        """
        first, last = self._ends()
        seen = self._whole.get((model, latin), -1)
        if seen == last:
            return []
        script = "" if latin is None else f"AND is_latin = {int(latin)}"
        recent = (
            f"AND number IN (SELECT number FROM changes WHERE change > {seen})" if seen >= max(first - 1, 0) else ""
        )
        rows = self._connection.execute(
            "SELECT number, key FROM documents WHERE NOT EXISTS"
            f" (SELECT 1 FROM vectors WHERE model = ? AND vectors.number = documents.number) {script} {recent}"
            " ORDER BY number DESC LIMIT ?",
            (model, limit),
        ).fetchall()
        if not rows:
            self._whole[model, latin] = last
        return [(key, self._passages(number)) for number, key in rows]

    def put_vectors(self, model: str, vectors: Mapping[str, Vectors]) -> None:
        """Keep the vectors of documents."""
        from tacit.index.vectors import as_blob

        with _Writing(self._connection):
            for key, those in vectors.items():
                row = self._one("SELECT number FROM documents WHERE key = ?", key)
                if row is None:
                    continue
                self._connection.executemany(
                    "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?, ?)",
                    [
                        (model, row[0], part, those.hub_latin, those.hub_cjk, as_blob(vector))
                        for part, vector in enumerate(those.rows)
                    ],
                )
                self._connection.execute("INSERT INTO changes (number) VALUES (?)", row)
            self._forget_old_changes()

    def drop_vectors(self, keep: Iterable[str]) -> None:
        """Forget the vectors of all models but these."""
        kept = set(keep)
        gone = [model for model in self._models() if model not in kept]
        if gone:
            with _Writing(self._connection):
                self._connection.execute(f"DELETE FROM vectors WHERE model IN ({_marks(gone)})", gone)
        for model in gone:
            self._tables.pop(model, None)
            self._whole = {key: seen for key, seen in self._whole.items() if key[0] != model}

    def counts(self) -> Counts:
        """Return how many documents there are, and how many have vectors of each model."""
        rows = self._connection.execute("SELECT model, count(DISTINCT number) FROM vectors GROUP BY model")
        return Counts(int(self._facts()[0]), dict(rows.fetchall()))

    def damage(self) -> list[str]:
        """Return what SQLite's own checks find; nothing in a healthy index."""
        found = [str(row[0]) for row in self._connection.execute("PRAGMA quick_check")]
        try:
            self._connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
        except sqlite3.DatabaseError as error:
            found.append(str(error))
        return [text for text in found if text != "ok"]

    def _models(self) -> Iterator[str]:
        """The models that have vectors here, found by jumping from one to the next instead of reading all rows."""
        last = ""
        while row := self._one("SELECT model FROM vectors WHERE model > ? ORDER BY model LIMIT 1", last):
            last = str(row[0])
            yield last

    def _prepare(self) -> None:
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        if self._version() == VERSION:
            return
        with _Writing(self._connection):
            if self._version() == 0:
                for statement in _SCHEMA.split(";\n"):
                    self._connection.execute(statement)
                self._connection.execute(f"PRAGMA user_version = {VERSION}")
        if self._version() != VERSION:
            message = f"the index has version {self._version()}"
            raise sqlite3.DatabaseError(message)

    def _version(self) -> int:
        return int(self._connection.execute("PRAGMA user_version").fetchone()[0])

    def _one(self, statement: str, value: object) -> tuple[object, ...] | None:
        row: tuple[object, ...] | None = self._connection.execute(statement, (value,)).fetchone()
        return row

    def _remove(self, key: str) -> None:
        row = self._one("SELECT number FROM documents WHERE key = ?", key)
        if row is None:
            return
        words = self._one("SELECT tokens FROM words WHERE rowid = ?", row[0])
        self._count(str(words[0]) if words else "", -1)
        self._connection.execute("DELETE FROM words WHERE rowid = ?", row)
        for table in ("documents", "passages", "vectors"):
            self._connection.execute(f"DELETE FROM {table} WHERE number = ?", row)
        self._connection.execute("INSERT INTO changes (number) VALUES (?)", row)

    def _add(self, document: Document) -> None:
        words = document.words.translate(_SAFE)
        values = [getattr(document, name) for name in _COLUMNS]
        number = self._connection.execute(
            f"INSERT INTO documents ({_NAMES}) VALUES ({_marks(values)})", values
        ).lastrowid
        self._connection.execute("INSERT INTO words (rowid, tokens) VALUES (?, ?)", (number, words))
        self._connection.executemany(
            "INSERT INTO passages VALUES (?, ?, ?)",
            [(number, part, text) for part, text in enumerate(document.passages)],
        )
        self._count(words, 1)

    def _count(self, words: str, sign: int) -> None:
        """Keep the statistics that scoring needs in step with a document that comes or goes."""
        tokens = words.split()
        self._connection.executemany(
            "INSERT INTO frequencies VALUES (?, ?)"
            " ON CONFLICT (token) DO UPDATE SET holders = holders + excluded.holders",
            [(token, sign) for token in set(tokens)],
        )
        self._connection.execute(
            "UPDATE facts SET value = value + CASE name WHEN 'documents' THEN ? ELSE ? END"
            " WHERE name IN ('documents', 'length')",
            (sign, sign * len(tokens)),
        )

    def _forget_old_changes(self) -> None:
        """Keep the newest changes: whoever has not looked for so long reads everything again."""
        self._connection.execute(
            "DELETE FROM changes WHERE change <= (SELECT max(change) FROM changes) - ?", (_CHANGES,)
        )

    def _facts(self) -> tuple[float, float]:
        facts = dict(self._connection.execute("SELECT name, value FROM facts"))
        return facts["documents"], facts["length"]

    def _holders(self, tokens: Sequence[str]) -> dict[str, int]:
        found: dict[str, int] = {}
        for start in range(0, len(tokens), _MOST_VALUES):
            some = tokens[start : start + _MOST_VALUES]
            found |= self._connection.execute(
                f"SELECT token, holders FROM frequencies WHERE token IN ({_marks(some)})", some
            )
        return found

    def _scored(self, tokens: Sequence[str], rows: Iterable[tuple[str, str]]) -> dict[str, KeywordScore]:
        documents, length = self._facts()
        weighed = scoring.weights(tokens, self._holders(tokens), int(documents))
        asked = scoring.Asked(weighed, int(documents), length / documents if documents else 1.0)
        return {key: asked.score(words) for key, words in rows}

    def _passages(self, number: int) -> tuple[str, ...]:
        rows = self._connection.execute("SELECT text FROM passages WHERE number = ? ORDER BY part", (number,))
        return tuple(text for (text,) in rows)

    def _ends(self) -> tuple[int, int]:
        """Return the oldest and the newest change that is known."""
        # Two questions, each answered from the table's end; asked together they would read all of it.
        ends = "SELECT coalesce((SELECT min(change) FROM changes), 0), coalesce((SELECT max(change) FROM changes), 0)"
        first, last = self._connection.execute(ends).fetchone()
        return int(first), int(last)

    def _table(self, model: str, dimension: int) -> VectorTable:
        """Return the vectors of a model, brought up to what any process has changed since the last look."""
        from tacit.index.vectors import VectorTable

        first, last = self._ends()
        seen, table = self._tables.get(model, (-1, None))
        if table is None or seen < first - 1:  # what changed in between is forgotten
            table = VectorTable(dimension, lambda numbers: self._exact(model, numbers))
            for batch in self._batches(model, "", ()):
                table.add(batch)
        elif seen != last:
            rows = self._connection.execute("SELECT DISTINCT number FROM changes WHERE change > ?", (seen,))
            touched = [number for (number,) in rows]
            table.drop(set(touched))
            for start in range(0, len(touched), _MOST_VALUES):
                some = touched[start : start + _MOST_VALUES]
                for batch in self._batches(model, f"AND vectors.number IN ({_marks(some)})", some):
                    table.add(batch)
        self._tables[model] = (last, table)
        return table

    def _batches(self, model: str, condition: str, values: Sequence[int]) -> Iterator[list[Row]]:
        from tacit.index.vectors import Row

        rows = self._connection.execute(
            "SELECT vectors.number, timing, status, is_latin, hub_latin, hub_cjk, vector"
            " FROM vectors JOIN documents USING (number)"
            f" WHERE model = ? {condition} ORDER BY vectors.number, part",
            (model, *values),
        )
        while batch := rows.fetchmany(_BATCH):
            yield [
                Row(
                    number,
                    _TIMINGS[timing] | _STATUSES.get(status, 0) | (_LATIN if is_latin else 0),
                    hub_latin,
                    hub_cjk,
                    vector,
                )
                for number, timing, status, is_latin, hub_latin, hub_cjk, vector in batch
            ]

    def _exact(self, model: str, numbers: list[int]) -> Iterator[tuple[int, bytes]]:
        yield from self._connection.execute(
            f"SELECT number, vector FROM vectors WHERE model = ? AND number IN ({_marks(numbers)})",
            (model, *numbers),
        )


class _Writing:
    """A write transaction that takes its lock at once, so that it never fails half way for a reader's sake."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._connection.execute("COMMIT" if kind is None else "ROLLBACK")


def _affordable(holders: Mapping[str, int]) -> list[str]:
    """Return the rarest tokens whose matches fit the budget together, the rarest one in any case."""
    chosen: list[str] = []
    spent = 0
    for token in sorted(holders, key=lambda token: (holders[token], token)):
        spent += holders[token]
        if holders[token] and (not chosen or spent <= _BUDGET):
            chosen.append(token)
    return chosen


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
