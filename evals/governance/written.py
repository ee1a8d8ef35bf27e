"""How the relation alone reads the pairs of `tuning/pairs`, which other authors wrote and no rule was made with.

python -m evals.governance.written

One statement and another are compared as the pipeline compares neighbours, without a model. Prints, for each language
and label, how often each relation was found. Nothing is chosen by these figures.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from evals.governance.fit import note
from tacit.govern import relation
from tacit.note.payload import Relation

FOLDER = Path(__file__).parents[2] / "tuning/pairs"
# What the pairs are called there, and the relation that is right; what adds to a note says the same and more.
RIGHT = {
    "same": Relation.SAME,
    "more": Relation.SAME,
    "aspect": Relation.COMPLEMENTARY,
    "against": Relation.CONFLICTING,
    "scope": Relation.COMPLEMENTARY,
    "apart": Relation.UNRELATED,
}


def _payload(said: dict[str, str]) -> dict[str, Any]:
    return {**said, "principles": [said["choice"]], "source": "remember"}


def measure() -> Counter[tuple[str, str, str]]:
    """Compare every pair; return how often each relation was found, by language and label."""
    found: Counter[tuple[str, str, str]] = Counter()
    for path in sorted(FOLDER.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            old = note(_payload(row["base"]), "old")
            for label in RIGHT:
                for said in row[label]:
                    judged = relation.judge(note(_payload(said), "new"), old)
                    found[row["lang"], label, judged.relation] += 1
    return found


def _command() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    found = measure()
    print(f"{'language':10}{'label':10}{'pairs':>7}" + "".join(f"{each:>15}" for each in Relation))
    for language, label in sorted({key[:2] for key in found}):
        total = sum(found[language, label, each] for each in Relation)
        shares = "".join(f"{found[language, label, each] / total:15.3f}" for each in Relation)
        print(f"{language:10}{label:10}{total:7}{shares}")


if __name__ == "__main__":
    _command()
