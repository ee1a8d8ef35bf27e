"""Measure governed writes: conflicts and duplicates found, and what is distinct left alone.

python -m evals.governance.run [--data DIR] [--only pairs others siblings notes facts] [--half report] [--estimate]
    [--warm] [--json FILE]

Each pair gets a small bank of its own: the old note among one note of every other topic. Constants were chosen on the
tuning half; look at the reported half. `--data` is a folder with the public sets, which the facts need.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.governance import facts
from evals.governance.product import fresh
from evals.governance.siblings import siblings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from evals.governance.product import Governed, Payload

PAIRS = Path(__file__).parent / "pairs.jsonl"
OTHERS = Path(__file__).parent / "others.jsonl"
RECALL = Path(__file__).parents[1] / "recall"
PARTS = ("pairs", "others", "siblings", "notes", "facts")
DISTINCT = ("different_scope", "unrelated")
TOUCHES = frozenset({"dedupe", "merge", "replace", "veto"})
# The value of a payload is judged upstream here, so that the relation alone is measured; --estimate leaves it to Tacit.
SCORES = {"d1": 2, "d2": 1, "d3": 1, "d4": 2, "d5": 2}
# For each measure: the relations it is about, and the decisions that count.
MEASURES: dict[str, tuple[tuple[str, ...], frozenset[str]]] = {
    "conflict": (("conflicting",), frozenset({"veto", "replace"})),
    "conflict lost": (("conflicting",), frozenset({"dedupe", "merge"})),
    "dup dedupe": (("same",), frozenset({"dedupe"})),
    "dup merge": (("same",), frozenset({"merge"})),
    "merge": (("complementary_same",), frozenset({"merge"})),
    "merge lost": (("complementary_same",), frozenset({"dedupe"})),
    "compl. new": (("complementary",), frozenset({"new"})),
    "wrong": (DISTINCT, TOUCHES),
}
Row = dict[str, Any]


def read(file: Path = PAIRS) -> list[Row]:
    """Return the labelled pairs of a file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def background(pairs: Sequence[Row], topics: Sequence[str]) -> list[Payload]:
    """Return one old payload of every other topic, the same for the same topics: unrelated to pair and each other."""
    by_topic: dict[str, list[Payload]] = defaultdict(list)
    for pair in pairs:
        by_topic[pair["topics"][0]].append(pair["old"])
    dice = random.Random(" ".join(sorted(topics)))
    return [dice.choice(by_topic[topic]) for topic in sorted(by_topic) if topic not in topics]


def evidenced(payload: Payload, words: str, *, estimate: bool = False) -> Payload:
    """Return the payload as an agent sends it: with the user's words, the span that says it, and its own claim."""
    spans = [{"start": 0, "end": len(words), "label": "decision"}]
    origin = {"text": words, "spans": spans, "turn": 1}
    made = {**payload, "origin": origin, "claim": {"id": "claim-1", "digest": payload["choice"]}}
    return made if estimate else {**made, "scores": SCORES}


def keep(bank: Governed, payload: Payload, *, estimate: bool = False) -> str:
    """Have a payload remembered, confirming where that is asked; return the new note's id, or nothing."""
    ruling = bank.remember(payload if estimate else {**payload, "scores": SCORES})
    if ruling.decision != "new":
        return ""
    return bank.answer(ruling.proposal_id, "confirm") if ruling.proposal_id else ruling.note_id


def judge(bank: Governed, pair: Row, *, estimate: bool = False) -> str:
    """Put the old note into the bank, propose the new payload, and return the decision.

    `unset` says that the old payload did not become a note, `elsewhere` that a neighbour other than it was acted upon.
    """
    old = keep(bank, pair["old"], estimate=estimate)
    if not old:
        return "unset"
    new = evidenced(pair["new"], pair["words"], estimate=estimate)
    (ruling,) = bank.propose([new], pair["pair"], pair["words"])
    return "elsewhere" if ruling.decision in TOUCHES and old not in ruling.neighbours else ruling.decision


def summary(judged: Sequence[tuple[Row, str]]) -> list[Row]:
    """Return one row for each half and group: shares of the measures, and counts of decisions by relation."""
    groups: dict[tuple[str, str], list[tuple[Row, str]]] = defaultdict(list)
    for pair, decision in judged:
        for group in ("all", pair["language"], "hard" if pair["hard"] else "plain"):
            groups[pair["half"], group].append((pair, decision))
    return [
        _row(half, group, members)
        for (half, group), members in sorted(
            groups.items(), key=lambda item: (item[0][0] == "tune", item[0][1] != "all", item[0][1])
        )
    ]


def _row(half: str, group: str, members: Sequence[tuple[Row, str]]) -> Row:
    row: Row = {"half": half, "group": group, "pairs": len(members)}
    for name, (relations, decisions) in MEASURES.items():
        concerned = [decision for pair, decision in members if pair["relation"] in relations]
        row[name] = _share(sum(decision in decisions for decision in concerned), len(concerned))
    asked = [
        decision == ("replace" if pair["decides"] else "veto")
        for pair, decision in members
        if pair["relation"] == "conflicting" and decision in {"veto", "replace"}
    ]
    row["right question"] = _share(sum(asked), len(asked))
    row["decisions"] = {
        relation: dict(sorted(Counter(decision for pair, decision in members if pair["relation"] == relation).items()))
        for relation in sorted({pair["relation"] for pair, _ in members})
    }
    return row


def _share(count: int, of: int) -> float | None:
    return round(count / of, 3) if of else None


def measure_pairs(file: Path, half: str = "", *, estimate: bool = False, warm: bool = False) -> Row:
    """Judge every pair in a bank of its own; name the pairs that went wrong only in the tuning half."""
    pairs = read(file)
    judged = []
    with tempfile.TemporaryDirectory(prefix="tacit-eval-") as folder:
        prepared: dict[tuple[str, ...], Path] = {}
        chosen = [pair for pair in pairs if half in ("", pair["half"])]
        for pair in _progress("pair", chosen):
            topics = tuple(sorted(pair["topics"]))
            if topics not in prepared:
                prepared[topics] = Path(folder) / "-".join(topics)
                with fresh(warm=warm) as (bank, root):
                    for payload in background(pairs, topics):
                        keep(bank, payload, estimate=estimate)
                    if warm:
                        bank.bank.reindex()
                    root.rename(prepared[topics])
            with fresh(prepared[topics], warm=warm) as (bank, _):
                judged.append((pair, judge(bank, pair, estimate=estimate)))
    missed = {
        pair["pair"]: decision for pair, decision in judged if pair["half"] == "tune" and not _right(pair, decision)
    }
    return {"rows": summary(judged), "missed (tune)": missed}


def _right(pair: Row, decision: str) -> bool:
    right = {"conflicting": {"veto", "replace"}, "same": {"dedupe"}, "complementary_same": {"merge"}}
    return decision in right.get(pair["relation"], {"new"})


def notes() -> list[Payload]:
    """Return the notes of the recall set as payloads: as long as people write them, and no two say the same."""
    files = (RECALL / name for name in ("notes.jsonl", "fresh-notes.jsonl"))
    rows = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [
        {
            "scene": "; ".join(row["when_to_load"]),
            "principles": [row["decision"]],
            "choice": row["decision"],
            "source": "remember",
            "kind": row["kind"],
        }
        for row in rows
    ]


def measure_distinct(bank: Governed, payloads: Sequence[Payload], *, estimate: bool = False) -> Row:
    """Write payloads of which no two say the same; return how often each decision fell. All should be new."""
    decisions: Counter[str] = Counter()
    for payload in _progress("payload", payloads):
        (ruling,) = bank.propose([payload if estimate else {**payload, "scores": SCORES}], "distinct")
        decisions[ruling.decision] += 1
        if ruling.proposal_id and ruling.decision == "new":
            bank.answer(ruling.proposal_id, "confirm")
    return {
        "payloads": len(payloads),
        "wrong": len(payloads) - decisions["new"],
        "decisions": dict(sorted(decisions.items())),
    }


def _progress(what: str, things: Sequence[Any]) -> Iterator[Any]:
    if not sys.stderr.isatty():
        yield from things
        return
    for number, thing in enumerate(things, 1):
        sys.stderr.write(f"\r  {what} {number} of {len(things)} …   ")
        yield thing
    sys.stderr.write("\r" + " " * 40 + "\r")


def show(name: str, rows: Sequence[Row]) -> None:
    """Print a table of what the rows have in common, and leave out what is nested."""
    print(f"── {name}")
    columns = [key for key, value in rows[0].items() if not isinstance(value, dict)]
    widths = [max(len(column), *(len(_cell(row[column])) for row in rows)) + 2 for column in columns]
    print("".join(column.rjust(width) for column, width in zip(columns, widths, strict=True)))
    for row in rows:
        print("".join(_cell(row[column]).rjust(width) for column, width in zip(columns, widths, strict=True)))


def _cell(value: object) -> str:
    return "–" if value is None else str(value)


def main(
    data: Path | None, only: Sequence[str] = (), half: str = "", *, estimate: bool = False, warm: bool = False
) -> Row:
    """Measure what was asked for, print it, and return the figures. Without the public sets there are no facts."""
    report: Row = {}
    for part in only or PARTS:
        began = time.perf_counter()
        if part in ("pairs", "others"):
            file, wanted = (PAIRS, half) if part == "pairs" else (OTHERS, "")
            report[part] = measure_pairs(file, wanted, estimate=estimate, warm=warm)
            rows = report[part]["rows"]
        elif part in ("siblings", "notes"):
            with fresh(warm=warm) as (bank, _):
                payloads = siblings() if part == "siblings" else notes()
                report[part] = measure_distinct(bank, payloads, estimate=estimate)
            rows = [report[part] | report[part]["decisions"]]
        elif data is None:
            continue
        else:
            rows = report[part] = facts.measure(data)
        show(f"{part} ({time.perf_counter() - began:.0f} s)", rows)
    return report


def _command() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with the public sets")
    parser.add_argument("--only", nargs="*", default=[], choices=PARTS)
    parser.add_argument("--half", default="", choices=["tune", "report"], help="the pairs of one half alone")
    parser.add_argument("--estimate", action="store_true", help="leave the scores of payloads to Tacit")
    parser.add_argument("--warm", action="store_true", help="all but facts with the models loaded, as the daemon has")
    parser.add_argument("--json", type=Path, help="keep the figures here")
    options = parser.parse_args()
    if "facts" in options.only and options.data is None:
        parser.error("the facts are a public set: say where with --data")
    report = main(options.data, options.only, options.half, estimate=options.estimate, warm=options.warm)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    _command()
