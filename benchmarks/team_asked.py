"""Clients of the team server, many in one process: each asks, waits for the answer, thinks, and asks again."""

from __future__ import annotations

import asyncio
import json
import re
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
    loop = asyncio.get_running_loop()

    async def client(number: int) -> None:
        chance = numpy.random.default_rng(1000 + number)
        _, line = await loop.create_connection(_Line, address.hostname, address.port)
        prompts = words(chance, 500, 8)
        if load.think_s:
            await asyncio.sleep(float(chance.random()) * load.think_s)
        at, bank = 0, 0
        while time.perf_counter() < end if load.stay else at < banks:
            if not load.stay:
                bank = (at + number * banks // load.clients) % banks
            elif at % load.stay == 0:
                bank = int(chance.integers(banks))
            body = json.dumps({"prompt": f"{prompts[at % len(prompts)]} {at}"})
            asked = (
                f"POST /v1/{ORGANISATION}/b{bank}/recall HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
                f"Content-Length: {len(body)}\r\n\r\n{body}"
            ).encode()
            began = time.perf_counter()
            status = await line.asked(asked)
            took.append(1000 * (time.perf_counter() - began))
            if status != 200:
                failed.append(status)
            at += 1
            if load.think_s:
                await asyncio.sleep(float(chance.exponential(load.think_s)))
        line.close()

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


class _Line(asyncio.Protocol):
    """A connection on which one question at a time is asked; it takes little of the processor that is measured."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[int] | None = None
        self._came = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep where to write."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Take a piece of the answer; the last one ends the wait for its status."""
        self._came += data
        head, ended, body = self._came.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: *(\d+)", head)
        if ended and length and len(body) >= int(length[1]) and self._answer is not None:
            self._came = b""
            self._answer.set_result(int(head[9:12]))

    def connection_lost(self, error: Exception | None) -> None:
        """Tell whoever waits."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(error or ConnectionResetError())

    def asked(self, question: bytes) -> asyncio.Future[int]:
        """Return the status of the answer to a question."""
        assert self._transport is not None
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(question)
        return self._answer

    def close(self) -> None:
        """End it."""
        assert self._transport is not None
        self._transport.close()
