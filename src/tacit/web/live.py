"""News while a page is open: a line whenever something was done to the bank."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    Sleep = Callable[[float], Awaitable[None]]

# How often the end of the log is looked at, which costs next to nothing, and after how long a line says "still here".
LOOK_S = 0.5
STILL_HERE_S = 15.0


async def news(pulse: Callable[[], str], *, sleep: Sleep = asyncio.sleep) -> AsyncIterator[str]:
    """Yield server-sent events: the bank's pulse now, and again each time it differs."""
    last = ""
    quiet = 0.0
    while True:
        now = pulse()
        if now != last:
            last, quiet = now, 0.0
            yield f"data: {now}\n\n"
        elif quiet >= STILL_HERE_S:
            quiet = 0.0
            yield ": still here\n\n"
        await sleep(LOOK_S)
        quiet += LOOK_S
