"""Fit the floors of evidence on the tuning halves, and print them as the table of index/calibration.py wants them.

python -m evals.calibrate --data DIR

For each pair of scripts a logistic regression over two squares, that of the clearness and that of the coverage of the
best candidate, tells whether it is right. Its line of equal probability is an ellipse: where that cuts the two axes are
the floors. Wrong candidates come from prompts that nothing answers, and from answerable ones whose notes are taken
away. For pairs that several sets have, the fit without each of them is printed too.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy

from evals import sets
from tacit import Bank
from tacit.index.embed.port import pair
from tacit.recall.rank import Rules
from tacit.text.tokens import is_latin

if TYPE_CHECKING:
    from evals.sets import Case

# Where the line is drawn, and what a candidate counts whose betters were taken away.
_PROBABILITY = 0.45
_TAKEN_AWAY = 0.5
# Keeps the fit from running away where few samples divide cleanly.
_RIDGE = 0.01


class Sample(NamedTuple):
    """The best candidate for one prompt: where it comes from, what speaks for it, and whether it is right."""

    source: str
    clearness: float
    coverage: float
    right: bool
    weight: float


def samples(source: str, cases: list[Case], found: dict[str, list[Sample]]) -> None:
    """Ask the prompts of the tuning half, and add what came first, with and without the right notes."""
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="tacit-eval-") as folder:
            bank = Bank.init(Path(folder) / ".memory")
            bank.add(case.notes)
            bank.reindex()
            latin = {note.id: is_latin(f"{note.title} {note.one_liner} {note.decision}") for note in case.notes}
            for prompt in (each for each in case.prompts if each.half == "tune"):
                hits = bank.recall(prompt.text, turns=prompt.turns, explain=True).considered
                others = [hit for hit in hits if hit.id not in prompt.gold]
                first = [(hit, 1.0) for hit in hits[:1]]
                first += [(hit, _TAKEN_AWAY) for hit in others[:1] if prompt.gold]
                for hit, weight in first:
                    name = pair(latin_query=is_latin(prompt.text), latin_document=latin[hit.id])
                    across = name not in ("latin-latin", "cjk-cjk")
                    clearness = hit.semantic * Rules().full_clearness
                    sample = Sample(source, clearness, hit.coverage, hit.id in prompt.gold, weight)
                    found["across" if across else name].append(sample)


def floors(those: list[Sample]) -> tuple[float, float]:
    """Return the floors of clearness and coverage; every set has the same weight."""
    totals = {name: sum(each.weight for each in those if each.source == name) for name in {s.source for s in those}}
    table = numpy.array([(1.0, each.clearness**2, each.coverage**2) for each in those])
    scale = table.std(axis=0)
    scale[0] = 1.0
    table = table / scale
    right = numpy.array([float(each.right) for each in those])
    weight = numpy.array([each.weight / totals[each.source] for each in those]) * len(those) / len(totals)
    beta = numpy.zeros(3)
    for _ in range(40):
        guess = 1 / (1 + numpy.exp(-table @ beta))
        slope = table.T @ (weight * (right - guess)) - _RIDGE * beta
        bend = (table * (weight * guess * (1 - guess))[:, None]).T @ table + _RIDGE * numpy.eye(3)
        beta = beta + numpy.linalg.solve(bend, slope)
    beta = beta / scale
    needed = math.log(_PROBABILITY / (1 - _PROBABILITY)) - beta[0]
    return math.sqrt(max(0.0, needed / beta[1])), math.sqrt(max(0.0, needed / beta[2]))


def main() -> None:
    """Collect, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with the public sets")
    data = parser.parse_args().data
    found: dict[str, list[Sample]] = defaultdict(list)
    for name, cases in (
        ("own", sets.own()),
        ("devmembench", sets.devmembench(data)),
        ("precisionmembench", sets.precisionmembench(data)),
        ("memdaily", sets.memdaily(data)),
    ):
        samples(name, cases, found)
    for name, those in sorted(found.items()):
        sources = sorted({each.source for each in those})
        print(f"{name:12} floors {_said(floors(those))} from {len(those)} samples of {', '.join(sources)}")
        for left_out in sources if len(sources) > 1 else []:
            rest = [each for each in those if each.source != left_out]
            print(f"{'':12}        {_said(floors(rest))} without {left_out}")


def _said(those: tuple[float, float]) -> str:
    return "{:.2f} (clearness), {:.2f} (coverage)".format(*those)


if __name__ == "__main__":
    main()
