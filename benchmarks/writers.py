"""Eight processes write at once: how many of the acknowledged writes are there afterwards, beside a peer."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.run import table
from tacit import Bank

if TYPE_CHECKING:
    from collections.abc import Callable

PROCESSES = 8
WRITES = 50
PEER = "@modelcontextprotocol/server-memory"
WRITER = """
import sys
from tacit import Bank
from tacit.note.model import Note
for number in range(int(sys.argv[3])):
    note = Note(id="", title=f"{sys.argv[2]}-{number}", when_to_load=("always",), one_liner="x" * 200)
    Bank.open(sys.argv[1], heal=False).add([note])
    print("ack", flush=True)
"""


def measure() -> dict[str, object]:
    """Run both, one after the other."""
    rows = [_tacit(), _peer()]
    table(
        ["store", "processes", "acknowledged", "there", "lost", "seconds"],
        [
            [row["store"], PROCESSES, row["acknowledged"], row["there"], row["lost"], row["seconds"]]
            if "acknowledged" in row
            else [row["store"], PROCESSES, "-", "-", "-", str(row["skipped"])]
            for row in rows
        ],
    )
    return {"processes": PROCESSES, "writes": WRITES, "rows": rows}


def _row(store: str, acknowledged: int, there: int, began: float) -> dict[str, object]:
    seconds = time.perf_counter() - began
    lost = acknowledged - there
    return {"store": store, "acknowledged": acknowledged, "there": there, "lost": lost, "seconds": seconds}


def _tacit() -> dict[str, object]:
    with tempfile.TemporaryDirectory(prefix="tacit-bench-") as folder:
        root = str(Path(folder) / ".memory")
        Bank.init(root)
        began = time.perf_counter()
        writers = [
            subprocess.Popen([sys.executable, "-c", WRITER, root, f"w{each}", str(WRITES)], stdout=subprocess.PIPE)
            for each in range(PROCESSES)
        ]
        acknowledged = sum(writer.communicate()[0].count(b"ack") for writer in writers)
        return _row("tacit", acknowledged, len(Bank.open(root).notes()), began)


def _peer() -> dict[str, object]:
    """Drive the reference MCP memory server in the same way, as its clients do, over one file."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        return {"store": PEER, "skipped": "no Node here"}
    with tempfile.TemporaryDirectory(prefix="tacit-peer-") as folder:
        asked = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, PEER]
        if subprocess.run(asked, capture_output=True, check=False).returncode != 0:
            return {"store": PEER, "skipped": "could not be installed"}
        script = str(Path(folder) / "node_modules" / PEER / "dist" / "index.js")
        memory = Path(folder) / "memory.jsonl"
        began = time.perf_counter()
        clients = [_Client(script, memory) for _ in range(PROCESSES)]
        threads = [threading.Thread(target=_write_all, args=(client, each)) for each, client in enumerate(clients)]
        _each(threads, lambda thread: thread.start())
        _each(threads, lambda thread: thread.join())
        _each(clients, lambda client: client.stop())
        there = sum(1 for line in memory.read_text(encoding="utf-8").splitlines() if _is_json(line))
        return _row(PEER, sum(client.acknowledged for client in clients), there, began)


def _each(things: list[Any], act: Callable[[Any], object]) -> None:
    for thing in things:
        act(thing)


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _write_all(client: _Client, each: int) -> None:
    for number in range(WRITES):
        entity = {"name": f"e{each}-{number}", "entityType": "note", "observations": ["x" * 200]}
        client.acknowledged += client.call("tools/call", name="create_entities", arguments={"entities": [entity]})


class _Client:
    """An MCP client over stdio, as small as the measurement needs."""

    def __init__(self, script: str, memory: Path) -> None:
        self.acknowledged = 0
        self._number = 0
        self._server = subprocess.Popen(
            ["node", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "MEMORY_FILE_PATH": str(memory)},
        )
        who = {"name": "bench", "version": "1"}
        self.call("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=who)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, method: str, **params: object) -> bool:
        """Send a request and wait for its answer; return whether it was no error."""
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        assert self._server.stdout is not None
        for line in self._server.stdout:
            answer = json.loads(line)
            if answer.get("id") == self._number:
                return "error" not in answer and not answer["result"].get("isError")
        return False

    def stop(self) -> None:
        """End the server."""
        self._server.kill()
        self._server.communicate()

    def _send(self, message: dict[str, object]) -> None:
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps(message).encode() + b"\n")
        self._server.stdin.flush()
