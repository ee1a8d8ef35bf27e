"""What a suite found, as figures."""

from __future__ import annotations

import os
import platform
import re
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from typing import TYPE_CHECKING

from tests.crash.judge import BAD, DOUBLED, LOST, STUCK
from tests.crash.scratch import kind_of_file_system, scratch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tests.crash.judge import Finding

_KEPT_EXAMPLES = 8
# Figures are for everybody: where the bank lay on this machine is no part of them.
_SCRATCH = re.compile(r"/[^\s'\"]*tacit-crash-[^/\s'\"]*/?")
_COLUMNS = ("suite", "faults", BAD, LOST, DOUBLED, STUCK, "seconds")


@dataclass(slots=True)
class Outcome:
    """How many faults were injected, and after how many of them the bank was not what it must be, by what was wrong."""

    suite: str
    faults: int = 0
    bad: int = 0
    lost: int = 0
    doubled: int = 0
    stuck: int = 0
    seconds: float = 0.0
    skipped: str = ""
    examples: list[str] = field(default_factory=list)
    figures: dict[str, int] = field(default_factory=dict)

    def add(self, place: str, findings: Sequence[Finding]) -> None:
        """Count one fault, which happened at `place` and had these consequences."""
        self.faults += 1
        self.blame(place, findings)

    def blame(self, place: str, findings: Sequence[Finding]) -> None:
        """Count the consequences of faults that are already counted; one fault counts once for each sort."""
        sorts = Counter(dict.fromkeys((finding.sort for finding in findings), 1))
        self.bad += sorts[BAD]
        self.lost += sorts[LOST]
        self.doubled += sorts[DOUBLED]
        self.stuck += sorts[STUCK]
        if findings and len(self.examples) < _KEPT_EXAMPLES:
            self.examples.append(_SCRATCH.sub("", f"{place}: {'; '.join(map(str, findings[:4]))}"))

    def count(self, name: str, amount: int = 1) -> None:
        """Count something that is worth knowing besides."""
        self.figures[name] = self.figures.get(name, 0) + amount

    def merge(self, other: Outcome) -> None:
        """Take over what another process found."""
        self.faults += other.faults
        self.bad += other.bad
        self.lost += other.lost
        self.doubled += other.doubled
        self.stuck += other.stuck
        self.skipped = self.skipped or other.skipped
        self.examples = (self.examples + other.examples)[:_KEPT_EXAMPLES]
        for name, amount in other.figures.items():
            self.count(name, amount)

    @property
    def failed(self) -> bool:
        """Whether any promise was broken."""
        return bool(self.bad or self.lost or self.doubled or self.stuck)


def share_out(suite: str, shard: Callable[[int], Outcome], shards: Iterable[int] = (0, 1)) -> Outcome:
    """Run the shards of a suite in processes of their own, as many at a time as there are cores."""
    outcome = Outcome(suite)
    started = time.monotonic()
    with ProcessPoolExecutor(max_workers=os.cpu_count(), mp_context=get_context("fork")) as pool:
        for part in pool.map(shard, shards):
            outcome.merge(part)
    outcome.seconds = time.monotonic() - started
    return outcome


def table(outcomes: Sequence[Outcome]) -> str:
    """Return the figures for people."""
    rows = [_COLUMNS, *(_row(outcome) for outcome in outcomes)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    lines = []
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        lines.append("  ".join([row[0].ljust(widths[0]), *cells[1:]]))
    lines += [f"{outcome.suite} skipped: {outcome.skipped}" for outcome in outcomes if outcome.skipped]
    return "\n".join(lines)


def _row(outcome: Outcome) -> tuple[str, ...]:
    counts = (outcome.faults, outcome.bad, outcome.lost, outcome.doubled, outcome.stuck)
    return (outcome.suite, *map(str, counts), f"{outcome.seconds:.1f}")


def as_json(outcome: Outcome) -> dict[str, object]:
    """Return the figures for machines."""
    return asdict(outcome) | {"seconds": round(outcome.seconds, 1)}


def machine() -> dict[str, object]:
    """Return what of this machine matters for the figures."""
    with scratch() as place:
        file_system = kind_of_file_system(place)
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()}",
        "cores": os.cpu_count(),
        "file_system": file_system,
    }
