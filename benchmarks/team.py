"""Measure many banks in one PostgreSQL: bulk ingest, and questions of one bank while the number of banks grows.

Run as `TACIT_POSTGRES_URL=… python -m benchmarks.team --banks 100 1000 --notes 100 --clients 32`. Words are drawn from
a vocabulary with the frequencies of natural text, vectors are random around a few hundred centres: none of it is real.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import threading
import time
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

import numpy

from tacit.bank.wiring import Hosting
from tacit.index.contract import Document, Filter, Nearness, Vectors

if TYPE_CHECKING:
    from collections.abc import Iterator

DIMENSION = 384
MODEL = "benchmark:1"
NEAR = Nearness(latin_documents=True, latin_query=True, hub_share=0.5, usual_hub=0.5)
_CHANCE = random.Random(11)
_NUMBERS = numpy.random.default_rng(11)
_CENTRES = _NUMBERS.normal(size=(300, DIMENSION)).astype(numpy.float32)
_WORDS = [f"word{number}" for number in range(20_000)]
_RARITY = [1 / (rank + 10) for rank in range(len(_WORDS))]


def documents(count: int) -> Iterator[Document]:
    """Made-up notes of about sixty words."""
    for number in range(count):
        words = " ".join(_CHANCE.choices(_WORDS, _RARITY, k=60))
        name = f"L1_declarative/n{number}.md"
        known = (name, words[:40], f"MEM-{number}", name, "L1", "active", "both", "project", "title", words[:80])
        yield Document(*known, is_latin=True, words=words, passages=(words,))


def vector() -> numpy.ndarray:
    """A vector near one of the centres."""
    made = _CENTRES[_CHANCE.randrange(len(_CENTRES))] + 0.6 * _NUMBERS.normal(size=DIMENSION).astype(numpy.float32)
    unit: numpy.ndarray = made / numpy.linalg.norm(made)
    return unit


def fill(hosting: Hosting, banks: int, notes: int) -> tuple[list[UUID], float]:
    """Make banks with notes and vectors; return them, and how many notes a second were taken in."""
    prepared = []
    for _ in range(banks):
        those = list(documents(notes))
        prepared.append((uuid4(), those, {each.key: Vectors([vector(), vector()], 0.5, 0.5) for each in those}))
    began = time.perf_counter()
    for bank, those, vectors in prepared:
        index = hosting.index(bank)
        index.update(those, [])
        index.put_vectors(MODEL, vectors)
    return [bank for bank, _, _ in prepared], banks * notes / (time.perf_counter() - began)


def ask(hosting: Hosting, banks: list[UUID], clients: int, each: int) -> list[float]:
    """Let clients ask random banks by words and by a vector; return how long each question took, in milliseconds."""
    took: list[float] = []

    def client(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(each):
            index = hosting.index(chance.choice(banks))
            words, near = chance.choices(_WORDS, _RARITY, k=8), _CENTRES[seed % len(_CENTRES)]
            began = time.perf_counter()
            found = {*index.by_keywords(words, 5, Filter())}
            found |= {*index.by_vector(MODEL, near, 50, Filter(), NEAR, also=list(found)).scores}
            index.find(found)
            took.append(1000 * (time.perf_counter() - began))

    threads = [threading.Thread(target=client, args=(seed,)) for seed in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return took


def main() -> None:
    """Print one line for each number of banks."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--banks", type=int, nargs="+", default=[100, 1000])
    parser.add_argument("--notes", type=int, default=100)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 32])
    parser.add_argument("--each", type=int, default=30)
    wanted = parser.parse_args()
    hosting = Hosting(os.environ["TACIT_POSTGRES_URL"], most=max(wanted.clients))
    banks: list[UUID] = []
    for number in sorted(wanted.banks):
        made, rate = fill(hosting, number - len(banks), wanted.notes)
        banks += made
        for clients in wanted.clients:
            ask(hosting, banks, clients, 3)
            took = sorted(ask(hosting, banks, clients, max(wanted.each, 200 // clients)))
            p95 = took[int(0.95 * len(took))]
            print(
                f"{number} banks of {wanted.notes} notes, ingest {rate:.0f} notes/s; {clients} clients, {len(took)}"
                f" questions: median {statistics.median(took):.1f} ms, p95 {p95:.1f} ms",
                flush=True,
            )
    hosting.door.close()


if __name__ == "__main__":
    main()
