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
# A name in quotation marks stands so in no text, where they are escaped.
_IS_ASKED, _HAS_ID = b'"method"', b'"id"'
# What a server has to hear before it can go on in the place of another.
_TO_BE_HEARD = (b'"initialize"', b'"notifications/initialized"', b'"logging/setLevel"')
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
        _serve(connection, place, role, [])
        return True
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        return False  # the command itself says what is missing
    alone(place, role)
    return True


def alone(place: str, role: str, heard: Sequence[bytes] = ()) -> None:
    """Serve a host without the daemon, until there is one; a server that was there before has `heard` how it began."""
    from tacit.mcp_server import alone

    alone.stdio(place, role, _hand_over(place, role), heard)


def _hand_over(place: str, role: str) -> Callable[[Sequence[bytes], bytes], None]:
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
                while _HAS_ID in line and _HAS_ID not in answer:  # the host has had it
                    answer = _line(connection)
            connection.settimeout(None)
            connection.sendall(rest)
        except OSError:
            connection.close()
            return
        os.set_inheritable(os.dup2(connection.fileno(), _KEPT), True)  # noqa: FBT003  also where both are one
        program = "from tacit.cli import mcp_pipe; mcp_pipe.go_on()"
        words = [place, role, str(_requests(rest.split(b"\n"))), *map(os.fsdecode, heard)]
        os.execv(sys.executable, [sys.executable, "-P", "-c", program, *words])  # noqa: S606  ourselves

    return go


def _line(connection: socket) -> bytes:
    found = b""
    while not found.endswith(b"\n"):
        char = connection.recv(1)
        if not char:
            raise ConnectionResetError
        found += char
    return found


def go_on() -> None:
    """Carry bytes between a host and a connection to the daemon that was opened by what ran here before."""
    import _socket

    place, role, waiting, *heard = sys.argv[1:]
    _serve(_socket.socket(fileno=_KEPT), place, role, [*map(os.fsencode, heard)], int(waiting))


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


def _is_to_be_heard(line: bytes) -> bool:
    return line.partition(_IS_ASKED)[2].lstrip(b" :").startswith(_TO_BE_HEARD) and b'"tools/call"' not in line


def _requests(lines: Sequence[bytes]) -> int:
    return sum(_IS_ASKED in line and _HAS_ID in line for line in lines)


def _serve(connection: socket, place: str, role: str, heard: list[bytes], waiting: int = 0) -> None:
    try:
        is_over = _relay(connection, heard, waiting)
    except OSError:
        return  # in the middle of a request: a host starts its servers anew when it needs them
    if not is_over:
        alone(place, role, heard)


def _relay(connection: socket, heard: list[bytes], waiting: int) -> bool:
    """Carry bytes both ways until the daemon has said its last; the host's end of input is passed on.

    `heard` grows by what a server must have heard, `waiting` requests have no answer yet. Returns whether all is over:
    if the daemon went away while nothing was asked, the host need not notice.
    """
    import select

    open_ends: list[int | socket] = [0, connection]
    ours, theirs = b"", b""
    while connection in open_ends:
        ready, _, _ = select.select(open_ends, [], [])
        if connection in ready:
            part = connection.recv(_PART)
            if not part:
                open_ends.remove(connection)
            *lines, theirs = (theirs + part).split(b"\n")
            waiting -= sum(_HAS_ID in line and _IS_ASKED not in line for line in lines)
            while part:
                part = part[os.write(1, part) :]
        if 0 in ready and connection in open_ends:
            part = os.read(0, _PART)
            if part:
                connection.sendall(part)
                *lines, ours = (ours + part).split(b"\n")
                heard += (line + b"\n" for line in lines if _is_to_be_heard(line))
                waiting += _requests(lines)
            else:
                open_ends.remove(0)
                connection.shutdown(1)
    return 0 not in open_ends or bool(waiting or ours or theirs)
