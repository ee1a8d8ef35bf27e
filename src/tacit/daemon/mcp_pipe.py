"""MCP on a connection of the daemon: the SDK's own server over the socket's lines, beside all others in one loop."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import socket

    from anyio import AsyncFile

    from tacit.daemon.banks import WarmBanks

# A line is one message of the protocol.
_MAX_LINE_BYTES = 16 * 1024 * 1024


class McpPipe:
    """Serves MCP connections with the warm banks; the SDK is loaded by the first one, or by `load`."""

    def __init__(self, banks: WarmBanks) -> None:
        self._banks = banks
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def load(self) -> None:
        """Load the SDK, so that nobody has to wait for it."""
        if find_spec("mcp") is not None:
            self._running()

    def serve(self, connection: socket.socket, fields: bytes) -> None:
        """Speak MCP on a connection until its other end is done; `+` says that from here on it is JSON lines."""
        role, language, place = fields.split(b"\0", 2)
        if find_spec("mcp") is None:
            connection.sendall(b"-")
            return
        loop = self._running()
        connection.sendall(b"+")
        session = self._session(connection, role.decode(), language.decode(), Path(place.decode("utf-8", "replace")))
        asyncio.run_coroutine_threadsafe(session, loop).result()

    async def _session(self, connection: socket.socket, role: str, language: str, place: Path) -> None:
        from mcp.server.stdio import stdio_server

        from tacit.bank.roles import Role
        from tacit.mcp_server.door import Door
        from tacit.mcp_server.server import TacitServer

        reader, writer = await asyncio.open_unix_connection(sock=connection, limit=_MAX_LINE_BYTES)
        lines = cast("AsyncFile[str]", _Lines(reader, writer))
        server = TacitServer(Door(place, Role.named(role), lambda act: self._banks.work(place, act), language))
        try:
            async with stdio_server(lines, lines) as (incoming, outgoing):
                await server.serve(incoming, outgoing)
        finally:
            writer.close()
            with suppress(OSError):  # whatever the other end did, it is over
                await writer.wait_closed()

    def _running(self) -> asyncio.AbstractEventLoop:
        """Return the loop, on a thread of its own, with the SDK loaded."""
        with self._lock:
            if self._loop is None:
                from tacit.mcp_server import server  # noqa: F401  what takes long is done here

                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="tacit-mcp", daemon=True).start()
            return self._loop


class _Lines:
    """A socket as the text file that the SDK reads and writes line by line."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def __aiter__(self) -> _Lines:
        return self

    async def __anext__(self) -> str:
        from tacit.mcp_server.server import readable

        try:
            line = await self._reader.readline()
        except (ValueError, OSError):  # longer than any message may be, or the other end is gone
            line = b""
        if not line:
            raise StopAsyncIteration
        return readable(line.decode("utf-8", "replace"))

    async def write(self, text: str) -> None:
        self._writer.write(text.encode())

    async def flush(self) -> None:
        await self._writer.drain()
