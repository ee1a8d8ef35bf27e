"""The reference MCP memory server: a graph in one file of JSON lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from benchmarks.peers.contract import Call, Peer, Server, marks, run

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from benchmarks.peers.corpus import Entry


class ServerMemory(Peer):
    """@modelcontextprotocol/server-memory, a note as an entity with one observation."""

    name = "server-memory"
    package = "@modelcontextprotocol/server-memory"
    finds_by = "substring"

    def install(self) -> None:
        """Fetch it with npm."""
        if not self._package.exists():
            self.place.mkdir(parents=True, exist_ok=True)
            run(
                self.name,
                ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", self.place, self.package],
            )

    @property
    def _package(self) -> Path:
        return self.place / "node_modules" / self.package

    def version(self) -> str:
        """Return the version in its package file."""
        return str(json.loads((self._package / "package.json").read_text(encoding="utf-8"))["version"])

    def server(self, home: Path) -> Server:
        """Start it over a file in the home."""
        return Server(["node", str(self._package / "dist/index.js")], {"MEMORY_FILE_PATH": str(home / "memory.jsonl")})

    def add(self, entry: Entry, *, insist: bool = False) -> Call:  # noqa: ARG002  it refuses nothing
        """Create an entity."""
        return Call("create_entities", {"entities": [_entity(entry)]})

    def search(self, query: str, most: int) -> Call:  # noqa: ARG002  it has no limit
        """Search names and observations."""
        return Call("search_nodes", {"query": query})

    def fill(self, home: Path, entries: Iterable[Entry]) -> bool:
        """Append the lines that it writes itself."""
        with (home / "memory.jsonl").open("a", encoding="utf-8") as file:
            file.writelines("\n" + json.dumps({"type": "entity", **_entity(entry)}) for entry in entries)
        return True

    def stored(self, home: Path) -> set[str]:
        """Read the file."""
        return set(marks(_text(home)))

    def broken(self, home: Path) -> int:
        """Count the lines that are no JSON."""
        count = 0
        for line in _text(home).splitlines():
            try:
                json.loads(line or "{}")
            except ValueError:
                count += 1
        return count


def _entity(entry: Entry) -> dict[str, object]:
    return {"name": entry.mark, "entityType": "note", "observations": [entry.text]}


def _text(home: Path) -> str:
    file = home / "memory.jsonl"
    return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""
