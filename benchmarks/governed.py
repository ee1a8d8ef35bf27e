"""What governance costs: a governed write beside a plain one that is indexed, in banks of several sizes."""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.run import table
from tacit import Bank
from tacit.bank.values import Context
from tacit.note.model import Note

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = (100, 1_000, 10_000)
RUNS = 30
TARGET = 3.0
_SYLLABLES = "ba ce di fo gu ha ke li mo nu pa re si to vu wa xe yi zo".split()  # noqa: SIM905  syllables, not a list


def measure() -> dict[str, object]:
    """Measure each size, without any model."""
    with tempfile.TemporaryDirectory(prefix="tacit-bench-") as folder:
        os.environ["TACIT_HOME"] = str(Path(folder) / "home")
        rows = [_row(Path(folder) / str(size) / ".memory", size) for size in SIZES]
    head = ["notes", "plain ms", "propose ms", "remember ms", "propose ×", "remember ×"]
    table(head, [[row[name] for name in ("notes", *_KEYS)] for row in rows])
    return {"runs": RUNS, "target": TARGET, "rows": rows}


_KEYS = ("plain_ms", "propose_ms", "remember_ms", "propose_times", "remember_times")


def _row(root: Path, size: int) -> dict[str, object]:
    words = random.Random(size)
    bank = Bank.init(root)
    bank.add([made_up_note(words) for _ in range(size)])
    bank.reindex()
    bank.remember(f"When {_phrase(words)}, use {_phrase(words)}")  # the first one loads what the others use
    # In turns, so that whatever else the machine does falls on all three alike.
    acts: dict[str, Callable[[], None]] = {
        "plain": lambda: _plain(bank, made_up_note(words)),
        "propose": lambda: _propose(bank, words),
        "remember": lambda: _remember(bank, words),
    }
    taken: dict[str, list[float]] = {name: [] for name in acts}
    for _ in range(RUNS):
        for name, act in acts.items():
            began = time.perf_counter()
            act()
            taken[name].append((time.perf_counter() - began) * 1_000)
    median = {name: statistics.median(each) for name, each in taken.items()}
    return {
        "notes": size,
        **{f"{name}_ms": round(value, 3) for name, value in median.items()},
        **{f"{name}_times": round(median[name] / median["plain"], 2) for name in ("propose", "remember")},
    }


def _plain(bank: Bank, note: Note) -> None:
    bank.add([note])
    bank.recaller.reindexer.catch_up(force=True)


def _propose(bank: Bank, words: random.Random) -> None:
    scene, choice = _phrase(words), f"use {_phrase(words)}"
    said = f"From now on {choice} for {scene}."
    bank.session("bench").saw_prompt(said)
    payload = {
        "scene": scene,
        "choice": choice,
        "principles": [choice, f"use {_phrase(words)}"],
        "source": "auto",
        "confidence": "high",
        "origin": {"text": said, "spans": [{"start": 0, "end": len(said)}]},
        "claim": {"id": "c", "digest": "d"},
    }
    (made,) = bank.propose([payload], Context("bench"))
    assert made.written, made


def _remember(bank: Bank, words: random.Random) -> None:
    made = bank.remember(f"When {_phrase(words)}, use {_phrase(words)}")
    assert made.written, made


def made_up_note(words: random.Random) -> Note:
    """Return a note of words that no other has."""
    scene, choice = _phrase(words), f"use {_phrase(words)}"
    lines = "\n".join(f"- {_phrase(words)}" for _ in range(3))
    return Note(
        id="",
        title=f"{scene}: {choice}",
        when_to_load=(scene,),
        one_liner=f"In {scene}: {choice}.",
        decision=choice,
        signals=lines,
    )


def _phrase(words: random.Random) -> str:
    """Return words that no other note has, beside a few that many have."""
    own = ["".join(words.choices(_SYLLABLES, k=6)) for _ in range(3)]
    return " ".join((*own, words.choice(("service", "module", "client", "table", "queue"))))
