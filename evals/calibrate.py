"""Fit the floors of evidence on the tuning halves, and print them as the table of index/calibration.py wants them.

python -m evals.calibrate --data DIR [--curve HALF]

For each pair of scripts a logistic regression over two squares, that of the clearness and that of the coverage of the
best candidate, tells whether it is right. Its line of equal probability is an ellipse: where that cuts the two axes are
the floors. Wrong candidates come from prompts that nothing answers, and from answerable ones whose notes are taken
away. For pairs that several sets have, the fit without each of them is printed too.

With `--curve` it prints what the floors in use, times a factor, would give on one half: how often silence is right
where nothing fits, how often it is wrong where something does, and how often the right note is said.
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
    from collections.abc import Iterator, Sequence

    from evals.sets import Case, Prompt
    from tacit.bank.recalling import Hit

# Where the line is drawn, and what a candidate counts whose betters were taken away.
_PROBABILITY = 0.45
_TAKEN_AWAY = 0.5
# By what the floors are multiplied for a curve.
_FACTORS = (0.6, 0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2, 1.4)
# Keeps the fit from running away where few samples divide cleanly.
_RIDGE = 0.01


class Sample(NamedTuple):
    """The best candidate for one prompt: where it comes from, what speaks for it, and whether it is right."""

    source: str
    clearness: float
    coverage: float
    right: bool
    weight: float


def asked(cases: list[Case], half: str) -> Iterator[tuple[Case, Prompt, Sequence[Hit]]]:
    """Yield the prompts of one half with what recall considers for them, best first."""
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="tacit-eval-") as folder:
            bank = Bank.init(Path(folder) / ".memory")
            bank.add(case.notes)
            bank.reindex()
            for prompt in (each for each in case.prompts if each.half == half):
                yield case, prompt, bank.recall(prompt.text, turns=prompt.turns, explain=True).considered


def samples(source: str, cases: list[Case], found: dict[str, list[Sample]]) -> None:
    """Ask the prompts of the tuning half, and add what came first, with and without the right notes."""
    latin: dict[str, bool] = {}
    for case, prompt, hits in asked(cases, "tune"):
        latin |= {
            note.id: is_latin(f"{note.title} {note.one_liner} {note.decision}")
            for note in case.notes
            if note.id in {hit.id for hit in hits}
        }
        others = [hit for hit in hits if hit.id not in prompt.gold]
        first = [(hit, 1.0) for hit in hits[:1]]
        first += [(hit, _TAKEN_AWAY) for hit in others[:1] if prompt.gold]
        for hit, weight in first:
            name = pair(latin_query=is_latin(prompt.text), latin_document=latin[hit.id])
            across = name not in ("latin-latin", "cjk-cjk")
            clearness = hit.semantic * Rules().full_clearness
            sample = Sample(source, clearness, hit.coverage, hit.id in prompt.gold, weight)
            found["across" if across else name].append(sample)


def curve(name: str, cases: list[Case], half: str) -> None:
    """Print what the floors, times a factor, give on one half."""
    seen = [(prompt.gold, hits) for _, prompt, hits in asked(cases, half)]
    answerable = max(1, sum(bool(gold) for gold, _ in seen))
    print(f"{name}, {half} half: {answerable} answerable, {len(seen) - answerable} not")
    for factor in _FACTORS:
        said = [(gold, _said_beyond(hits, factor)) for gold, hits in seen]
        silence = sum(not gold and not ids for gold, ids in said) / max(1, len(seen) - answerable)
        false = sum(bool(gold) and not ids for gold, ids in said) / answerable
        right = sum(bool(gold & ids) for gold, ids in said) / answerable
        print(f"  floors × {factor:<5} silence {silence:.3f}  false silence {false:.3f}  right said {right:.3f}")


def _said_beyond(hits: Sequence[Hit], factor: float) -> set[str]:
    rules = Rules()
    near = (hit for hit in hits if hit.score >= rules.near_best * hits[0].score)
    return {hit.id for hit in [hit for hit in near if hit.evidence >= factor][: rules.limit]}


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
    parser.add_argument("--curve", metavar="HALF", help="print silence and false silence on this half instead")
    options = parser.parse_args()
    data: Path = options.data
    found: dict[str, list[Sample]] = defaultdict(list)
    for name, cases in (
        ("own", sets.own()),
        ("held out", [] if options.curve else sets.held_out()),
        ("fresh", sets.fresh() if options.curve == "fresh" else []),
        ("devmembench", sets.devmembench(data)),
        ("precisionmembench", sets.precisionmembench(data)),
        ("memdaily", sets.memdaily(data)),
    ):
        if not options.curve:
            samples(name, cases, found)
        elif any(prompt.half == options.curve for case in cases for prompt in case.prompts):
            curve(name, cases, options.curve)
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
