"""The team server as it is run, but for the vectors of prompts: they are looked up and not computed.

python -m benchmarks.team_served URL CENTRES WORKERS MEMORY     prints its address
"""

from __future__ import annotations

import sys
import zlib
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy

from benchmarks.team_made import IDENTITY, MODEL
from tacit.index import calibration
from tacit.index.embed.catalogue import CATALOGUE

if TYPE_CHECKING:
    from collections.abc import Collection

    from tacit.index.embed.port import Vector


class Supplied:
    """The models of a server, without the time they take: a prompt gets one of a few hundred vectors."""

    def __init__(self, vectors: numpy.ndarray) -> None:
        self._vectors = vectors
        self._pairs = calibration.readings([CATALOGUE[MODEL]])

    def pairs(self) -> dict[str, calibration.Pair]:
        """Return how Latin prompts and notes are read, as with the real model alone."""
        return self._pairs

    def identity(self, model: str) -> str:
        """Return what the made-up vectors are stamped with."""
        del model
        return IDENTITY

    def expect(self, models: Collection[str], text: str) -> None:
        """Do nothing: the vectors are there."""

    def query(self, model: str, text: str) -> Vector:
        """Return the vector of a prompt."""
        del model
        found: Vector = self._vectors[zlib.crc32(text.encode()) % len(self._vectors)]
        return found


def main(url: str, place: str, workers: int, memory_mb: int) -> None:
    """Serve until a signal comes."""
    from tacit.server import serve

    vectors = numpy.load(place)
    plan = serve.Plan(a_minute=10_000_000, connections=8, workers=workers, memory_mb=memory_mb)
    with (
        patch.object(serve.models, "installed", lambda: [MODEL]),
        patch.object(serve, "LoadedModels", lambda _: Supplied(vectors)),
    ):
        serve.run(url, "127.0.0.1", 0, lambda address: print(address, flush=True), plan=plan)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
