"""The server: tools, resources and prompts of one bank in one role, over whatever carries the protocol."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from mcp.server import MCPServer
from mcp.server.request_state import RequestStateSecurity

from tacit import __version__
from tacit.bank.roles import refuse
from tacit.mcp_server import resources
from tacit.mcp_server.resources import PROMPTS
from tacit.mcp_server.tools import NEEDED, TOOLS
from tacit.text import whole

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from mcp.server.lowlevel.helper_types import ReadResourceContents
    from mcp.server.mcpserver import Context
    from mcp.shared._stream_protocols import ReadStream, WriteStream
    from mcp.shared.message import SessionMessage
    from mcp.types import CallToolResult, InputRequiredResult, Resource, ResourceTemplate, Tool

    from tacit.mcp_server.door import Door

    Incoming = ReadStream[SessionMessage | Exception]
    Outgoing = WriteStream[SessionMessage]

INSTRUCTIONS = (
    "Tacit is this project's memory. Before you plan or write code, call `recall` with the user's words. When the user "
    "decides, prefers or corrects something that will matter again, call `propose`; when they ask to remember, "
    "`remember`; name notes that say the same or the opposite in `relations`. Never answer a proposal for the user."
)
# How long a user may think about a question; the client keeps the sealed state meanwhile.
_PATIENCE_S = 24 * 3600.0


def readable(line: str) -> str:
    """Return a message so that the SDK answers it: one with half a character in it, it would leave without a word."""
    if "\\ud" in line.lower():
        with suppress(ValueError, RecursionError):
            return whole(json.dumps(json.loads(line), ensure_ascii=False))
    return line


class TacitServer(MCPServer["Door"]):
    """The SDK's server with a bank behind it: it shows what the role may call, and refuses the rest."""

    def __init__(self, door: Door) -> None:
        @asynccontextmanager
        async def lifespan(_: MCPServer[Door]) -> AsyncIterator[Door]:
            yield door

        super().__init__(
            "tacit",
            title="Tacit",
            version=__version__,
            instructions=INSTRUCTIONS,
            tools=list(TOOLS),
            lifespan=lifespan,
            request_state_security=RequestStateSecurity.ephemeral(ttl=_PATIENCE_S),
            subscriptions=False,
            log_level="WARNING",
        )
        self._door = door
        for prompt in PROMPTS:
            self.add_prompt(prompt)

    async def serve(self, incoming: Incoming, outgoing: Outgoing) -> None:
        """Speak with one client until it is done."""
        options = self._lowlevel_server.create_initialization_options()
        await self._lowlevel_server.run(incoming, outgoing, options)

    async def list_tools(self) -> list[Tool]:
        """List the tools that the role may call."""
        return [tool for tool in await super().list_tools() if self._door.role.may(NEEDED[tool.name])]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Door, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; one above the role is refused, and the log says so."""
        role, needed = self._door.role, NEEDED.get(name)
        if needed is not None and not role.may(needed):
            await self._door(lambda bank: refuse(bank, name, role, needed))
        return await super().call_tool(name, arguments, context)

    async def list_resources(self) -> list[Resource]:
        """List the documents that everybody may want."""
        return resources.documents()

    async def list_resource_templates(self) -> list[ResourceTemplate]:
        """List how notes are addressed."""
        return resources.templates()

    async def read_resource(
        self,
        uri: Any,  # noqa: ANN401  the SDK's signature
        context: Context[Door, Any] | None = None,  # noqa: ARG002  as above
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        """Read a document or a note."""
        return await resources.read(self._door, str(uri))
