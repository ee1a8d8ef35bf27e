"""Run the suites that measure quality, each with its own report.

python -m evals.run [SUITE …] [--data DIR] [--only SET …] [--results DIR]

`--data` is a folder with the public sets; without it only what the project carries is measured. Every suite writes
`DIR/<suite>.json` if `--results` is given.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals import recalling
from evals.governance import run as governance
from evals.guards import run as guards
from evals.stores import run as stores

if TYPE_CHECKING:
    from collections.abc import Callable

# Name → what measures it: takes the folder of public sets, if any, and the names of the sets wanted (none: all); prints
# its table and returns the figures, set by set, a row for each line of the table.
SUITES: dict[str, Callable[[Path | None, list[str]], dict[str, Any]]] = {
    "recall": recalling.run,
    "guards": lambda data, _: guards.main(data),
    "governance": lambda data, only: governance.main(data, [each for each in only if each in governance.PARTS]),
    "stores": stores.main,
}


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"{', '.join(SUITES)} (default: all)")
    parser.add_argument("--data", type=Path, help="folder with the public sets")
    parser.add_argument("--only", nargs="*", default=[], metavar="SET", help="these sets alone")
    parser.add_argument("--results", type=Path, metavar="DIR", help="keep the figures here")
    options = parser.parse_args()
    if unknown := [name for name in options.suites if name not in SUITES]:
        parser.error(f"there is no suite {', '.join(unknown)}")
    for name in options.suites or SUITES:
        figures = SUITES[name](options.data, options.only)
        if options.results:
            options.results.mkdir(parents=True, exist_ok=True)
            (options.results / f"{name}.json").write_text(_text(figures), encoding="utf-8")


def _text(figures: dict[str, Any]) -> str:
    """Return the figures as JSON, a row on a line."""
    blocks = []
    for name, rows in figures.items():
        if isinstance(rows, list):
            lines = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in rows)
            blocks.append(f"{json.dumps(name)}: [\n{lines}\n]")
        else:
            blocks.append(f"{json.dumps(name)}: {json.dumps(rows, ensure_ascii=False, indent=1)}")
    return "{\n" + ",\n".join(blocks) + "\n}\n"


if __name__ == "__main__":
    main()
