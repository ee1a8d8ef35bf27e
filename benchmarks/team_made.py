"""Made-up notes for the benchmark of the team server, and the process that takes them in.

Words are drawn from a vocabulary with the frequencies of natural text; the notes' vectors lie around those that the
model of this machine makes of real notes, or around random ones where there is no model.

python -m benchmarks.team_made URL CENTRES FIRST BANKS NOTES     prints what each bank took, one line of JSON each
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import numpy

from tacit.bank.wiring import Hosting
from tacit.index.contract import Document, Vectors

if TYPE_CHECKING:
    from collections.abc import Iterator

DIMENSION = 384
MODEL = "arctic-embed-s"
IDENTITY = f"{MODEL}:benchmark"
ORGANISATION = "acme"
_REAL = 200
_WORDS = numpy.array([f"word{number}" for number in range(20_000)])
_SHARES = numpy.cumsum([1 / (rank + 10) for rank in range(len(_WORDS))])
_NOTES = Path(__file__).parent.parent / "evals/recall/notes.jsonl"


def bank(number: int) -> UUID:
    """The bank of a number."""
    return UUID(int=(0x7AC17 << 100) + number)


def words(chance: numpy.random.Generator, count: int, each: int) -> list[str]:
    """So many texts of so many words."""
    places = numpy.searchsorted(_SHARES, chance.random((count, each)) * _SHARES[-1])
    return [" ".join(row) for row in _WORDS[places].tolist()]


def documents(chance: numpy.random.Generator, count: int) -> Iterator[Document]:
    """Notes of sixty words."""
    for number, text in enumerate(words(chance, count, 60)):
        name = f"L1_declarative/MEM-n{number:06d}.md"
        digest = f"{int(chance.integers(1 << 62)):064x}"
        known = (name, digest, f"MEM-n{number:06d}", name, "L1", "active", "both", "project", text[:40], text[:120])
        yield Document(*known, is_latin=True, words=text, passages=(text[:40], text[:120], text))


def near(chance: numpy.random.Generator, centres: numpy.ndarray, count: int) -> numpy.ndarray:
    """Unit vectors, each near one of the centres."""
    noise = chance.standard_normal((count, centres.shape[1]), dtype=numpy.float32) / centres.shape[1] ** 0.5
    rows = centres[chance.integers(len(centres), size=count)] + 0.6 * noise
    made: numpy.ndarray = rows / numpy.linalg.norm(rows, axis=1, keepdims=True)
    return made


def centres() -> tuple[numpy.ndarray, str]:
    """What the vectors lie around, and a word on where they come from."""
    from tacit.bank import models
    from tacit.bank.meanings import LoadedModels

    installed = [each for each in models.installed() if each.name == MODEL]
    if not installed:
        return near(numpy.random.default_rng(3), numpy.zeros((1, DIMENSION), numpy.float32), 300), "random ones"
    loaded = LoadedModels(installed)
    loaded.pairs()
    lines = _NOTES.read_text(encoding="utf-8").splitlines()[:_REAL]
    texts = [" ".join((each["title"], *each["when_to_load"])) for each in map(json.loads, lines)]
    return numpy.stack([loaded.vectors(MODEL, (text, text)).rows[0] for text in texts]), f"{len(texts)} real ones"


def main(url: str, place: str, first: int, banks: int, notes: int) -> None:
    """Take in banks, one after the other; only the calls of the index are timed."""
    hosting = Hosting(url, most=1)
    middle = numpy.load(place)
    for number in range(first, first + banks):
        chance = numpy.random.default_rng(number)
        made = list(documents(chance, notes))
        rows = near(chance, middle, 2 * notes)
        vectors = {each.key: Vectors(rows[2 * at : 2 * at + 2], 0.5, 0.5) for at, each in enumerate(made)}
        began, cpu = time.perf_counter(), time.process_time()
        index = hosting.index(bank(number))
        index.update(made, [])
        index.put_vectors(IDENTITY, vectors)
        took = {"seconds": time.perf_counter() - began, "cpu_s": time.process_time() - cpu}
        print(json.dumps({"bank": number, "notes": notes, **took}), flush=True)
    hosting.door.close()


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
