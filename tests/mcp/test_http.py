"""The server over streamable HTTP: only for those who bring the token."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tacit.bank.roles import Role
from tacit.errors import PortTaken
from tacit.mcp_server.alone import guarded, http
from tacit.mcp_server.door import Door, OwnBank
from tests.mcp.clients import User

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import TypeVar

    from tacit.bank import Bank

    T = TypeVar("T")

URL = "http://127.0.0.1:8000/mcp"
TOKEN = "t0ken"


def test_a_port_that_is_taken_is_told_before_the_token(bank: Bank, capsys: pytest.CaptureFixture[str]) -> None:
    """V-01: a second server on a port ends in our own words, and no address is announced that is another's."""
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(PortTaken):
        http(str(bank.root), "reader", taken.getsockname()[1])
    assert capsys.readouterr().err == ""


def over_http(bank: Bank, act: Callable[[httpx2.AsyncClient], Awaitable[T]], token: str = TOKEN) -> T:
    """Return what an act with an HTTP client gives; no port is opened."""

    async def run() -> T:
        app = guarded(Door(bank.root, Role.READER, OwnBank(bank.root).run), TOKEN).streamable_http_app()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        transport = httpx2.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx2.AsyncClient(transport=transport, base_url=URL, headers=headers) as client,
        ):
            return await act(client)

    return asyncio.run(run())


def test_clients_with_the_token_are_served(bank: Bank, era: str) -> None:
    """V-01: streamable HTTP carries the same tools in both eras."""

    async def review(http: httpx2.AsyncClient) -> dict[str, Any]:
        async with Client(streamable_http_client(URL, http_client=http), mode=era) as client:
            return (await client.call_tool("review", {})).structured_content or {}

    assert over_http(bank, review)["notes"] == 1


def test_the_gate_asks_over_http(bank: Bank, payload: dict[str, Any]) -> None:
    """Q-03: a question comes back as part of the call."""

    async def propose(http: httpx2.AsyncClient) -> dict[str, Any]:
        transport = streamable_http_client(URL, http_client=http)
        async with Client(transport, mode="auto", elicitation_callback=User("confirm")) as client:
            return (await client.call_tool("propose", {"payloads": [payload]})).structured_content or {}

    assert over_http(bank, propose)["results"][0]["written"]


@pytest.mark.parametrize("token", ["", "wrong"])
def test_nobody_else_is_let_in(bank: Bank, token: str) -> None:
    """V-01: another process of this machine reaches the port and gets nothing."""

    async def knock(http: httpx2.AsyncClient) -> int:
        return (await http.post(URL, json={})).status_code

    assert over_http(bank, knock, token) == 401


def test_a_page_in_a_browser_is_refused(bank: Bank) -> None:
    """V-01: a request that names another host, as a rebound name does, is refused though it has the token."""

    async def knock(http: httpx2.AsyncClient) -> int:
        return (await http.post(URL, json={}, headers={"Host": "evil.example"})).status_code

    assert over_http(bank, knock) in (403, 421)
