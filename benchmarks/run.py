"""Run the benchmarks, print their tables and keep their figures as JSON.

python -m benchmarks.run [NAME …]     all of them without a name, but for `load`, which takes ten minutes
"""

from __future__ import annotations

import json
import platform
import sys
from importlib import import_module
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
NAMES = ("start", "listing", "writers", "hook", "mcp", "governed", "recall", "entry", "importing", "web")


def main(names: list[str]) -> None:
    """Run the named benchmarks, or all."""
    for name in names or NAMES:
        print(f"── {name}", flush=True)
        keep(name, import_module(f"benchmarks.{name}").measure())


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
    main(sys.argv[1:])
