"""What a recall costs in a warm process, how it grows, what it keeps in memory, and what adding one note costs.

The notes are real files with real words in a real index. Their vectors are made up: those of a few hundred notes by the
models, each of the others near one of these; making a hundred thousand takes hours and changes neither the time nor the
memory of looking them up. The prompts' vectors are made by the models of this machine (TACIT_HOME), so their time is in
the figures; without models only keywords are measured. The bank is made by one process and asked by another, which does
nothing but open it and recall, as the daemon does.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from subprocess import run

from benchmarks.run import table

SIZES = (1_000, 10_000, 100_000)
PROMPTS = 200
# So many notes get their vectors from the models; the others lie about them.
REAL = 200
NOUNS = tuple(
    "cache deploy invoice retry schema login search report queue theme export token parser ledger avatar quota".split()  # noqa: SIM905  words
)
VERBS = tuple(
    "validate rotate flush index mirror batch throttle encrypt archive render merge audit shard trim stamp".split()  # noqa: SIM905  words
)


def measure() -> dict[str, object]:
    """Measure each size; the files and the index are made in a process of their own, and so is the recall."""
    rows = []
    for size in SIZES:
        with tempfile.TemporaryDirectory(prefix="tacit-recall-") as folder:
            made = _child("made", folder, size)
            asked = _child("asked", folder, size)
            added = _child("added", folder, size)
        rows.append({"notes": size, **made, **asked, **added})
        print(f"  {rows[-1]}", flush=True)
    head = ["notes", "p50 ms CPU", "p95 ms CPU", "model p95", "p50 ms wall", "first s CPU", "MB", "add ms CPU"]
    keys = (
        *("notes", "cpu_p50_ms", "cpu_p95_ms", "models_cpu_p95_ms", "wall_p50_ms", "first_cpu_s", "memory_mb"),
        "add_cpu_ms",
    )
    table(head, [[row[key] for key in keys] for row in rows])
    return {"prompts": PROMPTS, "vectors": "made up around real ones", "rows": rows}


def _child(act: str, folder: str, size: int) -> dict[str, object]:
    words = [sys.executable, "-m", "benchmarks.recall", act, folder, str(size)]
    done = run(words, check=True, capture_output=True, text=True)
    figures: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return figures


def _text(number: int) -> tuple[str, str]:
    noun, verb = NOUNS[number % 16], VERBS[(number // 16) % len(VERBS)]
    other = NOUNS[(number * 7 + 3) % 16]
    return f"{verb} the {noun} of service {number}", f"{verb} the {noun} before the {other} of module {number % 997}."


def _made(folder: Path, size: int) -> dict[str, object]:
    """Make the bank: one note by its own doors, the others as files after its pattern, then words and vectors."""
    from tacit import Bank
    from tacit.formats import native
    from tacit.note.model import Note

    bank = Bank.init(folder / "bank")
    bank.add([Note(id="MEM-pattern", title="pattern", when_to_load=("never",), one_liner="A pattern.")])
    pattern = bank.get("MEM-pattern")
    for number in range(size):
        when, line = _text(number)
        note = replace(pattern, id=f"MEM-n{number}", title=when, when_to_load=(when,), one_liner=line, file="")
        (bank.root / f"L1_declarative/MEM-n{number}.md").write_bytes(native.compose(note))
    began = time.process_time()
    bank.recaller.reindexer.catch_up(force=True)
    words_s = time.process_time() - began
    mode = bank.warm()
    make_up_vectors(bank)
    size_mb = (bank.root / ".local/index.db").stat().st_size // 1_000_000
    return {"mode": mode, "words_cpu_s": words_s, "index_mb": size_mb}


def make_up_vectors(bank: object) -> None:
    """Give every note vectors of every model: a few real ones, and others near them."""
    import numpy

    from tacit.index.contract import Vectors

    reindexer = bank.recaller.reindexer  # type: ignore[attr-defined]
    chance = numpy.random.default_rng(7)
    for model, latin in reindexer.models.tasks().items():
        identity = reindexer.models.identity(model)
        batch = reindexer.index.without_vectors(identity, REAL, latin=latin)
        real = [reindexer.models.vectors(model, texts) for _, texts in batch]
        while batch := reindexer.index.without_vectors(identity, 2_000, latin=latin):
            vectors = {}
            for key, _ in batch:
                near = real[int(chance.integers(len(real)))]
                rows = numpy.stack(near.rows)
                rows = rows + 0.6 * chance.standard_normal(rows.shape, dtype=numpy.float32) / rows.shape[1] ** 0.5
                rows /= numpy.linalg.norm(rows, axis=1, keepdims=True)
                vectors[key] = Vectors(list(rows.astype(numpy.float32)), near.hub_latin, near.hub_cjk)
            reindexer.index.put_vectors(identity, vectors)


def _asked(folder: Path, size: int) -> dict[str, object]:
    """Ask a bank that is there, and beside it its model alone: on a busy machine both are slow at the same time."""
    import gc

    from tacit import Bank

    bank = Bank.open(folder / "bank", heal=False)
    bank.warm()
    began = time.process_time()
    bank.recall("warm up the cache of service 3")
    first = time.process_time() - began
    gc.collect()
    gc.freeze()
    models = bank.recaller.reindexer.models
    pair = models.pairs().get("latin-latin")  # prompts and notes are English, so that the others have nothing to read
    cpu, wall, alone = [], [], []
    for number in range(PROMPTS):
        noun, verb = NOUNS[number % 16], VERBS[number % 13]
        prompt = (
            f"how do we {verb} the {noun} of service {number * 37 % size}, and what about its {NOUNS[number % 11]}?"
        )
        began, cpu_began = time.perf_counter(), time.process_time()
        bank.recall(prompt)
        cpu.append(time.process_time() - cpu_began)
        wall.append(time.perf_counter() - began)
        cpu_began = time.process_time()
        if pair is not None:
            models.query(pair.readings[0].model, f"{prompt} ")  # not the very text whose vector is still known
        alone.append(time.process_time() - cpu_began)
    return {
        "cpu_p50_ms": 1000 * statistics.median(cpu),
        "cpu_p95_ms": 1000 * statistics.quantiles(cpu, n=20)[-1],
        "models_cpu_p50_ms": 1000 * statistics.median(alone),
        "models_cpu_p95_ms": 1000 * statistics.quantiles(alone, n=20)[-1],
        "wall_p50_ms": 1000 * statistics.median(wall),
        "first_cpu_s": first,
        "memory_mb": _resident_mb(),
    }


def _added(folder: Path, size: int) -> dict[str, object]:
    """Measure a new note from its file to its being found by its words and by the quick model."""
    from tacit import Bank
    from tacit.bank import documents
    from tacit.note.model import Note

    bank = Bank.open(folder / "bank", heal=False)
    bank.warm()
    bank.recall("warm up the cache of service 3")
    reindexer = bank.recaller.reindexer
    seconds = []
    for number in range(20):
        note = Note(
            id=f"MEM-added{number}",
            file=f"L1_declarative/MEM-added{number}.md",
            title=f"zebra {number}",
            when_to_load=(f"the zebra crossing number {number}",),
            one_liner="Look left.",
        )
        # Of this thread alone: behind it, the slower vectors of the note before may still be in the making.
        began = time.thread_time()
        reindexer.index.update([documents.of_note(note, f"{number:064x}")], [])
        reindexer.embed(1, quickly=True)
        seconds.append(time.thread_time() - began)
        assert bank.search(f"zebra crossing number {number}", 3)[0].id.startswith("MEM-added")
    del size
    return {"add_cpu_ms": 1000 * statistics.median(seconds)}


def _resident_mb() -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS"))


if __name__ == "__main__":
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    given = {"made": _made, "asked": _asked, "added": _added}[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]))
    print(json.dumps(given))
