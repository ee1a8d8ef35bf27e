"""The index of one bank in PostgreSQL: documents and the words they hold, in the same numbers as in SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tacit.index import keywords, postings, scoring
from tacit.index.contract import Counts, Found
from tacit.index.postgres.nearest import NearestRows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from uuid import UUID

    from psycopg import Connection

    from tacit.index.contract import Document, Filter, KeywordScore, Nearness, VectorHits, Vectors
    from tacit.index.embed.port import Vector
    from tacit.index.postgres.door import Door


class _Facts(NamedTuple):
    """What a bank's row says: how much there is, how often it was changed, and which models have vectors."""

    documents: int
    length: int
    changed: int
    models: list[str]


class PostgresIndex:
    """One bank's rows in a database of many banks; every method may raise DatabaseUnusable."""

    def __init__(self, door: Door, bank: UUID) -> None:
        self._door = door
        self._bank = bank
        self._nearest = NearestRows(bank)
        self._whole: dict[tuple[str, bool | None], int] = {}

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
                "DELETE FROM frequencies WHERE bank = %s",
                "DELETE FROM files WHERE bank = %s",
                "UPDATE banks SET documents = 0, length = 0, changed = changed + 1, models = '{}' WHERE bank = %s",
            ):
                asking.execute(statement, (self._bank,))

    def stamps(self) -> dict[str, int]:
        """Return file → the stamp it had when its documents were made."""
        with self._asking() as asking:
            return dict(asking.execute("SELECT file, stamp FROM files WHERE bank = %s", (self._bank,)).fetchall())

    def find(self, keys: Iterable[str]) -> dict[str, Found]:
        """Return what is known of these documents."""
        with self._asking() as asking:
            rows = asking.execute(
                "SELECT key, digest, note_id, file, layer, status, timing, origin, title, one_liner, is_latin"
                " FROM documents WHERE bank = %s AND key = ANY(%s)",
                (self._bank, list(keys)),
            )
            return {row[0]: Found(*row) for row in rows}

    def origins(self, note_ids: Iterable[str]) -> dict[str, set[str]]:
        """Return note id → where documents of it come from."""
        found: dict[str, set[str]] = {note_id: set() for note_id in note_ids}
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
        with self._asking() as asking:
            holders = self._holders(asking, different)
            chosen = keywords.affordable(holders)
            asked, weighed, mean_length = self._asked(asking, different, holders)
            blocks = asking.execute(
                "SELECT token, block, entries FROM postings WHERE bank = %s AND token = ANY(%s)", (self._bank, chosen)
            )
            reached = postings.best(blocks, weighed, mean_length, keywords.BEFORE_FILTER)
            # What the words can still add that were too common to look for.
            more = sum(weighed[token] for token in holders if token not in chosen)
            best = keywords.promising(
                reached, limit, more, lambda numbers: self._that_may_be_found(asking, numbers, wanted)
            )
            scored = {key: asked.score(words) for key, words in best}
        return dict(sorted(scored.items(), key=lambda item: (-item[1].score, item[0]))[:limit])

    def coverage(self, tokens: Sequence[str], keys: Iterable[str]) -> dict[str, KeywordScore]:
        """Return how these documents fit the tokens."""
        different = list(dict.fromkeys(tokens))
        with self._asking() as asking:
            asked, _, _ = self._asked(asking, different, self._holders(asking, different))
            rows = asking.execute(
                "SELECT key, words FROM documents WHERE bank = %s AND key = ANY(%s)", (self._bank, list(keys))
            )
            return {key: asked.score(words) for key, words in rows}

    def by_vector(
        self, model: str, vector: Vector, limit: int, wanted: Filter, near: Nearness, *, also: Iterable[str] = ()
    ) -> VectorHits:
        """Return the documents of one script nearest to a vector of one model, and those of `also` in any case."""
        with self._asking() as asking:
            return self._nearest.find(asking, model, vector, limit, wanted=wanted, near=near, also=list(also))

    def without_vectors(self, model: str, limit: int, *, latin: bool | None) -> list[tuple[str, tuple[str, ...]]]:
        """Return key and passages of documents that have no vectors of this model yet, newest first.

        Once none was missing, nothing is looked at until the bank changes: this is asked before every recall.
        """
        with self._asking() as asking:
            changed = self._facts(asking).changed
            if self._whole.get((model, latin)) == changed:
                return []
            rows = asking.execute(
                "SELECT key, passages FROM documents WHERE bank = %(bank)s AND number NOT IN"
                " (SELECT number FROM vectors WHERE bank = %(bank)s AND model = %(model)s)"
                " AND (%(latin)s::boolean IS NULL OR is_latin = %(latin)s) ORDER BY number DESC LIMIT %(limit)s",
                {"bank": self._bank, "model": model, "latin": latin, "limit": limit},
            ).fetchall()
        if not rows:
            self._whole[model, latin] = changed
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
                "UPDATE banks SET changed = changed + 1, models = CASE WHEN %(model)s = ANY(models) THEN models"
                " ELSE models || %(model)s::text END WHERE bank = %(bank)s",
                {"bank": self._bank, "model": model},
            )
        with self._asking() as asking:
            self._nearest.prepare(asking, model)

    def drop_vectors(self, keep: Iterable[str]) -> None:
        """Forget the vectors of all models but these."""
        kept = set(keep)
        with self._asking() as asking:
            gone = [model for model in self._facts(asking).models if model not in kept]
            if not gone:
                return
            self._locked(asking)
            for model in gone:
                self._nearest.forget(asking, model)
            asking.execute(
                "UPDATE banks SET changed = changed + 1,"
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

    def _locked(self, asking: Connection) -> tuple[int, list[str]]:
        """Keep other writers of this bank out, and return the next number of a document and the models."""
        asking.execute("INSERT INTO banks (bank) VALUES (%s) ON CONFLICT DO NOTHING", (self._bank,))
        row = asking.execute(
            "SELECT next_number, models FROM banks WHERE bank = %s FOR UPDATE", (self._bank,)
        ).fetchone()
        return row or (1, [])

    def _facts(self, asking: Connection) -> _Facts:
        row = asking.execute(
            "SELECT documents, length, changed, models FROM banks WHERE bank = %s", (self._bank,)
        ).fetchone()
        return _Facts(*row) if row else _Facts(0, 0, 0, [])

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

    def _add(self, asking: Connection, first: int, documents: Iterable[Document]) -> None:
        rows = []
        for number, document in enumerate(documents, first):
            *known, is_latin, words, passages = document
            # The one character that PostgreSQL cannot keep in a text.
            texts = [text.replace("\0", "") for text in known]
            rows.append((self._bank, number, *texts, is_latin, words, [text.replace("\0", "") for text in passages]))
        with asking.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO documents VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)", rows
            )

    def _count(self, asking: Connection, come: Mapping[int, str], gone: Mapping[int, str]) -> None:
        """Keep the statistics that scoring needs in step with documents that come and go."""
        holders, length = keywords.statistics(come, gone)
        asking.execute(
            "INSERT INTO frequencies SELECT %s, * FROM unnest(%s::text[], %s::bigint[])"
            " ON CONFLICT (bank, token) DO UPDATE SET holders = frequencies.holders + excluded.holders",
            (self._bank, list(holders), list(holders.values())),
        )
        asking.execute(
            "UPDATE banks SET next_number = next_number + %s, documents = documents + %s, length = length + %s,"
            " changed = changed + 1 WHERE bank = %s",
            (len(come), len(come) - len(gone), length, self._bank),
        )

    def _post(self, asking: Connection, come: Mapping[int, str], gone: Mapping[int, str]) -> None:
        """Bring the blocks of all words in step with documents that come and go."""
        moved = keywords.movements(come, gone)
        rows = asking.execute(
            "SELECT token, block, entries FROM postings WHERE bank = %s AND token = ANY(%s) AND block = ANY(%s)",
            (self._bank, list({token for token, _ in moved}), list({block for _, block in moved})),
        )
        old = {(token, block): entries for token, block, entries in rows}
        new = {
            place: postings.changed(old.get(place, b""), added, dropped) for place, (added, dropped) in moved.items()
        }
        full = {place: blob for place, blob in new.items() if blob}
        asking.execute(
            "INSERT INTO postings SELECT %s, * FROM unnest(%s::text[], %s::integer[], %s::bytea[])"
            " ON CONFLICT (bank, token, block) DO UPDATE SET entries = excluded.entries",
            (self._bank, [token for token, _ in full], [block for _, block in full], list(full.values())),
        )
        empty = [(self._bank, *place) for place in new if place not in full]
        with asking.cursor() as cursor:
            cursor.executemany("DELETE FROM postings WHERE bank = %s AND token = %s AND block = %s", empty)

    def _holders(self, asking: Connection, tokens: Sequence[str]) -> dict[str, int]:
        """Return token → how many documents hold it, without those that none holds."""
        rows = asking.execute(
            "SELECT token, holders FROM frequencies WHERE bank = %s AND token = ANY(%s) AND holders <> 0",
            (self._bank, list(tokens)),
        )
        return dict(rows.fetchall())

    def _asked(
        self, asking: Connection, tokens: Sequence[str], holders: Mapping[str, int]
    ) -> tuple[scoring.Asked, dict[str, float], float]:
        """Return a query to hold against documents, the weights of its tokens, and how long a document is."""
        facts = self._facts(asking)
        mean_length = facts.length / facts.documents if facts.documents else 1.0
        weighed = scoring.weights(tokens, holders, facts.documents)
        return scoring.Asked(weighed, facts.documents, mean_length), weighed, mean_length

    def _that_may_be_found(
        self, asking: Connection, numbers: Sequence[int], wanted: Filter
    ) -> list[tuple[int, str, str]]:
        """Return number, key and words of those of these documents that the filter lets through, by number."""
        rows: list[tuple[int, str, str]] = asking.execute(
            "SELECT number, key, words FROM documents WHERE bank = %s AND number = ANY(%s) AND timing = ANY(%s)"
            " AND status <> ALL(%s) ORDER BY number",
            (self._bank, list(numbers), list(wanted.timings), keywords.left_out(wanted)),
        ).fetchall()
        return rows
