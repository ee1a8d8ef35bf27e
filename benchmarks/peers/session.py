"""One server and the official SDK's client that speaks with it over its pipes: the same door for every peer."""

from __future__ import annotations

import os
import secrets
import signal
import time
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import ElicitResult, TextContent

from benchmarks.peers.contract import marks

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcp.client.session import ClientRequestContext
    from mcp.types import CallToolResult, ElicitRequestParams, Tool

    from benchmarks.peers.contract import Call, Peer
    from benchmarks.peers.corpus import Entry

CALL_S = 120.0
_RUN = "TACIT_BENCHMARK_RUN"
# What a user would say to Tacit's questions about notes that are all different, in the order of liking.
_ANSWERS = ("both", "confirm")


@dataclass(frozen=True, slots=True)
class Session:
    """A connected client."""

    peer: Peer
    client: Client
    token: str
    started_s: float
    tools: list[Tool]

    async def add(self, entry: Entry, *, insist: bool = False) -> tuple[float, bool]:
        """Write a note; return how long it took and whether the server says that it was written."""
        took, text, result = await self._call(self.peer.add(entry, insist=insist))
        return took, not result.is_error and self.peer.is_written(text, result.structured_content or {})

    async def search(self, query: str, most: int) -> tuple[float, list[str]]:
        """Search; return how long it took and the marks of what was found, best first."""
        took, text, _ = await self._call(self.peer.search(query, most))
        return took, marks(text)[:most]

    async def _call(self, call: Call) -> tuple[float, str, CallToolResult]:
        began = time.perf_counter()
        result = await self.client.call_tool(call.tool, call.arguments)
        took = time.perf_counter() - began
        return took, "\n".join(each.text for each in result.content if isinstance(each, TextContent)), result

    def memory_mb(self) -> float:
        """Return the memory of all its processes, shared pages counted in parts (PSS)."""
        return sum(map(_pss_kb, processes(self.token))) / 1000

    def cpu_s(self) -> float:
        """Return the CPU time of all its processes up to now; on a busy machine it says more than the clock."""
        return sum(map(_cpu_s, processes(self.token)))

    def kill(self) -> None:
        """Kill all its processes at once, without a chance to clean up."""
        for process in processes(self.token):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


@asynccontextmanager
async def opened(peer: Peer, home: Path) -> AsyncIterator[Session]:
    """Start a server over the store in a home, and end it and all that it started."""
    token = secrets.token_hex(8)
    started = peer.server(home)
    own = {name: value for name, value in os.environ.items() if not name.startswith(("TACIT_", "PYTHON"))}
    known = {**own, "HOME": str(home), "XDG_RUNTIME_DIR": str(home), **started.environment, _RUN: token}
    parameters = StdioServerParameters(command=started.words[0], args=started.words[1:], env=known, cwd=home)
    try:
        with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: ASYNC230, PTH123  it never blocks
            async with AsyncExitStack() as stack:
                began = time.perf_counter()
                transport = stdio_client(parameters, errlog=nowhere)
                client = Client(transport, mode="legacy", elicitation_callback=_answer, read_timeout_seconds=CALL_S)
                await stack.enter_async_context(client)
                tools = (await client.list_tools()).tools
                yield Session(peer, client, token, time.perf_counter() - began, tools)
    finally:
        for process in processes(token):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


async def _answer(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:  # noqa: ARG001  the SDK's signature
    """Answer a question at once, as a user who wants the note."""
    offered = str(getattr(params, "requested_schema", ""))
    answer = next(each for each in _ANSWERS if f"'{each}'" in offered)
    return ElicitResult(action="accept", content={"answer": answer})


def processes(token: str) -> list[int]:
    """Return the processes of a run, also those that left its tree, by what they have in their environment."""
    wanted = f"{_RUN}={token}".encode()
    found = []
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            with suppress(OSError):
                if wanted in (place / "environ").read_bytes().split(b"\0"):
                    found.append(int(place.name))
    return found


def _pss_kb(process: int) -> int:
    with suppress(OSError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0


def _cpu_s(process: int) -> float:
    with suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def schema_bytes(tools: list[Tool]) -> int:
    """Return the size of what a host hands to its model for these tools."""
    return sum(len(tool.model_dump_json(exclude_none=True, by_alias=True)) for tool in tools)
