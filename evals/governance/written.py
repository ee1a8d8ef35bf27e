"""How the relation alone reads pairs of `tuning/pairs`, which other authors wrote, in files that nothing was fitted on.

python -m evals.governance.written

One statement and another are compared as the pipeline compares neighbours, without a model. Prints, for each language
and label, how often each relation was found, and how many statements would be asked about if the memory held all that
their author wrote besides: none should. Nothing is chosen by these figures.
"""

from __future__ import annotations

import argparse
from collections import Counter

from evals.governance import fit
from tacit.govern import relation
from tacit.note.payload import Relation


def measure() -> Counter[tuple[str, str, str]]:
    """Compare every pair that is held out; return how often each relation was found, by language and label."""
    found: Counter[tuple[str, str, str]] = Counter()
    for language, case in fit.written(held_out=True):
        found[language, case.label, relation.judge(case.new, case.old).relation] += 1
    return found


def asked() -> tuple[int, int]:
    """Return how many statements are taken for the same as one of the nearest five by their author, or against it."""
    found = [
        any(
            relation.judge(one, other).relation in (Relation.SAME, Relation.CONFLICTING)
            for other in fit.nearest(one, [each for each, _ in bank if each is not one])
        )
        for bank in fit.bases()
        for one, is_held_out in bank
        if is_held_out
    ]
    return sum(found), len(found)


def _command() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    found = measure()
    print(f"{'language':10}{'label':10}{'pairs':>7}" + "".join(f"{each:>15}" for each in Relation))
    for language, label in sorted({key[:2] for key in found}):
        total = sum(found[language, label, each] for each in Relation)
        shares = "".join(f"{found[language, label, each] / total:15.3f}" for each in Relation)
        print(f"{language:10}{label:10}{total:7}{shares}")
    wrong, total = asked()
    print(f"asked about wrongly in a memory of one author: {wrong} of {total}")


if __name__ == "__main__":
    _command()
