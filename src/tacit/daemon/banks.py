"""The banks that the daemon keeps warm: each served by one thread, so that nothing of it is used by two at once."""

from __future__ import annotations

import json
import os
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from tacit.bank import Bank, wiring
from tacit.errors import TacitError
from tacit.hooks.respond import respond

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

_MOST_BANKS = 16
# Where more wait at the same time, models would make the last of them wait too long.
_CROWD = 8


class WarmBanks:
    """Banks by the directory that they lie in, the least recently used forgotten first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._workers: dict[str, ThreadPoolExecutor] = {}
        # By worker too: two threads never share a bank, though both may have the same one open.
        self._banks: dict[tuple[str, Path], Bank] = {}
        self._waiting = 0

    def hook(self, arguments: list[str], environment: Mapping[str, str], given: bytes) -> bytes:
        """Return the answer to a host's event."""
        key = environment.get("TACIT_BANK") or ""
        with self._lock:
            self._waiting += 1
        try:
            return self._worker(key).submit(self._respond, key, arguments, environment, given).result()
        finally:
            with self._lock:
                self._waiting -= 1

    def _respond(self, key: str, arguments: list[str], environment: Mapping[str, str], given: bytes) -> bytes:
        return respond(arguments, environment, given, partial(self._hurried, key))

    def _hurried(self, key: str, place: Path) -> Bank | None:
        """Return the bank of a workspace, which answers by keywords alone while a crowd waits for it."""
        bank = self._bank(key, place)
        if bank is not None:
            bank.recaller.is_hurried = self._waiting > _CROWD
        return bank

    def work(self, place: Path, act: Callable[[Bank | None], object]) -> Future[object]:
        """Run an act with the bank of a workspace, None where there is none, on the thread that uses that bank."""
        return self._worker("").submit(lambda: act(self._bank("", place)))

    def status(self, *, version: str, requests: int) -> bytes:
        """Return what the daemon is doing, as JSON."""
        members = {
            "pid": os.getpid(),
            "version": version,
            "requests": requests,
            "banks": sorted({str(bank.root) for bank in self._banks.values()}),
        }
        return json.dumps(members).encode()

    def _worker(self, key: str) -> ThreadPoolExecutor:
        with self._lock:
            if key not in self._workers:
                self._workers[key] = ThreadPoolExecutor(1, thread_name_prefix="tacit-bank")
            return self._workers[key]

    def _bank(self, key: str, place: Path) -> Bank | None:
        """Return the bank of a workspace, warm; a bank that moved or went is forgotten."""
        bank = self._banks.get((key, place))
        if bank is None or not (bank.root / "tacit.toml").is_file():
            self._banks.pop((key, place), None)
            try:
                # Not healed: a list of all notes is not needed here, and takes much memory in a large bank.
                bank = Bank.open(place if (place / "tacit.toml").is_file() else wiring.find(place), heal=False)
            except (TacitError, OSError):
                return None
            bank.warm()
            if len(self._banks) >= _MOST_BANKS:
                self._banks.pop(next(iter(self._banks)))
            self._banks[key, place] = bank
        return bank
