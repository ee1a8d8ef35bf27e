"""MCP over streamable HTTP: tools of `tacit mcp` for the one bank that a request names, as the token's role allows.

Nothing is kept between requests: a server of the SDK is made for each, so that nothing of one visit can reach another.
That takes about half a millisecond.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from mcp.server import MCPServer
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.server.request_state import AESGCMRequestStateCodec, RequestStateSecurity
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from tacit import __version__
from tacit.bank.talks import told
from tacit.errors import DatabaseUnusable, TacitError
from tacit.mcp_server import resources
from tacit.mcp_server.resources import PROMPTS
from tacit.mcp_server.tools import TOOLS
from tacit.messages import explain, say
from tacit.server.visit import Refused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable

    from mcp.server.mcpserver import Context
    from mcp.types import CallToolResult, InputRequiredResult, ResourceTemplate
    from starlette.requests import Request
    from starlette.types import Message

    from tacit.server.mcp_bank import AskedBank, PlacedAnswer
    from tacit.server.visit import Visit

T = TypeVar("T")

_READING = (
    "Tacit is this project's memory. Before you plan or write code, call `recall` with the user's words; `show` reads "
    "a note whole."
)
_PROPOSING = (
    "When the user decides, prefers or corrects something that will matter again, call `propose`; when they ask to "
    "remember, `remember`. Never answer a proposal for the user."
)
_READ_ONLY = "This address only reads: what is to be remembered goes into the project's own bank."
# Tool → the roles of tokens that may call it; a tool that is not here is not offered.
ALLOWED = {
    **dict.fromkeys(("recall", "search", "show"), ("reader", "writer", "author", "reviewer")),
    **dict.fromkeys(("propose", "remember"), ("writer", "author")),
    "review": ("writer", "author", "reviewer"),
}
_PROMPTS = ("recall",)
# How long a user may think about a question; the client keeps the sealed state meanwhile.
_PATIENCE_S = 24 * 3600.0


class TeamDoor:
    """What the tools of one request work with."""

    def __init__(self, role: str, bank: Callable[[], AskedBank]) -> None:
        self.role = role
        # No token but an author's answers what it asked itself.
        self.asks = role == "author"
        self._bank = bank

    def told(self, done: PlacedAnswer) -> str:
        """Return in a sentence what an answer led to, and where the change is."""
        return f"{told(done)} {done.place}".strip()

    def unanswered(self, *, in_chat: bool) -> str:
        """Return how a question that nobody answered comes to its answer."""
        del in_chat  # the chat is on another machine
        return say("mcp.ask_team")

    def surer(self, proposal_id: str) -> str:
        """Return that a form is not enough for an answer."""
        return say("mcp.surer_team", id=proposal_id)

    async def __call__(self, act: Callable[[Any], T]) -> T:
        """Return what an act with the bank says, done on a thread; an error becomes a sentence for the agent."""
        try:
            return await run_in_threadpool(lambda: act(self._bank()))
        except DatabaseUnusable as error:
            message = f"The database does not answer; come again. ({error.code})"
            raise ToolError(message) from None
        except Refused as refused:
            message = f"{refused} ({refused.code})"
            raise ToolError(message) from None
        except TacitError as error:
            raise ToolError(" ".join((*explain(error), f"({error.code})"))) from None


class TeamMcp(MCPServer[TeamDoor]):
    """The SDK's server for one visit: it offers what the role may call."""

    def __init__(self, visit: Visit, door: TeamDoor, sealing: RequestStateSecurity) -> None:
        @asynccontextmanager
        async def lifespan(_: MCPServer[TeamDoor]) -> AsyncIterator[TeamDoor]:
            yield door

        super().__init__(
            "tacit",
            title="Tacit",
            version=__version__,
            instructions=f"{_READING} {_PROPOSING if visit.role in ALLOWED['propose'] else _READ_ONLY}",
            tools=[tool for tool in TOOLS if visit.role in ALLOWED.get(tool.name, ())],
            lifespan=lifespan,
            request_state_security=sealing,
            subscriptions=False,
            log_level="WARNING",
        )
        self._visit = visit
        self._door = door
        for prompt in PROMPTS:
            if prompt.name in _PROMPTS:
                self.add_prompt(prompt)

    def manager(self, most_bytes: int) -> StreamableHTTPSessionManager:
        """Return what carries one request, answered in one piece."""
        return StreamableHTTPSessionManager(
            self._lowlevel_server, json_response=True, stateless=True, max_request_body_size=most_bytes
        )

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[TeamDoor, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; the list of accesses says which."""
        self._visit.act = f"mcp {name}" if name in ALLOWED else "mcp"
        return await super().call_tool(name, arguments, context)

    async def list_resource_templates(self) -> list[ResourceTemplate]:
        """List how notes are addressed."""
        return resources.templates()

    async def read_resource(
        self,
        uri: Any,  # noqa: ANN401  the SDK's signature
        context: Context[TeamDoor, Any] | None = None,  # noqa: ARG002  as above
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        """Read a note by its pointer; a guard's objection to it comes first."""
        self._visit.act = "mcp show"
        try:
            text = await self._door(lambda bank: resources.resolved(bank, str(uri)))
        except ToolError as error:
            raise ResourceNotFoundError(str(error)) from None
        return [ReadResourceContents(content=text, mime_type="text/markdown")]


class Mcp:
    """Answers MCP for any bank; `key` seals what a client keeps for us while its user thinks."""

    def __init__(self, most_bytes: int, key: bytes) -> None:
        self._most_bytes = most_bytes
        self._codec = AESGCMRequestStateCodec([key])

    async def answer(self, visit: Visit, request: Request, content: bytes, bank: Callable[[], AskedBank]) -> Response:
        """Return the answer to one message, whose bytes were read already."""
        # What a question left with the client counts if it comes back from the same caller, for the same bank.
        bound = f"{visit.token} {visit.bank}"
        sealing = RequestStateSecurity(codec=self._codec, ttl=_PATIENCE_S, audience=bound)
        speaking = TeamMcp(visit, TeamDoor(visit.role, bank), sealing).manager(self._most_bytes)
        given = _Given(content)
        async with speaking.run():
            await speaking.handle_request(request.scope, given.receive, given.send)
        return given.response()


class _Given:
    """A request that is here already, and the answer as it comes."""

    def __init__(self, content: bytes) -> None:
        self._content: bytes | None = content
        self._status = 500
        self._headers: list[tuple[bytes, bytes]] = []
        self._body = bytearray()

    async def receive(self) -> Message:
        """Give the whole body, then nothing more."""
        body, self._content = self._content, None
        if body is None:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(self, message: Message) -> None:
        """Keep a part of the answer."""
        if message["type"] == "http.response.start":
            self._status, self._headers = message["status"], list(message["headers"])
        self._body += message.get("body", b"")

    def response(self) -> Response:
        """Return the answer."""
        made = Response(bytes(self._body), self._status)
        made.raw_headers = self._headers
        return made
