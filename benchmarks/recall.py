"""What a recall costs in a warm process, how it grows, what it keeps in memory, and what adding one note costs.

The notes are real files with real words in a real index. Their vectors are random: making a hundred thousand by a
model takes hours and changes neither the time nor the memory of looking them up. The prompts' vectors are made by the
models of this machine (TACIT_HOME), so their time is in the figures; without models only keywords are measured.
"""

from __future__ import annotations

import os
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path
from subprocess import run

from benchmarks.run import table

SIZES = (1_000, 10_000, 100_000)
PROMPTS = 200
NOUNS = tuple(
    "cache deploy invoice retry schema login search report queue theme export token parser ledger avatar quota".split()  # noqa: SIM905  words
)
VERBS = tuple(
    "validate rotate flush index mirror batch throttle encrypt archive render merge audit shard trim stamp".split()  # noqa: SIM905  words
)


def measure() -> dict[str, object]:
    """Measure each size in a process of its own, so that one's memory is not another's."""
    rows = []
    for size in SIZES:
        done = run([sys.executable, "-m", "benchmarks.recall", str(size)], check=True, capture_output=True, text=True)
        figures = eval(done.stdout.splitlines()[-1])  # noqa: S307  our own child's last line
        rows.append({"notes": size, **figures})
        print(f"  {size} notes: {figures}", flush=True)
    head = ["notes", "p50 ms CPU", "p95 ms CPU", "p50 ms wall", "add+found ms CPU", "MB"]
    keys = ("notes", "cpu_p50_ms", "cpu_p95_ms", "wall_p50_ms", "add_cpu_ms", "memory_mb")
    table(head, [[row[key] for key in keys] for row in rows])
    return {"prompts": PROMPTS, "rows": rows}


def _text(number: int) -> tuple[str, str]:
    noun, verb = NOUNS[number % 16], VERBS[(number // 16) % len(VERBS)]
    other = NOUNS[(number * 7 + 3) % 16]
    return f"{verb} the {noun} of service {number}", f"{verb} the {noun} before the {other} of module {number % 997}."


def _one(size: int) -> dict[str, object]:
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    import gc

    from tacit import Bank
    from tacit.note.model import Note

    with tempfile.TemporaryDirectory(prefix="tacit-recall-") as folder:
        bank = Bank.init(Path(folder) / "bank")
        notes = [
            Note(id="", title=when, when_to_load=(when,), one_liner=line)
            for when, line in (_text(number) for number in range(size))
        ]
        for start in range(0, size, 10_000):
            bank.add(notes[start : start + 10_000])
        began = time.perf_counter()
        bank.recaller.reindexer.catch_up(force=True)
        rebuilt = time.perf_counter() - began
        del notes
        mode = bank.warm()
        _random_vectors(bank)
        bank = Bank.open(bank.root)
        bank.warm()
        bank.recall("warm up the cache of service 3")
        gc.collect()
        gc.freeze()
        cpu, wall = [], []
        for number in range(PROMPTS):
            noun, verb = NOUNS[number % 16], VERBS[number % 13]
            prompt = (
                f"how do we {verb} the {noun} of service {number * 37 % size}, and what about its {NOUNS[number % 11]}?"
            )
            began, cpu_began = time.perf_counter(), time.process_time()
            bank.recall(prompt)
            cpu.append(time.process_time() - cpu_began)
            wall.append(time.perf_counter() - began)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        now = _resident_mb()
        added = _added(bank)
    return {
        "mode": mode,
        "cpu_p50_ms": 1000 * statistics.median(cpu),
        "cpu_p95_ms": 1000 * statistics.quantiles(cpu, n=20)[-1],
        "wall_p50_ms": 1000 * statistics.median(wall),
        "words_of_all_s": rebuilt,
        "memory_mb": now,
        "most_memory_mb": memory,
        "add_cpu_ms": 1000 * added,
    }


def _random_vectors(bank: object) -> None:
    """Give every note vectors of every model, random ones of the right length."""
    import numpy

    from tacit.index.contract import Vectors

    reindexer = bank.recaller.reindexer  # type: ignore[attr-defined]
    chance = numpy.random.default_rng(7)
    for model, latin in reindexer.models.tasks().items():
        identity = reindexer.models.identity(model)
        length = len(reindexer.models.query(model, "length"))
        while batch := reindexer.index.without_vectors(identity, 2_000, latin=latin):
            rows = chance.standard_normal((len(batch), 2, length), dtype=numpy.float32)
            rows /= numpy.linalg.norm(rows, axis=2, keepdims=True)
            reindexer.index.put_vectors(identity, {key: Vectors(list(rows[at])) for at, (key, _) in enumerate(batch)})


def _added(bank: object) -> float:
    """Return the CPU seconds from a new note's file to its being found by its words, the look at the files left out."""
    from tacit.bank import documents
    from tacit.note.model import Note

    index = bank.recaller.reindexer.index  # type: ignore[attr-defined]
    seconds = []
    for number in range(20):
        note = Note(
            id=f"MEM-added{number}",
            file=f"L1_declarative/MEM-added{number}.md",
            title=f"zebra {number}",
            when_to_load=(f"the zebra crossing number {number}",),
            one_liner="Look left.",
        )
        began = time.process_time()
        index.update([documents.of_note(note, f"{number:064x}")], [])
        assert bank.search(f"zebra crossing number {number}", 3)  # type: ignore[attr-defined]
        seconds.append(time.process_time() - began)
    return statistics.median(seconds)


def _resident_mb() -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS"))


if __name__ == "__main__":
    print(repr(_one(int(sys.argv[1]))))
