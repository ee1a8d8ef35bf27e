"""What is read of a bank into memory: in one exchange with the database, and as it is at one moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tacit.index import vectors
from tacit.index.postgres import columns
from tacit.index.postgres.copies import Facts, Lexicon, VectorColumns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import LiteralString
    from uuid import UUID

    from tacit.index.postgres.copies import Copy, Wanted
    from tacit.index.postgres.door import Door

    Question = tuple[LiteralString, Mapping[str, object]]
    Rows = Sequence[tuple[Any, ...]]

# A bank of up to so many documents is read whole.
WHOLE = 4_000
# The first blocks of words are read at once; of a bank with more, the further ones of the words that are looked for.
FIRST_BLOCKS = 8

FOUND: LiteralString = "key, digest, note_id, file, layer, status, timing, origin, title, one_liner, is_latin"
FACTS: LiteralString = "SELECT documents, length, state, models FROM banks WHERE bank = %(bank)s"
_BLOCKS: LiteralString = (
    "SELECT token, block, octet_length(entries) / 4, CASE WHEN block < %(first)s THEN entries END"
    " FROM postings WHERE bank = %(bank)s AND token = ANY(%(tokens)s)"
)
_DOCUMENTS: LiteralString = (
    f"SELECT number, words, {FOUND} FROM documents"
    " WHERE bank = %(bank)s AND (number = ANY(%(numbers)s) OR key = ANY(%(keys)s))"
)
# In a bank that has grown too large meanwhile there is no row.
_IS_SMALL: LiteralString = "(SELECT documents FROM banks WHERE bank = %(bank)s) <= %(whole)s"
_ALL_DOCUMENTS: LiteralString = f"SELECT number, words, {FOUND} FROM documents WHERE bank = %(bank)s AND {_IS_SMALL}"
# One row with a list in each column: thousands of rows would be thousands of values to make.
_ALL_WORDS: LiteralString = (
    "SELECT coalesce(string_agg(token, ' '), ''), coalesce(string_agg(int4send(block), ''), ''),"
    " coalesce(string_agg(int4send(octet_length(entries)), ''), ''), coalesce(string_agg(entries, ''), '')"
    f" FROM (SELECT token, block, entries FROM postings WHERE bank = %(bank)s AND {_IS_SMALL}"
    ' ORDER BY token COLLATE "C", block) AS rows'
)
_ROWS: LiteralString = (
    "SELECT count(*) FROM (SELECT FROM vectors WHERE bank = %(bank)s AND model = %(model)s LIMIT %(most)s + 1) AS rows"
)
_VECTORS: LiteralString = (
    "SELECT coalesce(array_agg(number), '{}'), coalesce(array_agg(kind), '{}'), coalesce(array_agg(hub_latin), '{}'),"
    " coalesce(array_agg(hub_cjk), '{}'), coalesce(string_agg(halfvec_send(vector), ''), '') FROM ("
    "SELECT number, concat(timing, ' ', status, ' ', CASE WHEN is_latin THEN 'latin' END) AS kind, hub_latin, hub_cjk,"
    f" vector FROM vectors WHERE bank = %(bank)s AND model = %(model)s AND ({_ROWS}) <= %(most)s ORDER BY number, part"
    ") AS rows"
)


def whole(door: Door, bank: UUID, model: str) -> Copy | None:
    """Return the copy of a bank at its present state, with all of it and the vectors of a model.

    None if the bank is too large for that.
    """
    small = {"bank": bank, "whole": WHOLE}
    asked = [(_ALL_WORDS, small), (_ALL_DOCUMENTS, small), *_of_vectors(bank, model)]
    copy, ((words,), documents, *more) = _looked(door, bank, asked)
    if copy.facts.documents > WHOLE:
        return None
    _add_vectors(copy, model, more)
    copy.add_all(Lexicon(*words), documents)
    return copy


def some(door: Door, bank: UUID, lacking: Wanted) -> Copy:
    """Return the copy of a bank at its present state, with this added to it."""
    asked: list[Question] = []
    if lacking.tokens:
        tokens = columns.texts(list(lacking.tokens))
        asked.append((_BLOCKS, {"bank": bank, "first": FIRST_BLOCKS, "tokens": tokens}))
    if lacking.numbers or lacking.keys:
        numbers, keys = columns.big_numbers(list(lacking.numbers)), columns.texts(list(lacking.keys))
        asked.append((_DOCUMENTS, {"bank": bank, "numbers": numbers, "keys": keys}))
    copy, answers = _looked(door, bank, [*asked, *_of_vectors(bank, lacking.model)])
    if lacking.tokens:
        copy.add_blocks(lacking.tokens, answers.pop(0))
    if lacking.numbers or lacking.keys:
        copy.add_documents(lacking, answers.pop(0))
    _add_vectors(copy, lacking.model, answers)
    return copy


def _looked(door: Door, bank: UUID, asked: Sequence[Question]) -> tuple[Copy, list[Rows]]:
    """Return the copy of a bank at its present state, and the rows of some questions at the same moment."""
    facts, *answers = door.looked(bank, [(FACTS, {"bank": bank}), *asked])
    return door.copies.at(bank, Facts(*facts[0]) if facts else Facts()), [*answers]


def _of_vectors(bank: UUID, model: str) -> list[Question]:
    values = {"bank": bank, "model": model, "most": vectors.EXACT_ROWS}
    return [(_ROWS, values), (_VECTORS, values)] if model else []


def _add_vectors(copy: Copy, model: str, answers: Sequence[Rows]) -> None:
    if model:
        ((count,),), (found,) = answers
        copy.add_vectors(model, VectorColumns(*found) if count <= vectors.EXACT_ROWS else None)
