"""The banks that the daemon keeps warm: each served by one thread, so that nothing of it is used by two at once."""

from __future__ import annotations

import json
import os
import sqlite3
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from tacit.bank import Bank, wiring
from tacit.daemon import heartbeat
from tacit.errors import TacitError
from tacit.hooks.event import Kind, read
from tacit.hooks.respond import respond
from tacit.store.layout import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tacit.hooks.event import HostEvent

_MOST_BANKS = 16
# Where more wait at the same time, models would make the last of them wait too long.
_CROWD = 8
_MOST_SESSIONS = 1000
# The worker of whoever acts on a bank by MCP; no bank is named so, for those have absolute paths.
_ACTS = "acts"
_BEGINNINGS = (Kind.START, Kind.PROMPT)


class WarmBanks:
    """Banks by the directory that they lie in, the least recently used forgotten first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._workers: dict[str, ThreadPoolExecutor] = {}
        # By worker too: two threads never share a bank, though both may have the same one open.
        self._banks: dict[tuple[str, Path], Bank] = {}
        self._waiting = 0
        self._stamps: dict[tuple[str, Path], tuple[Path, int]] = {}
        self._begun: dict[str, None] = {}
        self.looks_after: Callable[[str], None] = heartbeat.start

    def hook(
        self, arguments: list[str], environment: Mapping[str, str], given: bytes, tell: Callable[[bytes], object]
    ) -> None:
        """Tell the answer to a host's event; whatever can wait is done after that."""
        key = environment.get("TACIT_BANK") or ""
        with self._lock:
            self._waiting += 1
        try:
            # Told by the thread that has it: the one that waits here may take a while to wake.
            self._worker(key).submit(
                lambda: tell(respond(arguments, environment, given, partial(self._hurried, key)))
            ).result()
        finally:
            with self._lock:
                self._waiting -= 1
        self._beat(read(arguments, environment, given))

    def _hurried(self, key: str, place: Path) -> Bank | None:
        """Return the bank of a workspace, which answers by keywords alone while a crowd waits for it."""
        bank = self._bank(key, place)
        if bank is not None:
            bank.recaller.is_hurried = self._waiting > _CROWD
        return bank

    def work(self, place: Path, act: Callable[[Bank | None], object]) -> Future[object]:
        """Run an act with the bank of a workspace, None where there is none, on the thread that uses that bank.

        It is another than that of hooks: a write takes its time, and nobody who types waits for it. What it wrote is
        taken into the index right after it, so that they need not do that either.
        """
        worker = self._worker(_ACTS)
        done = worker.submit(lambda: act(self._bank(_ACTS, place)))
        worker.submit(self._take_in, place)
        return done

    def _take_in(self, place: Path) -> None:
        bank = self._banks.get((_ACTS, place))
        if bank is not None and bank.state.may_recall:
            with suppress(TacitError, OSError, sqlite3.Error):  # whoever asks next does it
                bank.recaller.reindexer.catch_up()

    def follow(self, place: Path) -> None:
        """Let the vectors that a bank lacks, after an import say, be made behind all that is asked."""
        self.work(place, lambda bank: bank.recaller.follow() if bank is not None else None)

    def status(self, *, version: str, requests: int) -> bytes:
        """Return what the daemon is doing, as JSON."""
        members = {
            "pid": os.getpid(),
            "version": version,
            "requests": requests,
            "banks": sorted({str(bank.root) for bank in self._banks.values()}),
        }
        return json.dumps(members).encode()

    def _beat(self, event: HostEvent | None) -> None:
        """Have the bank of a conversation looked after, once for each, by a process that holds up nobody."""
        place = (event.bank or event.workspace) if event and event.session and event.kind in _BEGINNINGS else ""
        if event is None or not place:
            return
        with self._lock:
            first = event.session not in self._begun
            self._begun[event.session] = None
            while len(self._begun) > _MOST_SESSIONS:
                del self._begun[next(iter(self._begun))]
        if first:
            self.looks_after(place)

    def _worker(self, key: str) -> ThreadPoolExecutor:
        with self._lock:
            if key not in self._workers:
                self._workers[key] = ThreadPoolExecutor(1, thread_name_prefix="tacit-bank")
            return self._workers[key]

    def _bank(self, key: str, place: Path) -> Bank | None:
        """Return the bank of a workspace, warm; where another is the nearest now, or has other settings, that one."""
        try:
            root = wiring.of_workspace(place)
            stamp = root, (root / SETTINGS).stat().st_mtime_ns
            bank = self._banks.get((key, place)) if self._stamps.get((key, place)) == stamp else None
            if bank is None:
                self._banks.pop((key, place), None)
                # Not healed: a list of all notes is not needed here, and takes much memory in a large bank.
                bank = Bank.open(root, heal=False)
                bank.warm()
                self._stamps[key, place] = stamp
                if len(self._banks) >= _MOST_BANKS:
                    self._banks.pop(next(iter(self._banks)))
                self._banks[key, place] = bank
        except (TacitError, OSError):
            self._banks.pop((key, place), None)
            return None
        return bank
