"""Run the suites that measure quality, each with its own report.

python -m evals.run [SUITE …] [--data DIR] [--only SET …] [--results DIR] [--keep]

`--data` is a folder with the public sets; without it only what the project carries is measured. With `--results` every
suite writes `DIR/<suite>.json`, where sets that were not measured this time stay as they were; the figures named in
`watched.toml` are added to `DIR/history.jsonl` and compared with `DIR/kept.json`. If any became worse by more than its
tolerance, the exit code is 1; `--keep` takes them as they are.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals import recalling, watch
from evals.drift import run as drift
from evals.extraction import run as extraction
from evals.governance import run as governance
from evals.guards import run as guards
from evals.stores import run as stores
from tacit.bank import models

if TYPE_CHECKING:
    from collections.abc import Callable

# Name → what measures it: takes the folder of public sets, if any, and the names of the sets wanted (none: all); prints
# its table and returns the figures, set by set, a row for each line of the table.
SUITES: dict[str, Callable[[Path | None, list[str]], dict[str, Any]]] = {
    "recall": recalling.run,
    "guards": lambda data, _: guards.main(data),
    "governance": lambda data, only: governance.main(data, [each for each in only if each in governance.PARTS]),
    "extraction": lambda _, __: extraction.report(),
    "drift": lambda _, __: drift.report(),
    "stores": stores.main,
}


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"{', '.join(SUITES)} (default: all)")
    parser.add_argument("--data", type=Path, help="folder with the public sets")
    parser.add_argument("--only", nargs="*", default=[], metavar="SET", help="these sets alone")
    parser.add_argument("--results", type=Path, metavar="DIR", help="keep the figures here, and compare with the kept")
    parser.add_argument("--keep", action="store_true", help="take the figures as they are, though some became worse")
    options = parser.parse_args()
    if unknown := [name for name in options.suites if name not in SUITES]:
        parser.error(f"there is no suite {', '.join(unknown)}")
    with_models = bool(models.installed())
    watched: list[watch.Figure] = []
    for name in options.suites or SUITES:
        figures = SUITES[name](options.data, options.only)
        watched += watch.watched(name, figures, with_models=with_models)
        if options.results:
            _write(options.results / f"{name}.json", figures)
    if options.results:
        sys.exit(0 if watch.hold(watched, options.results, anyway=options.keep) else 1)
    watch.show(watch.judged(watched, {}))


def _write(file: Path, figures: dict[str, Any]) -> None:
    """Write the figures of a suite over those of the same sets."""
    file.parent.mkdir(parents=True, exist_ok=True)
    earlier = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    file.write_text(_text({**earlier, **figures}), encoding="utf-8")


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
