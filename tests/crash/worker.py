"""A process that carries out one operation on a bank: `python -m tests.crash.worker KIND BANK`.

It says ACK once the operation is acknowledged, the code of the error otherwise. With `--again` it then goes on as a
long-lived process would: what failed is tried once more, what is to be completed is completed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.crash import plants
from tests.crash.operations import ACK, KINDS, Operation, attempt
from tests.crash.world import World


def main(words: list[str] | None = None) -> None:
    """Carry out the operation that the command line describes."""
    options = argparse.ArgumentParser()
    options.add_argument("kind", choices=KINDS)
    options.add_argument("bank", type=Path)
    options.add_argument("--number", type=int, default=1)
    options.add_argument("--target", default="")
    options.add_argument("--amount", type=int, default=1)
    options.add_argument("--mark", default="")
    options.add_argument("--plant", default="")
    options.add_argument("--again", action="store_true")
    chosen = options.parse_args(words)
    operation = Operation(chosen.kind, chosen.target, chosen.amount, chosen.mark)
    with plants.applied(chosen.plant):
        world = World()
        bank = world.open(chosen.bank)
        world.begin(chosen.number)
        _say(outcome := attempt(bank, operation))
        if not chosen.again or outcome == ACK:
            return
        if outcome == "store.io":
            world.begin(chosen.number)
            _say(attempt(bank, operation))
        else:
            world.begin(chosen.number + 1)
            world.open(chosen.bank)


def command(operation: Operation, bank: Path, number: int, *, plant: str = "", again: bool = False) -> list[str]:
    """Return the command that carries out an operation in a process of its own."""
    words = [sys.executable, "-m", "tests.crash.worker", operation.kind, str(bank), f"--number={number}"]
    words += [f"--target={operation.target}", f"--amount={operation.amount}", f"--mark={operation.mark}"]
    return words + [f"--plant={plant}"] * bool(plant) + ["--again"] * again


def _say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
