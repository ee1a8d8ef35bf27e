"""memsearch: Markdown logs of days, and an index in Milvus Lite."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.peers import contract
from benchmarks.peers.contract import Call, Peer, Server, marks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.peers.corpus import Entry

_SERVER = Path(__file__).with_name("memsearch_server.py")


class Memsearch(Peer):
    """Its Python API behind a thin MCP server of ours, because it has none."""

    name = "memsearch"
    package = "memsearch"
    finds_by = "keywords and hashed words"
    remarks = "it has no MCP server: a thin one of ours calls its Python API; its model is replaced by hashed words"
    has_server = False

    def install(self) -> None:
        """Fetch it with the SDK for our thin server."""
        contract.environment(self.place, [self.package, "milvus-lite", "mcp"], python=contract.python())

    def version(self) -> str:
        """Return the version of the package."""
        return contract.version_in(self.place, self.package)

    def server(self, home: Path) -> Server:
        """Start our server over its API."""
        words = [str(self.place / "bin/python"), "-P", str(_SERVER), str(home), f"{self.endpoint}/v1"]
        return Server(words, {"OPENAI_API_KEY": "none"})

    def add(self, entry: Entry, *, insist: bool = False) -> Call:  # noqa: ARG002  it refuses nothing
        """Append to the log and index it."""
        return Call("add", {"title": entry.mark, "text": entry.text})

    def search(self, query: str, most: int) -> Call:
        """Search by words and vectors, as it does by default."""
        return Call("search", {"query": query, "limit": most})

    def fill(self, home: Path, entries: Iterable[Entry]) -> bool:
        """Write logs, which our server has indexed when it starts."""
        folder = home / "memory"
        folder.mkdir(parents=True, exist_ok=True)
        logs: dict[Path, list[str]] = {}
        for entry in entries:
            log = folder / f"filled-{entry.mark[:4]}.md"
            logs.setdefault(log, []).append(f"## {entry.mark}\n\n{entry.text}\n")
        for log, parts in logs.items():
            log.write_text("\n".join(parts), encoding="utf-8")
        return True

    def stored(self, home: Path) -> set[str]:
        """Read the logs."""
        files = (home / "memory").rglob("*.md")
        return {mark for path in files for mark in marks(path.read_text(encoding="utf-8"))}
