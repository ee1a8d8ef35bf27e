"""Watch every change that a process makes to the disk, and end the process at one of them.

The disk is changed through a few functions of `os` and through fsio's exchange; these are wrapped, no others.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tacit import fsio

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# How a killed process says that it was the failpoint and no accident.
KILLED = 86
_MUTATING = (
    "write",
    "pwrite",
    "fsync",
    "sync",
    "rename",
    "link",
    "unlink",
    "mkdir",
    "rmdir",
    "ftruncate",
    "fchmod",
)


class Failpoint:
    """Counts the changes; at the `at`-th the process ends, after half of the bytes if `torn` and it is a write."""

    def __init__(self, at: int = 0, *, torn: bool = False) -> None:
        self.count = 0
        self._at = at
        self._torn = torn

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return `function` with the failpoint before it."""

        def watched(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401  stands in for many functions
            if name != "open" or arguments[1] & os.O_CREAT:
                self._pass(name, function, arguments)
            return function(*arguments, **named)

        return watched

    def _pass(self, name: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self.count += 1
        if self.count != self._at:
            return
        if self._torn and name in ("write", "pwrite"):
            content = bytes(arguments[1])
            function(arguments[0], content[: max(1, len(content) // 2)], *arguments[2:])
        os._exit(KILLED)


@contextmanager
def watching(failpoint: Failpoint) -> Iterator[Failpoint]:
    """Have every change of the disk pass the failpoint."""
    real = {name: getattr(os, name) for name in (*_MUTATING, "open")}
    swap = fsio._swap()
    try:
        for name, function in real.items():
            setattr(os, name, failpoint.wrap(name, function))
        fsio._swap_call[:] = [swap and failpoint.wrap("exchange", swap)]
        yield failpoint
    finally:
        for name, function in real.items():
            setattr(os, name, function)
        fsio._swap_call[:] = [swap]
