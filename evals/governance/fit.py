"""Fit the weights of `tacit.govern.weighing`: a logistic regression over the pairs that no published figure comes from.

python -m evals.governance.fit

Prints both tables, and how many pairs of each label get which reading when the tenth they are in was left out. With the
models of this machine at hand the second table is fitted too. Only pairs that no clear rule decides count.

Notes that both hold come in three kinds: pairs written as such, strangers of other topics, and neighbours: the nearest
of other topics, among the notes of the recall set and among those of the tuning half. A bank is full of the last kind,
and they are more alike than strangers are.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy

from evals.governance.run import PAIRS, SCORES, notes
from tacit.bank import models
from tacit.bank.meanings import LoadedModels
from tacit.govern import mapping, relation, scorecard
from tacit.govern.relation import Floors, Meaning
from tacit.govern.weighing import Reading
from tacit.note import payload as payloads
from tacit.note.model import Note

FRESH = Path(__file__).parent / "fresh.jsonl"
NEAREST = 5
READINGS = (Reading.BESIDE, Reading.SAME, Reading.CONFLICT)
LABELS = {"same": 1, "complementary_same": 1, "conflicting": 2}
FOLDS = 10
STRIDES = (37, 101, 211, 307)
SHRINK = 1.5  # how strongly weights are drawn to nought
STEPS = 4000
RATE = 0.5
Row = dict[str, Any]
# A candidate, an existing note, and the reading that is right, by its place in READINGS.
Case = tuple[Note, Note, int]


def pairs() -> list[Row]:
    """Return the pairs to fit on: all but the reported half."""
    rows = [json.loads(line) for path in (PAIRS, FRESH) for line in path.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["half"] != "report"]


def strangers(rows: list[Row]) -> list[Row]:
    """Return pairs of the payloads of other topics, which a bank is full of and which both hold."""
    mixed = []
    for step in STRIDES:
        for place, row in enumerate(rows):
            other = rows[(place + step) % len(rows)]
            if not set(row["topics"]) & set(other["topics"]):
                mixed.append({**row, "old": other["old"], "relation": "unrelated"})
    return mixed


def note(given: Row, name: str) -> Note:
    """Return the note that a payload would become."""
    payload = payloads.parse({**given, "scores": SCORES})
    card = scorecard.score(payload, asked=False)
    made, _ = mapping.candidate(payload, card, by_hand=False, ts="2026-01-01T00:00:00Z", session="")
    return replace(made, id=name)


def meaning(loaded: LoadedModels, one: Note, other: Note) -> Meaning:
    """Return how alike the model finds two notes."""
    texts = [relation.texts(each) for each in (one, other)]
    topic = loaded.likeness(*("\n".join(each) for each in texts))
    return Meaning(topic or 0.0, loaded.likeness(*(each[1] for each in texts)) or 0.0)


def neighbours(loaded: LoadedModels | None) -> list[Case]:
    """Return notes with those nearest to them that say something else: as long as people write them, and short ones."""
    long = [(note(payload, str(number)), {str(number)}) for number, payload in enumerate(notes())]
    tuned = [row for row in pairs() if row["half"] == "tune"]
    short = [(note(row["old"], row["pair"]), set(row["topics"])) for row in tuned]
    made: list[Case] = []
    for bank in (long, short):
        for one, topics in bank:
            others = [other for other, theirs in bank if not theirs & topics]
            others.sort(key=lambda other: -_nearness(loaded, one, other))
            made += ((one, other, 0) for other in others[:NEAREST])
    return made


def _nearness(loaded: LoadedModels | None, one: Note, other: Note) -> float:
    if loaded is None:
        return relation.judge(one, other).score
    return loaded.likeness(*("\n".join(relation.texts(each)) for each in (one, other))) or 0.0


def undecided(rows: list[Row], loaded: LoadedModels | None) -> tuple[list[str], Any, Any]:
    """Return the names of the signals, and signals and labels of the pairs that no clear rule decides."""
    found: list[dict[str, float]] = []
    labels = []
    cases = [(note(row["new"], "new"), note(row["old"], "old"), LABELS.get(row["relation"], 0)) for row in rows]
    for new, old, label in cases + neighbours(loaded):
        likeness = meaning(loaded, new, old) if loaded else None
        judged = relation.weighed(new, old, likeness, Floors())
        if judged is not None:
            found.append(judged)
            labels.append(label)
    names = list(found[0])
    return names, numpy.array([[float(each[name]) for name in names] for each in found]), numpy.array(labels)


def fit(signals: Any, labels: Any) -> Any:  # noqa: ANN401  arrays
    """Return weights of the readings, one row for each signal and one for the bias; each label counts alike."""
    mean, spread = signals.mean(0), signals.std(0) + 1e-9
    table = numpy.hstack([(signals - mean) / spread, numpy.ones((len(signals), 1))])
    share = numpy.bincount(labels, minlength=len(READINGS)) / len(labels)
    weight = (1 / (len(READINGS) * share))[labels][:, None]
    wanted = numpy.eye(len(READINGS))[labels]
    found = numpy.zeros((table.shape[1], len(READINGS)))
    for _ in range(STEPS):
        said = numpy.exp(table @ found - (table @ found).max(1, keepdims=True))
        said /= said.sum(1, keepdims=True)
        slope = table.T @ (weight * (said - wanted)) + 2 * SHRINK * numpy.vstack([found[:-1], 0 * found[-1:]])
        found -= RATE / len(labels) * slope
    plain = found[:-1] / spread[:, None]
    bias = found[-1] - mean @ plain
    return numpy.vstack([plain, bias]) - numpy.vstack([plain, bias])[:, :1]


def show(names: list[str], signals: Any, labels: Any) -> None:  # noqa: ANN401  arrays
    """Print the weights, and what pairs that were left out are read as."""
    for name, row in zip([*names, "bias"], fit(signals, labels), strict=True):
        print(f'    "{name}": ({row[1]:.1f}, {row[2]:.1f}),')
    counted: Counter[tuple[str, str]] = Counter()
    for fold in range(FOLDS):
        out = numpy.arange(len(labels)) % FOLDS == fold
        weights = fit(signals[~out], labels[~out])
        said = (numpy.hstack([signals[out], numpy.ones((out.sum(), 1))]) @ weights).argmax(1)
        counted.update((READINGS[label], READINGS[read]) for label, read in zip(labels[out], said, strict=True))
    for (label, read), count in sorted(counted.items()):
        print(f"    # {label} read as {read}: {count}")


def _command() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    rows = pairs() + strangers(pairs())
    print("BY_WORDS")
    show(*undecided(rows, None))
    loaded = LoadedModels(models.installed())
    if loaded.pairs():
        print("WITH_MODEL")
        show(*undecided(rows, loaded))


if __name__ == "__main__":
    _command()
