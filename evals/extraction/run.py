"""Measure what `tacit extract` recognises: which turns of the labelled set it keeps, and which it should have.

python -m evals.extraction.run [--half report] [--file FILE] [--show] [--json FILE]

A turn counts as kept if any of its sentences becomes a candidate. The labels were written before the rules; rules were
looked at on the tuning half alone. `--file` takes another set of the same shape.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from tacit import guards
from tacit.bank import guarding
from tacit.capture import recognise

TURNS = Path(__file__).parent / "turns.jsonl"
Row = dict[str, Any]


def read(path: Path = TURNS) -> list[Row]:
    """Return the labelled turns."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def kept(text: str) -> list[recognise.Candidate]:
    """Return the candidates of one turn, without those that a guard refuses."""
    found = recognise.candidates([text])
    return [each for each in found if not any(map(guarding.is_refused, guards.inspect({"": each.sentence})))]


def measured(rows: list[Row]) -> Row:
    """Return precision, recall and how many candidates lack their sentence, for one group of turns."""
    right = wrong = missed = orphans = 0
    for row in rows:
        found = kept(row["text"])
        orphans += sum(each.sentence not in row["text"] for each in found)
        right += bool(found) and row["label"] == "keep"
        wrong += bool(found) and row["label"] == "leave"
        missed += not found and row["label"] == "keep"
    return {
        "turns": len(rows),
        "precision": round(right / max(right + wrong, 1), 3),
        "recall": round(right / max(right + missed, 1), 3),
        "without sentence": orphans,
    }


def by_half(rows: list[Row]) -> list[Row]:
    """Return the figures of each half, in all and by language."""
    table = []
    for half in sorted({row.get("half", "") for row in rows}):
        for language in ("all", *sorted({row["language"] for row in rows})):
            group = [row for row in rows if row.get("half", "") == half and language in ("all", row["language"])]
            table.append({"half": half, "language": language, **measured(group)})
    return table


def report() -> dict[str, list[Row]]:
    """Print the figures of the labelled set, and return them."""
    table = by_half(read())
    print("── extraction")
    for line in table:
        print("  " + "  ".join(f"{name} {value}" for name, value in line.items()))
    return {"turns": table}


def main() -> None:
    """Print one line for each half and language."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--half", choices=("tune", "report"))
    parser.add_argument("--file", type=Path, default=TURNS)
    parser.add_argument("--show", action="store_true", help="print every turn that was judged wrongly")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    rows = [row for row in read(given.file) if given.half in (None, row.get("half"))]
    table = by_half(rows)
    for line in table:
        print(" ".join(f"{name}={value}" for name, value in line.items()))
    if given.show:
        for row in rows:
            found = kept(row["text"])
            if bool(found) != (row["label"] == "keep"):
                judged = [(each.rule, each.sentence) for each in recognise.judge(row["text"])]
                print(row["label"], row.get("about", ""), judged)
    if given.json:
        given.json.write_text(json.dumps(table, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
