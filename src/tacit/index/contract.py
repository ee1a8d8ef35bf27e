"""What recall and governance see of an index: documents in, candidates with scores out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tacit.index.embed.port import Vector


class Found(NamedTuple):
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


class Document(NamedTuple):
    """One thing that can be found: a note, or a section of a detail file; what is known of it, and its texts.

    `key` is unique in the index, `digest` says of which content this was made. `words` are its tokens, separated by
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
    is_latin: bool
    words: str
    passages: tuple[str, ...]


# The status of a document that a guard objects to: it may be found and shown, never handed to an agent.
QUARANTINED = "quarantined"


class Filter(NamedTuple):
    """Which documents may be found: those of these timings, archived and quarantined ones only if so said."""

    timings: tuple[str, ...] = ("pre", "post", "both")
    archived: bool = False
    quarantined: bool = True


class KeywordScore(NamedTuple):
    """How well a document fits by its words, and which share of the query's weight it has at all; nought to one.

    `length` is how many tokens it has.
    """

    score: float
    coverage: float
    length: int = 0


class Vectors(NamedTuple):
    """The vectors of one document by one model, and its mean likeness to prompts about anything, by their script."""

    rows: Sequence[Vector]
    hub_latin: float = 0.0
    hub_cjk: float = 0.0


class Nearness(NamedTuple):
    """How a vector is compared: to documents of which script, and how a document's hub counts against it.

    `with_median` says that the median over all documents is wanted; without, it is nought.
    """

    latin_documents: bool
    latin_query: bool
    hub_share: float = 0.0
    usual_hub: float = 0.0
    with_median: bool = True


class VectorHits(NamedTuple):
    """Key → cosine less the document's surplus as a hub, the median of that over all documents, and their number."""

    scores: Mapping[str, float]
    median: float
    documents: int


class Counts(NamedTuple):
    """How many documents an index has, and for how many of them vectors of each model."""

    documents: int
    vectors: Mapping[str, int]


class Index(Protocol):
    """One bank's index, which can be made again from the files at any time."""

    def known(self) -> dict[str, str]:
        """Return key → digest of every document."""

    def update(
        self, put: Iterable[Document], drop: Iterable[str], stamps: Mapping[str, int | None] | None = None
    ) -> None:
        """Add, replace and remove documents in one transaction; their vectors go with them.

        `stamps` says of which state of their files the documents were made, None for a file that is gone.
        """

    def stamps(self) -> dict[str, int]:
        """Return file → the stamp it had when its documents were made."""

    def find(self, keys: Iterable[str]) -> dict[str, Found]:
        """Return what is known of these documents."""

    def origins(self, note_ids: Iterable[str]) -> dict[str, set[str]]:
        """Return note id → where documents of it come from, for those that are asked for."""

    def may_hold(self, *, latin: bool) -> bool:
        """Return whether there may be a document in this script; never False where there is one."""

    def by_keywords(self, tokens: Sequence[str], limit: int, wanted: Filter) -> dict[str, KeywordScore]:
        """Return the best documents for these tokens, best first."""

    def coverage(self, tokens: Sequence[str], keys: Iterable[str]) -> dict[str, KeywordScore]:
        """Return how these documents fit the tokens."""

    def by_vector(
        self, model: str, vector: Vector, limit: int, wanted: Filter, near: Nearness, *, also: Iterable[str] = ()
    ) -> VectorHits:
        """Return the documents of one script nearest to a vector of one model, and those of `also` in any case."""

    def without_vectors(self, model: str, limit: int, *, latin: bool | None) -> list[tuple[str, tuple[str, ...]]]:
        """Return key and passages of documents that have no vectors of this model yet, newest first."""

    def missing_vectors(self, model: str, *, latin: bool | None) -> int:
        """Return how many documents have no vectors of this model yet."""

    def put_vectors(self, model: str, vectors: Mapping[str, Vectors]) -> None:
        """Keep the vectors of documents; unknown keys are passed over."""

    def drop_older(self, models: Iterable[str]) -> None:
        """Forget the vectors of other versions of these models; those of other models may be somebody else's."""

    def counts(self) -> Counts:
        """Return how much there is."""

    def damage(self) -> list[str]:
        """Return what is wrong with the index; nothing in a healthy one."""

    def close(self) -> None:
        """Give back what the index holds open."""


def older(there: Iterable[str], models: Iterable[str]) -> list[str]:
    """Return which of the models that an index has vectors of are other versions of these."""
    current = set(models)
    names = {_name(model) for model in current}
    return [model for model in there if model not in current and _name(model) in names]


def _name(identity: str) -> str:
    return identity.partition(":")[0]


# The marks of a vector's document in one byte: its timing, whether it is archived or quarantined, its script.
_TIMINGS = {"pre": 1, "post": 2, "both": 16}
_ARCHIVED = 4
_LATIN = 8
_QUARANTINED = 32
_STATUSES = {"archive": _ARCHIVED, QUARANTINED: _QUARANTINED}


class Fitting(NamedTuple):
    """The marks that a row must have to be found: all of the first, one of the second, none of the third."""

    needed: int
    any_of: int
    refused: int


def marks_of(timing: str, status: str, is_latin: object) -> int:
    """Return the marks of a document."""
    return _TIMINGS[timing] | _STATUSES.get(status, 0) | (_LATIN if is_latin else 0)


def fitting(wanted: Filter, near: Nearness) -> Fitting:
    """Return the marks of the documents that a question is about."""
    archived, quarantined = 0 if wanted.archived else _ARCHIVED, 0 if wanted.quarantined else _QUARANTINED
    latin, other = (_LATIN, 0) if near.latin_documents else (0, _LATIN)
    return Fitting(latin, sum(_TIMINGS[timing] for timing in wanted.timings), archived | quarantined | other)
