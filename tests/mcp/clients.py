"""Clients of the SDK for tests: in memory and over a real process, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import ElicitResult

from tacit.bank.roles import Role
from tacit.mcp_server.door import Door, OwnBank
from tacit.mcp_server.server import TacitServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
    from typing import TypeVar

    from mcp.client.session import ClientRequestContext
    from mcp.types import ElicitRequestParams, ErrorData

    T = TypeVar("T")

# The handshake of old, and what the client finds by itself, which is 2026-07-28.
ERAS = ("legacy", "auto")
SOURCE = Path(__file__).parents[2] / "src"
COMMAND = ("-c", "from tacit.cli import main; main()", "mcp")


def server(place: Path, role: Role = Role.READER) -> TacitServer:
    """Return a server over the bank at a place."""
    return TacitServer(Door(place, role, OwnBank(place).run))


class User:
    """Answers forms one after the other as told, and remembers what it was asked; the last answer is repeated."""

    def __init__(self, *answers: str | ElicitResult) -> None:
        self._answers = list(answers)
        self.asked: list[ElicitRequestParams] = []

    async def __call__(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult | ErrorData:  # noqa: ARG002  the SDK's signature
        """Answer one form."""
        self.asked.append(params)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        return answer if isinstance(answer, ElicitResult) else accepted(answer)


def accepted(option: str) -> ElicitResult:
    """Return a form sent off with an option."""
    return ElicitResult(action="accept", content={"answer": option})


def talk(
    to: TacitServer | StdioServerParameters,
    act: Callable[[Client], Awaitable[T]],
    *,
    era: str = ERAS[1],
    user: User | None = None,
) -> T:
    """Return what an act with a connected client gives."""

    async def run() -> T:
        async with Client(to, mode=era, elicitation_callback=user) as client:
            return await act(client)

    try:
        return asyncio.run(run())
    except BaseExceptionGroup as group:
        raise alone(group) from None


def alone(group: BaseException) -> BaseException:
    """Return the one error in groups of groups."""
    while isinstance(group, BaseExceptionGroup):
        (group,) = group.exceptions
    return group


def call(
    to: TacitServer | StdioServerParameters,
    name: str,
    *,
    era: str = ERAS[1],
    user: User | None = None,
    **arguments: object,
) -> dict[str, Any]:
    """Return the structured result of one call, with its text; fails if the call is an error."""
    text, result, is_error = called(to, name, era=era, user=user, **arguments)
    assert not is_error, text
    return {**result, "text": text}


def called(
    to: TacitServer | StdioServerParameters,
    name: str,
    *,
    era: str = ERAS[1],
    user: User | None = None,
    **arguments: object,
) -> tuple[str, dict[str, Any], bool]:
    """Return text and structured result of one call, and whether it is an error."""
    result = talk(to, lambda client: client.call_tool(name, arguments), era=era, user=user)
    return result.content[0].text, result.structured_content or {}, bool(result.is_error)  # type: ignore[union-attr]


def process(words: Iterable[str], environment: Mapping[str, str], *, cwd: Path | None = None) -> StdioServerParameters:
    """Return how `tacit mcp` is started as a host does, with nothing else of Tacit's in its environment."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("TACIT_", "CLAUDE"))}
    return StdioServerParameters(
        command=sys.executable,
        args=[*COMMAND, *words],
        env={**bare, "PYTHONPATH": str(SOURCE), **environment},
        cwd=cwd,
    )


@asynccontextmanager
async def both(one: TacitServer, other: TacitServer, user: User) -> AsyncIterator[tuple[Client, Client]]:
    """Two clients at once."""
    async with (
        Client(one, mode=ERAS[1], elicitation_callback=user) as first,
        Client(other, mode=ERAS[0], elicitation_callback=user) as second,
    ):
        yield first, second
