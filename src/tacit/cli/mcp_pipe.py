"""The short way of `tacit mcp`: bytes between a host and the daemon, with nothing loaded but the standard library."""

from __future__ import annotations

import os
import sys

from tacit import link

TYPE_CHECKING = False  # typing itself would be the dearest import on this way
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Callable, Sequence

_ANSWER_S = 10.0
_PART = 1 << 16
_KEPT = 3  # the descriptor by which a connection outlives the program that made it
_ROLES = ("", "reader", "memory", "orchestrator")
# Where hosts say what project they are in; a server has no event that names it.
WORKSPACES = ("CLAUDE_PROJECT_DIR", "CURSOR_PROJECT_DIR", "GEMINI_PROJECT_DIR", "QWEN_PROJECT_DIR")


def run(words: list[str]) -> bool:
    """Serve a host over its pipes, through the daemon if there is one; False if the words ask for anything else."""
    options = {"--bank": "", "--role": ""}
    rest = iter(words)
    for word in rest:
        name, given, value = word.partition("=")
        if name not in options:
            return False
        options[name] = value if given else next(rest, "")
    role = options["--role"] or os.environ.get("TACIT_ROLE", "")
    if role not in _ROLES:
        return False  # the command itself says which there are
    try:
        os.fstat(0)
    except OSError:
        return True  # nobody is there to ask anything, and a socket must not take that place
    place = workspace(options["--bank"])
    connection = _connected(place, role)
    if connection is not None:
        _relayed(connection)
        return True
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        return False  # the command itself says what is missing
    from tacit.mcp_server import alone

    alone.stdio(place, role, hand_over(place, role))
    return True


def hand_over(place: str, role: str) -> Callable[[Sequence[bytes], bytes], None]:
    """Return what lets the daemon go on with a host, if there is one by then: this process becomes the pipe to it."""

    def go(heard: Sequence[bytes], rest: bytes) -> None:
        connection = _connected(place, role)
        if connection is None:
            return
        try:
            connection.settimeout(_ANSWER_S)
            for line in heard:
                connection.sendall(line)
                answer = b""
                while b'"id"' in line and b'"id"' not in answer:  # the host has had it
                    answer = _line(connection)
            connection.settimeout(None)
            connection.sendall(rest)
        except OSError:
            connection.close()
            return
        kept = os.dup2(connection.fileno(), _KEPT)
        program = f"from tacit.cli import mcp_pipe; mcp_pipe.go_on({kept})"
        os.execv(sys.executable, [sys.executable, "-P", "-c", program])  # noqa: S606  ourselves

    return go


def _line(connection: socket) -> bytes:
    found = b""
    while not found.endswith(b"\n"):
        char = connection.recv(1)
        if not char:
            raise ConnectionResetError
        found += char
    return found


def go_on(descriptor: int) -> None:
    """Carry bytes between a host and a connection to the daemon that was opened by what ran here before."""
    import _socket

    _relayed(_socket.socket(fileno=descriptor))


def workspace(bank: str) -> str:
    """Return the directory in or above which the bank lies: as named, as the host says, or where we were started."""
    named = (bank, os.environ.get("TACIT_BANK"), *(os.environ.get(name) for name in WORKSPACES))
    return os.path.abspath(next((place for place in named if place), "."))  # noqa: PTH100  pathlib is not loaded yet


def _connected(place: str, role: str) -> socket | None:
    """Return a connection to the daemon on which it speaks MCP from now on."""
    path = link.address()
    if not path:
        return None
    import _socket

    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.settimeout(_ANSWER_S)
        connection.connect(path)
        language = os.environ.get("TACIT_LANG", "")
        connection.sendall(link.framed(b"mcp", role.encode(), language.encode(), os.fsencode(place)))
        if connection.recv(1) == b"+":
            connection.settimeout(None)
            return connection
    except OSError:
        pass
    connection.close()
    return None


def _relayed(connection: socket) -> None:
    try:  # noqa: SIM105  contextlib is not loaded yet
        _relay(connection)
    except OSError:
        pass  # the host or the daemon is gone: a host starts its servers anew when it needs them


def _relay(connection: socket) -> None:
    """Carry bytes both ways until the daemon has said its last; the host's end of input is passed on."""
    import select

    open_ends: list[int | socket] = [0, connection]
    while connection in open_ends:
        ready, _, _ = select.select(open_ends, [], [])
        if 0 in ready:
            part = os.read(0, _PART)
            if part:
                connection.sendall(part)
            else:
                open_ends.remove(0)
                connection.shutdown(1)
        if connection in ready:
            part = connection.recv(_PART)
            if not part:
                open_ends.remove(connection)
            while part:
                part = part[os.write(1, part) :]
