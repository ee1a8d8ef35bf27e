"""Stand in for poorer systems: one that cannot exchange two files in one step, one without hard links, a busy one."""

from __future__ import annotations

import errno
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tacit import fsio

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# The system at hand, with all it can do.
THIS = ""
NO_EXCHANGE = "no exchange"
NO_LINKS = "no exchange, no links"


@contextmanager
def on(system: str) -> Iterator[None]:
    """Be on such a system for a while."""
    swap, link = fsio._swap(), os.link
    try:
        if system:
            fsio._swap_call[:] = [None]
        if system == NO_LINKS:
            setattr(os, "link", _refuse)  # noqa: B010  a checker takes the plain assignment for a mistake
        yield
    finally:
        fsio._swap_call[:] = [swap]
        setattr(os, "link", link)  # noqa: B010  same


def _refuse(source: object, target: object, **_: object) -> None:
    raise OSError(errno.EPERM, os.strerror(errno.EPERM), source, None, target)


@contextmanager
def distracted(pause_s: float) -> Iterator[None]:
    """Have the machine turn to something else before and after each exchange, when others can come between."""
    exchange = fsio.exchange

    def slowly(first: Path, second: Path) -> None:
        time.sleep(pause_s)
        exchange(first, second)
        time.sleep(pause_s)

    fsio.exchange = slowly
    try:
        yield
    finally:
        fsio.exchange = exchange
