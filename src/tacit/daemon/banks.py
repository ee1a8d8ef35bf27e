"""The banks that the daemon keeps warm: each served by one thread, so that nothing of it is used by two at once."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING

from tacit.bank import Bank
from tacit.errors import TacitError
from tacit.hooks.respond import respond

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_MOST_BANKS = 16


class WarmBanks:
    """Banks by the directory that they lie in, the least recently used forgotten first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._workers: dict[str, ThreadPoolExecutor] = {}
        self._banks: dict[Path, Bank] = {}

    def hook(self, arguments: list[str], environment: Mapping[str, str], given: bytes) -> bytes:
        """Return the answer to a host's event."""
        worker = self._worker(environment.get("TACIT_BANK") or "")
        return worker.submit(respond, arguments, environment, given, self._bank).result()

    def status(self, *, version: str, requests: int) -> bytes:
        """Return what the daemon is doing, as JSON."""
        members = {
            "pid": os.getpid(),
            "version": version,
            "requests": requests,
            "banks": sorted(str(bank.root) for bank in self._banks.values()),
        }
        return json.dumps(members).encode()

    def _worker(self, key: str) -> ThreadPoolExecutor:
        with self._lock:
            if key not in self._workers:
                self._workers[key] = ThreadPoolExecutor(1, thread_name_prefix="tacit-bank")
            return self._workers[key]

    def _bank(self, place: Path) -> Bank | None:
        """Return the bank of a workspace, warm; a bank that moved or went is forgotten."""
        bank = self._banks.get(place)
        if bank is None or not (bank.root / "tacit.toml").is_file():
            self._banks.pop(place, None)
            try:
                bank = Bank.near(place)
            except (TacitError, OSError):
                return None
            bank.warm()
            if len(self._banks) >= _MOST_BANKS:
                self._banks.pop(next(iter(self._banks)))
            self._banks[place] = bank
        return bank
