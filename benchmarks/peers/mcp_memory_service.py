"""mcp-memory-service: notes and vectors in one SQLite file."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from benchmarks.peers import contract
from benchmarks.peers.contract import Call, Peer, Server, marks

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

    from benchmarks.peers.corpus import Entry


class McpMemoryService(Peer):
    """The server as installed without its own model, asked in its hybrid mode."""

    name = "mcp-memory-service"
    package = "mcp-memory-service"
    finds_by = "keywords and hashed words"
    remarks = "its model is replaced by hashed words"

    def install(self) -> None:
        """Fetch it for a Python whose SQLite loads extensions."""
        python = contract.python(loads_extensions=True)
        contract.environment(self.place, [self.package], python=python)

    def version(self) -> str:
        """Return the version of the package."""
        return contract.version_in(self.place, self.package)

    def server(self, home: Path) -> Server:
        """Start it with our endpoint in place of its model."""
        words = [str(self.place / "bin/memory"), "server"]
        return Server(
            words,
            {
                "MCP_EXTERNAL_EMBEDDING_URL": f"{self.endpoint}/v1/embeddings",
                "MCP_EXTERNAL_EMBEDDING_MODEL": "hashed-words",
                "MCP_MEMORY_BACKUPS_PATH": str(home / "backups"),
                "MCP_MEMORY_SQLITE_PATH": str(_file(home)),
                "MCP_MEMORY_STORAGE_BACKEND": "sqlite_vec",
            },
        )

    def add(self, entry: Entry, *, insist: bool = False) -> Call:
        """Store a memory; it compares by meaning unless a conversation is named."""
        return Call("memory_store", {"content": entry.text, **({"conversation_id": "fill"} if insist else {})})

    def search(self, query: str, most: int) -> Call:
        """Search by words and by vectors."""
        return Call("memory_search", {"query": query, "mode": "hybrid", "limit": most})

    def is_written(self, text: str, structured: Mapping[str, Any]) -> bool:  # noqa: ARG002  it says it in the text
        """A refusal is no error of the protocol."""
        return "success" in text.lower()

    def stored(self, home: Path) -> set[str]:
        """Read the table."""
        return set(
            marks("\n".join(row[0] for row in _rows(home, "SELECT content FROM memories WHERE deleted_at IS NULL")))
        )

    def broken(self, home: Path) -> int:
        """Ask SQLite."""
        return sum(row[0] != "ok" for row in _rows(home, "PRAGMA integrity_check"))


def _file(home: Path) -> Path:
    return home / "memory.db"


def _rows(home: Path, question: str) -> list[tuple[str, ...]]:
    if not _file(home).exists():
        return []
    connection = sqlite3.connect(_file(home))
    try:
        return connection.execute(question).fetchall()
    except sqlite3.OperationalError:
        return []
    finally:
        connection.close()
