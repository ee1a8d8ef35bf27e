"""Looks at a bank that take long: made in a process of its own that gives way to every other, one line for each."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tacit.bank import Bank
from tacit.errors import TacitError
from tacit.messages import speaking

if TYPE_CHECKING:
    from collections.abc import Callable

    Row = dict[str, Any]

_GIVING_WAY = 10
_MOST = 100  # of a kind; a page that listed thousands would help nobody

# By name, the quicker first: each arrives on the page when it is done.
LOOKS: dict[str, Callable[[Bank], list[Row]]] = {
    "problems": lambda bank: [{**asdict(each), "told": each.told} for each in bank.check()[1]],
    "drift": lambda bank: [asdict(each) for each in bank.entry.drift()],
    "upkeep": lambda bank: [asdict(each) for each in bank.govern(dry_run=True).proposals],
}


def command(place: str, language: str) -> list[str]:
    """Return how a process is started that looks at the bank at a place."""
    return [sys.executable, "-P", "-m", "tacit.web.looking", place, language]


def main(place: str, language: str) -> None:
    """Write for each look what it found or why it failed, and which state of the bank it saw."""
    with suppress(OSError):
        os.nice(_GIVING_WAY)
    with speaking(language):
        bank = Bank.open(place, settle=False, heal=False)
        pulse = bank.pulse()
        for name, look in LOOKS.items():
            told: Row = {"name": name, "pulse": pulse, "found": [], "counts": {}, "error": ""}
            try:
                found = look(bank)
                kinds = Counter(str(each.get("code") or each.get("problem") or each.get("type")) for each in found)
                told |= {"found": found[:_MOST], "counts": kinds}
            except (TacitError, OSError, ValueError) as error:
                told["error"] = str(error)
            sys.stdout.write(json.dumps(told) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
