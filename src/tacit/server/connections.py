"""Connections, shared evenly by the processes that answer on one port."""

from __future__ import annotations

import mmap
import socket
import time
from typing import TYPE_CHECKING

import uvicorn

if TYPE_CHECKING:
    from typing import Any

QUEUE = 512
# So long a process leaves a connection to another one that has fewer, and is perhaps busy.
_PATIENCE_S = 0.02


class Shares:
    """How many connections each process has, in memory that all of them see; made before they are started."""

    def __init__(self, workers: int) -> None:
        self._counts = memoryview(mmap.mmap(-1, 4 * workers)).cast("I")

    def put(self, worker: int, count: int) -> None:
        """Say how many a process has."""
        self._counts[worker] = count

    def take(self, worker: int) -> None:
        """Say that a process has one more."""
        self._counts[worker] += 1

    def has_least(self, worker: int) -> bool:
        """Whether no process has fewer."""
        return self._counts[worker] == min(self._counts)


class Listening(socket.socket):
    """A socket that several processes listen on; one that has more connections than another lets that one go first.

    Without this the quickest to wake up takes them: of 32 connections that are made at once, one process often got all.
    """

    def __init__(self, other: socket.socket, shares: Shares, worker: int) -> None:
        super().__init__(fileno=other.detach())
        self._shares = shares
        self._worker = worker
        self._since = self._last = 0.0

    def accept(self) -> tuple[socket.socket, Any]:
        """Take a connection; raises BlockingIOError, as if there were none, while another process should."""
        if not self._shares.has_least(self._worker):
            now = time.monotonic()
            if now - self._last > _PATIENCE_S:
                self._since = now  # another connection than that of the last time
            self._last = now
            if now - self._since < _PATIENCE_S:
                raise BlockingIOError
        taken = super().accept()
        self._last = 0.0
        self._shares.take(self._worker)
        return taken


class Taking(uvicorn.Server):
    """Takes one connection at a time off the queue, so that the processes on a port get as many.

    asyncio takes as many at once as the queue is long: the first process to wake up would have all of them.
    """

    def __init__(self, config: uvicorn.Config, shares: Shares, worker: int) -> None:
        super().__init__(config)
        self._shares = shares
        self._worker = worker

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to take connections, off a queue of the usual length."""
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(QUEUE)

    async def on_tick(self, counter: int) -> bool:
        """Say ten times a second how many connections there are; some have ended meanwhile."""
        self._shares.put(self._worker, len(self.server_state.connections))
        return await super().on_tick(counter)
