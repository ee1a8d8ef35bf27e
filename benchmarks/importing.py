"""How fast a foreign memory of thousands of notes is taken in, governance included, and how much memory that takes."""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.run import table

SIZE = 5_000
LEAST_PER_S = 100
MOST_MB = 500
_SYLLABLES = "ba ce di fo gu ha ke li mo nu pa re si to vu wa xe yi zo".split()  # noqa: SIM905  syllables, not a list
# Few enough that every note has neighbours to be compared with.
_VOCABULARY = ["".join(random.Random(place).choices(_SYLLABLES, k=3)) for place in range(1_500)]


def measure() -> dict[str, object]:
    """Import notes in two formats, each in a process of its own, and then once more."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="tacit-bench-") as folder:
        for name, write in (("lingxi", _lingxi), ("claude-memory", _claude)):
            source = Path(folder) / name / "memory"
            write(source, random.Random(SIZE))
            rows.append(_row(name, source, Path(folder) / f"{name}-bank"))
    head = ["format", "notes", "s", "cpu s", "notes/s", "again s", "peak MB", "questions"]
    table(
        head,
        [
            [row[key] for key in ("format", "notes", "s", "cpu_s", "per_s", "again_s", "peak_mb", "questions")]
            for row in rows
        ],
    )
    return {"size": SIZE, "least_per_s": LEAST_PER_S, "most_mb": MOST_MB, "rows": rows}


def _row(name: str, source: Path, bank: Path) -> dict[str, object]:
    home = {**os.environ, "TACIT_HOME": str(bank / "home")}
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.importing", str(source), str(bank)],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env=home,
    )
    notes, questions, taken, cpu, again, peak = run.stdout.split()
    return {
        "format": name,
        "notes": int(notes),
        "questions": int(questions),
        "s": float(taken),
        "cpu_s": float(cpu),
        "per_s": round((int(notes) + int(questions)) / float(taken), 1),
        "again_s": float(again),
        "peak_mb": float(peak),
    }


def _one(source: Path, root: Path) -> None:
    """Import once and once more, and print what it took."""
    from tacit.bank import Bank, By

    bank = Bank.init(root / ".memory")
    began, worked = time.perf_counter(), time.process_time()
    done = bank.importer.run(source, by=By())
    taken, cpu = time.perf_counter() - began, time.process_time() - worked
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    began = time.perf_counter()
    again = bank.importer.run(source, by=By())
    assert not again.operation_id, "the second import wrote something"
    assert len(done.plan.notes) + len(done.plan.questions) + len(done.plan.skipped) == SIZE
    print(
        len(done.plan.notes), len(done.proposals), f"{taken:.2f} {cpu:.2f} {time.perf_counter() - began:.2f} {peak:.1f}"
    )


def _phrase(words: random.Random, count: int) -> str:
    return " ".join(words.choices(_VOCABULARY, k=count))


def _lingxi(folder: Path, words: random.Random) -> None:
    (folder / "notes").mkdir(parents=True)
    (folder / "INDEX.md").write_text("| Id | Kind |\n", encoding="utf-8")
    for number in range(SIZE):
        text = (
            f"# {_phrase(words, 4)}\n\n## Meta\n\n- **Id**: MEM-{number:05}\n- **Kind**: decision\n\n"
            f"## When to load\n\n- {_phrase(words, 6)}\n\n## One-liner (for injection)\n\n{_phrase(words, 12)}\n\n"
            f"## Context / Decision\n\n- **Decision**: {_phrase(words, 20)}\n- **Alternatives**: {_phrase(words, 8)}\n"
        )
        (folder / "notes" / f"MEM-{number:05}.md").write_text(text, encoding="utf-8")


def _claude(folder: Path, words: random.Random) -> None:
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("# Memory\n", encoding="utf-8")
    for number in range(SIZE):
        text = (
            f"---\nname: {_phrase(words, 4)}\ndescription: {_phrase(words, 10)}\ntype: feedback\n---\n\n"
            f"{_phrase(words, 25)}.\n\n**Why:** {_phrase(words, 12)}.\n"
        )
        (folder / f"feedback_{number:05}.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    _one(Path(sys.argv[1]), Path(sys.argv[2]))
