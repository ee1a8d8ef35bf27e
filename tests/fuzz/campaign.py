"""Fuzz every reader of foreign bytes for an hour in all, one after the other, and write down what happened.

python -m tests.fuzz.campaign [--minutes 60] [--only TARGET …] [--seed 1] [--json benchmarks/results/fuzz.json]

Each target gets an equal share of the time: half of it by atheris, which follows the coverage of our own code, half by
hypothesis, which knows the shape of what is read. Without atheris (`pip install atheris`) hypothesis has it all.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.fuzz.targets import TARGETS


def main(words: list[str]) -> int:
    """Run the campaign; return 1 if any target crashed."""
    options = _options(words)
    names = options.only or list(TARGETS)
    engines = ["atheris", "hypothesis"] if find_spec("atheris") else ["hypothesis"]
    share = options.minutes * 60 / len(names) / len(engines)
    _say(f"{len(names)} targets, {options.minutes:g} minutes, by {' and '.join(engines)}")
    rows: list[dict[str, Any]] = []
    for engine in engines:
        worker = [sys.executable, "-m", "tests.fuzz.worker", engine, str(share), str(options.seed), *names]
        with subprocess.Popen(worker, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as started:
            for line in started.stdout or ():
                rows.append(json.loads(line))
                _show(rows[-1], len(rows), len(names) * len(engines))
                _keep(options, engines, rows)
    crashed = sum(len(row["crashes"]) for row in rows)
    _say(f"{sum(row['executions'] for row in rows):,} executions, {crashed} crashes")
    return 1 if crashed or len(rows) < len(names) * len(engines) else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _show(row: dict[str, Any], number: int, total: int) -> None:
    figures = f"{row['executions']:>9,} executions  {len(row['crashes'])} crashes  {row['slowest_ms']:>8,.1f} ms"
    _say(f"{number:>3}/{total}  {row['target']:<20} {row['engine']:<10} {figures}")
    for each in row["crashes"]:
        _say(f"       {each['error']}  at {each.get('where', '')}")


def _options(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.campaign")
    parser.add_argument("--minutes", type=float, default=60.0, help="how long in all")
    parser.add_argument("--only", nargs="+", choices=list(TARGETS), help="these targets alone")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="where to write the figures")
    return parser.parse_args(words)


def _keep(options: argparse.Namespace, engines: list[str], rows: list[dict[str, Any]]) -> None:
    if options.json is None:
        return
    members = {
        "benchmark": "fuzz",
        "python": platform.python_version(),
        "system": platform.system(),
        "minutes": options.minutes,
        "engines": engines,
        "seed": options.seed,
        "executions": sum(row["executions"] for row in rows),
        "crashes": sum(len(row["crashes"]) for row in rows),
        "targets": rows,
    }
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(members, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
