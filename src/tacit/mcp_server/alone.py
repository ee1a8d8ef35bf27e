"""Serve one connection in this process: over standard input and output, or over HTTP on this machine."""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import secrets
import socket
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tacit import link
from tacit.bank.roles import Role
from tacit.errors import PortTaken
from tacit.index import process
from tacit.messages import say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from anyio import AsyncFile
    from starlette.applications import Starlette
    from starlette.types import ASGIApp, Receive, Scope, Send

    from tacit.mcp_server.door import Door
    from tacit.mcp_server.server import TacitServer

_DAEMON_AFTER_S = 1.0
_PART = 1 << 16
# A daemon that is not there says so at once.
_QUICK_S = 1.0
# What a server has to hear before it can go on in the place of another.
_TO_BE_HEARD = ("initialize", "notifications/initialized", "logging/setLevel")


def stdio(
    place: str, role: str, hand_over: Callable[[Sequence[bytes], bytes], None], heard: Sequence[bytes] = ()
) -> None:
    """Serve a host that started us; a daemon is started once the host has its first answers, and then goes on with it.

    `hand_over` gets what the daemon must have heard and what it is to answer first, and returns only without a daemon.
    `heard` is what the host has said to one that is gone, and need not hear answered again.
    """
    from mcp.server.stdio import stdio_server

    from tacit.mcp_server.server import TacitServer

    process.settle()

    async def serve() -> None:
        asyncio.get_running_loop().call_later(_DAEMON_AFTER_S, link.start, "mcp")
        lines = cast("AsyncFile[str]", _Lines(hand_over, heard))
        async with stdio_server(lines, lines) as (incoming, outgoing):
            await TacitServer(_door(place, role)).serve(incoming, outgoing)

    asyncio.run(serve())


class _Lines:
    """Standard input and output line by line, until the daemon takes them over at a moment when no request is open.

    With its models and the words of a bank this process would hold once more what the daemon holds for all sessions.
    """

    def __init__(self, hand_over: Callable[[Sequence[bytes], bytes], None], heard: Sequence[bytes]) -> None:
        self._hand_over: Callable[[Sequence[bytes], bytes], None] | None = hand_over
        self._read = bytearray(b"".join(heard))
        self._answered = sum("id" in _message(line) for line in heard)
        self._heard: list[bytes] = []
        self._open = 0

    def __aiter__(self) -> _Lines:
        return self

    async def __anext__(self) -> str:
        from tacit.mcp_server.server import readable

        looked = 0
        while (end := self._read.find(b"\n", looked)) < 0:
            looked = len(self._read)
            part = await asyncio.to_thread(os.read, 0, _PART)
            self._read += part or b"\n"  # what ends without one is a line too
            if not part and not looked:
                raise StopAsyncIteration
        self._offer()
        line = bytes(self._read[: end + 1])
        del self._read[: end + 1]
        self._count(line)
        return readable(line.decode("utf-8", "replace"))

    def _offer(self) -> None:
        """Let the daemon go on with all that was not yet answered; whoever had to wait for its no asks no more."""
        if self._open == self._answered == 0 and self._hand_over is not None:
            began = time.monotonic()
            self._hand_over(self._heard, bytes(self._read))
            if time.monotonic() - began > _QUICK_S:
                self._hand_over = None

    def _count(self, line: bytes) -> None:
        """Take note of a request, which is open until it is answered; so is a form that the host brings back filled."""
        message = _message(line)
        if message.get("method") in _TO_BE_HEARD:
            self._heard.append(line)
        if "method" in message and "id" in message:
            self._open += not _bears_state(message, "params")

    async def write(self, text: str) -> None:
        """Write a line of the server, which may be the answer to a request."""
        message = _message(text)
        is_answer = "id" in message and "method" not in message
        left = b"" if is_answer and self._answered else text.encode()
        while left:
            left = left[await asyncio.to_thread(os.write, 1, left) :]
        if is_answer:
            self._answered -= self._answered > 0
            self._open -= not _bears_state(message, "result")

    async def flush(self) -> None:
        """Nothing is held back."""


def _bears_state(message: Mapping[str, Any], member: str) -> bool:
    """Whether a request goes on after a form, or an answer is such a form; its state is sealed by this process."""
    return "requestState" in (message.get(member) or ())


def _message(line: str | bytes) -> dict[str, Any]:
    """Return a message of the protocol; what is none counts as one that says nothing."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {"id": 0, "method": ""}


def http(place: str, role: str, port: int) -> None:
    """Serve clients of this machine that bring the token, TACIT_MCP_TOKEN or a new one that is printed.

    Raises PortTaken if another program has the port.
    """
    try:  # seen before the token is shown: the server itself would say so in words of its own
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        raise PortTaken(port=port, reason=error.strerror or str(error)) from error
    process.settle()
    own = os.environ.get("TACIT_MCP_TOKEN", "")
    token = own or secrets.token_urlsafe(24)
    shown = "$TACIT_MCP_TOKEN" if own else token  # a secret of the user's is not repeated to a terminal or a log
    url = f"http://127.0.0.1:{port}/mcp"
    sys.stderr.write(say("mcp.http", url=url, role=Role.named(role), token=shown) + "\n")
    asyncio.run(guarded(_door(place, role), token).run_streamable_http_async(host="127.0.0.1", port=port))


def guarded(door: Door, token: str) -> TacitServer:
    """Return a server whose HTTP application lets in only those who bring the token."""
    from tacit.mcp_server.server import TacitServer

    class Guarded(TacitServer):
        def streamable_http_app(self, **options: Any) -> Starlette:  # noqa: ANN401  the SDK's, handed on
            app = super().streamable_http_app(**options)
            app.add_middleware(_TokenGuard, token=token)
            return app

    return Guarded(door)


def _door(place: str, role: str) -> Door:
    from tacit.mcp_server.door import Door, OwnBank

    return Door(Path(place), Role.named(role), OwnBank(Path(place)).run, os.environ.get("TACIT_LANG", ""))


class _TokenGuard:
    """Lets in only requests that bring the token: every process of this machine can reach the port."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = dict(scope.get("headers", ())).get(b"authorization", b"")
        if scope["type"] == "http" and not hmac.compare_digest(given, self._wanted):
            await send({"type": "http.response.start", "status": 401, "headers": []})
            await send({"type": "http.response.body", "body": b""})
            return
        await self._app(scope, receive, send)
