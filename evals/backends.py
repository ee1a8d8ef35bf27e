"""Hold the index in PostgreSQL against the one in SQLite: for how many prompts the same notes are injected.

Run as `TACIT_POSTGRES_URL=… python -m evals.backends`; with models where TACIT_HOME has them.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from evals import sets
from tacit import Bank

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evals.sets import Case, Prompt


def differences(case: Case, folder: Path) -> list[tuple[Prompt, list[str], list[str]]]:
    """Return the prompts for which the backends inject other notes, with what each injects."""
    bank = Bank.init(folder / ".memory")
    bank.add(case.notes)
    bank.reindex()
    before = [_said(bank, prompt) for prompt in case.prompts]
    bank.set_setting("index.backend", "postgres")
    bank = Bank.open(bank.root)
    bank.rebuild_index()
    assert not (bank.root / ".local" / "index.db").exists(), "the file would have answered, not the database"
    after = [_said(bank, prompt) for prompt in case.prompts]
    rows = zip(case.prompts, before, after, strict=True)
    return [(prompt, one, other) for prompt, one, other in rows if one != other]


def main(names: Sequence[str]) -> None:
    """Print one line for each set."""
    for name in names or ("own", "fresh"):
        for case in {"own": sets.own, "fresh": sets.fresh}[name]():
            with tempfile.TemporaryDirectory(prefix="tacit-eval-") as folder:
                found = differences(case, Path(folder))
            same = len(case.prompts) - len(found)
            print(f"{name}: the same notes for {same} of {len(case.prompts)} prompts ({same / len(case.prompts):.1%})")
            for prompt, one, other in found:
                print(f"  {prompt.text[:80]!r}: {one} and {other}")


def _said(bank: Bank, prompt: Prompt) -> list[str]:
    return [hit.id for hit in bank.recall(prompt.text, turns=prompt.turns, explain=True).notes]


if __name__ == "__main__":
    main(sys.argv[1:])
