"""How many wrong statements about eight sample projects are found, and how many true ones are called wrong.

python -m evals.drift.run [--show]     figures for each half; --show lists what was judged wrongly in the tuning half
"""

from __future__ import annotations

import argparse
import json
import tempfile
import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path

from tacit.entry import drift
from tacit.messages import say
from tacit.project import survey

PROJECTS = Path(__file__).parent / "projects"


def judged(name: str) -> list[tuple[str, bool, bool]]:
    """Return each statement about a project, whether it is drift, and whether it was found to be."""
    sample = tomllib.loads((PROJECTS / f"{name}.toml").read_text(encoding="utf-8"))
    lines = [(text, False) for text in sample["statements"]["true"]]
    lines += [(text, True) for text in sample["statements"]["drift"]]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / name
        for file, text in sample["files"].items():
            place = root / file
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        seen = replace(survey.look(root), bank=".memory")
    # Each statement is a document of its own, so that none is compared with another.
    found = [bool(drift.find([drift.Source("details/tech.md", f"{text}\n")], seen, say)) for text, _ in lines]
    return [(text, is_drift, told) for (text, is_drift), told in zip(lines, found, strict=True)]


def measure() -> dict[str, dict[str, float]]:
    """Return the figures of both halves."""
    figures: dict[str, dict[str, float]] = {}
    for split in ("tune", "report"):
        counts: Counter[tuple[bool, bool]] = Counter()
        names = [path.stem for path in sorted(PROJECTS.glob("*.toml")) if split_of(path) == split]
        for name in names:
            counts.update((is_drift, told) for _, is_drift, told in judged(name))
        drifts, true = counts[True, True] + counts[True, False], counts[False, True] + counts[False, False]
        figures[split] = {
            "projects": len(names),
            "drifts": drifts,
            "found": counts[True, True],
            "found_share": round(counts[True, True] / drifts, 4),
            "true_statements": true,
            "false_alarms": counts[False, True],
            "false_alarm_share": round(counts[False, True] / true, 4),
        }
    return figures


def split_of(path: Path) -> str:
    """Return the half to which a sample belongs."""
    return str(tomllib.loads(path.read_text(encoding="utf-8"))["split"])


def report() -> dict[str, list[dict[str, object]]]:
    """Print the figures of both halves in a line each, and return them."""
    rows: list[dict[str, object]] = [{"half": half, **figures} for half, figures in measure().items()]
    print("── drift")
    for row in rows:
        print("  " + "  ".join(f"{name} {value}" for name, value in row.items()))
    return {"statements": rows}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true")
    if parser.parse_args().show:
        for path in sorted(PROJECTS.glob("*.toml")):
            if split_of(path) == "tune":
                for text, is_drift, told in judged(path.stem):
                    if is_drift != told:
                        print(f"{path.stem}: {'missed' if is_drift else 'false alarm'}: {text}")
    print(json.dumps(measure(), indent=2))


if __name__ == "__main__":
    main()
