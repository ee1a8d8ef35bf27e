"""Tacit beside other memories: the same notes, the same machine, the same door, in one run.

The door is MCP over standard input and output with the official SDK's client, because that is how agents reach each of
them. A memory that cannot be had or does not run here is left out, and the table says why. Takes about half an hour.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import shutil
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.peers import PEERS, charts, corpus, embedder, measures
from benchmarks.peers.contract import UnavailableError
from benchmarks.peers.rows import ROWS, shown
from benchmarks.peers.session import opened
from benchmarks.run import CACHE, RESULTS, table

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from benchmarks.peers.contract import Peer
    from benchmarks.peers.corpus import Entry

    Act = Callable[[Path], Awaitable[dict[str, Any]]]

SIZE, LARGE = 1_000, 10_000
# How long a peer may take to write the first thousand notes, and to hold ten thousand.
WRITE_S, LARGE_S = 90.0, 150.0
# How long any of the four acts may take in all.
ACT_S = 1_200.0


def measure(cache: Path | None = None, names: Sequence[str] = ()) -> dict[str, object]:
    """Measure every peer, or those named while the others keep their figures; print the table, and draw the charts."""
    rows: dict[str, dict[str, Any]] = {}
    with embedder.running() as endpoint:
        for kind in PEERS:
            if not names or kind.name in names:
                rows[kind.name] = _row(kind((cache or CACHE).resolve(), endpoint))
    rows = {**(_kept() if names else {}), **rows}
    peers = [rows[kind.name] for kind in PEERS if kind.name in rows]
    _print(peers)
    figures: dict[str, object] = {
        "taken": datetime.now(UTC).date().isoformat(),
        "cores": os.cpu_count(),
        "machine": platform.machine(),
        "separately": bool(names),
        "sizes": [SIZE, LARGE],
        "peers": peers,
    }
    for name, text in charts.drawn(figures).items():
        (RESULTS / name).write_text(text, encoding="utf-8")
    return figures


def _kept() -> dict[str, dict[str, Any]]:
    file = RESULTS / "side_by_side.json"
    peers = json.loads(file.read_text(encoding="utf-8"))["peers"] if file.exists() else []
    return {peer["name"]: peer for peer in peers}


def _row(peer: Peer) -> dict[str, Any]:
    """Return the figures of a peer with the load of the machine before and after: the clock is to be read with it."""
    began, before = time.perf_counter(), os.getloadavg()[0]
    figures = _measured(peer)
    told = {"name": peer.name, "finds_by": peer.finds_by, "remarks": peer.remarks, "nice": os.nice(0)}
    minutes = round((time.perf_counter() - began) / 60, 1)
    return {**told, "load": [round(before, 1), round(os.getloadavg()[0], 1)], "minutes": minutes, **figures}


def _measured(peer: Peer) -> dict[str, Any]:
    """Return all figures of a peer; one that fails on the way keeps those it has, and says what failed."""

    def say(text: str) -> None:
        print(f"  {peer.name}: {text}", flush=True)

    say("installing")
    try:
        peer.install()
    except UnavailableError as error:
        say(f"left out: {error}")
        return {"left_out": str(error)}
    figures: dict[str, Any] = {"version": peer.version(), "install_mb": peer.size_mb()}
    for what, act in _acts(peer, say, figures).items():
        say(what)
        home = Path(tempfile.mkdtemp(prefix="peer-"))
        try:
            peer.prepare(home)
            figures |= asyncio.run(asyncio.wait_for(act(home), ACT_S))
        except Exception as error:  # noqa: BLE001  whatever happens to a peer is a figure of its own
            reason = measures.first(error)
            say(f"{what}: failed: {reason}")
            figures.setdefault("failed", {})[what] = reason
        finally:
            shutil.rmtree(home, ignore_errors=True)
    say(json.dumps(figures))
    return figures


def _acts(peer: Peer, say: Callable[[str], None], figures: dict[str, Any]) -> dict[str, Act]:
    return {
        "start": lambda home: measures.start(peer, home),
        "notes": lambda home: _notes(peer, home, say, figures),
        "eight writers": lambda home: measures.writers(peer, home),
        "kill -9": lambda home: measures.killed(peer, home, say),
    }


async def _notes(peer: Peer, home: Path, say: Callable[[str], None], figures: dict[str, Any]) -> dict[str, Any]:
    """Write the first thousand notes and the Chinese ones, ask for them, then grow the store to ten thousand.

    Each figure is noted as soon as it is known: a slow peer that runs out of time keeps those it has.
    """
    texts, _ = corpus.chinese()
    async with opened(peer, home) as session:
        figures |= await measures.writing(session, corpus.notes(0, SIZE), WRITE_S, say)
    stored = peer.stored(home)
    missing = [entry for entry in (*corpus.notes(0, SIZE), *texts) if entry.mark not in stored]
    figures["filled"] = len(missing)
    say(f"asking among {SIZE:,} notes")
    figures[str(SIZE)] = await _asked(peer, home, missing, SIZE)
    say(f"growing to {LARGE:,} notes")
    figures[str(LARGE)] = await _asked(peer, home, corpus.notes(SIZE, LARGE), LARGE)
    return figures


async def _asked(peer: Peer, home: Path, entries: list[Entry], size: int) -> dict[str, Any]:
    """Put the entries beside the others and ask, unless the peer cannot hold them within the time."""
    ends = time.perf_counter() + LARGE_S
    is_put = not entries or peer.fill(home, entries)
    async with opened(peer, home) as session:
        for entry in () if is_put else entries:
            await session.add(entry, insist=True)
            if time.perf_counter() > ends:
                break
        stored = len(peer.stored(home))
        if stored < size or not await measures.settled(session, corpus.note(size - 1), ends):
            return {"not_within_s": LARGE_S, "stored": stored}
        while not peer.has_read_all(home) and time.perf_counter() < ends:  # noqa: ASYNC110  another process knows
            await asyncio.sleep(2)
        asked = await measures.finding(session, size)
        return asked | (await measures.chinese(session) if size == SIZE else {})


def _print(rows: list[dict[str, Any]]) -> None:
    present = [row for row in rows if "left_out" not in row]
    table(["", *(f"{row['name']} {row['version']}" for row in present)], [*_lines(present)])
    for row in rows:
        if "left_out" in row:
            print(f"  left out: {row['name']}: {row['left_out']}")


def _lines(present: list[dict[str, Any]]) -> Iterator[list[object]]:
    for each in ROWS:
        yield [each.english, *(shown(each, row) for row in present)]
