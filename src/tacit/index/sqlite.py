"""The index in one SQLite file: documents, their words and their vectors."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from tacit.index import scoring
from tacit.index.contract import Counts, Found, KeywordHits, VectorHits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from tacit.index.contract import Document, Filter
    from tacit.index.embed.port import Vector
    from tacit.index.vectors import Row, VectorTable

# Raised when tables, tokens or scoring change: an index of another version is made anew.
VERSION = 1
_BUSY_S = 5.0
_CANDIDATES = 60
# How many matches a query may make SQLite score; the rarest words come first, common ones only if there is room.
_BUDGET = 5_000

_SCHEMA = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, note_id TEXT NOT NULL,
    file TEXT NOT NULL, layer TEXT NOT NULL, status TEXT NOT NULL, timing TEXT NOT NULL, origin TEXT NOT NULL,
    title TEXT NOT NULL, one_liner TEXT NOT NULL, is_latin INTEGER NOT NULL
);
CREATE TABLE passages (number INTEGER NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (number, part))
    WITHOUT ROWID;
CREATE TABLE vectors (
    model TEXT NOT NULL, number INTEGER NOT NULL, part INTEGER NOT NULL, vector BLOB NOT NULL,
    PRIMARY KEY (model, number, part)
) WITHOUT ROWID;
CREATE TABLE frequencies (token TEXT PRIMARY KEY, holders INTEGER NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5 (head, body, tokenize = 'ascii');
INSERT INTO words (words, rank) VALUES ('rank', 'bm25(2.0, 1.0)');
CREATE TABLE changes (change INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER NOT NULL);
INSERT INTO facts VALUES ('documents', 0), ('length', 0);
"""

# FTS5's ascii tokenizer takes every character above 127 as part of a word: so punctuation goes there.
_SAFE = {code: 0xE000 + code for code in range(33, 127) if not chr(code).isalnum()}
# Marks of a vector's document: its timing, whether it is archived, whether it is in Latin script.
_TIMINGS = {"pre": 1, "post": 2, "both": 16}
_ARCHIVED = 4
_LATIN = 8
# SQLite takes at most this many values in one statement, and some to spare.
_MOST_MARKS = 900
_FOUND = "key, digest, note_id, file, layer, status, timing, origin, title, one_liner, is_latin"


class SqliteIndex:
    """One file under `.local/`, or memory alone where no file can be written.

    Every method may raise sqlite3.DatabaseError for a damaged file; whoever wires the index then makes it anew.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._connection = self._open()
        self._tables: dict[str, tuple[int, VectorTable]] = {}

    def _open(self) -> sqlite3.Connection:
        name = ":memory:" if self._path is None else str(self._path)
        connection = sqlite3.connect(name, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            with _Writing(connection):
                version = connection.execute("PRAGMA user_version").fetchone()[0]
                if version != VERSION:
                    if version != 0:
                        message = f"index of version {version}"
                        raise sqlite3.DatabaseError(message)
                    for statement in _SCHEMA.split(";\n"):
                        connection.execute(statement)
                    connection.execute(f"PRAGMA user_version = {VERSION}")
        except BaseException:
            connection.close()
            raise
        return connection

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

    def _remove(self, key: str) -> None:
        row = self._connection.execute("SELECT number FROM documents WHERE key = ?", (key,)).fetchone()
        if row is None:
            return
        head, body = self._connection.execute("SELECT head, body FROM words WHERE rowid = ?", row).fetchone()
        self._count(head, body, -1)
        self._connection.execute("DELETE FROM words WHERE rowid = ?", row)
        for table in ("documents", "passages", "vectors"):
            self._connection.execute(f"DELETE FROM {table} WHERE number = ?", row)  # noqa: S608  names from here
        self._connection.execute("INSERT INTO changes (number) VALUES (?)", row)

    def _add(self, document: Document) -> None:
        head, body = document.head.translate(_SAFE), document.body.translate(_SAFE)
        is_latin = all(passage.isascii() or not has_cjk(passage) for passage in document.passages)
        number = self._connection.execute(
            f"INSERT INTO documents ({_FOUND}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608  as above
            (
                document.key,
                document.digest,
                document.note_id,
                document.file,
                document.layer,
                document.status,
                document.timing,
                document.origin,
                document.title,
                document.one_liner,
                is_latin,
            ),
        ).lastrowid
        self._connection.execute("INSERT INTO words (rowid, head, body) VALUES (?, ?, ?)", (number, head, body))
        self._connection.executemany(
            "INSERT INTO passages VALUES (?, ?, ?)",
            [(number, part, text) for part, text in enumerate(document.passages)],
        )
        self._count(head, body, 1)

    def _count(self, head: str, body: str, sign: int) -> None:
        self._connection.executemany(
            "INSERT INTO frequencies VALUES (?, ?) ON CONFLICT (token) DO UPDATE SET holders = holders + excluded.holders",
            [(token, sign) for token in {*head.split(), *body.split()}],
        )
        self._connection.execute(
            "UPDATE facts SET value = value + CASE name WHEN 'documents' THEN ? ELSE ? END"
            " WHERE name IN ('documents', 'length')",
            (sign, sign * scoring.length(head, body)),
        )

    def find(self, keys: Iterable[str]) -> dict[str, Found]:
        """Return what is known of these documents."""
        found = {}
        for key in keys:
            row = self._connection.execute(f"SELECT {_FOUND} FROM documents WHERE key = ?", (key,)).fetchone()  # noqa: S608
            if row is not None:
                found[key] = Found(*row[:-1], bool(row[-1]))
        return found

    def by_keywords(self, tokens: Sequence[str], limit: int, wanted: Filter) -> KeywordHits:
        """Return the best documents for these tokens, scored by our own formula."""
        documents, length = self._facts()
        having = {token: self._having(token) for token in dict.fromkeys(tokens)}
        weights = {token: scoring.weight(documents, count) for token, count in having.items()}
        asked = _affordable(having)
        if not asked:
            return KeywordHits({}, {}, weights)
        safe = {token.translate(_SAFE): token for token in weights}
        condition, values = _where(wanted)
        rows = self._connection.execute(
            "SELECT key, words.head, words.body FROM words JOIN documents ON number = words.rowid"  # noqa: S608  as above
            f" WHERE words MATCH ? {condition} ORDER BY rank LIMIT {_CANDIDATES}",
            (" OR ".join(f'"{token.translate(_SAFE)}"' for token in asked), *values),
        )
        safe_weights = {coded: weights[token] for coded, token in safe.items()}
        mean = length / documents if documents else 1.0
        scored = {key: scoring.bm25(safe_weights, head, body, mean) for key, head, body in rows}
        best = sorted(scored.items(), key=lambda item: (-item[1][0], item[0]))[:limit]
        return KeywordHits(
            {key: score for key, (score, _) in best},
            {key: tuple(safe[coded] for coded in matched) for key, (_, matched) in best},
            weights,
        )

    def by_vector(self, model: str, vector: Vector, limit: int, wanted: Filter, *, latin: bool | None) -> VectorHits:
        """Return the documents nearest to a vector of one model."""
        numbers, mean, deviation = self._table(model, len(vector)).nearest(
            vector,
            limit,
            needed=_LATIN if latin else 0,
            any_of=sum(_TIMINGS[timing] for timing in wanted.timings),
            refused=(0 if wanted.archived else _ARCHIVED) | (_LATIN if latin is False else 0),
        )
        scores: dict[str, float] = {}
        for number, cosine in numbers.items():
            row = self._connection.execute("SELECT key FROM documents WHERE number = ?", (number,)).fetchone()
            if row is not None:
                scores[row[0]] = cosine
        return VectorHits(scores, mean, deviation)

    def without_vectors(self, model: str, limit: int, *, latin: bool | None) -> list[tuple[str, tuple[str, ...]]]:
        """Return key and passages of documents that have no vectors of this model yet, newest first."""
        condition = "" if latin is None else f"AND is_latin = {int(latin)}"
        rows = self._connection.execute(
            "SELECT number, key FROM documents WHERE NOT EXISTS"  # noqa: S608  as above
            f" (SELECT 1 FROM vectors WHERE model = ? AND vectors.number = documents.number) {condition}"
            " ORDER BY number DESC LIMIT ?",
            (model, limit),
        ).fetchall()
        return [(key, self._passages(number)) for number, key in rows]

    def put_vectors(self, model: str, vectors: Mapping[str, Sequence[Vector]]) -> None:
        """Keep the vectors of documents, one for each passage."""
        from tacit.index.vectors import as_blob

        with _Writing(self._connection):
            for key, several in vectors.items():
                row = self._connection.execute("SELECT number FROM documents WHERE key = ?", (key,)).fetchone()
                if row is not None:
                    self._connection.executemany(
                        "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)",
                        [(model, row[0], part, as_blob(vector)) for part, vector in enumerate(several)],
                    )
                    self._connection.execute("INSERT INTO changes (number) VALUES (?)", row)

    def counts(self) -> Counts:
        """Return how many documents there are, and how many have vectors of each model."""
        rows = self._connection.execute("SELECT model, count(DISTINCT number) FROM vectors GROUP BY model")
        return Counts(int(self._facts()[0]), dict(rows.fetchall()))

    def damage(self) -> list[str]:
        """Return what SQLite's own checks find; nothing in a healthy index."""
        found = [str(row[0]) for row in self._connection.execute("PRAGMA quick_check")]
        self._connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
        return [text for text in found if text != "ok"]

    def _facts(self) -> tuple[float, float]:
        facts = dict(self._connection.execute("SELECT name, value FROM facts"))
        return facts["documents"], facts["length"]

    def _having(self, token: str) -> int:
        row = self._connection.execute(
            "SELECT holders FROM frequencies WHERE token = ?", (token.translate(_SAFE),)
        ).fetchone()
        return int(row[0]) if row else 0

    def _passages(self, number: int) -> tuple[str, ...]:
        rows = self._connection.execute("SELECT text FROM passages WHERE number = ? ORDER BY part", (number,))
        return tuple(text for (text,) in rows)

    def _table(self, model: str, dimension: int) -> VectorTable:
        """Return the vectors of a model, brought up to what any process has changed since the last look."""
        from tacit.index.vectors import Row, VectorTable

        last = self._connection.execute("SELECT coalesce(max(change), 0) FROM changes").fetchone()[0]
        seen, table = self._tables.get(model, (-1, None))
        if table is None:
            table = VectorTable(dimension, lambda numbers: self._vectors(model, numbers))
            table.add(self._rows(model, "", ()))
        elif seen != last:
            rows = self._connection.execute("SELECT DISTINCT number FROM changes WHERE change > ?", (seen,))
            touched = [number for (number,) in rows]
            table.drop(set(touched))
            for start in range(0, len(touched), _MOST_MARKS):
                some = touched[start : start + _MOST_MARKS]
                table.add(self._rows(model, f"AND vectors.number IN ({_marks(some)})", some))
        self._tables[model] = (last, table)
        return table

    def _rows(self, model: str, condition: str, values: Sequence[int]) -> list[Row]:
        from tacit.index.vectors import Row

        rows = self._connection.execute(
            "SELECT vectors.number, timing, status, is_latin, vector FROM vectors JOIN documents USING (number)"  # noqa: S608
            f" WHERE model = ? {condition} ORDER BY vectors.number, part",
            (model, *values),
        )
        return [
            Row(
                number,
                _TIMINGS[timing] | (_ARCHIVED if status == "archive" else 0) | (_LATIN if is_latin else 0),
                vector,
            )
            for number, timing, status, is_latin, vector in rows
        ]

    def _vectors(self, model: str, numbers: list[int]) -> Iterator[tuple[int, bytes]]:
        yield from self._connection.execute(
            f"SELECT number, vector FROM vectors WHERE model = ? AND number IN ({_marks(numbers)})",  # noqa: S608
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


def _affordable(having: Mapping[str, int]) -> list[str]:
    """Return the rarest tokens whose matches fit the budget together, the rarest one in any case."""
    chosen: list[str] = []
    spent = 0
    for token in sorted(having, key=lambda token: (having[token], token)):
        spent += having[token]
        if having[token] and (not chosen or spent <= _BUDGET):
            chosen.append(token)
    return chosen


def _where(wanted: Filter) -> tuple[str, tuple[str, ...]]:
    archived = "" if wanted.archived else "AND status <> 'archive'"
    return f"AND timing IN ({_marks(wanted.timings)}) {archived}", wanted.timings


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


def has_cjk(text: str) -> bool:
    """Whether a text has a character of the Chinese, Japanese or Korean scripts."""
    return not text.isascii() and any("\u3040" <= char <= "\ud7af" or "\uf900" <= char <= "\ufaff" for char in text)
