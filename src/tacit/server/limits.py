"""How much one token may ask: so many requests a minute, so many bytes at once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_KNOWN = 10_000


class Rate:
    """A bucket for each name, filled evenly: `a_minute` requests, and as many at once after a rest."""

    def __init__(self, a_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = float(a_minute)
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def wait_s(self, name: str) -> float:
        """Take one request out of a bucket; return nought, or after how many seconds to come again."""
        now = self._clock()
        level, since = self._buckets.get(name, (self._most, now))
        level = min(self._most, level + (now - since) * self._most / 60)
        if level < 1:
            self._buckets[name] = (level, now)
            return (1 - level) * 60 / self._most
        if len(self._buckets) >= _MOST_KNOWN and name not in self._buckets:
            self._buckets.clear()
        self._buckets[name] = (level - 1, now)
        return 0.0
