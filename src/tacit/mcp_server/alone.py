"""Serve one connection in this process: over standard input and output, or over HTTP on this machine."""

from __future__ import annotations

import asyncio
import hmac
import os
import secrets
import socket
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tacit import link
from tacit.bank import staying
from tacit.bank.roles import Role
from tacit.errors import PortTaken
from tacit.messages import say

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from anyio import AsyncFile
    from starlette.applications import Starlette
    from starlette.types import ASGIApp, Receive, Scope, Send

    from tacit.mcp_server.door import Door
    from tacit.mcp_server.server import TacitServer

_DAEMON_AFTER_S = 1.0


def stdio(place: str, role: str) -> None:
    """Serve a host that started us; a daemon is started once the host has its first answers, for the next time."""
    from mcp.server.stdio import stdio_server

    from tacit.mcp_server.server import TacitServer, readable

    staying.settle()

    async def lines() -> AsyncIterator[str]:
        given = TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
        while line := await asyncio.to_thread(given.readline):
            yield readable(line)

    async def serve() -> None:
        asyncio.get_running_loop().call_later(_DAEMON_AFTER_S, link.start, "mcp")
        async with stdio_server(cast("AsyncFile[str]", lines())) as (incoming, outgoing):
            await TacitServer(_door(place, role)).serve(incoming, outgoing)

    asyncio.run(serve())


def http(place: str, role: str, port: int) -> None:
    """Serve clients of this machine that bring the token, TACIT_MCP_TOKEN or a new one that is printed.

    Raises PortTaken if another program has the port.
    """
    try:  # seen before the token is shown: the server itself would say so in words of its own
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        raise PortTaken(port=port, reason=error.strerror or str(error)) from error
    staying.settle()
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
