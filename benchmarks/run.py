"""Run the benchmarks, print their tables and keep their figures as JSON.

python -m benchmarks.run [NAME …] [--cache DIR] [--peers NAME …]     all of them without a name

All of them take about an hour on two cores, half of it `side_by_side`, which fetches other memories into the cache.
`load` takes ten minutes more and runs by its name alone.
"""

from __future__ import annotations

import argparse
import json
import platform
from importlib import import_module
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
# Where other memories are fetched to unless a place is given.
CACHE = Path(__file__).parent / ".cache"
BESIDE = "side_by_side"
NAMES = ("start", "listing", "writers", "hook", "mcp", "governed", "recall", "entry", "importing", "web", BESIDE)


def main() -> None:
    """Run the named benchmarks, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(NAMES)} (default: all)")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="where fetched memories are kept")
    parser.add_argument("--peers", nargs="*", default=[], metavar="NAME", help="these memories alone, side by side")
    options = parser.parse_args()
    names = options.names or NAMES
    for number, name in enumerate(names, 1):
        print(f"── {name} ({number} of {len(names)})", flush=True)
        given = {"cache": options.cache} if name in ("mcp", BESIDE) else {}
        if name == BESIDE:
            given["names"] = options.peers
        keep(name, import_module(f"benchmarks.{name}").measure(**given))


def keep(name: str, figures: dict[str, object]) -> None:
    """Write the figures of a benchmark to its file."""
    kept = {"benchmark": name, "python": platform.python_version(), "system": platform.system(), **figures}
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(kept, indent=2, ensure_ascii=False) + "\n"
    (RESULTS / f"{name}.json").write_text(text, encoding="utf-8")


def table(head: list[str], rows: list[list[object]]) -> None:
    """Print a table, numbers to the right."""
    cells = [[f"{cell:,.3f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    widths = [max(len(row[place]) for row in [head, *cells]) for place in range(len(head))]
    for row in [head, *cells]:
        print("  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))


if __name__ == "__main__":
    main()
