"""The bank behind the page: used by one thread alone, and by another process for looks that take long."""

from __future__ import annotations

import asyncio
import json
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, TypeVar, cast

from tacit.bank import Bank
from tacit.messages import on_page, speaking
from tacit.web import looking

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from pathlib import Path

T = TypeVar("T")

# How long findings count as current: a document or the project may change without the bank's knowing.
_HOLDS_S = 120.0


class Keeper:
    """Opens a bank when it is first needed and runs acts on it, one after the other."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._bank: Bank | None = None
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="tacit-bank")

    async def run(self, act: Callable[[Bank], T]) -> T:
        """Return what an act says."""
        return cast("T", await asyncio.wrap_future(self.submit(act)))

    def submit(self, act: Callable[[Bank], object]) -> Future[object]:
        """Run an act on the bank's own thread."""
        return self._worker.submit(lambda: act(self._opened()))

    def close(self) -> None:
        """Let the thread end once what runs is done."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _opened(self) -> Bank:
        if self._bank is None:
            self._bank = Bank.open(self._place)
            self._bank.recaller.stay()
        return self._bank


class Kept:
    """What follows from a state of the bank and takes a while to work out: kept until that state has moved."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[str, object]] = {}

    def get(self, name: str, stamp: str, make: Callable[[], T]) -> T:
        """Return what was made for this stamp, or make it."""
        if name not in self._kept or self._kept[name][0] != stamp:
            self._kept[name] = (stamp, make())
        return cast("T", self._kept[name][1])


@dataclass(frozen=True, slots=True)
class Looked:
    """What a look found: the first findings, how many there are of each kind, and why it failed, if it did."""

    found: list[dict[str, Any]] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    error: str = ""


class Slow:
    """Findings that take too long to wait for: what was found last, while a newer look is under way.

    Looks are made in a process of their own, so that no page waits for one; they only read, so it may end at any time.
    """

    def __init__(self, place: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._place = place
        self._clock = clock
        self._lock = Lock()
        self._found: dict[tuple[str, str], tuple[str, float, Looked]] = {}
        self._process: subprocess.Popen[str] | None = None
        self._is_closed = False
        self.rounds = 0  # moves whenever a look has ended, so that pages can show it
        self.idle = Event()
        self.idle.set()

    def last(self, name: str, pulse: str, language: str) -> tuple[Looked | None, bool]:
        """Return what a look found last (None: nothing yet), and whether that is how the bank is now."""
        with self._lock:
            at, since, found = self._found.get((name, language), ("", 0.0, None))
            is_current = found is not None and at == pulse and self._clock() - since < _HOLDS_S
            if not is_current and self.idle.is_set() and not self._is_closed:
                self.idle.clear()
                Thread(target=self._look, args=(pulse, language), daemon=True).start()
        return found, is_current

    def close(self) -> None:
        """End a look that is under way; no other is begun."""
        with self._lock:
            self._is_closed = True
            if self._process is not None:
                self._process.kill()

    def _look(self, pulse: str, language: str) -> None:
        left = dict.fromkeys(looking.LOOKS)
        with suppress(OSError, ValueError), self._started(language) as process:
            for line in process.stdout or ():
                told = json.loads(line)
                name = told.pop("name")
                left.pop(name)
                self._keep(name, language, told.pop("pulse"), Looked(**told))
        with speaking(language):
            for name in left:
                self._keep(name, language, pulse, Looked(error=on_page("health.looking.failed")))
        with self._lock:
            self._process = None
            self.idle.set()
            self.rounds += 1  # once more: whoever waits for the other language can have it now

    def _started(self, language: str) -> subprocess.Popen[str]:
        with self._lock:
            self._process = subprocess.Popen(  # noqa: S603  this very interpreter, and a path that is only opened
                looking.command(str(self._place), language),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
            )
            if self._is_closed:
                self._process.kill()
            return self._process

    def _keep(self, name: str, language: str, pulse: str, found: Looked) -> None:
        with self._lock:
            self._found[name, language] = (pulse, self._clock(), found)
            self.rounds += 1
