"""Measure `tacit govern`: of fifty planted problems how many are found, what else is proposed, and how long it takes.

python -m evals.upkeep.run [--size 300] [--seed 1] [--json FILE]

A bank is filled with notes that are all different, and fifty problems are planted: rows without notes, notes without
rows, double ids, duplicates, conflicts, stale pointers, superseded notes, and titles that say nothing. Counted is what
a dry run reports; whatever it reports beyond the planted is false.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from evals.governance.run import read as read_pairs
from evals.governance.siblings import siblings
from tacit import Bank
from tacit.formats import native
from tacit.note.model import Layer, Note, Strength

PLANTED = {
    "orphan": 6,
    "unindexed": 6,
    "double": 3,
    "same": 10,
    "conflict": 10,
    "superseded": 6,
    "stale": 6,
    "title": 3,
}
SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ha", "ke", "li", "mo", "nu", "pa", "re", "si", "to", "vu", "wa", "xe", "yi")
Row = dict[str, Any]
Planted = dict[str, set[frozenset[str]]]


def note(payload: Row, number: int, **fields: Any) -> Note:  # noqa: ANN401  any field of a note
    """Return a note that says what a payload says."""
    scene, choice = payload["scene"], payload["choice"]
    made = Note(
        id=f"MEM-n{number:05d}",
        title=fields.pop("title", f"{scene}: {choice}"[:90]),
        when_to_load=(scene,),
        one_liner=f"{scene}: {choice}"[:300],
        decision=choice,
        alternatives="\n".join(f"- {each}" for each in payload["principles"] if each != choice),
        created=f"2026-01-{1 + number % 28:02d}T00:00:00Z",
        updated=f"2026-01-{1 + number % 28:02d}T00:00:00Z",
        strength=Strength.VALIDATED,
    )
    return replace(made, **fields)


def background(size: int, dice: random.Random) -> list[Row]:
    """Return payloads that are all different: those that look alike first, then others of invented words."""
    found = siblings()[:size]
    dice.shuffle(found)
    while len(found) < size:
        scene, choice, other = (" ".join(_word(dice) for _ in range(dice.randint(3, 7))) for _ in range(3))
        found.append({"scene": f"when {scene}", "choice": f"use {choice}", "principles": [f"use {choice}", other]})
    return found


def _word(dice: random.Random) -> str:
    return "".join(dice.choice(SYLLABLES) for _ in range(dice.randint(2, 3)))


def plant(place: Path, size: int, seed: int) -> Planted:
    """Fill a bank, plant the problems, and return which notes each kind is about."""
    dice = random.Random(seed)
    pairs = read_pairs()
    dice.shuffle(pairs)
    notes = [note(each, number) for number, each in enumerate(background(size, dice))]
    planted = {**in_notes(notes), **in_pairs(notes, pairs)}
    bank = Bank.init(place)
    bank.add(notes)
    return {**planted, **in_files(place / Layer.DECLARATIVE.folder, notes, pairs)}


def in_pairs(notes: list[Note], pairs: list[Row]) -> Planted:
    """Add pairs of notes that say the same, and pairs that clash."""
    planted: Planted = {"same": set(), "conflict": set()}
    scenes: set[str] = set()
    for problem, wanted in (("same", "same"), ("conflict", "conflicting")):
        fit = [pair for pair in pairs if pair["relation"] == wanted and not pair["hard"]]
        for pair in fit:
            if len(planted[problem]) == PLANTED[problem] or pair["old"]["scene"] in scenes:
                continue
            scenes.add(pair["old"]["scene"])
            both = [note(pair[name], len(notes) + place) for place, name in enumerate(("old", "new"))]
            notes += both
            planted[problem].add(frozenset(each.id for each in both))
    return planted


def in_notes(notes: list[Note]) -> Planted:
    """Make notes superseded, point to nothing, and bear titles that say nothing."""
    planted: Planted = {"superseded": set(), "stale": set(), "title": set()}
    for number in range(PLANTED["superseded"]):
        notes[number + 50] = replace(notes[number + 50], supersedes=(notes[number].id,))
        planted["superseded"].add(frozenset((notes[number].id,)))
    for number in range(100, 100 + PLANTED["stale"]):
        pointer = "mem://L1/MEM-vanished" if number % 2 else "src/gone/module.py"
        notes[number] = replace(notes[number], pointers=f"- {pointer}")
        planted["stale"].add(frozenset((notes[number].id,)))
    for number, title in enumerate(("Untitled", "note 3", "新笔记"), 150):
        notes[number] = replace(notes[number], title=title)
        planted["title"].add(frozenset((notes[number].id,)))
    return planted


def in_files(layer: Path, notes: list[Note], pairs: list[Row]) -> Planted:
    """Remove files behind the bank's back, add some, and copy some under another name."""
    planted: Planted = {"orphan": set(), "unindexed": set(), "double": set()}
    for each in notes[200 : 200 + PLANTED["orphan"]]:
        (layer / f"{each.id}.md").unlink()
        planted["orphan"].add(frozenset((each.id,)))
    unlike = [pair["old"] for pair in pairs if pair["relation"] == "unrelated"]
    for number, payload in enumerate(unlike[: PLANTED["unindexed"]], 90_000):
        made = note(payload, number)
        (layer / f"{made.id}.md").write_bytes(native.compose(made))
        planted["unindexed"].add(frozenset((made.id,)))
    for each in notes[240 : 240 + PLANTED["double"]]:
        (layer / f"copy-of-{each.id}.md").write_bytes((layer / f"{each.id}.md").read_bytes())
        planted["double"].add(frozenset((each.id,)))
    return planted


def measured(size: int, seed: int) -> Row:
    """Return how many planted problems a dry run finds, what it reports besides, and how long it takes."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "project" / ".memory"
        (place.parent / ".git").mkdir(parents=True)
        planted = plant(place, size, seed)
        bank = Bank.open(place, heal=False, settle=False)
        began, busy = time.monotonic(), time.process_time()
        report = bank.govern(dry_run=True)
        took, busy = time.monotonic() - began, time.process_time() - busy
    reported: Planted = {name: set() for name in planted}
    reported["orphan"] = {frozenset((each,)) for each in report.orphan_rows}
    reported["unindexed"] = {frozenset((each,)) for each in report.unindexed}
    reported["double"] = {frozenset((each.id,)) for each in report.duplicate_ids}
    for each in report.proposals:
        reported.setdefault(each.problem, set()).add(frozenset(each.notes))
    found = {name: len(planted[name] & reported[name]) for name in planted}
    # A pair that is seen the other way round (a conflict as the same) is found and named wrongly: it counts as false.
    false = {name: len(each - planted.get(name, set())) for name, each in reported.items()}
    return {
        "size": size,
        "seed": seed,
        "planted": sum(map(len, planted.values())),
        "found": sum(found.values()),
        "false": sum(false.values()),
        "by kind": {name: f"{found.get(name, 0)}+{false.get(name, 0)}" for name in reported},
        "seconds": round(took, 1),
        "of CPU": round(busy, 1),
    }


def main() -> None:
    """Print one line for each seed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--size", type=int, default=300)
    parser.add_argument("--seed", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    rows = [measured(given.size, seed) for seed in given.seed]
    for row in rows:
        print(" ".join(f"{name}={value}" for name, value in row.items()))
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
