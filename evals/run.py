"""Measure recall: the right note first, and silence where nothing fits; and the guards.

python -m evals.run [--data DIR] [--only SET …] [--json FILE]

Uses the public API alone. `--data` is a folder with the public sets; without it only the project's own set is run.
Constants were chosen on the tuning halves; look at the reported halves.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from evals import sets
from evals.guards import run as guards
from tacit import Bank

if TYPE_CHECKING:
    from collections.abc import Callable

    from evals.sets import Case

SETS: dict[str, Callable[[Path], list[Case]]] = {
    "devmembench": sets.devmembench,
    "locomo-turns": sets.locomo_turns,
    "locomo-sessions": sets.locomo_sessions,
    "memdaily": sets.memdaily,
}
MEASURES = ("hit@1", "recall@2", "hit@5", "recall@5", "recall@10", "mrr", "silence", "false silence", "chars")
Tally = dict[tuple[str, str], dict[str, list[float]]]


def measure(cases: list[Case], tally: Tally) -> None:
    """Put the cases into banks, ask their prompts, and note how it went."""
    for number, case in enumerate(cases, 1):
        sys.stderr.write(f"\r  bank {number} of {len(cases)}, {len(case.notes)} notes …   ")
        with tempfile.TemporaryDirectory(prefix="tacit-eval-") as folder:
            bank = Bank.init(Path(folder) / ".memory")
            bank.add(case.notes)
            bank.reindex()
            for prompt in case.prompts:
                noted = {}
                if case.limit:
                    ranked = [hit.id for hit in bank.search(prompt.text, case.limit)]
                else:
                    recall = bank.recall(prompt.text, turns=prompt.turns, explain=True)
                    ranked = [hit.id for hit in recall.considered]
                    said = [hit.id for hit in recall.notes]
                    noted["false silence" if prompt.gold else "silence"] = float(not said)
                    if said:
                        noted["chars"] = float(len(recall.injection))
                if prompt.gold:
                    noted |= _ranking(ranked, prompt.gold)
                for group in ("all", prompt.group):
                    for name, value in noted.items():
                        tally[prompt.half, group][name].append(value)
    sys.stderr.write("\r" + " " * 60 + "\r")


def _ranking(ranked: list[str], gold: frozenset[str]) -> dict[str, float]:
    found = {f"recall@{k}": len(gold & set(ranked[:k])) / len(gold) for k in (2, 5, 10)}
    found |= {f"hit@{k}": float(bool(gold & set(ranked[:k]))) for k in (1, 5)}
    place = next((place for place, each in enumerate(ranked, 1) if each in gold), 0)
    return found | {"mrr": 1 / place if place else 0.0}


def summary(tally: Tally) -> list[dict[str, object]]:
    """Return one row for each half and group."""
    rows = []
    for (half, group), noted in sorted(
        tally.items(), key=lambda item: (item[0][0] == "tune", item[0][1] != "all", item[0])
    ):
        row: dict[str, object] = {"half": half, "group": group, "prompts": max(map(len, noted.values()))}
        for name, values in noted.items():
            row[name] = round(statistics.median(values) if name == "chars" else statistics.fmean(values), 3)
        rows.append(row)
    return rows


def show(name: str, rows: list[dict[str, object]]) -> None:
    """Print a table."""
    print(f"── {name}")
    print("  " + "half".ljust(8) + "group".ljust(22) + "n".rjust(6) + "".join(each.rjust(14) for each in MEASURES))
    for row in rows:
        cells = "".join(str(row.get(each, "")).rjust(14) for each in MEASURES)
        print("  " + str(row["half"]).ljust(8) + str(row["group"]).ljust(22) + str(row["prompts"]).rjust(6) + cells)


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with the public sets")
    parser.add_argument("--only", nargs="*", default=[], choices=["own", "guards", *SETS])
    parser.add_argument("--json", type=Path, help="keep the figures here")
    options = parser.parse_args()
    kept = {}
    for name in ("own", *SETS):
        if (options.only and name not in options.only) or (name != "own" and options.data is None):
            continue
        began = time.perf_counter()
        tally: Tally = defaultdict(lambda: defaultdict(list))
        measure(sets.own() if name == "own" else SETS[name](options.data), tally)
        kept[name] = summary(tally)
        show(f"{name} ({time.perf_counter() - began:.0f} s)", kept[name])
    if not options.only or "guards" in options.only:
        guards.main(options.data, options.json and options.json.with_name("guards.json"))
    if options.json and kept:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(kept, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
