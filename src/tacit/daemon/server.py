"""The daemon's loop: requests from the user's own processes, until nobody asks any more."""

from __future__ import annotations

import os
import socket
import struct
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import __version__, fsio, link
from tacit.daemon.mcp_pipe import McpPipe

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.daemon.banks import WarmBanks

_IDLE_S = 1800.0
_LOOK_S = 1.0
_PATIENCE_S = 30.0
_CREDENTIALS = struct.Struct("3i")


class Server:
    """Answers on a Unix socket that only its owner can reach."""

    def __init__(
        self, path: str, banks: WarmBanks, *, idle_s: float = _IDLE_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._path = path
        self._banks = banks
        self._idle_s = idle_s
        self._clock = clock
        self._last = clock()
        self._busy = 0
        self._stop = threading.Event()
        self._count = 0
        self._mcp = McpPipe(banks)

    def load_mcp(self) -> None:
        """Load what MCP needs, beside all else that goes on."""
        threading.Thread(target=self._mcp.load, daemon=True).start()

    def run(self) -> None:
        """Serve until told to stop, idle for long, or no longer the one whom others find at the socket."""
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        fsio.remove(Path(self._path))  # the lock beside it says that nobody else serves there
        listener.bind(self._path)
        Path(self._path).chmod(0o600)
        mine = _inode(self._path)
        listener.listen(128)
        listener.settimeout(_LOOK_S)
        try:
            while not self._stop.is_set():
                try:
                    connection, _ = listener.accept()
                except TimeoutError:
                    if self._is_over(mine):
                        return
                    continue
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()
        finally:
            listener.close()
            if _inode(self._path) == mine:
                fsio.remove(Path(self._path))

    def _is_over(self, mine: int) -> bool:
        return (not self._busy and self._clock() - self._last > self._idle_s) or _inode(self._path) != mine

    def _serve(self, connection: socket.socket) -> None:
        self._busy += 1
        try:
            with connection:
                connection.settimeout(_PATIENCE_S)
                if _is_stranger(connection):
                    return
                request = _receive(connection)
                if request is not None and request.startswith(b"mcp\0"):
                    self._mcp.serve(connection, request.partition(b"\0")[2])
                elif request is not None:
                    self._answer(request, lambda said: connection.sendall(link.framed(said)))
        except (OSError, ValueError):
            return  # a client that went away, or one that speaks nonsense
        finally:
            self._busy -= 1
            self._last = self._clock()

    def _answer(self, request: bytes, tell: Callable[[bytes], None]) -> None:
        verb, _, rest = request.partition(b"\0")
        self._count += 1
        if verb == b"hook":
            arguments, environment, given = rest.split(b"\0", 2)
            self._banks.hook(_lines(arguments), _variables(environment), given, tell)
            return
        said = b""
        if verb == b"status":
            said = self._banks.status(version=__version__, requests=self._count)
        if verb == link.FOLLOW.encode():
            self._banks.follow(Path(os.fsdecode(rest)))
        if verb == b"stop":
            self._stop.set()
        tell(said)


def _receive(connection: socket.socket) -> bytes | None:
    head = _exactly(connection, 8)
    try:
        size = int(head, 16)
    except ValueError:
        return None
    return _exactly(connection, size) if 0 <= size <= link.MAX_MESSAGE_BYTES else None


def _exactly(connection: socket.socket, size: int) -> bytes:
    parts = []
    while size:
        part = connection.recv(min(1 << 16, size))
        if not part:
            raise ConnectionError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _is_stranger(connection: socket.socket) -> bool:
    """Whether the process at the other end belongs to another user."""
    if not hasattr(socket, "SO_PEERCRED"):
        return False  # elsewhere the directory's mode alone keeps others out
    _, user, _ = _CREDENTIALS.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
    return bool(user != os.getuid())


def _inode(path: str) -> int:
    try:
        return Path(path).stat().st_ino
    except OSError:
        return 0


def _lines(field: bytes) -> list[str]:
    return field.decode("utf-8", "replace").split("\n") if field else []


def _variables(field: bytes) -> dict[str, str]:
    pairs = (line.partition("=") for line in _lines(field))
    return {name: value for name, _, value in pairs if name in link.ENVIRONMENT}
