"""What is measured of a peer, each act by itself: start, writing, finding, memory, eight writers, a kill."""

from __future__ import annotations

import asyncio
import itertools
import random
import statistics
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from benchmarks.peers import corpus
from benchmarks.peers.session import opened, schema_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from benchmarks.peers.contract import Peer
    from benchmarks.peers.corpus import Entry
    from benchmarks.peers.session import Session

    Figures = dict[str, Any]
    Say = Callable[[str], None]

STARTS = 3
# So long a first session is open before the second one starts: what it leaves running for others is up by then.
SETTLE_S = 4.0
SEARCHES = 100
MOST = 5
WRITERS, WRITES = 8, 20
KILLS, KILL_AFTER_S = 5, (0.2, 1.5)


async def start(peer: Peer, home: Path) -> Figures:
    """Measure from the start of the process to the list of tools: with nothing of it running, and beside a session."""
    alone, beside = [], []
    async with opened(peer, home):
        pass  # the first start may fill caches
    for _ in range(STARTS):
        async with opened(peer, home) as session:
            alone.append(session.started_s)
    async with opened(peer, home) as first:
        await asyncio.sleep(SETTLE_S)
        for _ in range(STARTS):
            async with opened(peer, home) as session:
                beside.append(session.started_s)
        tools = {"tools": len(first.tools), "schema_kb": schema_bytes(first.tools) / 1000} if peer.has_server else {}
        return {"start_s": statistics.median(alone), "start_again_s": statistics.median(beside), **tools}


async def writing(session: Session, entries: Sequence[Entry], box_s: float, say: Say) -> Figures:
    """Write notes one after the other until all are written or the time is up; what is refused is counted."""
    took: list[float] = []
    refused: list[Entry] = []
    began, ends = session.cpu_s(), time.perf_counter() + box_s
    for number, entry in enumerate(entries, 1):
        seconds, is_written = await session.add(entry)
        took.append(seconds)
        if not is_written:
            refused.append(entry)
        if number % 100 == 0:
            say(f"{number} notes written")
        if time.perf_counter() > ends:
            break
    cpu_s = session.cpu_s() - began
    for entry in refused:
        await session.add(entry, insist=True)
    return {
        "adds": len(took),
        "add_p50_ms": 1000 * statistics.median(took),
        "add_p95_ms": 1000 * statistics.quantiles(took, n=20)[-1],
        "add_cpu_ms": 1000 * cpu_s / len(took),
        "not_written_share": len(refused) / len(took),
    }


async def finding(session: Session, size: int) -> Figures:
    """Ask for notes among so many: how long it takes, and whether the right one is first or among five."""
    took, ranks = [], []
    began = session.cpu_s()
    for number in range(SEARCHES):
        entry = corpus.note(number * 37 * size // 1000 % size)
        seconds, found = await session.search(entry.question, MOST)
        took.append(seconds)
        ranks.append(found.index(entry.mark) + 1 if entry.mark in found else 0)
    return {
        "search_p50_ms": 1000 * statistics.median(took),
        "search_p95_ms": 1000 * statistics.quantiles(took, n=20)[-1],
        "search_cpu_ms": 1000 * (session.cpu_s() - began) / SEARCHES,
        "hit_1": sum(rank == 1 for rank in ranks) / SEARCHES,
        "hit_5": sum(rank > 0 for rank in ranks) / SEARCHES,
        "memory_mb": session.memory_mb(),
    }


async def chinese(session: Session) -> Figures:
    """Ask in Chinese, in a note's own words and in others."""
    _, questions = corpus.chinese()
    figures: Figures = {}
    for kind in ("worded", "free"):
        asked = [each for each in questions if each.kind == kind]
        found = [(await session.search(each.text, MOST))[1] for each in asked]
        hits = list(zip(asked, found, strict=True))
        figures[f"chinese_{kind}_hit_1"] = sum(each.mark in marks[:1] for each, marks in hits) / len(asked)
        figures[f"chinese_{kind}_hit_5"] = sum(each.mark in marks for each, marks in hits) / len(asked)
    return figures


async def settled(session: Session, entry: Entry, ends: float) -> bool:
    """Whether a note is found by its mark before the time is up: then the peer has taken in what was put beside it."""
    while time.perf_counter() < ends:
        with suppress(Exception):
            if entry.mark in (await session.search(entry.mark, MOST))[1]:
                return True
        await asyncio.sleep(1)
    return False


def first(error: BaseException) -> str:
    """Return the first sentence of the first error in groups of groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}".splitlines()[0][:200]


async def writers(peer: Peer, home: Path) -> Figures:
    """Let eight servers over one store write at once; count the acknowledged notes that are not there afterwards."""
    acknowledged: set[str] = set()
    errors: set[str] = set()
    failed, at_work = 0, WRITERS
    # Whoever ends takes along what it started, which the others may share: all wait for the last.
    ended = asyncio.Event()

    async def write(which: int) -> None:
        nonlocal failed, at_work
        done = 0
        try:
            async with opened(peer, home) as session:
                for entry in corpus.notes(which * WRITES, (which + 1) * WRITES):
                    _, is_written = await session.add(entry, insist=True)
                    done += is_written
                    acknowledged.update([entry.mark] if is_written else [])
                at_work -= 1
                if at_work == 0:
                    ended.set()
                await ended.wait()
        except Exception as error:  # noqa: BLE001  a server that cannot open the store has written nothing
            errors.add(first(error))
            at_work -= 1
            if at_work == 0:
                ended.set()
        failed += WRITES - done

    began = time.perf_counter()
    await asyncio.gather(*map(write, range(WRITERS)))
    seconds = time.perf_counter() - began
    lost = acknowledged - peer.stored(home)
    return {
        "writers": WRITERS,
        "writers_acknowledged": len(acknowledged),
        "writers_not_acknowledged": failed,
        "writers_lost": len(lost),
        "writers_s": seconds,
        "writers_errors": sorted(errors),
    }


def _left_over(home: Path) -> int:
    return len([path for path in home.rglob("*") if "tmp" in path.name.lower()])


async def killed(peer: Peer, home: Path, say: Say) -> Figures:
    """Kill the server in the middle of writing, several times; then look at what is there."""
    acknowledged: list[Entry] = []
    moments = random.Random(11)
    number = 0
    for turn in range(KILLS):
        with suppress(Exception):  # the client notices that its server is gone
            async with opened(peer, home) as session:
                for place in itertools.count():
                    entry = corpus.note(number)
                    number += 1
                    _, is_written = await session.add(entry, insist=True)
                    acknowledged += [entry] if is_written else []
                    if not place:  # the first one opens the store, which may take long
                        asyncio.get_running_loop().call_later(moments.uniform(*KILL_AFTER_S), session.kill)
        say(f"killed {turn + 1} times, {len(acknowledged)} notes acknowledged")
    left = _left_over(home)
    starts = is_found = False
    with suppress(Exception):
        async with opened(peer, home) as session:
            starts = True
            is_found = bool(acknowledged) and await settled(session, acknowledged[-1], time.perf_counter() + 30)
    there = peer.stored(home)
    return {
        "kills": KILLS,
        "kills_acknowledged": len(acknowledged),
        "kills_lost": len({entry.mark for entry in acknowledged} - there),
        "kills_broken": peer.broken(home),
        "kills_left_over": left,
        "kills_starts_again": starts,
        "kills_found_again": is_found,
    }
