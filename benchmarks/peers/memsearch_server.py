"""A thin MCP server over memsearch's Python API, run in its own environment: append to a log, index, search.

memsearch_server.py HOME ENDPOINT
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from mcp.server import MCPServer
from memsearch import MemSearch

HOME, ENDPOINT = Path(sys.argv[1]), sys.argv[2]
MEMORY = HOME / "memory"
# A log holds as many notes as a busy day.
_NOTES_IN_A_LOG = 100
server = MCPServer("memsearch")
opened: list[MemSearch] = []


async def store() -> MemSearch:
    """Return the store, opened and brought up to date by the first call that needs it."""
    if not opened:
        MEMORY.mkdir(parents=True, exist_ok=True)
        made = MemSearch(
            [MEMORY],
            embedding_provider="openai",
            embedding_model="hashed-words",
            embedding_base_url=ENDPOINT,
            milvus_uri=str(HOME / "milvus.db"),
        )
        await made.index()
        opened.append(made)
    return opened[0]


@server.tool()
async def add(title: str, text: str) -> str:
    """Append a note to the log of the day and index it."""
    found = await store()
    log = MEMORY / f"day-{int(title[1:]) // _NOTES_IN_A_LOG:03}.md"
    with log.open("a", encoding="utf-8") as file:
        file.write(f"\n## {title}\n\n{text}\n")
    await found.index_file(log)
    return "added"


@server.tool()
async def search(query: str, limit: int = 10) -> str:
    """Find passages."""
    return json.dumps(await (await store()).search(query, top_k=limit), ensure_ascii=False, default=str)


server.run("stdio")
