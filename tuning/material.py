"""The banks that models are taught with: notes, prompts that need them, and prompts that come near and need none."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "banks"
# Kept out of the teaching, to see whether what is learned holds elsewhere.
HELD_OUT = (
    *("en1-09", "en3-09", "en4-05", "en5-10", "en6-05", "en7-10", "en10-03"),
    *("zh1-09", "zh2-09", "zh5-10", "zh6-05", "zh9-02"),
)
# What a prompt that needs no note points to.
NOTHING = -1


@dataclass(frozen=True)
class Asked:
    """A prompt, the place of the note it needs or NOTHING, and whether it is in the notes' language."""

    text: str
    note: int
    same_language: bool


@dataclass(frozen=True)
class Bank:
    """The notes of one made-up team, and what is asked of them."""

    name: str
    notes: list[dict[str, Any]]

    @property
    def english(self) -> bool:
        """Whether the notes are English."""
        return self.name.startswith("en")

    def asked(self) -> list[Asked]:
        """Return every prompt of the bank."""
        found = []
        for place, note in enumerate(self.notes):
            found += [Asked(text, place, same_language=True) for text in note["yes"]]
            found += [Asked(text, place, same_language=False) for text in note["other"]]
            found += [Asked(text, NOTHING, same_language=True) for text in note["near"]]
            found += [Asked(text, NOTHING, same_language=False) for text in note.get("near_other", ())]
        return found


def read(*, held_out: bool, english: bool | None = None) -> list[Bank]:
    """Return the banks to teach with, or those that were held out."""
    banks = [
        Bank(path.stem, [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()])
        for path in sorted(FOLDER.glob("*.jsonl"))
        if (path.stem in HELD_OUT) == held_out
    ]
    return [bank for bank in banks if english in (None, bank.english)]


def name(note: dict[str, Any]) -> str:
    """Return title and when to load, as the index has them (tacit.bank.documents)."""
    return f"{note['title']}. {'; '.join(note['when_to_load'])}"


def summary(note: dict[str, Any]) -> str:
    """Return the same with the one-liner."""
    return f"{name(note)}. {note['one_liner']}"


def area(scores: list[float], wanted: list[bool]) -> float:
    """Return how well scores tell those wanted from the others: the area under the curve, 0.5 is chance."""
    order = sorted(range(len(scores)), key=scores.__getitem__)
    rank = {place: at for at, place in enumerate(order)}
    yes = [rank[place] for place, each in enumerate(wanted) if each]
    count = len(yes)
    return (sum(yes) - count * (count - 1) / 2) / (count * (len(wanted) - count))


def report(title: str, rows: list[tuple[float, bool, bool]]) -> None:
    """Print how prompts fared, each given as its best score, whether that note is right, and whether any is."""
    scores, right, any_fits = ([row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows])
    nothing = sorted(score for score, fits in zip(scores, any_fits, strict=True) if not fits)
    line = f"  {title}: right note first {sum(right) / max(1, sum(any_fits)):.3f}"
    if nothing:
        floor = nothing[int(0.8 * len(nothing))]
        silent = sum(fits and score < floor for score, fits in zip(scores, any_fits, strict=True)) / sum(any_fits)
        line += f"; needed or not, area {area(scores, any_fits):.3f}; silent on 0.8: false silence {silent:.3f}"
    print(line, flush=True)
