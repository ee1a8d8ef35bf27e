"""The index in one SQLite file: documents, the words they hold and their vectors."""

from __future__ import annotations

import _sqlite3 as sqlite3  # the rest of it adds dates, which no index has, and takes long to load
from typing import TYPE_CHECKING, Any, NamedTuple

from tacit.index import contract, keywords, postings
from tacit.index.contract import Counts, Found, KeywordScore, VectorHits, older
from tacit.index.process import give_back

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from tacit.index.contract import Document, Filter, Nearness, Vectors
    from tacit.index.embed.port import Vector
    from tacit.index.vectors import Rows, VectorTable

# Raised when tables, tokens or scoring change: an index of another version is made anew.
VERSION = 7
_BUSY_S = 5.0
# SQLite takes at most this many values in one statement, with some to spare.
_MOST_VALUES = 512
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
CREATE TABLE words (number INTEGER PRIMARY KEY, tokens TEXT NOT NULL);
CREATE TABLE postings (
    token TEXT NOT NULL, block INTEGER NOT NULL, entries BLOB NOT NULL, PRIMARY KEY (token, block)
) WITHOUT ROWID;
CREATE TABLE frequencies (token TEXT PRIMARY KEY, holders INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE vectors (
    place INTEGER PRIMARY KEY AUTOINCREMENT, model TEXT NOT NULL, number INTEGER NOT NULL, hub_latin REAL NOT NULL,
    hub_cjk REAL NOT NULL, signs BLOB NOT NULL
);
CREATE INDEX vectors_of_model ON vectors (model, number);
CREATE TABLE exact (place INTEGER PRIMARY KEY, vector BLOB NOT NULL);
CREATE TABLE changes (change INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER NOT NULL);
CREATE TABLE files (file TEXT PRIMARY KEY, stamp INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO facts VALUES ('documents', 0), ('length', 0);
"""

_COLUMNS = Found._fields
_NAMES = ", ".join(_COLUMNS)


_Moment = tuple[int, int]


class _Query(NamedTuple):
    """How many documents hold each token of a query, itself ready to be held against them, and how long they are."""

    holders: Mapping[str, int]
    asked: postings.Asked
    weighed: Mapping[str, float]
    mean_length: float


class SqliteIndex:
    """One file under `.local/`, or memory alone where no file can be written.

    Every method may raise sqlite3.DatabaseError for a damaged file; whoever wires the index then makes it anew.
    """

    def __init__(self, path: Path | None) -> None:
        name = ":memory:" if path is None else str(path)
        self._tables: dict[str, tuple[int, VectorTable]] = {}
        self._whole: dict[tuple[str, bool | None], int] = {}
        self._scripts: set[bool] = set()
        self._without: dict[bool, int] = {}
        # The ends of the changes and the last query with its weights, each with the moment it was read in.
        self._ends_then: tuple[_Moment, tuple[int, int]] | None = None
        self._asked_then: tuple[_Moment, Sequence[str], _Query] | None = None
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

    def update(
        self, put: Iterable[Document], drop: Iterable[str], stamps: Mapping[str, int | None] | None = None
    ) -> None:
        """Add, replace and remove documents in one transaction, and remember the stamps of their files."""
        with _Writing(self._connection):
            words: dict[int, str] = {}
            gone: dict[int, str] = {}
            for key in drop:
                gone |= self._remove(key)
            for document in put:
                old = self._remove(document.key)
                # A document that came a moment ago, in this very update, has no postings yet.
                gone |= {number: tokens for number, tokens in old.items() if words.pop(number, None) is None}
                words[self._add(document)] = document.words
            self._count(words, gone)
            self._post(words, gone)
            for file, stamp in (stamps or {}).items():
                if stamp is None:
                    self._connection.execute("DELETE FROM files WHERE file = ?", (file,))
                else:
                    self._connection.execute("INSERT OR REPLACE INTO files VALUES (?, ?)", (file, stamp))
            self._forget_old_changes()

    def stamps(self) -> dict[str, int]:
        """Return file → the stamp it had when its documents were made."""
        return dict(self._connection.execute("SELECT file, stamp FROM files"))

    def find(self, keys: Iterable[str]) -> dict[str, Found]:
        """Return what is known of these documents."""
        found = {}
        for row in self._among(f"SELECT {_NAMES} FROM documents WHERE key", list(keys)):
            found[row[0]] = Found._make((*row[:-1], bool(row[-1])))
        return found

    def origins(self, note_ids: Iterable[str]) -> dict[str, set[str]]:
        """Return note id → where documents of it come from."""
        found: dict[str, set[str]] = {note_id: set() for note_id in note_ids}
        for note_id, origin in self._among("SELECT note_id, origin FROM documents WHERE note_id", list(found)):
            found[note_id].add(origin)
        return found

    def may_hold(self, *, latin: bool) -> bool:
        """Return whether there may be a document in this script.

        Once one was there, nothing is looked at; once none was there, only what changed since: it is asked before every
        recall.
        """
        if latin in self._scripts:
            return True
        first, last = self._ends()
        seen = self._without.get(latin, -1)
        if seen != last:
            condition = f"is_latin = ? {_changed_since(seen, first)}"
            if self._one(f"SELECT 1 FROM documents WHERE {condition} LIMIT 1", latin):
                self._scripts.add(latin)
                return True
            self._without[latin] = last
        return False

    def by_keywords(self, tokens: Sequence[str], limit: int, wanted: Filter) -> dict[str, KeywordScore]:
        """Return the best documents for these tokens: found by the rarer ones, then scored by all."""
        holders, asked, weighed, mean_length = self._asked(tokens)
        chosen = keywords.affordable(holders, weighed)
        blocks = self._among("SELECT token, block, entries FROM postings WHERE token", chosen)
        worth = keywords.telling(blocks, holders, weighed)
        reached = postings.best(worth, weighed, mean_length, keywords.BEFORE_FILTER)
        # What the words can still add that were too common to look for.
        more = sum(weighed[token] for token in holders if token not in chosen)
        best = keywords.promising(reached, limit, more, lambda numbers: self._that_may_be_found(numbers, wanted))
        scored = {key: asked.score(words) for key, words in best}
        return dict(sorted(scored.items(), key=lambda item: (-item[1].score, item[0]))[:limit])

    def coverage(self, tokens: Sequence[str], keys: Iterable[str]) -> dict[str, KeywordScore]:
        """Return how these documents fit the tokens."""
        asked = self._asked(tokens).asked
        rows = self._among("SELECT key, tokens FROM documents JOIN words USING (number) WHERE key", list(keys))
        return {key: asked.score(words) for key, words in rows}

    def by_vector(
        self, model: str, vector: Vector, limit: int, wanted: Filter, near: Nearness, *, also: Iterable[str] = ()
    ) -> VectorHits:
        """Return the documents of one script nearest to a vector of one model, and those of `also` in any case."""
        also_numbers = [number for (number,) in self._among("SELECT number FROM documents WHERE key", list(also))]
        numbers, median, documents = self._table(model, len(vector)).nearest(
            vector,
            limit,
            near,
            also=also_numbers,
            fitting=contract.fitting(wanted, near),
        )
        keys = dict(self._among("SELECT number, key FROM documents WHERE number", list(numbers)))
        scores = {keys[number]: value for number, value in numbers.items() if number in keys}
        return VectorHits(scores, median, documents)

    def without_vectors(self, model: str, limit: int, *, latin: bool | None) -> list[tuple[str, tuple[str, ...]]]:
        """Return key and passages of documents that have no vectors of this model yet, newest first.

        Once none was missing, only what changed since is looked at: this is asked before every recall.
        """
        first, last = self._ends()
        seen = self._whole.get((model, latin), -1)
        if seen == last:
            return []
        recent = _changed_since(seen, first)
        rows = self._connection.execute(
            "SELECT number, key FROM documents WHERE NOT EXISTS"
            f" (SELECT 1 FROM vectors WHERE model = ? AND vectors.number = documents.number) {_script(latin)} {recent}"
            " ORDER BY number DESC LIMIT ?",
            (model, limit),
        ).fetchall()
        if not rows:
            self._whole[model, latin] = last
        return [(key, self._passages(number)) for number, key in rows]

    def missing_vectors(self, model: str, *, latin: bool | None) -> int:
        """Return how many documents have no vectors of this model yet."""
        row = self._connection.execute(
            "SELECT count(*) FROM documents WHERE NOT EXISTS"
            f" (SELECT 1 FROM vectors WHERE model = ? AND vectors.number = documents.number) {_script(latin)}",
            (model,),
        ).fetchone()
        return int(row[0])

    def put_vectors(self, model: str, vectors: Mapping[str, Vectors]) -> None:
        """Keep the vectors of documents."""
        from tacit.index.vectors import as_blob, signs

        with _Writing(self._connection):
            for key, those in vectors.items():
                row = self._one("SELECT number FROM documents WHERE key = ?", key)
                if row is None:
                    continue
                self._remove_vectors("model = ? AND number = ?", (model, *row))
                for vector in those.rows:
                    place = self._connection.execute(
                        "INSERT INTO vectors (model, number, hub_latin, hub_cjk, signs) VALUES (?, ?, ?, ?, ?)",
                        (model, *row, those.hub_latin, those.hub_cjk, signs(vector.reshape(1, -1)).tobytes()),
                    ).lastrowid
                    self._connection.execute("INSERT INTO exact VALUES (?, ?)", (place, as_blob(vector)))
                self._connection.execute("INSERT INTO changes (number) VALUES (?)", row)
            self._forget_old_changes()

    def drop_older(self, models: Iterable[str]) -> None:
        """Forget the vectors of other versions of these models; those of other models may be somebody else's."""
        gone = older(self._models(), models)
        if gone:
            with _Writing(self._connection):
                for model in gone:
                    self._remove_vectors("model = ?", (model,))
        for model in gone:
            self._tables.pop(model, None)
            self._whole = {key: seen for key, seen in self._whole.items() if key[0] != model}

    def counts(self) -> Counts:
        """Return how many documents there are, and how many have vectors of each model."""
        rows = self._connection.execute("SELECT model, count(DISTINCT number) FROM vectors GROUP BY model")
        return Counts(int(self._facts()[0]), dict(rows.fetchall()))

    def damage(self) -> list[str]:
        """Return what SQLite's own check finds, and where words do not fit what is known of them."""
        found = [str(row[0]) for row in self._connection.execute("PRAGMA quick_check")]
        rows = self._connection.execute("SELECT number, tokens FROM documents LEFT JOIN words USING (number)")
        found += keywords.unfit(rows, self._connection.execute("SELECT token, block, entries FROM postings"))
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

    def _among(self, question: str, values: Sequence[object]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a question that ends in the name of a column, for the rows with one of these values."""
        for start in range(0, len(values), _MOST_VALUES):
            some = list(values[start : start + _MOST_VALUES])
            # As many marks as one of a few powers of two, so that the question is one that SQLite has prepared before.
            some += some[:1] * ((1 << (len(some) - 1).bit_length()) - len(some))
            yield from self._connection.execute(f"{question} IN ({_marks(some)})", some)

    def _that_may_be_found(self, numbers: Sequence[int], wanted: Filter) -> Iterator[tuple[int, str, str]]:
        """Yield number, key and words of those of these documents that the filter lets through."""
        left_out = keywords.left_out(wanted)
        yield from self._connection.execute(
            f"SELECT number, key, tokens FROM documents JOIN words USING (number) WHERE number IN ({_marks(numbers)})"
            f" AND timing IN ({_marks(wanted.timings)}) AND status NOT IN ({_marks(left_out)})",
            (*numbers, *wanted.timings, *left_out),
        )

    def _remove(self, key: str) -> dict[int, str]:
        """Take out a document with its vectors; return its number and words, for its postings go with others'."""
        row = self._one("SELECT number, tokens FROM documents JOIN words USING (number) WHERE key = ?", key)
        if row is None:
            return {}
        number = int(str(row[0]))
        for table in ("documents", "passages", "words"):
            self._connection.execute(f"DELETE FROM {table} WHERE number = ?", (number,))
        for model in self._models():
            self._remove_vectors("model = ? AND number = ?", (model, number))
        self._connection.execute("INSERT INTO changes (number) VALUES (?)", (number,))
        return {number: str(row[1])}

    def _remove_vectors(self, condition: str, values: tuple[object, ...]) -> None:
        self._connection.execute(
            f"DELETE FROM exact WHERE place IN (SELECT place FROM vectors WHERE {condition})", values
        )
        self._connection.execute(f"DELETE FROM vectors WHERE {condition}", values)

    def _add(self, document: Document) -> int:
        values = [getattr(document, name) for name in _COLUMNS]
        number = self._connection.execute(
            f"INSERT INTO documents ({_NAMES}) VALUES ({_marks(values)})", values
        ).lastrowid
        self._connection.execute("INSERT INTO words VALUES (?, ?)", (number, document.words))
        self._connection.executemany(
            "INSERT INTO passages VALUES (?, ?, ?)",
            [(number, part, text) for part, text in enumerate(document.passages)],
        )
        self._connection.execute("INSERT INTO changes (number) VALUES (?)", (number,))
        return int(number or 0)

    def _count(self, come: Mapping[int, str], gone: Mapping[int, str]) -> None:
        """Keep the statistics that scoring needs in step with documents that come and go."""
        holders, length = keywords.statistics(come, gone)
        self._connection.executemany(
            "INSERT INTO frequencies VALUES (?, ?)"
            " ON CONFLICT (token) DO UPDATE SET holders = holders + excluded.holders",
            list(holders.items()),
        )
        self._connection.execute(
            "UPDATE facts SET value = value + CASE name WHEN 'documents' THEN ? ELSE ? END"
            " WHERE name IN ('documents', 'length')",
            (len(come) - len(gone), length),
        )

    def _post(self, come: Mapping[int, str], gone: Mapping[int, str]) -> None:
        """Bring the blocks of all words in step with documents that come and go."""
        for place, (added, dropped) in keywords.movements(come, gone).items():
            row = self._connection.execute(
                "SELECT entries FROM postings WHERE token = ? AND block = ?", place
            ).fetchone()
            blob = postings.changed(row[0] if row else b"", added, dropped)
            if blob:
                self._connection.execute("INSERT OR REPLACE INTO postings VALUES (?, ?, ?)", (*place, blob))
            else:
                self._connection.execute("DELETE FROM postings WHERE token = ? AND block = ?", place)

    def _forget_old_changes(self) -> None:
        """Keep the newest changes: whoever has not looked for so long reads everything again."""
        self._connection.execute(
            "DELETE FROM changes WHERE change <= (SELECT max(change) FROM changes) - ?", (_CHANGES,)
        )

    def _facts(self) -> tuple[float, float]:
        facts = dict(self._connection.execute("SELECT name, value FROM facts"))
        return facts["documents"], facts["length"]

    def _holders(self, tokens: Sequence[str]) -> dict[str, int]:
        """Return token → how many documents hold it, without those that none holds."""
        rows = self._among("SELECT token, holders FROM frequencies WHERE token", tokens)
        return {token: holders for token, holders in rows if holders}

    def _asked(self, tokens: Sequence[str]) -> _Query:
        """Return a query with what the index knows of its tokens; both paths ask for the same one after the other."""
        now, then = self._moment(), self._asked_then
        if then is None or then[:2] != (now, tokens):
            different = list(dict.fromkeys(tokens))
            holders = self._holders(different)
            documents, length = self._facts()
            mean_length = length / documents if documents else 1.0
            weighed = postings.weights(different, holders, int(documents))
            asked = postings.Asked(weighed, int(documents), mean_length)
            then = self._asked_then = now, tokens, _Query(holders, asked, weighed, mean_length)
        return then[2]

    def _moment(self) -> _Moment:
        """Return what is another as soon as anything was changed, by another process or by this one."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        return int(version), self._connection.total_changes

    def _passages(self, number: int) -> tuple[str, ...]:
        rows = self._connection.execute("SELECT text FROM passages WHERE number = ? ORDER BY part", (number,))
        return tuple(text for (text,) in rows)

    def _ends(self) -> tuple[int, int]:
        """Return the oldest and the newest change that is known."""
        now, then = self._moment(), self._ends_then
        if then is None or then[0] != now:
            # Two questions, each answered from the table's end; asked together they would read all of it.
            oldest, newest = "(SELECT min(change) FROM changes)", "(SELECT max(change) FROM changes)"
            ends = self._connection.execute(f"SELECT coalesce({oldest}, 0), coalesce({newest}, 0)").fetchone()
            then = self._ends_then = now, ends
        return then[1]

    def _table(self, model: str, dimension: int) -> VectorTable:
        """Return the vectors of a model, brought up to what any process has changed since the last look."""
        from tacit.index.vectors import VectorTable

        first, last = self._ends()
        seen, table = self._tables.get(model, (-1, None))
        if table is None or seen < first - 1:  # what changed in between is forgotten
            table = VectorTable(dimension, self._exact)
            for batch in self._batches("model = ?", (model,)):
                table.add(batch)
            give_back()
        elif seen != last:
            rows = self._connection.execute("SELECT DISTINCT number FROM changes WHERE change > ?", (seen,))
            touched = [number for (number,) in rows]
            table.drop(touched)
            for start in range(0, len(touched), _MOST_VALUES):
                some = touched[start : start + _MOST_VALUES]
                for batch in self._batches(f"model = ? AND vectors.number IN ({_marks(some)})", (model, *some)):
                    table.add(batch)
        self._tables[model] = (last, table)
        return table

    def _batches(self, condition: str, values: tuple[object, ...]) -> Iterator[Rows]:
        from tacit.index.vectors import Rows

        rows = self._connection.execute(
            "SELECT place, vectors.number, timing, status, is_latin, hub_latin, hub_cjk, signs"
            f" FROM vectors JOIN documents USING (number) WHERE {condition} ORDER BY place",
            values,
        )
        while batch := rows.fetchmany(_BATCH):
            places, numbers, timings, statuses, latin, hubs_latin, hubs_cjk, signs = zip(*batch, strict=True)
            marked = [contract.marks_of(*each) for each in zip(timings, statuses, latin, strict=True)]
            yield Rows(places, numbers, marked, hubs_latin, hubs_cjk, b"".join(signs))

    def _exact(self, places: Sequence[int]) -> list[tuple[int, bytes]]:
        """Return the stored vectors of these places, each with its place, in the order of places."""
        return list(self._among("SELECT place, vector FROM exact WHERE place", sorted(places)))


class _Writing:
    """A write transaction that takes its lock at once, so that it never fails half way for a reader's sake."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._connection.execute("COMMIT" if kind is None else "ROLLBACK")


def _script(latin: bool | None) -> str:  # noqa: FBT001  as the contract has it
    return "" if latin is None else f"AND is_latin = {int(latin)}"


def _changed_since(seen: int, first: int) -> str:
    """Return the condition that a document changed after one change; nothing if what came after it is not known."""
    return f"AND number IN (SELECT number FROM changes WHERE change > {seen})" if seen >= max(first - 1, 0) else ""


def _marks(values: Collection[object]) -> str:
    return ",".join("?" * len(values))
