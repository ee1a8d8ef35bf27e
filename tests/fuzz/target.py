"""What a fuzzer drives: one reader of foreign bytes, with seeds, words that mean something to it, and a promise."""

from __future__ import annotations

import signal
import time
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

# Processor time within which every reader is done, whatever it is given; the inputs are at most 64 KiB.
LIMIT_S = 5.0
MAX_INPUT_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Target:
    """A reader: `run` takes any bytes and raises only if a promise was broken.

    Documented errors are caught inside `run`. `words` season what is made up; `is_json` says that JSON values made of
    these words are worth trying.
    """

    name: str
    run: Callable[[bytes], object]
    seeds: tuple[bytes, ...]
    words: tuple[str, ...] = ()
    is_json: bool = False


@dataclass(frozen=True, slots=True)
class Crash:
    """A broken promise: what was raised, where, and the input that led to it."""

    error: str
    where: str
    given: bytes


class TookTooLong(BaseException):
    """A reader was not done in time; no reader catches this by accident."""


class Driver:
    """Runs one target again and again, counts, and keeps one crash for each place where it crashed."""

    def __init__(self, target: Target, limit_s: float = LIMIT_S) -> None:
        self.target = target
        self._limit_s = limit_s
        self.executions = 0
        self.slowest_s = 0.0
        self.crashes: dict[tuple[str, str], Crash] = {}
        signal.signal(signal.SIGVTALRM, _stop)

    def run(self, given: bytes) -> None:
        """Give the target one input, within its bound of time."""
        given = given[:MAX_INPUT_BYTES]
        self.executions += 1
        began = time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, self._limit_s)
        try:
            self.target.run(given)
        except (Exception, TookTooLong) as error:  # noqa: BLE001  whatever it is, it is what was looked for
            crash = Crash(f"{type(error).__name__}: {error}"[:300], _place(error), given)
            self.crashes.setdefault((type(error).__name__, crash.where), crash)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        self.slowest_s = max(self.slowest_s, time.process_time() - began)


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise TookTooLong


def _place(error: BaseException) -> str:
    """Return the innermost line of ours that an error passed through."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/tacit/" in frame.filename]
    frames = frames or traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename.rpartition('/tacit/')[2]}:{frames[-1].lineno}" if frames else ""


def text_of(given: bytes) -> str:
    """Return bytes as a text that any door may hand in: whatever is no UTF-8 is replaced."""
    return given.decode("utf-8", "replace")
