"""Measure the guards: what they find, what they find wrongly, and what a note costs.

python -m evals.guards.run [--data DIR] [--json FILE]

`--data` is a folder with the public sets; without it only the project's own texts are used. No value is ever printed.
The rules were written with the even-numbered items of the public sets in view; the half called `report` was not read.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from evals.guards import own
from tacit.guards import Tier, inspect

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tacit.guards import Finding

RECALL_NOTES = Path(__file__).parents[1] / "recall/notes.jsonl"
Rows = list[dict[str, object]]
# A value worth finding: an unbroken run with letters and three digits or more that is not one pattern repeated.
_RUN = re.compile(r"[\w+/=.~%$@:\-]{12,}")
_FEW = 8


def main(data: Path | None, keep: Path | None = None) -> None:
    """Measure everything, print it, and keep it if asked to."""
    figures: dict[str, Rows] = {"own": _own(), "speed": _speed(data)}
    if data:
        figures |= {"secrets": _secrets(data), "stores": _stores(data), "injection": _injection(data)}
    for name, rows in figures.items():
        print(f"── guards: {name}")
        for row in rows:
            print("  " + "  ".join(f"{key} {value}" for key, value in row.items()))
    if keep:
        keep.parent.mkdir(parents=True, exist_ok=True)
        keep.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _rates(judged: Iterable[tuple[str, bool, tuple[Finding, ...]]], guards: tuple[str, ...]) -> Rows:
    """Return for each group how many of its texts were found, by tier; for benign ones these are false alarms."""
    groups: dict[tuple[str, bool], list[set[Tier]]] = defaultdict(list)
    for group, is_bad, findings in judged:
        groups[group, is_bad].append({each.tier for each in findings if each.guard in guards})
    return [
        {
            "group": group,
            "should": "alarm" if is_bad else "be silent",
            "texts": len(tiers),
            **{tier.value: sum(tier in each for each in tiers) for tier in Tier if any(tier in each for each in tiers)},
            "any": sum(map(bool, tiers)),
            "share": round(sum(map(bool, tiers)) / len(tiers), 3),
        }
        for (group, is_bad), tiers in sorted(groups.items(), key=lambda item: (not item[0][1], item[0][0]))
    ]


def _own() -> Rows:
    secrets = [
        (f"{each.kind.partition(':')[0]} {each.language}", each.is_bad, inspect({"": each.text}))
        for seed in range(3)
        for each in own.secrets(seed)
    ]
    instructions = [
        (f"{each.kind} {each.language}", each.is_bad, inspect({"": each.text})) for each in own.instructions()
    ]
    return _rates(secrets, ("secret", "personal")) + _rates(instructions, ("instruction",))


def _secrets(data: Path) -> Rows:
    lines = (data / "secrets/samples.jsonl").read_text(encoding="utf-8").splitlines()
    judged = []
    for number, row in enumerate(map(json.loads, lines)):
        text = base64.b64decode(row["text_b64"]).decode("utf-8", errors="replace")
        half = "tune" if number % 2 == 0 else "report"
        groups = ["all", half]
        if row["label"] and _has_value(text):
            groups += ["all, has a value", f"{half}, has a value"]
        judged += [(group, bool(row["label"]), inspect({"": text})) for group in groups]
    return _rates(judged, ("secret",))


def _has_value(text: str) -> bool:
    """Whether there is anything to find: many texts labelled as secrets are a name, a bare prefix or `xxxx`."""
    runs = _RUN.findall(text)
    return any(
        len(set(run)) > _FEW and sum(map(str.isdigit, run)) >= 3 and sum(map(str.isalpha, run)) >= 3 for run in runs
    )


def _stores(data: Path) -> Rows:
    """Return each alarm on real memory stores by file and line, for a person to judge."""
    rows: Rows = []
    lines = 0
    for path in _store_files(data):
        text = path.read_text(encoding="utf-8", errors="replace")
        lines += text.count("\n") + 1
        rows += [
            {"tier": each.tier.value, "rule": each.rule, "file": path.name, "line": each.line}
            for each in inspect({"": text})
        ]
    tiers = {tier.value: sum(row["tier"] == tier.value for row in rows) for tier in Tier}
    return [{"files": len(_store_files(data)), "lines": lines, **tiers}, *rows]


def _store_files(data: Path) -> list[Path]:
    return sorted(path for path in (data / "stores").rglob("*") if path.is_file() and path.name != "MANIFEST.json")


def _injection(data: Path) -> Rows:
    lines = (data / "injection/samples.jsonl").read_text(encoding="utf-8").splitlines()
    judged = []
    for number, row in enumerate(map(json.loads, lines)):
        half = "tune" if number % 2 == 0 else "report"
        findings = inspect({"": row["text"]})
        judged += [(group, bool(row["label"]), findings) for group in (half, f"{row['source']}, {half}")]
    return _rates(judged, ("instruction",))


def _speed(data: Path | None) -> Rows:
    notes = [json.loads(line) for line in RECALL_NOTES.read_text(encoding="utf-8").splitlines()]
    fields = ("title", "one_liner", "decision")
    sets = {"notes of our own": [{name: note[name] for name in fields} for note in notes]}
    if data:
        sets["files of stores"] = [{"": path.read_text("utf-8", errors="replace")} for path in _store_files(data)]
    rows: Rows = []
    for name, texts in sets.items():
        best = min(_seconds(texts) for _ in range(9))
        size = sum(len(text) for each in texts for text in each.values())
        rows.append(
            {
                "set": name,
                "texts": len(texts),
                "characters": round(size / len(texts)),
                "ms of CPU each": round(best * 1000 / len(texts), 4),
                "ms per 1000 characters": round(best * 1e6 / size, 4),
            }
        )
    return rows


def _seconds(texts: list[dict[str, str]]) -> float:
    began = time.process_time()
    for each in texts:
        inspect(each)
    return time.process_time() - began


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with the public sets")
    parser.add_argument("--json", type=Path, help="keep the figures here")
    options = parser.parse_args()
    main(options.data, options.json)
