"""What the start of a session costs in a bank of 1,000 notes and 40 detail files, and how long its context is."""

from __future__ import annotations

import statistics
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.run import table
from tacit.bank import Bank
from tacit.note.model import Kind, Layer, Note

if TYPE_CHECKING:
    from collections.abc import Callable

NOTES, DETAILS, ROUNDS = 1_000, 40, 50


def measure() -> dict[str, object]:
    """Time the context of an open bank, that of a bank opened for it, and a refresh; CPU time alone."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project/.memory"
        _fill(root)
        bank = Bank.open(root)
        bank.entry.refresh()
        start = bank.entry.context()
        warm = [_cpu_ms(bank.entry.context) for _ in range(ROUNDS)]
        opened = [_cpu_ms(partial(_open_and_ask, root)) for _ in range(10)]
        refreshed = [_cpu_ms(bank.entry.refresh) for _ in range(10)]
    figures: dict[str, object] = {
        "notes": NOTES,
        "details": DETAILS,
        "characters": len(start.text),
        "warm_cpu_ms": round(statistics.median(warm), 3),
        "warm_cpu_ms_worst": round(max(warm), 3),
        "opened_cpu_ms": round(statistics.median(opened), 3),
        "refresh_cpu_ms": round(statistics.median(refreshed), 3),
    }
    table(["figure", "value"], [[name, value] for name, value in figures.items()])
    return figures


def _open_and_ask(root: Path) -> object:
    return Bank.open(root).entry.context()


def _cpu_ms(act: Callable[[], object]) -> float:
    began = time.process_time()
    act()
    return (time.process_time() - began) * 1000


def _fill(root: Path) -> None:
    bank = Bank.init(root)
    notes = [
        Note(
            id="",
            title=f"Decision {number} about module {number % 37}",
            kind=Kind.DECISION if number % 5 == 0 else Kind.PATTERN,
            layer=Layer.DECLARATIVE,
            when_to_load=(f"working on module {number % 37}",),
            one_liner=f"In module {number % 37}, keep rule {number} in mind before changing its interface.",
        )
        for number in range(NOTES)
    ]
    bank.add(notes)
    for number in range(3):
        (root / f"L0_core/{number}.md").write_text(
            f"# Value {number}\n\n" + "Always tell what is not done.\n" * 5, encoding="utf-8"
        )
    for number in range(DETAILS):
        place = root / "details" / ("design", "learnings", "requirements", "")[number % 4] / f"topic-{number}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"# Topic {number}\n\n" + f"Sentence about topic {number}.\n" * 80, encoding="utf-8")
