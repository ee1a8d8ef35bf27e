"""Clients of the team server, many in one process: each asks, waits for the answer, thinks, and asks again."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, NamedTuple

import numpy

from benchmarks.team_made import ORGANISATION, words

if TYPE_CHECKING:
    from urllib.parse import SplitResult


class Load(NamedTuple):
    """What the clients do: how many, for how long, how long each thinks on average, how long it stays with a bank.

    With `stay` nought each goes once through all banks, however long that takes.
    """

    name: str
    clients: int
    seconds: float
    think_s: float
    stay: int


async def ask(address: SplitResult, token: str, banks: int, load: Load) -> dict[str, object]:
    """Return how long the answers took."""
    took: list[float] = []
    failed: list[int] = []
    end = time.perf_counter() + load.seconds

    async def client(number: int) -> None:
        chance = numpy.random.default_rng(1000 + number)
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        prompts = words(chance, 500, 8)
        if load.think_s:
            await asyncio.sleep(float(chance.random()) * load.think_s)
        at, bank = 0, 0
        while time.perf_counter() < end if load.stay else at < banks:
            if not load.stay:
                bank = (at + number * banks // load.clients) % banks
            elif at % load.stay == 0:
                bank = int(chance.integers(banks))
            body = json.dumps({"prompt": f"{prompts[at % len(prompts)]} {at}"}).encode()
            began = time.perf_counter()
            writer.write(
                f"POST /v1/{ORGANISATION}/b{bank}/recall HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
                f"Content-Length: {len(body)}\r\n\r\n".encode()
                + body
            )
            status = await _answered(reader)
            took.append(1000 * (time.perf_counter() - began))
            if status != 200:
                failed.append(status)
            at += 1
            if load.think_s:
                await asyncio.sleep(float(chance.exponential(load.think_s)))
        writer.close()

    began = time.perf_counter()
    await asyncio.gather(*(client(number) for number in range(load.clients)))
    seconds = time.perf_counter() - began
    p50, p95, p99 = numpy.percentile(took, [50, 95, 99])
    return {
        **load._asdict(),
        "banks": banks,
        "asked": len(took),
        "failed": len(failed),
        "a_second": len(took) / seconds,
        "p50_ms": float(p50),
        "p95_ms": float(p95),
        "p99_ms": float(p99),
    }


async def _answered(reader: asyncio.StreamReader) -> int:
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    length = next(int(line.split(b":")[1]) for line in lines if line.startswith(b"content-length"))
    await reader.readexactly(length)
    return int(lines[0].split()[1])
