"""Counts of what the server does, in the text that Prometheus reads; all workers of a server count together."""

from __future__ import annotations

import json
import mmap
import struct
import threading
import time
import zlib
from bisect import bisect_left
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_BOUNDS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_PAGE_BYTES = 64 * 1024
_HEAD = struct.Struct("<II")
# A worker shows the others its counts at most so often; whoever is asked shows its own as they are.
_SHOWN_EVERY_S = 1.0
_SUM = "tacit_request_seconds_sum"

_HELP = {
    "tacit_requests_total": ("counter", "Requests by act and status."),
    "tacit_request_seconds": ("histogram", "How long requests took."),
    "tacit_requests_under_way": ("gauge", "Requests that are being answered."),
    "tacit_accesses_waiting": ("gauge", "Accesses that are not in the list of the database yet."),
    "tacit_connections": ("gauge", "Connections to the database."),
    "tacit_connections_waited_for": ("gauge", "Requests that wait for a connection."),
    "tacit_copies_bytes": ("gauge", "Memory of what was read of banks."),
    "tacit_copies_banks": ("gauge", "Banks of which something is kept in memory."),
    "tacit_workers": ("gauge", "Processes that answer."),
}


class Board:
    """A page for each worker in memory that all of them share; made before they are started."""

    def __init__(self, workers: int) -> None:
        self._pages = mmap.mmap(-1, workers * _PAGE_BYTES)
        self._workers = workers

    def put(self, worker: int, counts: Mapping[str, float]) -> None:
        """Show the counts of a worker."""
        text = json.dumps(counts).encode()
        if len(text) <= _PAGE_BYTES - _HEAD.size:
            start = worker * _PAGE_BYTES
            self._pages[start : start + _HEAD.size + len(text)] = _HEAD.pack(len(text), zlib.crc32(text)) + text

    def get(self, worker: int) -> dict[str, float]:
        """Return what a worker has shown; nothing while it is being written, or by one that was killed writing it."""
        start = worker * _PAGE_BYTES
        size, check = _HEAD.unpack_from(self._pages, start)
        text = self._pages[start + _HEAD.size : start + _HEAD.size + size]
        if not size or zlib.crc32(text) != check:
            return {}
        found: dict[str, float] = json.loads(text)
        return found

    def others(self, worker: int) -> list[dict[str, float]]:
        """Return the counts of all other workers."""
        return [self.get(each) for each in range(self._workers) if each != worker]


class Metrics:
    """The counts of one worker; `now` gives those that are looked up when somebody asks."""

    def __init__(self, board: Board, worker: int, now: Callable[[], Mapping[str, float]]) -> None:
        self._board = board
        self._worker = worker
        self._now = now
        self._lock = threading.Lock()
        self._under_way = 0
        self._shown = 0.0
        # A worker that follows one that died counts on: a counter never falls.
        self._counts = {name: value for name, value in board.get(worker).items() if _is_counted(name)}

    def began(self) -> None:
        """Count a request that has come."""
        with self._lock:
            self._under_way += 1

    def ended(self, act: str, status: int, took_s: float) -> None:
        """Count a request that was answered."""
        with self._lock:
            self._under_way -= 1
            self._add(f'tacit_requests_total{{act="{act}",status="{status}"}}', 1)
            self._add(f'{_SUM}{{act="{act}"}}', took_s)
            self._add(_buckets(act)[bisect_left(_BOUNDS_S, took_s)], 1)
        if time.monotonic() - self._shown > _SHOWN_EVERY_S:
            self.show()

    def show(self) -> dict[str, float]:
        """Show the others what was counted here, and return it."""
        looked_up = dict(self._now())
        with self._lock:
            self._shown = time.monotonic()
            counts = {**self._counts, **looked_up, "tacit_requests_under_way": self._under_way, "tacit_workers": 1}
            self._board.put(self._worker, counts)
        return counts

    def text(self) -> str:
        """Return the counts of all workers together, as Prometheus reads them."""
        total: dict[str, float] = {}
        for counts in (self.show(), *self._board.others(self._worker)):
            for name, value in counts.items():
                total[name] = total.get(name, 0) + value
        _heap_up(total)
        lines = []
        for family, (kind, sentence) in _HELP.items():
            lines += [f"# HELP {family} {sentence}", f"# TYPE {family} {kind}"]
            lines += [f"{name} {value:.10g}" for name, value in total.items() if _family(name) == family]
        return "\n".join(lines) + "\n"

    def _add(self, name: str, value: float) -> None:
        self._counts[name] = self._counts.get(name, 0) + value


@cache
def _buckets(act: str) -> list[str]:
    """Return the names of an act's buckets, the last for what took longest; there are as many acts as addresses."""
    bounds = [*map(str, _BOUNDS_S), "+Inf"]
    return [f'tacit_request_seconds_bucket{{act="{act}",le="{bound}"}}' for bound in bounds]


def _heap_up(total: dict[str, float]) -> None:
    """Let each bucket hold what all before it hold, as Prometheus has it; it is counted into one, for speed."""
    for label in [name.removeprefix(_SUM) for name in total if name.startswith(_SUM)]:
        held = 0.0
        for name in _buckets(label.split('"')[1]):
            held += total.pop(name, 0)
            total[name] = held
        total[f"tacit_request_seconds_count{label}"] = held


def _family(name: str) -> str:
    bare = name.partition("{")[0]
    for ending in ("_sum", "_count", "_bucket"):
        if bare.removesuffix(ending) in _HELP:
            return bare.removesuffix(ending)
    return bare


def _is_counted(name: str) -> bool:
    return _HELP[_family(name)][0] != "gauge"
