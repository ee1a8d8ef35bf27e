"""Run the suites and say what survived: `python -m tests.crash.campaign [--quick] [--only SUITE] [--json FILE]`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from tests.crash import alice_suite, disk_suite, editor_suite, fork_suite, process_suite, syscall_suite
from tests.crash.plants import PLANTS
from tests.crash.report import Outcome, as_json, machine, table

if TYPE_CHECKING:
    from types import ModuleType

SUITES: dict[str, ModuleType] = {
    suite.NAME: suite for suite in (fork_suite, alice_suite, syscall_suite, process_suite, disk_suite, editor_suite)
}
PLANTED = "plants"
# Processes that race do not always meet: a bug that was not caught gets more chances.
_TRIES = range(5)
# What a suite may spend on finding one planted bug.
_PLANT_BUDGETS = {"fork": 2_500, "alice": 1_500, "syscalls": 120, "processes": 40, "disk": 120, "editor": 600}


def main(words: list[str] | None = None) -> int:
    """Return 0 if every promise was kept and every planted bug was caught."""
    options = argparse.ArgumentParser(prog="python -m tests.crash.campaign", description=__doc__)
    options.add_argument("--quick", action="store_true", help="a few seconds for each suite")
    options.add_argument("--only", action="append", choices=[*SUITES, PLANTED], help="this suite; may be repeated")
    options.add_argument("--plant", action="append", choices=list(PLANTS), help="of the planted bugs only this one")
    options.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args(words)
    # A model in the developer's own home would be at work in a thread of its own while a suite forks: a child hangs.
    os.environ["TACIT_HOME"] = f"{os.devnull}/home"
    names = chosen.only or [*SUITES, PLANTED]
    outcomes = [_run(name, chosen.seed, quick=chosen.quick) for name in names if name != PLANTED]
    caught: dict[str, dict[str, str]] = {}
    if PLANTED in names:
        caught = {name: _catch(name, chosen.seed) for name in chosen.plant or PLANTS}
    _say(f"\n{table(outcomes)}")
    for outcome in outcomes:
        for example in outcome.examples:
            _say(f"{outcome.suite}: {example}")
    missed = [name for name, catch in caught.items() if not catch]
    if caught:
        _say(f"planted bugs: {len(caught) - len(missed)} of {len(caught)} caught")
    if chosen.json:
        figures = {"machine": machine(), "seed": chosen.seed, "quick": chosen.quick, "planted": caught}
        figures["suites"] = [as_json(outcome) for outcome in outcomes]
        chosen.json.parent.mkdir(parents=True, exist_ok=True)
        chosen.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return int(bool(missed) or any(outcome.failed for outcome in outcomes))


def _run(name: str, seed: int, *, quick: bool) -> Outcome:
    suite = SUITES[name]
    _say(f"{name}: {(suite.__doc__ or '').splitlines()[0]}")
    outcome: Outcome = suite.run(suite.QUICK if quick else suite.FULL, seed)
    _say(f"{name}: {_verdict(outcome)}")
    return outcome


def _verdict(outcome: Outcome) -> str:
    if outcome.skipped:
        return f"skipped, {outcome.skipped}"
    verdict = "BROKEN" if outcome.failed else "all promises kept"
    besides = "".join(f", {name} {amount}" for name, amount in sorted(outcome.figures.items()))
    return f"{outcome.faults} faults in {outcome.seconds:.1f} s, {verdict}{besides}"


def _catch(name: str, seed: int) -> dict[str, str]:
    """Return which suite caught a planted bug and by what, or what was missing to try; nothing if none did."""
    skipped = {}
    for suite, luck in product(PLANTS[name].suites, _TRIES):
        outcome: Outcome = SUITES[suite].run(_PLANT_BUDGETS[suite], seed + luck, name, until_caught=True)
        if outcome.failed:
            _say(f"planted {name} ({PLANTS[name].what}): caught by {suite} in {outcome.seconds:.1f} s")
            return {"suite": suite, "found": outcome.examples[0]}
        if outcome.skipped:
            skipped = {"skipped": f"{suite}: {outcome.skipped}"}
    if skipped:
        _say(f"planted {name} ({PLANTS[name].what}): {skipped}")
        return skipped
    _say(f"planted {name} ({PLANTS[name].what}): NOT CAUGHT")
    return {}


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
