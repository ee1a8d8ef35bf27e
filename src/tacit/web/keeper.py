"""The bank behind the page: used by one thread alone, and by others for looks that take long."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, TypeVar, cast

from tacit.bank import Bank
from tacit.errors import TacitError
from tacit.messages import speaking

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from pathlib import Path

T = TypeVar("T")


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
        return self._bank


class Slow:
    """Findings that take too long to wait for: what was found last, while a newer look is under way.

    Looks only read, so the process need not wait for one when it ends.
    """

    def __init__(self, place: Path, looks: dict[str, Callable[[Bank], object]]) -> None:
        self._place = place
        self._looks = looks
        self._lock = Lock()
        self._turn = Lock()
        self._found: dict[tuple[str, str], tuple[str, object]] = {}
        self._under_way: set[tuple[str, str]] = set()
        self.rounds = 0  # moves whenever a look has ended, so that pages can show it
        self.idle = Event()
        self.idle.set()

    def last(self, name: str, pulse: str, language: str) -> tuple[object, bool]:
        """Return what a look found last (None: nothing yet), and whether that is how the bank is now."""
        key = (name, language)
        with self._lock:
            at, found = self._found.get(key, ("", None))
            if at != pulse and key not in self._under_way:
                self._under_way.add(key)
                self.idle.clear()
                Thread(target=self._look, args=(key,), daemon=True).start()
        return found, at == pulse

    def _look(self, key: tuple[str, str]) -> None:
        name, language = key
        pulse, found = "", cast("object", None)
        try:
            with self._turn, speaking(language):  # one after the other: each may read every file
                bank = Bank.open(self._place, settle=False, heal=False)
                pulse = bank.pulse()
                found = self._looks[name](bank)
        except (TacitError, OSError, ValueError) as error:
            found = error
        finally:
            with self._lock:
                self._found[key] = (pulse, found)
                self._under_way.discard(key)
                self.rounds += 1
                if not self._under_way:
                    self.idle.set()
