"""How long an MCP server takes from its start until a host has its list of tools, ours and others', in one run.

Hosts do not wait for a slow server in the first turn. Peers are fetched into the cache; one that cannot be had in
reasonable time is left out with a message.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.peers import BasicMemory, McpMemoryService, ServerMemory, embedder
from benchmarks.peers.contract import UnavailableError
from benchmarks.run import CACHE, table
from tacit import link
from tacit.bank import Bank

if TYPE_CHECKING:
    from collections.abc import Mapping

    Subject = tuple[list[str], Mapping[str, str]]

ROUNDS = 15
SOURCE = str(Path(__file__).parents[1] / "src")
TACIT = [sys.executable, "-c", "from tacit.cli import main; main()", "mcp"]
BARE = """
from mcp.server import MCPServer
server = MCPServer("bare")
@server.tool()
def echo(text: str) -> str:
    return text
server.run("stdio")
"""
EMPTY, WARM, COLD, SDK = "python -c pass", "tacit mcp, warm daemon", "tacit mcp, no daemon", "bare SDK server"
_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "0"},
}
_MESSAGES = (
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _HELLO},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}},
)


def measure(cache: Path | None = None) -> dict[str, object]:
    """Take turns, so that a slow moment of the machine hits all alike."""
    with tempfile.TemporaryDirectory(prefix="tacit-") as folder, embedder.running() as endpoint:
        place = Path(folder)
        bank = Bank.init(place / "bank")
        subjects: dict[str, Subject] = {
            WARM: ([*TACIT, "--bank", str(bank.root)], _private(place / "warm")),
            COLD: ([*TACIT, "--bank", str(bank.root)], _private(place / "cold")),
            SDK: ([sys.executable, "-c", BARE], _private(place / "sdk")),
            **_peers((cache or CACHE).resolve(), endpoint, place),
        }
        seconds: dict[str, list[float]] = {EMPTY: [], **{name: [] for name in subjects}}
        daemon = _daemon(subjects[WARM][1])
        try:
            answering = {name: given for name, given in subjects.items() if _answers(name, *given)}
            for _ in range(ROUNDS):
                seconds[EMPTY].append(_empty())
                for name, given in answering.items():
                    seconds[name].append(_until_listed(*given))
        finally:
            daemon.kill()
            daemon.wait()
    medians = {name: statistics.median(values) for name, values in seconds.items() if values}
    ratios = {"warm / empty": medians[WARM] / medians[EMPTY], "cold / bare SDK": medians[COLD] / medians[SDK]}
    table(
        ["start → tools/list", "median ms", "× empty"], [[n, m * 1000, m / medians[EMPTY]] for n, m in medians.items()]
    )
    print("  " + ", ".join(f"{name} = {value:.2f}" for name, value in ratios.items()))
    return {"rounds": ROUNDS, "median_s": medians, "ratio": ratios}


def _empty() -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - began


def _until_listed(words: list[str], environment: Mapping[str, str]) -> float:
    """Return how long it takes until the tools are listed; the process is ended afterwards."""
    began = time.perf_counter()
    with subprocess.Popen(
        words,
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            for message in _MESSAGES:
                process.stdin.write(json.dumps(message) + "\n")
                process.stdin.flush()
                if "id" in message:
                    found = _reply(process.stdout, message["id"])
            took = time.perf_counter() - began
        finally:
            process.kill()
    assert found["result"]["tools"]
    return took


def _reply(lines: Any, number: object) -> dict[str, Any]:  # noqa: ANN401  a text stream
    for line in lines:
        if line.startswith("{") and (message := json.loads(line)).get("id") == number:
            return dict(message)
    raise EOFError


def _answers(name: str, words: list[str], environment: Mapping[str, str]) -> bool:
    """Whether a server answers at all; the first start, which may fill caches, is not counted."""
    try:
        _until_listed(words, environment)
    except (OSError, EOFError, AssertionError, KeyError, ValueError) as error:
        print(f"  left out: {name} does not answer ({type(error).__name__})")
        return False
    return True


def _private(home: Path) -> dict[str, str]:
    """Return an environment in which nothing of the user's is touched."""
    home.mkdir(exist_ok=True, mode=0o700)
    places = {"HOME": str(home), "TACIT_RUNTIME_DIR": str(home), "PYTHONPATH": SOURCE}
    return {**{name: value for name, value in os.environ.items() if not name.startswith("TACIT_")}, **places}


def _daemon(environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    process = subprocess.Popen([sys.executable, "-P", "-m", "tacit.daemon", "mcp"], env=dict(environment))
    os.environ["TACIT_RUNTIME_DIR"] = environment["TACIT_RUNTIME_DIR"]
    while link.ask(b"status") is None and process.poll() is None:
        time.sleep(0.05)
    return process


def _peers(cache: Path, endpoint: str, place: Path) -> dict[str, Subject]:
    """Return the servers of others that can be had here."""
    found: dict[str, Subject] = {}
    for kind in (ServerMemory, BasicMemory, McpMemoryService):
        peer = kind(cache, endpoint)
        try:
            peer.install()
        except UnavailableError as why:
            print(f"  left out: {peer.name} ({why})", flush=True)
            continue
        home = place / peer.name
        environment = _private(home)
        peer.prepare(home)
        server = peer.server(home)
        found[peer.name] = (server.words, {**environment, **server.environment})
    return found
