"""Many processes write to one bank and are killed at any moment; one process reads all the while."""

from __future__ import annotations

import json
import os
import signal
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tacit.bank import Bank
from tests.crash.judge import STUCK, Finding
from tests.crash.operations import make_note
from tests.crash.process_judge import judge_bank, judge_reader
from tests.crash.process_work import COUNTER, PAIR, read_on, write_on
from tests.crash.report import Outcome
from tests.crash.scratch import dice, scratch

if TYPE_CHECKING:
    import random
    from collections.abc import Callable
    from pathlib import Path

NAME = "processes"
# How many processes are killed.
QUICK, FULL = 24, 560
WRITERS = 8
_BETWEEN_KILLS_S = (0.01, 0.12)
_MOST_S = 110
# A process that was asked to end has this long: the time it may wait for the lock, and some more.
_FAREWELL_S = 60


def run(budget: int, seed: int = 1, plant: str = "", *, until_caught: bool = False) -> Outcome:
    """Kill `budget` processes, then look at what they left."""
    del until_caught  # there is one bank and one look at it
    started = time.monotonic()
    outcome = Outcome(NAME)
    with scratch() as place:
        _prepare(place / "bank")
        crowd = _Crowd(place, plant, dice(NAME, seed))
        crowd.start()
        outcome.faults = crowd.kill(budget)
        findings = crowd.end()
        findings += judge_bank(place / "bank", place / "acks", outcome)
        findings += judge_reader(place / "acks" / "reader", outcome)
        outcome.blame(f"{WRITERS} writers", findings)
    outcome.seconds = time.monotonic() - started
    return outcome


def _prepare(root: Path) -> None:
    bank = Bank.init(root)
    bank.add([make_note(name, mark="0") for name in (COUNTER, *PAIR)])


@dataclass(slots=True)
class _Crowd:
    """The writers by process id, and the reader."""

    place: Path
    plant: str
    chance: random.Random
    writers: dict[int, int] = field(default_factory=dict)
    reader: int = 0
    started: int = 0

    def start(self) -> None:
        (self.place / "acks").mkdir()
        for seat in range(WRITERS):
            self._spawn(seat)
        self.reader = _fork(lambda: read_on(self.place, self.plant))

    def kill(self, budget: int) -> int:
        """Kill so many writers, each replaced by a new one; return how many it were."""
        killed = 0
        deadline = time.monotonic() + _MOST_S
        while killed < budget and time.monotonic() < deadline:
            time.sleep(self.chance.uniform(*_BETWEEN_KILLS_S))
            victim = self._holder() if self.chance.random() < 0.5 else 0
            victim = victim or self.chance.choice(list(self.writers))
            os.kill(victim, signal.SIGKILL)
            os.waitpid(victim, 0)
            killed += 1
            self._spawn(self.writers.pop(victim))
        return killed

    def end(self) -> list[Finding]:
        """Ask everybody to end; return who did not."""
        (self.place / "end").touch()
        deadline = time.monotonic() + _FAREWELL_S
        left = {*self.writers, self.reader}
        while left and time.monotonic() < deadline:
            left -= {process for process in left if os.waitpid(process, os.WNOHANG) != (0, 0)}
            time.sleep(0.01)
        for process in left:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        return [Finding(STUCK, "a process did not come to an end") for _ in left]

    def _spawn(self, seat: int) -> None:
        self.started += 1
        name = f"{seat}x{self.started}"
        self.writers[_fork(lambda: write_on(self.place, name, self.plant))] = seat

    def _holder(self) -> int:
        """Return the writer that has signed the lock, 0 if it is none of ours any more."""
        try:
            process = json.loads((self.place / "bank/.local/lock").read_bytes())["pid"]
        except (OSError, ValueError, KeyError):
            return 0
        return process if process in self.writers else 0


def _fork(work: Callable[[], None]) -> int:
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    return child
