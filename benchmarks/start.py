"""How long the command takes to start, as a ratio to an empty Python in the same run."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.run import table

ROUNDS = 40
TACIT = str(Path(sys.executable).parent / "tacit")
SUBJECTS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "tacit --version": [TACIT, "--version"],
    "tacit --help": [TACIT, "--help"],
}


def measure() -> dict[str, object]:
    """Take turns, so that a slow moment of the machine hits all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in SUBJECTS}
    for _ in range(ROUNDS):
        for name, words in SUBJECTS.items():
            began = time.perf_counter()
            subprocess.run(words, check=True, capture_output=True)
            seconds[name].append(time.perf_counter() - began)
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    empty = medians["python -c pass"]
    ratios = {name: value / empty for name, value in medians.items()}
    table(["command", "median ms", "× empty"], [[name, medians[name] * 1000, ratios[name]] for name in SUBJECTS])
    return {"rounds": ROUNDS, "median_s": medians, "ratio": ratios}
