"""The index of one bank in PostgreSQL: documents and the words they hold, in the same numbers as in SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tacit.index import contract, keywords, postings
from tacit.index.contract import Counts, Found, VectorHits, older
from tacit.index.postgres import columns, reads
from tacit.index.postgres.copies import KEY, STATUS, TIMING, WORDS, Copy, Facts, Wanted
from tacit.index.postgres.nearest import NearestRows

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from uuid import UUID

    from psycopg import Connection

    from tacit.index.contract import Document, Filter, KeywordScore, Nearness, Vectors
    from tacit.index.embed.port import Vector
    from tacit.index.postgres.columns import Column
    from tacit.index.postgres.door import Door

# More documents at once than a question needs are read and not kept.
_MOST_KEPT = 500


class _Question(NamedTuple):
    """The tokens of a query as one copy weighs them: who holds each, and how long a document is."""

    copy: Copy
    tokens: Sequence[str]
    asked: postings.Asked
    holders: Mapping[str, int]
    weighed: Mapping[str, float]
    mean_length: float


class PostgresIndex:
    """One bank's rows in a database of many banks; every method may raise DatabaseUnusable.

    A `steady` one is for a single act: it takes the bank to be as it found it, until it changes it itself. `seen` says
    how that is, if the caller knows.
    """

    def __init__(self, door: Door, bank: UUID, *, steady: bool = False, seen: Facts | None = None) -> None:
        self._door = door
        self._bank = bank
        self._steady = steady
        self._seen = seen
        self._at: Copy | None = None  # how a steady one has found it
        self._question: _Question | None = None
        self._nearest = NearestRows(bank, door.half_vector)
        self._whole: dict[tuple[str, bool | None], UUID | None] = {}

    def close(self) -> None:
        """Do nothing: the connections are the door's, which other banks use too."""

    def known(self) -> dict[str, str]:
        """Return key → digest of every document."""
        with self._asking() as asking:
            return dict(asking.execute("SELECT key, digest FROM documents WHERE bank = %s", (self._bank,)).fetchall())

    def update(
        self, put: Iterable[Document], drop: Iterable[str], stamps: Mapping[str, int | None] | None = None
    ) -> None:
        """Add, replace and remove documents in one transaction, and remember the stamps of their files."""
        new: dict[str, Document] = {}
        for document in put:
            new.pop(document.key, None)  # the last one of a key stays, in its place
            new[document.key] = document
        with self._asking() as asking:
            first, models = self._locked(asking)
            gone = self._remove(asking, {*drop, *new}, models)
            come = {first + place: document.words for place, document in enumerate(new.values())}
            self._add(asking, first, new.values())
            self._count(asking, come, gone)
            self._post(asking, come, gone)
            for file, stamp in (stamps or {}).items():
                if stamp is None:
                    asking.execute("DELETE FROM files WHERE bank = %s AND file = %s", (self._bank, file))
                else:
                    asking.execute(
                        "INSERT INTO files VALUES (%s, %s, %s)"
                        " ON CONFLICT (bank, file) DO UPDATE SET stamp = excluded.stamp",
                        (self._bank, file, stamp),
                    )

    def clear(self) -> None:
        """Forget everything of this bank."""
        with self._asking() as asking:
            _, models = self._locked(asking)
            for model in models:
                self._nearest.forget(asking, model)
            for statement in (
                "DELETE FROM documents WHERE bank = %s",
                "DELETE FROM postings WHERE bank = %s",
                "DELETE FROM files WHERE bank = %s",
                "UPDATE banks SET documents = 0, length = 0, state = gen_random_uuid(), models = '{}' WHERE bank = %s",
            ):
                asking.execute(statement, (self._bank,))

    def stamps(self) -> dict[str, int]:
        """Return file → the stamp it had when its documents were made."""
        with self._asking() as asking:
            return dict(asking.execute("SELECT file, stamp FROM files WHERE bank = %s", (self._bank,)).fetchall())

    def find(self, keys: Iterable[str]) -> dict[str, Found]:
        """Return what is known of these documents."""
        wanted = frozenset(keys)
        if len(wanted) > _MOST_KEPT:
            with self._asking() as asking:
                rows = asking.execute(
                    f"SELECT {reads.FOUND} FROM documents WHERE bank = %s AND key = ANY(%s)",
                    (self._bank, columns.texts(list(wanted))),
                )
                return {row[0]: Found(*row) for row in rows}
        return self._look(keys=wanted).found(wanted) if wanted else {}

    def origins(self, note_ids: Iterable[str]) -> dict[str, set[str]]:
        """Return note id → where documents of it come from."""
        found: dict[str, set[str]] = {note_id: set() for note_id in note_ids}
        if not found:
            return found
        with self._asking() as asking:
            rows = asking.execute(
                "SELECT note_id, origin FROM documents WHERE bank = %s AND note_id = ANY(%s)",
                (self._bank, list(found)),
            )
            for note_id, origin in rows:
                found[note_id].add(origin)
        return found

    def by_keywords(self, tokens: Sequence[str], limit: int, wanted: Filter) -> dict[str, KeywordScore]:
        """Return the best documents for these tokens: found by the rarer ones, then scored by all."""
        different = list(dict.fromkeys(tokens))
        if not different:
            return {}
        copy = self._look(tokens=different)
        _, _, asked, holders, weighed, mean_length = self._asked(copy, different)
        chosen = keywords.affordable(holders, weighed)
        worth = keywords.telling(self._blocks(copy, chosen), holders, weighed)
        reached = postings.best(worth, weighed, mean_length, keywords.BEFORE_FILTER)
        # What the words can still add that were too common to look for.
        more = sum(weighed[token] for token in holders if token not in chosen)
        best = keywords.promising(reached, limit, more, lambda numbers: self._that_may_be_found(numbers, wanted))
        scored = {key: asked.score(words) for key, words in best}
        return dict(sorted(scored.items(), key=lambda item: (-item[1].score, item[0]))[:limit])

    def coverage(self, tokens: Sequence[str], keys: Iterable[str]) -> dict[str, KeywordScore]:
        """Return how these documents fit the tokens."""
        different, wanted = list(dict.fromkeys(tokens)), list(keys)
        if not wanted:
            return {}
        copy = self._look(tokens=different, keys=wanted)
        asked = self._asked(copy, different).asked
        return {row[KEY]: asked.score(row[WORDS]) for row in copy.documents(copy.numbers(wanted)).values()}

    def may_hold(self, *, latin: bool) -> bool:
        """Return whether there may be a document in this script; asked once for each state of the bank."""
        copy = self._look()
        if latin not in copy.scripts:
            with self._asking() as asking:
                question = "SELECT FROM documents WHERE bank = %s AND is_latin = %s LIMIT 1"
                copy.scripts[latin] = asking.execute(question, (self._bank, latin)).fetchone() is not None
        return copy.scripts[latin]

    def by_vector(
        self, model: str, vector: Vector, limit: int, wanted: Filter, near: Nearness, *, also: Iterable[str] = ()
    ) -> VectorHits:
        """Return the documents of one script nearest to a vector of one model, and those of `also` in any case."""
        keys = list(also)
        copy = self._look(keys=keys, model=model)
        table, numbers = copy.table(model), copy.numbers(keys)
        if table is None:
            with self._asking() as asking:
                best, median, count = self._nearest.find(
                    asking, model, vector, limit, wanted=wanted, near=near, also=numbers
                )
        else:
            best, median, count = table.nearest(
                vector, limit, near, also=numbers, fitting=contract.fitting(wanted, near)
            )
        held = self._look(numbers=best).documents(best) if best else {}
        scores = {held[number][KEY]: value for number, value in best.items() if number in held}
        return VectorHits(scores, median, count)

    def without_vectors(self, model: str, limit: int, *, latin: bool | None) -> list[tuple[str, tuple[str, ...]]]:
        """Return key and passages of documents that have no vectors of this model yet, newest first.

        Once none was missing, nothing is looked at until the bank changes: this is asked before every recall.
        """
        with self._asking() as asking:
            state = self._facts(asking).state
            if (model, latin) in self._whole and self._whole[model, latin] == state:
                return []
            rows = asking.execute(
                "SELECT key, passages FROM documents WHERE bank = %(bank)s AND number NOT IN"
                " (SELECT number FROM vectors WHERE bank = %(bank)s AND model = %(model)s)"
                " AND (%(latin)s::boolean IS NULL OR is_latin = %(latin)s) ORDER BY number DESC LIMIT %(limit)s",
                {"bank": self._bank, "model": model, "latin": latin, "limit": limit},
            ).fetchall()
        if not rows:
            self._whole[model, latin] = state
        return [(key, tuple(passages)) for key, passages in rows]

    def missing_vectors(self, model: str, *, latin: bool | None) -> int:
        """Return how many documents have no vectors of this model yet."""
        with self._asking() as asking:
            row = asking.execute(
                "SELECT count(*) FROM documents WHERE bank = %(bank)s AND number NOT IN"
                " (SELECT number FROM vectors WHERE bank = %(bank)s AND model = %(model)s)"
                " AND (%(latin)s::boolean IS NULL OR is_latin = %(latin)s)",
                {"bank": self._bank, "model": model, "latin": latin},
            ).fetchone()
            return int(row[0]) if row else 0

    def put_vectors(self, model: str, vectors: Mapping[str, Vectors]) -> None:
        """Keep the vectors of documents."""
        with self._asking() as asking:
            self._locked(asking)
            self._nearest.keep(asking, model, vectors)
            asking.execute(
                "UPDATE banks SET state = gen_random_uuid(), models = CASE WHEN %(model)s = ANY(models) THEN models"
                " ELSE models || %(model)s::text END WHERE bank = %(bank)s",
                {"bank": self._bank, "model": model},
            )
        with self._asking() as asking:
            self._nearest.prepare(asking, model)

    def drop_older(self, models: Iterable[str]) -> None:
        """Forget the vectors of other versions of these models; those of other models may be somebody else's."""
        with self._asking() as asking:
            gone = older(self._facts(asking).models, models)
            if not gone:
                return
            self._locked(asking)
            for model in gone:
                self._nearest.forget(asking, model)
            asking.execute(
                "UPDATE banks SET state = gen_random_uuid(),"
                " models = ARRAY(SELECT model FROM unnest(models) AS model WHERE model <> ALL(%s)) WHERE bank = %s",
                (gone, self._bank),
            )

    def counts(self) -> Counts:
        """Return how many documents there are, and how many have vectors of each model."""
        with self._asking() as asking:
            rows = asking.execute(
                "SELECT model, count(DISTINCT number) FROM vectors WHERE bank = %s GROUP BY model", (self._bank,)
            )
            return Counts(self._facts(asking).documents, dict(rows.fetchall()))

    def damage(self) -> list[str]:
        """Return where words do not fit what is known of them; pages and checksums are PostgreSQL's own business."""
        with self._asking() as asking:
            rows = asking.execute("SELECT number, words FROM documents WHERE bank = %s", (self._bank,)).fetchall()
            blocks = asking.execute("SELECT token, block, entries FROM postings WHERE bank = %s", (self._bank,))
            return keywords.unfit(rows, blocks)

    def _asking(self) -> AbstractContextManager[Connection]:
        """Give a connection in a transaction of its own."""
        return self._door.entered(self._bank)

    def _look(
        self, *, tokens: Iterable[str] = (), numbers: Iterable[int] = (), keys: Iterable[str] = (), model: str = ""
    ) -> Copy:
        """Return a copy of the bank that has what is wanted: as it is now, or as a steady index has found it.

        What is missing is read together with the bank's state. If that is not the copy's, all is read anew.
        """
        if self._at is not None and self._at.has_all(model):
            return self._at
        wanted = Wanted(frozenset(tokens), frozenset(numbers), frozenset(keys), model)
        copies = self._door.copies
        copy = copies.latest(self._bank)
        if copy is not None and self._seen == copy.facts and not any(copy.lacking(wanted)):
            self._at = copy if self._steady else None
            return copy
        with copies.reading(self._bank):
            copy = copies.latest(self._bank)
            lacking = wanted if copy is None else copy.lacking(wanted)
            if copy is None or self._seen != copy.facts or any(lacking):
                copy = self._read(copy, lacking)
                if any(copy.lacking(wanted)):  # the bank has changed, and this is another copy
                    copy = self._read(copy, wanted)
        copies.settle()
        return copy

    def _read(self, known: Copy | None, lacking: Wanted) -> Copy:
        """Return the copy at the bank's present state, with this added to it; a server reads a small bank whole."""
        read = None
        is_small = self._seen is not None and self._seen.documents <= reads.WHOLE
        if is_small and (known is None or known.facts != self._seen or not known.is_whole):
            read = reads.whole(self._door, self._bank, lacking.model)
        copy = read or reads.some(self._door, self._bank, lacking)
        if self._steady:
            self._seen, self._at = copy.facts, copy
        return copy

    def _asked(self, copy: Copy, tokens: Sequence[str]) -> _Question:
        """Return a query to hold against documents; both paths ask the same."""
        question = self._question
        if question is None or question.copy is not copy or question.tokens != tokens:
            documents = copy.facts.documents
            mean_length = copy.facts.length / documents if documents else 1.0
            holders = copy.holders(tokens)
            weighed = postings.weights(tokens, holders, documents)
            asked = postings.Asked(weighed, documents, mean_length)
            question = self._question = _Question(copy, tokens, asked, holders, weighed, mean_length)
        return question

    def _blocks(self, copy: Copy, tokens: Sequence[str]) -> Iterator[tuple[str, int, bytes]]:
        """Yield the blocks of these words, the further ones of a large bank too."""
        further = False
        for token, block, entries in copy.blocks(tokens):
            if entries is None:
                further = True
            else:
                yield token, block, entries
        if further:
            with self._asking() as asking:
                yield from asking.execute(
                    "SELECT token, block, entries FROM postings WHERE bank = %s AND token = ANY(%s) AND block >= %s",
                    (self._bank, columns.texts(tokens), reads.FIRST_BLOCKS),
                ).fetchall()

    def _locked(self, asking: Connection) -> tuple[int, list[str]]:
        """Keep other writers of this bank out, and return the next number of a document and the models."""
        self._seen = self._at = None
        question = "SELECT next_number, models FROM banks WHERE bank = %s FOR UPDATE"
        row = asking.execute(question, (self._bank,)).fetchone()
        if row is None:
            asking.execute("INSERT INTO banks (bank) VALUES (%s) ON CONFLICT DO NOTHING", (self._bank,))
            row = asking.execute(question, (self._bank,)).fetchone()
        return row or (1, [])

    def _facts(self, asking: Connection) -> Facts:
        row = asking.execute(reads.FACTS, {"bank": self._bank}).fetchone()
        return Facts(*row) if row else Facts()

    def _remove(self, asking: Connection, keys: set[str], models: list[str]) -> dict[int, str]:
        """Take out documents with their vectors; return their numbers and words."""
        gone: dict[int, str] = dict(
            asking.execute(
                "DELETE FROM documents WHERE bank = %s AND key = ANY(%s) RETURNING number, words",
                (self._bank, sorted(keys)),
            ).fetchall()
        )
        if gone and models:
            asking.execute(
                "DELETE FROM vectors WHERE bank = %s AND model = ANY(%s) AND number = ANY(%s)",
                (self._bank, models, list(gone)),
            )
        return gone

    def _add(self, asking: Connection, first: int, documents: Collection[Document]) -> None:
        if not documents:
            return
        *known, latin, words, passages = zip(*documents, strict=True)
        listed = columns.LISTED.format("passages")
        asking.execute(
            f"INSERT INTO documents SELECT %s, %s + place - 1, {reads.FOUND}, words, {listed}"
            f" FROM unnest({'%s::text[], ' * 10}%s::boolean[], %s::text[], %s::text[])"
            f" WITH ORDINALITY AS row ({reads.FOUND}, words, passages, place)",
            (self._bank, first, *map(columns.texts, known), list(latin), columns.texts(words), columns.lists(passages)),
        )

    def _count(self, asking: Connection, come: Mapping[int, str], gone: Mapping[int, str]) -> None:
        """Keep the statistics that scoring needs in step with documents that come and go."""
        length = sum(len(words.split()) for words in come.values()) - sum(len(words.split()) for words in gone.values())
        asking.execute(
            "UPDATE banks SET next_number = next_number + %s, documents = documents + %s, length = length + %s,"
            " state = gen_random_uuid() WHERE bank = %s",
            (len(come), len(come) - len(gone), length, self._bank),
        )

    def _post(self, asking: Connection, come: Mapping[int, str], gone: Mapping[int, str]) -> None:
        """Bring the blocks of all words in step with documents that come and go."""
        moved = keywords.movements(come, gone)
        if not moved:
            return
        rows = asking.execute(
            "SELECT token, block, entries FROM postings WHERE bank = %s AND token = ANY(%s) AND block = ANY(%s)",
            (self._bank, columns.texts(list({token for token, _ in moved})), list({block for _, block in moved})),
        )
        old = {(token, block): entries for token, block, entries in rows}
        new = {
            place: postings.changed(old.get(place, b""), added, dropped) for place, (added, dropped) in moved.items()
        }
        full = {place: blob for place, blob in new.items() if blob}
        asking.execute(
            "INSERT INTO postings SELECT %s, * FROM unnest(%s::text[], %s::integer[], %s::bytea[])"
            " ON CONFLICT (bank, token, block) DO UPDATE SET entries = excluded.entries",
            (self._bank, *_places(full), columns.blobs(list(full.values()))),
        )
        if len(full) < len(new):
            asking.execute(
                "DELETE FROM postings USING unnest(%(tokens)s::text[], %(blocks)s::integer[]) AS gone (token, block)"
                " WHERE bank = %(bank)s AND postings.token = gone.token AND postings.block = gone.block",
                {"bank": self._bank}
                | dict(zip(("tokens", "blocks"), _places([place for place in new if place not in full]), strict=True)),
            )

    def _that_may_be_found(self, numbers: Sequence[int], wanted: Filter) -> list[tuple[int, str, str]]:
        """Return number, key and words of those of these documents that the filter lets through, by number."""
        left_out = keywords.left_out(wanted)
        held = self._look(numbers=numbers).documents(sorted(numbers))
        return [
            (number, row[KEY], row[WORDS])
            for number, row in held.items()
            if row[TIMING] in wanted.timings and row[STATUS] not in left_out
        ]


def _places(places: Collection[tuple[str, int]]) -> tuple[Column, Column]:
    """Return tokens and blocks as columns."""
    return columns.texts([token for token, _ in places]), columns.numbers([block for _, block in places])
