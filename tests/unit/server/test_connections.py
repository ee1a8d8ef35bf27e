"""How answers go out on a connection."""

from __future__ import annotations

import asyncio
from typing import cast

from tacit.server.connections import InOne


class _Sent:
    """A transport that keeps what is sent."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.closed = False

    def write(self, piece: bytes) -> None:
        assert not self.closed
        self.pieces.append(piece)

    def close(self) -> None:
        self.closed = True

    def get_extra_info(self, name: str) -> str:
        return f"the {name}"


def test_an_answer_goes_out_in_one_piece() -> None:
    """Y-03: the head of an answer is sent with its body, what comes later by itself."""
    sent = _Sent()

    async def answer() -> None:
        whole = InOne(cast("asyncio.Transport", sent), asyncio.get_running_loop())
        assert whole.get_extra_info("socket") == "the socket"
        whole.write(b"head, ")
        whole.write(b"body")
        assert sent.pieces == []
        await asyncio.sleep(0)
        whole.write(b"more")
        await asyncio.sleep(0)

    asyncio.run(answer())
    assert sent.pieces == [b"head, body", b"more"]


def test_what_waits_is_sent_before_the_end() -> None:
    """Y-03: an answer that ends its connection is not lost with it."""
    sent = _Sent()

    async def answer() -> None:
        whole = InOne(cast("asyncio.Transport", sent), asyncio.get_running_loop())
        whole.write(b"all")
        whole.close()
        await asyncio.sleep(0)

    asyncio.run(answer())
    assert (sent.pieces, sent.closed) == ([b"all"], True)
