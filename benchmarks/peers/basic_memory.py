"""basic-memory: Markdown files, and an index in SQLite that follows them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from benchmarks.peers import contract
from benchmarks.peers.contract import Call, Peer, Server, UnavailableError, marks

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from benchmarks.peers.corpus import Entry

# Loaded before everything else in its environment: a SQLite that can load extensions, where Python's own cannot.
_PATCH = """import sys
try:
    import pysqlite3
    sys.modules["sqlite3"] = pysqlite3
    sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2
except ImportError:
    pass
"""
_DIMENSIONS = 384


class BasicMemory(Peer):
    """Its local mode, asked as it is by default."""

    name = "basic-memory"
    package = "basic-memory"
    finds_by = "keywords and hashed words"
    remarks = (
        "its model is replaced by hashed words; "
        "where Python's SQLite loads no extensions, pysqlite3 is put in its place"
    )

    def install(self) -> None:
        """Fetch it; where Python's SQLite cannot load extensions, with one that can."""
        try:
            python, patched = contract.python(at_least=(3, 12), loads_extensions=True), []
        except UnavailableError:
            python, patched = contract.python(at_least=(3, 12)), ["pysqlite3-binary"]
        contract.environment(self.place, [self.package, *patched], python=python)
        if patched:
            packages = next((self.place / "lib").glob("python3*/site-packages"))
            (packages / "sitecustomize.py").write_text(_PATCH, encoding="utf-8")

    def version(self) -> str:
        """Return the version of the package."""
        return contract.version_in(self.place, self.package)

    def prepare(self, home: Path) -> None:
        """Configure one project and our endpoint."""
        (home / "notes").mkdir(parents=True)
        (home / ".basic-memory").mkdir()
        settings = {
            "projects": {"main": {"path": str(home / "notes")}},
            "default_project": "main",
            "semantic_embedding_provider": "openai",
            "semantic_embedding_model": "hashed-words",
            "semantic_embedding_api_base": f"{self.endpoint}/v1",
            "semantic_embedding_api_key": "none",
            "semantic_embedding_dimensions": _DIMENSIONS,
        }
        (home / ".basic-memory/config.json").write_text(json.dumps(settings), encoding="utf-8")

    def server(self, home: Path) -> Server:
        """Start its server over the project."""
        known = {
            "BASIC_MEMORY_CONFIG_DIR": str(home / ".basic-memory"),
            "BASIC_MEMORY_HOME": str(home / "notes"),
            "BASIC_MEMORY_NO_PROMOS": "1",
            "OPENAI_API_KEY": "none",
            "OPENAI_BASE_URL": f"{self.endpoint}/v1",
        }
        return Server([str(self.place / "bin/basic-memory"), "mcp"], known)

    def add(self, entry: Entry, *, insist: bool = False) -> Call:  # noqa: ARG002  each note has a title of its own
        """Write a note."""
        return Call("write_note", {"title": entry.mark, "content": entry.text, "directory": "notes", "project": "main"})

    def search(self, query: str, most: int) -> Call:
        """Search as its default says."""
        return Call("search_notes", {"query": query, "page_size": most, "project": "main"})

    def fill(self, home: Path, entries: Iterable[Entry]) -> bool:
        """Write files, which its server takes in when it starts."""
        folder = home / "notes/notes"
        folder.mkdir(parents=True, exist_ok=True)
        for entry in entries:
            text = f"---\ntitle: {entry.mark}\ntype: note\n---\n\n{entry.text}\n"
            (folder / f"{entry.mark}.md").write_text(text, encoding="utf-8")
        return True

    def stored(self, home: Path) -> set[str]:
        """Read the files."""
        files = (home / "notes").rglob("*.md")
        return {mark for path in files for mark in marks(path.read_text(encoding="utf-8").rpartition("---")[2])}
