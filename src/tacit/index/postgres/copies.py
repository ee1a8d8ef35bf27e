"""What a process has read of banks, each at one state: asked again, it need not be read again."""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from tacit.index import contract
from tacit.index.contract import Found
from tacit.index.postgres import columns
from tacit.index.vectors import Rows, VectorTable, signs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from uuid import UUID

    # The words of a document, and what a `Found` has. Millions of them are kept: of plain tuples that hold plain values
    # Python's collector lets go, while it would go through all others again and again, with every request waiting.
    Row = tuple[Any, ...]
    # A part of the documents that hold a word: its number, how many documents, and their entries, which are missing in
    # the further blocks of a large bank.
    Block = tuple[int, int, bytes | None]
    # How many documents hold a word, then its blocks: one tuple more around them would be one more for the collector.
    Held = tuple[int, *tuple[Block, ...]]

_HASH_BITS = 0xFFFFFFFF


class Lexicon:
    """Rows of token, block and entries, in any order.

    `tokens` are separated by blanks, one for each row; `blocks` and `sizes`, which are the bytes of each row's entries,
    are numbers of four bytes, the highest first.
    """

    def __init__(self, tokens: str, blocks: bytes, sizes: bytes, entries: bytes) -> None:
        those = tokens.split(" ")
        hashes = _hashes(those)
        self._tokens = tokens
        self._places = _sums(numpy.array([*map(len, those)], numpy.uint32) + 1)
        self._blocks = numpy.frombuffer(blocks, ">i4").astype(numpy.int32)
        self._ends = _sums(numpy.frombuffer(sizes, ">i4"))
        self._entries = entries
        # Rows by the hash of their token: all words of a question are found at once.
        self._rows = numpy.argsort(hashes, kind="stable").astype(numpy.uint32)
        self._hashes = hashes[self._rows]
        self.bytes = len(tokens.encode()) + len(entries) + 20 * len(self._blocks)

    def of(self, tokens: Sequence[str]) -> Iterator[tuple[str, int, int, bytes]]:
        """Yield the blocks of words, each with its word; none for a word that no document holds."""
        if not len(self._blocks):
            return
        hashes = _hashes(tokens)
        starts, ends = (self._hashes.searchsorted(hashes, side).tolist() for side in ("left", "right"))
        for token, start, end in zip(tokens, starts, ends, strict=True):
            for row in self._rows[start:end].tolist():
                if self._tokens[self._places[row] : self._places[row + 1] - 1] == token:  # and not one of the same hash
                    entries = self._entries[self._ends[row] : self._ends[row + 1]]
                    yield token, int(self._blocks[row]), len(entries) // 4, entries


def _hashes(tokens: Iterable[str]) -> numpy.ndarray:
    return numpy.array([hash(token) & _HASH_BITS for token in tokens], numpy.uint32)


def _sums(sizes: numpy.ndarray) -> numpy.ndarray:
    """Return where each of some pieces begins, and where the last one ends."""
    sums = numpy.zeros(len(sizes) + 1, numpy.uint32)
    numpy.cumsum(sizes, out=sums[1:])
    return sums


# Where a document's row has what is asked for most.
WORDS, KEY, STATUS, TIMING = 0, 1, 6, 7
# How many bytes the copies of a process take together before the one that was not asked for longest is forgotten.
MOST_BYTES = 512 * 1024 * 1024
# So many banks are read at the same time, by chance fewer.
_READERS = 64
# What Python needs for the pieces of a document or a block, besides their characters.
_DOCUMENT_BYTES = 900
_BLOCK_BYTES = 250


class Facts(NamedTuple):
    """What a bank's row says: how much there is, which models have vectors, and the state, new with each change."""

    documents: int = 0
    length: int = 0
    state: UUID | None = None
    models: Sequence[str] = ()


class Wanted(NamedTuple):
    """What a question needs of a bank: the blocks of words, documents by number or key, the vectors of a model."""

    tokens: frozenset[str] = frozenset()
    numbers: frozenset[int] = frozenset()
    keys: frozenset[str] = frozenset()
    model: str = ""


class VectorColumns(NamedTuple):
    """The vectors of a model, column by column; kinds are timing, status, and `latin` or nothing, with blanks."""

    numbers: Sequence[int]
    kinds: Sequence[str]
    hubs_latin: Sequence[float]
    hubs_cjk: Sequence[float]
    vectors: bytes


class Copy:
    """A part of one bank at one state; it only grows. What was looked for and is not there is remembered too."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.bytes = 0
        self.scripts: dict[bool, bool] = {}
        self._lexicon: Lexicon | None = None
        self._words: dict[str, Held] = {}
        self._documents: dict[int, Row | None] = {}
        self._numbers: dict[str, int | None] = {}
        self._tables: dict[str, VectorTable | None] = {}

    def has_all(self, model: str) -> bool:
        """Whether all words and documents are here, and the vectors of a model if there is one."""
        return self._lexicon is not None and (not model or model in self._tables)

    def lacking(self, wanted: Wanted) -> Wanted:
        """Return what of this has not been read yet."""
        model = "" if wanted.model in self._tables else wanted.model
        if self.is_whole:
            return Wanted(model=model)
        return Wanted(
            wanted.tokens.difference(self._words),
            wanted.numbers.difference(self._documents),
            wanted.keys.difference(self._numbers),
            model,
        )

    @property
    def is_whole(self) -> bool:
        """Whether all words and documents are here."""
        return self._lexicon is not None

    def add_all(self, lexicon: Lexicon, rows: Iterable[Sequence[Any]]) -> None:
        """Keep all words and all documents of the bank; what is not among them is not there."""
        self.add_documents(Wanted(), rows)
        found = {each[-1] for each in self._documents.values() if each is not None}
        self.scripts = {latin: latin in found for latin in (True, False)}
        self.bytes += lexicon.bytes
        self._lexicon = lexicon  # last: from here on nothing is lacking

    def add_blocks(self, tokens: Iterable[str], rows: Iterable[tuple[str, int, int, bytes | None]]) -> None:
        """Keep the blocks of these words."""
        read: dict[str, list[Block]] = {token: [] for token in tokens}
        for token, number, holders, entries in rows:
            read[token].append((number, holders, entries))
            self.bytes += _BLOCK_BYTES + len(entries or b"")
        self._words |= {token: (sum(holders for _, holders, _ in blocks), *blocks) for token, blocks in read.items()}

    def add_documents(self, wanted: Wanted, rows: Iterable[Sequence[Any]]) -> None:
        """Keep the documents that were asked for by number or by key."""
        documents: dict[int, Row | None] = dict.fromkeys(wanted.numbers)
        numbers: dict[str, int | None] = dict.fromkeys(wanted.keys)
        for number, words, key, digest, note_id, file, *kinds, title, one_liner, is_latin in rows:
            # Kinds come again and again, and a key is mostly its file: each is kept once.
            layer, status, timing, origin = map(sys.intern, kinds)
            where = key if file == key else file
            known = (key, digest, note_id, where, layer, status, timing, origin, title, one_liner)
            documents[number] = (words, *known, is_latin)
            numbers[key] = number
            self.bytes += _DOCUMENT_BYTES + len(words)
        self._documents |= documents
        self._numbers |= numbers

    def add_vectors(self, model: str, found: VectorColumns | None) -> None:
        """Keep all vectors of a model; None says that there are too many to be compared each."""
        if found is None or not found.numbers:
            self._tables[model] = None if found is None else VectorTable(0, _never)
            return
        exact = columns.vectors(found.vectors, len(found.numbers))
        marked = {kind: contract.marks_of(*kind.split(" ")) for kind in set(found.kinds)}
        table = VectorTable(exact.shape[1], _never)
        rows = (range(len(exact)), found.numbers, [marked[kind] for kind in found.kinds])
        table.add(Rows(*rows, found.hubs_latin, found.hubs_cjk, signs(exact).tobytes()), exact)
        self.bytes += exact.nbytes
        self._tables[model] = table

    def holders(self, tokens: Sequence[str]) -> dict[str, int]:
        """Return token → how many documents hold it, without those that none holds."""
        return {token: held[0] for token, held in self._held(tokens).items() if held[0]}

    def blocks(self, tokens: Sequence[str]) -> Iterator[tuple[str, int, bytes | None]]:
        """Yield the blocks of these words."""
        for token, (_, *blocks) in self._held(tokens).items():
            for number, _, entries in blocks:
                yield token, number, entries

    def numbers(self, keys: Iterable[str]) -> list[int]:
        """Return the numbers of those of these documents that are there."""
        found = map(self._numbers.get, keys)
        return [number for number in found if number is not None]

    def documents(self, numbers: Iterable[int]) -> dict[int, Row]:
        """Return the rows of those of these documents that are there."""
        known = self._documents.get
        return {number: row for number in numbers if (row := known(number)) is not None}

    def found(self, keys: Iterable[str]) -> dict[str, Found]:
        """Return what is known of those of these documents that are there, by their keys."""
        return {row[KEY]: Found(*row[KEY:]) for row in self.documents(self.numbers(keys)).values()}

    def table(self, model: str) -> VectorTable | None:
        """Return the vectors of a model; None if there are too many."""
        return self._tables[model]

    def _held(self, tokens: Sequence[str]) -> dict[str, Held]:
        known = self._words
        if self._lexicon is not None and (new := [token for token in tokens if token not in known]):
            self.add_blocks(new, self._lexicon.of(new))  # words come again
        return {token: known[token] for token in tokens}


class Copies:
    """The copies of a process, within so many bytes."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._lock = threading.Lock()
        self._reading = [threading.Lock() for _ in range(_READERS)]
        self._kept: OrderedDict[UUID, Copy] = OrderedDict()

    def reading(self, bank: UUID) -> threading.Lock:
        """Return what lets one thread at a time read a bank; those who wait find what it read."""
        return self._reading[hash(bank) % _READERS]

    def latest(self, bank: UUID) -> Copy | None:
        """Return what was last read of a bank."""
        with self._lock:
            if bank in self._kept:
                self._kept.move_to_end(bank)
            return self._kept.get(bank)

    def at(self, bank: UUID, facts: Facts) -> Copy:
        """Return the copy of a bank at a state, an empty one if it has another or none."""
        with self._lock:
            kept = self._kept.get(bank)
            if kept is None or kept.facts != facts:
                kept = self._kept[bank] = Copy(facts)
            return kept

    def counts(self) -> tuple[int, int]:
        """Return of how many banks there are copies, and their bytes."""
        with self._lock:
            return len(self._kept), sum(copy.bytes for copy in self._kept.values())

    def settle(self) -> None:
        """Forget what is too much, first what was not asked for longest; the last one stays."""
        with self._lock:
            total = sum(copy.bytes for copy in self._kept.values())
            while total > self._most and len(self._kept) > 1:
                _, copy = self._kept.popitem(last=False)
                total -= copy.bytes


def _never(places: Sequence[int]) -> list[tuple[int, bytes]]:
    """Fetch nothing: tables of this size keep their vectors."""
    del places
    return []
