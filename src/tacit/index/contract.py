"""What recall and governance see of an index: documents in, candidates with raw scores out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# BM25 as SQLite's FTS5 computes it; every backend scores by the same formula.
K1 = 1.2
B = 0.75


@dataclass(frozen=True, slots=True)
class Document:
    """One thing that can be found: a note, a core document, or a section of a detail file.

    `key` is unique in the index, `digest` says of which content this was made. `head` and `body` are tokens joined by
    blanks; `passage` is the text that models turn into a vector.
    """

    key: str
    digest: str
    note_id: str
    file: str
    layer: str
    status: str
    timing: str
    origin: str
    title: str
    one_liner: str
    head: str
    body: str
    passage: str


@dataclass(frozen=True, slots=True)
class Found:
    """What the index knows of a document without its text."""

    key: str
    digest: str
    note_id: str
    file: str
    layer: str
    status: str
    timing: str
    origin: str
    title: str
    one_liner: str
    is_latin: bool


@dataclass(frozen=True, slots=True)
class KeywordHits:
    """Candidates of the keyword path: key → BM25, and what each query token weighs in this index (its idf)."""

    scores: Mapping[str, float]
    weights: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class VectorHits:
    """Candidates of the semantic path for one model: key → cosine, and how cosines lie in the whole index."""

    scores: Mapping[str, float]
    mean: float
    deviation: float


class Index(Protocol):
    """One bank's index. All of it can be made again from the files; no method raises for a damaged one."""

    def known(self) -> Mapping[str, str]:
        """Return key → digest of every document."""

    def update(self, put: Iterable[Document], drop: Iterable[str]) -> None:
        """Add, replace and remove documents in one transaction; their vectors go with them."""

    def find(self, keys: Iterable[str]) -> dict[str, Found]:
        """Return what is known of these documents."""

    def by_keywords(self, tokens: Sequence[str], limit: int) -> KeywordHits:
        """Return the best documents for these tokens."""

    def by_vector(self, model: str, vector: Sequence[float], limit: int, *, latin_only: bool | None) -> VectorHits:
        """Return the documents nearest to a vector of one model, all, those in Latin script, or the others."""

    def without_vector(self, model: str, limit: int) -> list[tuple[str, str]]:
        """Return key and passage of documents that have no vector of this model yet, newest first."""

    def put_vectors(self, model: str, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors (half-precision floats, little endian) of one model; unknown keys are passed over."""

    def close(self) -> None:
        """Give back what the index holds open."""
