"""Fit what `tacit.govern.weighing` weighs with, on pairs that no published figure comes from.

python -m evals.governance.fit [--out src/tacit/govern/weights.py] [--steps 3000] [--seed 1]

Four kinds of pairs, and what each of them counts: pairs of this folder that are not of the reported half, strangers put
together from them, the nearest notes of other topics, among the notes of the recall set, those of the tuning half and
the statements of each author of `tuning/pairs`, and these pairs by other authors but for the files that are held out. A
bank is full of the third kind. Only pairs that no clear rule decides count. With the models of this machine at hand all
is fitted for them too. Prints the weights of the first reader, a logistic regression without `tuning/pairs`, and what
the second, a small net over all signals, reads pairs as that were left out: a third of the pairs of this folder at a
time, and the files held out.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from evals.governance.run import PAIRS, SCORES, notes
from tacit.bank import models
from tacit.bank.meanings import LoadedModels
from tacit.govern import mapping, relation, scorecard
from tacit.govern.relation import Floors, Meaning
from tacit.govern.signals import measure
from tacit.govern.weighing import BY_WORDS, WITH_MODEL, Reading
from tacit.note import payload as payloads
from tacit.note.payload import Relation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tacit.note.model import Note

FRESH = Path(__file__).parent / "fresh.jsonl"
WRITTEN = Path(__file__).parents[2] / "tuning/pairs"
# The files of `tuning/pairs` that nothing is fitted on.
HELD_OUT = frozenset(
    (
        *("en1-08", "en2-08", "en3-05", "en4-05", "en5-05", "en6-03", "en7-03", "en8-03", "en9-05", "en10-05"),
        *("zh1-08", "zh2-08", "zh3-05", "zh4-05", "zh5-05", "zh6-03", "zh7-03", "zh8-05", "zh9-05", "mx1-03"),
    )
)
NEAREST = 5
READINGS = (Reading.BESIDE, Reading.SAME, Reading.CONFLICT)
LABELS = {"same": 1, "complementary_same": 1, "conflicting": 2}
WRITTEN_LABELS = {"same": 1, "more": 1, "aspect": 0, "against": 2, "scope": 0, "apart": 0}
FOLDS = 3
STRIDES = (37, 101, 211, 307)
# What a pair of each kind counts.
OWN, STRANGERS, NEIGHBOURS = 50.0, 4.0, 10.0
UNITS = 16
BATCH = 2048
RATE = 0.01
SHRINK = 1e-4  # how strongly weights are drawn to nought
SMOOTH = 0.03  # how sure a label is not
SCALE = 20
FIRST_STEPS, FIRST_RATE, FIRST_SHRINK = 4000, 0.5, 1.5
Row = dict[str, Any]
Array = Any


class Case(NamedTuple):
    """A candidate, an existing note, which of READINGS is right, a label, and what it counts."""

    new: Note
    old: Note
    right: int
    label: str
    counts: float


class Net(NamedTuple):
    """What each signal adds to each unit, and each unit to each reading."""

    units: Array
    unit_bias: Array
    readings: Array
    bias: Array

    def weigh(self, signals: Array) -> Array:
        """Return what speaks for each reading."""
        return numpy.maximum(0, signals @ self.units + self.unit_bias) @ self.readings + self.bias


def pairs() -> list[Row]:
    """Return the pairs to fit on: all but the reported half."""
    rows = [json.loads(line) for path in (PAIRS, FRESH) for line in path.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["half"] != "report"]


def note(given: Row, name: str) -> Note:
    """Return the note that a payload would become."""
    payload = payloads.parse({**given, "scores": SCORES})
    card = scorecard.score(payload, asked=False)
    made, _ = mapping.candidate(payload, card, by_hand=False, ts="2026-01-01T00:00:00Z", session="")
    return replace(made, id=name)


def own(rows: list[Row]) -> list[Case]:
    """Return the pairs of this folder."""
    return [
        Case(note(row["new"], "new"), note(row["old"], "old"), LABELS.get(row["relation"], 0), row["relation"], OWN)
        for row in rows
    ]


def strangers(rows: list[Row]) -> list[Case]:
    """Return pairs of the payloads of other topics, which a bank is full of and which both hold."""
    return [
        Case(note(row["new"], "new"), note(other["old"], "old"), 0, "stranger", STRANGERS)
        for step in STRIDES
        for row, other in zip(rows, rows[step:] + rows[:step], strict=True)
        if not set(row["topics"]) & set(other["topics"])
    ]


def neighbours() -> list[Case]:
    """Return notes with those nearest to them that say something else: as long as people write them, and short ones."""
    long = [(note(payload, str(number)), {str(number)}) for number, payload in enumerate(notes())]
    short = [(note(row["old"], row["pair"]), set(row["topics"])) for row in pairs() if row["half"] == "tune"]
    authors = [[(each, {each.id}) for each, is_held_out in bank if not is_held_out] for bank in bases()]
    return [
        Case(one, other, 0, "neighbour", NEIGHBOURS)
        for bank in (long, short, *authors)
        for one, topics in bank
        for other in nearest(one, [other for other, theirs in bank if not theirs & topics])
    ]


def bases() -> list[list[tuple[Note, bool]]]:
    """Return the statements of each author of `tuning/pairs`, which all hold, and whether they are held out."""
    found: dict[str, list[tuple[Note, bool]]] = {}
    for path in sorted(WRITTEN.glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            made = replace(_said(json.loads(line)["base"]), id=f"{path.stem}-{number}")
            found.setdefault(path.stem.partition("-")[0], []).append((made, path.stem in HELD_OUT))
    return list(found.values())


def nearest(one: Note, others: list[Note]) -> list[Note]:
    """Return the notes that share most with one."""
    mine = relation.side(one)
    return sorted(others, key=lambda other: -measure(mine, relation.side(other), None).topic)[:NEAREST]


def written(*, held_out: bool) -> Iterator[tuple[str, Case]]:
    """Yield language and pair of `tuning/pairs`: as written, or those to fit on, put together in more ways."""
    for path in sorted(WRITTEN.glob("*.jsonl")):
        if (path.stem in HELD_OUT) is held_out:
            for line in path.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                said = {label: [_said(each) for each in row[label]] for label in WRITTEN_LABELS}
                yield from ((row["lang"], each) for each in _together(_said(row["base"]), said, more=not held_out))


def _said(given: Row) -> Note:
    return note({**given, "principles": [given["choice"]], "source": "remember"}, "MEM-x")


def _together(base: Note, said: dict[str, list[Note]], *, more: bool) -> Iterator[Case]:
    for label, right in WRITTEN_LABELS.items():
        yield from (Case(each, base, right, label, 1.0) for each in said[label])
        if more and label != "more":
            yield from (Case(base, each, right, label, 1.0) for each in said[label])
    if not more:
        return
    # What says the same as the base stands to the others as the base does.
    for each in said["same"]:
        for label, right in WRITTEN_LABELS.items():
            if label not in ("same", "more"):
                yield from (Case(each, other, right, label, 1.0) for other in said[label])
                yield from (Case(other, each, right, label, 1.0) for other in said[label])
        yield from (Case(other, each, 1, "more", 1.0) for other in said["more"])
    yield from (Case(one, other, 1, "same", 1.0) for one in said["same"] for other in said["same"] if one is not other)
    yield from (Case(one, other, 2, "against", 1.0) for one in said["more"] for other in said["against"])


class Weighed:
    """Pairs with their signals; those that a clear rule decides have none."""

    def __init__(self, cases: Iterable[Case], loaded: LoadedModels | None) -> None:
        self.cases = list(cases)
        found = [
            relation.weighed(each.new, each.old, _meaning(loaded, each.new, each.old) if loaded else None, Floors())
            for each in self.cases
        ]
        self.names = next(list(each) for each in found if each)
        self.open = numpy.array([each is not None for each in found])
        self.signals = numpy.array([[each[name] for name in self.names] for each in found if each], numpy.float32)
        self.right = numpy.array([each.right for each in self.cases])
        self.counts = numpy.array([each.counts for each in self.cases], numpy.float32)

    def read(self, net: Net) -> list[str]:
        """Return what each pair is read as, all rules included."""
        weighed = iter(net.weigh(self.signals))
        return [
            str(READINGS[int(next(weighed).argmax())]) if is_open else _by_rule(each)
            for each, is_open in zip(self.cases, self.open, strict=True)
        ]


def _by_rule(case: Case) -> str:
    conflicts = relation.judge(case.new, case.old).relation is Relation.CONFLICTING
    return str(Reading.CONFLICT if conflicts else Reading.BESIDE)


def _meaning(loaded: LoadedModels, one: Note, other: Note) -> Meaning:
    texts = [relation.texts(each) for each in (one, other)]
    topic = loaded.likeness(*("\n".join(each) for each in texts))
    return Meaning(topic or 0.0, loaded.likeness(*(each[1] for each in texts)) or 0.0)


def fit(signals: Array, right: Array, counts: Array, steps: int, seed: int) -> Net:
    """Return the net that reads these pairs best: Adam, on a part of them at a time."""
    dice = numpy.random.default_rng(seed)
    mean, spread = signals.mean(0), signals.std(0) + 1e-3
    scaled = (signals - mean) / spread
    wanted = numpy.eye(len(READINGS), dtype=numpy.float32)[right] * (1 - SMOOTH) + SMOOTH / len(READINGS)
    inputs = signals.shape[1]
    net = [
        dice.normal(0, (2 / inputs) ** 0.5, (inputs, UNITS)),
        numpy.zeros(UNITS),
        dice.normal(0, (1 / UNITS) ** 0.5, (UNITS, len(READINGS))),
        numpy.zeros(len(READINGS)),
    ]
    first, second = [numpy.zeros_like(each) for each in net], [numpy.zeros_like(each) for each in net]
    for step in range(1, steps + 1):
        some = dice.integers(0, len(scaled), BATCH)
        given, weight = scaled[some], counts[some] / counts[some].sum()
        units = numpy.maximum(0, given @ net[0] + net[1])
        said = units @ net[2] + net[3]
        said = numpy.exp(said - said.max(1, keepdims=True))
        off = (said / said.sum(1, keepdims=True) - wanted[some]) * weight[:, None]
        behind = (off @ net[2].T) * (units > 0)
        slopes = [given.T @ behind, behind.sum(0), units.T @ off, off.sum(0)]
        rate = RATE * (1 - step / steps)
        for at, slope in enumerate(slopes):
            first[at] = 0.9 * first[at] + 0.1 * slope
            second[at] = 0.999 * second[at] + 0.001 * slope**2
            change = first[at] / (1 - 0.9**step) / (numpy.sqrt(second[at] / (1 - 0.999**step)) + 1e-8)
            net[at] = net[at] - rate * (change + (SHRINK * net[at] if net[at].ndim > 1 else 0))
    units = net[0] / spread[:, None]
    return Net(units, net[1] - mean @ units, net[2], net[3])


def added_up(signals: Array, right: Array) -> Array:
    """Return the weights of the first reader, one row for each signal and one for the bias; each label counts alike."""
    mean, spread = signals.mean(0), signals.std(0) + 1e-9
    scaled = numpy.hstack([(signals - mean) / spread, numpy.ones((len(signals), 1))])
    share = numpy.bincount(right, minlength=len(READINGS)) / len(right)
    weight = (1 / (len(READINGS) * share))[right][:, None]
    wanted = numpy.eye(len(READINGS))[right]
    found = numpy.zeros((scaled.shape[1], len(READINGS)))
    for _ in range(FIRST_STEPS):
        said = numpy.exp(scaled @ found - (scaled @ found).max(1, keepdims=True))
        said /= said.sum(1, keepdims=True)
        slope = scaled.T @ (weight * (said - wanted)) + 2 * FIRST_SHRINK * numpy.vstack([found[:-1], 0 * found[-1:]])
        found -= FIRST_RATE / len(right) * slope
    plain = found[:-1] / spread[:, None]
    made = numpy.vstack([plain, found[-1] - mean @ plain])
    return made - made[:, :1]


def rounded(net: Net) -> Net:
    """Return the net as it is written down."""
    return Net(*(numpy.round(each * SCALE) / SCALE for each in net))


def table(name: str, names: list[str], net: Net) -> str:
    """Return a net as the text of a table."""

    def row(numbers: Array) -> str:
        return " ".join(str(round(float(each) * SCALE)) for each in numbers)

    lines = [f'        "{each}": "{row(numbers)}",' for each, numbers in zip(names, net.units, strict=True)]
    lines.append(f'        "bias": "{row(net.unit_bias)}",')
    readings = [f'        "{each}": "{row([*net.readings[:, at], net.bias[at]])}",' for at, each in enumerate(READINGS)]
    return "\n".join((f"{name}: Tables = (", "    {", *lines, "    },", "    {", *readings, "    },", ")"))


def show(title: str, weighed: Weighed, read: list[str]) -> None:
    """Print what the pairs of each label are read as."""
    counted = Counter((each.label, found) for each, found in zip(weighed.cases, read, strict=True))
    print(f"{title:28}{'pairs':>7}" + "".join(f"{each:>10}" for each in READINGS))
    for label in dict.fromkeys(each.label for each in weighed.cases):
        total = sum(counted[label, str(each)] for each in READINGS)
        print(f"  {label:26}{total:7}" + "".join(f"{counted[label, str(each)] / total:10.3f}" for each in READINGS))


def fitted(title: str, loaded: LoadedModels | None, steps: int, seed: int) -> str:
    """Fit a table, print how it reads what was left out, and return it."""
    rows = pairs()
    kinds = [Weighed(each, loaded) for each in (own(rows), strangers(rows), neighbours())]
    kinds.append(Weighed((case for _, case in written(held_out=False)), loaded))
    held_out = Weighed((case for _, case in written(held_out=True)), loaded)

    def of(kept: Array) -> tuple[Array, Array, Array]:
        parts = [(kinds[0].signals[kept[kinds[0].open]], kinds[0], kept & kinds[0].open)]
        parts += [(each.signals, each, each.open) for each in kinds[1:]]
        return (
            numpy.concatenate([signals for signals, _, _ in parts]),
            numpy.concatenate([each.right[those] for _, each, those in parts]),
            numpy.concatenate([each.counts[those] for _, each, those in parts]),
        )

    # The first reader knows neither these pairs nor most of the signals.
    first = list((WITH_MODEL if loaded else BY_WORDS).keys() - {"bias"})
    columns = [held_out.names.index(name) for name in first]
    known = added_up(
        numpy.concatenate([each.signals[:, columns] for each in kinds[:3]]),
        numpy.concatenate([each.right[each.open] for each in kinds[:3]]),
    )
    for name, row in zip([*first, "bias"], known, strict=True):
        print(f'    "{name}": ({row[1]:.1f}, {row[2]:.1f}),')
    places = numpy.random.default_rng(seed).permutation(len(rows)) % FOLDS
    left_out = [""] * len(rows)
    for fold in range(FOLDS):
        read = kinds[0].read(fit(*of(places != fold), steps, seed))
        left_out = [new if at == fold else old for new, old, at in zip(read, left_out, places, strict=True)]
    net = rounded(fit(*of(numpy.ones(len(rows), bool)), steps, seed))
    show(f"{title}, left out", kinds[0], left_out)
    for name, each in (("strangers", kinds[1]), ("neighbours", kinds[2]), ("held out", held_out)):
        show(f"{title}, {name}", each, each.read(net))
    return table(title, held_out.names, net)


def _command() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="write the tables there")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    made = [fitted("BY_WORDS", None, given.steps, given.seed)]
    loaded = LoadedModels(models.installed())
    if loaded.pairs():
        made.append(fitted("WITH_MODEL", loaded, given.steps, given.seed))
    if given.out:
        text = (
            '"""What speaks for which reading of two notes: written by `evals.governance.fit`, not by hand.\n\n'
            "The first table of each says what a signal adds to each unit, the second what each unit adds to a\n"
            f'reading, with the reading\'s own bias last; all of it in parts of {SCALE}.\n"""\n\n'
            "from __future__ import annotations\n\nTables = tuple[dict[str, str], dict[str, str]]\n"
            f"SCALE = {SCALE}\n" + "\n".join(made) + "\n"
        )
        given.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    _command()
