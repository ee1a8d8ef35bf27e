"""Measure recall through the public API: the right note first, and silence where nothing fits.

Constants were chosen on the tuning halves; look at the reported halves. Five ways are compared: `both` is the product,
`keywords` and `meaning` order the same candidates by one path's score alone, `no model` is the product on a machine
without models, `bm25` is a plain BM25.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from evals import sets
from evals.bm25 import PlainBm25
from tacit import Bank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from evals.sets import Case, Prompt
    from tacit.note.model import Note

OWN: dict[str, Callable[[], list[Case]]] = {
    "own": sets.own,
    "fresh": sets.fresh,
    "others": sets.others,
    "held-out": sets.held_out,
}
SETS: dict[str, Callable[[Path], list[Case]]] = {
    "devmembench": sets.devmembench,
    "precisionmembench": sets.precisionmembench,
    "memdaily": sets.memdaily,
    "locomo-sessions": sets.locomo_sessions,
    "locomo-turns": sets.locomo_turns,
}
MEASURES = (
    *("hit@1", "recall@2", "hit@5", "recall@5", "recall@10", "mrr"),
    *("silence", "false silence", "right said", "precision", "chars"),
)
# How many notes a plain ranking asks for, so that each path's first ten are among them.
_WIDE = 30
# The groups for which all ways are printed; the rest is in the JSON file.
_COMPARED = ("all", "same en", "same zh", "cross")
Tally = dict[tuple[str, str, str], dict[str, list[float]]]


def run(data: Path | None, only: list[str]) -> dict[str, list[dict[str, object]]]:
    """Measure every set that is there, print a table for each, and return the figures."""
    kept: dict[str, list[dict[str, object]]] = {}
    public = {} if data is None else {name: partial(make, data) for name, make in SETS.items()}
    for name, make in (OWN | public).items():
        if only and name not in only:
            continue
        began = time.perf_counter()
        cases = make()
        tally: Tally = defaultdict(lambda: defaultdict(list))
        _measure(cases, tally, "both")
        if not cases[0].ranking_only:
            with _without_models():
                _measure(cases, tally, "no model")
        rows = _summary(tally)
        _show(f"{name} ({time.perf_counter() - began:.0f} s)", rows)
        kept[name] = rows
    return kept


def _measure(cases: list[Case], tally: Tally, way: str) -> None:
    """Put the cases into banks, ask their prompts, and note how it went."""
    for number, case in enumerate(cases, 1):
        sys.stderr.write(f"\r  {way}: bank {number} of {len(cases)}, {len(case.notes)} notes …   ")
        with tempfile.TemporaryDirectory(prefix="tacit-eval-") as folder:
            bank = Bank.init(Path(folder) / ".memory")
            bank.add(case.notes)
            bank.reindex()
            plain = PlainBm25({note.id: _text(note) for note in case.notes}) if way == "both" else None
            for prompt in case.prompts:
                for place, noted in _asked(bank, case, prompt, way, plain):
                    for group in ("all", *prompt.groups):
                        for name, value in noted.items():
                            tally[place, prompt.half, group][name].append(value)
    sys.stderr.write("\r" + " " * 60 + "\r")


def _asked(
    bank: Bank, case: Case, prompt: Prompt, way: str, plain: PlainBm25 | None
) -> Iterator[tuple[str, dict[str, float]]]:
    """Ask one prompt, and yield what there is to note for each way."""
    noted: dict[str, float] = {}
    if case.ranking_only:
        hits = bank.search(prompt.text, _WIDE)
    else:
        recall = bank.recall(prompt.text, turns=prompt.turns, explain=True)
        hits = list(recall.considered)
        noted = _saying([hit.id for hit in recall.notes][: prompt.room], prompt.gold)
        if recall.notes:
            noted["chars"] = float(len(recall.injection))
    yield way, noted | _ranking([hit.id for hit in hits], prompt.gold)
    if plain is not None:
        by_words = sorted((hit for hit in hits if hit.keyword > 0), key=lambda hit: -hit.keyword)
        by_meaning = sorted((hit for hit in hits if hit.semantic > 0), key=lambda hit: -hit.semantic)
        yield "keywords", _ranking([hit.id for hit in by_words], prompt.gold)
        yield "meaning", _ranking([hit.id for hit in by_meaning], prompt.gold)
        yield "bm25", _ranking(plain.ranked(prompt.text, 10), prompt.gold)


def _saying(said: list[str], gold: frozenset[str]) -> dict[str, float]:
    """Note whether there was silence, and how much of what was said is right."""
    noted = {"false silence" if gold else "silence": float(not said)}
    right = len(gold & set(said))
    if gold:
        noted["right said"] = float(right > 0)
    if gold or said:
        noted["precision"] = right / len(said) if said else 0.0
    return noted


def _ranking(ranked: list[str], gold: frozenset[str]) -> dict[str, float]:
    if not gold:
        return {}
    found = {f"recall@{k}": len(gold & set(ranked[:k])) / len(gold) for k in (2, 5, 10)}
    found |= {f"hit@{k}": float(bool(gold & set(ranked[:k]))) for k in (1, 5)}
    place = next((place for place, each in enumerate(ranked[:10], 1) if each in gold), 0)
    return found | {"mrr": 1 / place if place else 0.0}


def _summary(tally: Tally) -> list[dict[str, object]]:
    """Return one row for each half, way and group; the reported half first."""
    rows = []
    ways = ("both", "keywords", "meaning", "no model", "bm25")
    for (way, half, group), noted in sorted(
        tally.items(), key=lambda item: (item[0][1] == "tune", ways.index(item[0][0]), item[0][2] != "all", item[0])
    ):
        if not noted:
            continue
        row: dict[str, object] = {"half": half, "way": way, "group": group, "n": max(map(len, noted.values()))}
        for name in MEASURES:
            if values := noted.get(name):
                row[name] = round(statistics.median(values) if name == "chars" else statistics.fmean(values), 3)
        rows.append(row)
    return rows


def _show(name: str, rows: list[dict[str, object]]) -> None:
    print(f"── {name}")
    print(f"  {'half':7}{'way':10}{'group':26}{'n':>5}" + "".join(each.rjust(len(each) + 3) for each in MEASURES))
    for row in rows:
        if row["way"] not in ("both", "no model") and row["group"] not in _COMPARED:
            continue
        cells = "".join(str(row.get(each, "")).rjust(len(each) + 3) for each in MEASURES)
        print(f"  {row['half']:7}{row['way']:10}{row['group']:26}{row['n']:>5}{cells}", flush=True)


def _text(note: Note) -> str:
    return " ".join((note.title, *note.when_to_load, note.one_liner, note.decision))


@contextmanager
def _without_models() -> Iterator[None]:
    """Let banks be opened as on a machine that has no models."""
    before = os.environ.get("TACIT_HOME")
    with tempfile.TemporaryDirectory(prefix="tacit-eval-") as folder:
        os.environ["TACIT_HOME"] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ["TACIT_HOME"]
            else:
                os.environ["TACIT_HOME"] = before
