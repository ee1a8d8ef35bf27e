"""Connections, shared evenly by the processes that answer on one port."""

from __future__ import annotations

import mmap
import socket
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

QUEUE = 512
# So long a process leaves a connection to another one that has fewer, and is perhaps busy.
_PATIENCE_S = 0.1


class Shares:
    """How many connections each process has, in memory that all of them see; made before they are started."""

    def __init__(self, workers: int) -> None:
        self._counts = memoryview(mmap.mmap(-1, 4 * workers)).cast("i")

    def add(self, worker: int, count: int) -> None:
        """Say that a process has so many more; each says so of itself."""
        self._counts[worker] += count

    def begin(self, worker: int) -> None:
        """Say that a process has none yet: those of one that died are gone."""
        self._counts[worker] = 0

    def has_least(self, worker: int) -> bool:
        """Whether no process has fewer."""
        return self._counts[worker] == min(self._counts)


class Listening(socket.socket):
    """A socket that several processes listen on; one that has more connections than another lets that one go first.

    Without this the quickest to wake up takes them: of 32 connections that are made at once, one process often got all.
    """

    def __init__(self, other: socket.socket, shares: Shares, worker: int) -> None:
        super().__init__(fileno=other.detach())
        shares.begin(worker)
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
        taken, address = super().accept()
        self._last = 0.0
        self._shares.add(self._worker, 1)
        return _Taken(taken, partial(self._shares.add, self._worker, -1)), address


class _Taken(socket.socket):
    """A connection that tells its end, once."""

    def __init__(self, other: socket.socket, ended: Callable[[], None]) -> None:
        super().__init__(fileno=other.detach())
        self._ended: Callable[[], None] | None = ended

    def close(self) -> None:
        """End it."""
        super().close()
        ended, self._ended = self._ended, None
        if ended is not None:
            ended()


class Taking(uvicorn.Server):
    """Takes one connection at a time off the queue, so that the processes on a port get as many.

    asyncio takes as many at once as the queue is long: the first process to wake up would have all of them.
    """

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to take connections, off a queue of the usual length."""
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(QUEUE)


class Answering(HttpToolsProtocol):
    """Sends the head of an answer with its body."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to listen."""
        super().connection_made(InOne(transport, self.loop))  # type: ignore[arg-type]


class InOne:
    """A transport that sends in one piece what is written until the loop goes round."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._parts: list[bytes] = []

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever a transport has
        return getattr(self._transport, name)

    def write(self, part: bytes) -> None:
        """Send a piece soon."""
        if not self._parts:
            self._loop.call_soon(self._send)
        self._parts.append(part)

    def close(self) -> None:
        """Send what waits, and end."""
        self._send()
        self._transport.close()

    def _send(self) -> None:
        if self._parts:
            self._transport.write(b"".join(self._parts))
            self._parts.clear()
