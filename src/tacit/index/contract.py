"""What recall and governance see of an index: documents in, candidates with raw scores out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tacit.index.embed.port import Vector

@dataclass(frozen=True, slots=True)
class Document:
    """One thing that can be found: a note, a core document, or a section of a detail file.

    `key` is unique in the index, `digest` says of which content this was made. `head` and `body` are tokens joined by
    blanks; `passages` are the texts that models turn into vectors, one for each stretch that a model can take in.
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
    passages: tuple[str, ...]


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
class Filter:
    """Which documents may be found: those of these timings, archived ones only if `archived`."""

    timings: tuple[str, ...] = ("pre", "post", "both")
    archived: bool = False


@dataclass(frozen=True, slots=True)
class KeywordHits:
    """Candidates of the keyword path: key → BM25, the tokens that each matched, and what each query token weighs."""

    scores: Mapping[str, float]
    matched: Mapping[str, tuple[str, ...]]
    weights: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class VectorHits:
    """Candidates of the semantic path for one model: key → cosine, and how cosines lie in the whole index."""

    scores: Mapping[str, float]
    mean: float
    deviation: float


class Index(Protocol):
    """One bank's index, which can be made again from the files at any time."""

    def known(self) -> dict[str, str]:
        """Return key → digest of every document."""

    def update(self, put: Iterable[Document], drop: Iterable[str]) -> None:
        """Add, replace and remove documents in one transaction; their vectors go with them."""

    def find(self, keys: Iterable[str]) -> dict[str, Found]:
        """Return what is known of these documents."""

    def by_keywords(self, tokens: Sequence[str], limit: int, wanted: Filter) -> KeywordHits:
        """Return the best documents for these tokens."""

    def by_vector(self, model: str, vector: Vector, limit: int, wanted: Filter, *, latin: bool | None) -> VectorHits:
        """Return the documents nearest to a vector of one model: all, those in Latin script, or the others."""

    def without_vectors(self, model: str, limit: int, *, latin: bool | None) -> list[tuple[str, tuple[str, ...]]]:
        """Return key and passages of documents that have no vectors of this model yet, newest first."""

    def put_vectors(self, model: str, vectors: Mapping[str, Sequence[Vector]]) -> None:
        """Keep the vectors of documents, one for each passage; unknown keys are passed over."""

    def counts(self) -> Counts:
        """Return how much there is."""

    def close(self) -> None:
        """Give back what the index holds open."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many documents an index has, and for how many of them vectors of each model."""

    documents: int
    vectors: Mapping[str, int]
