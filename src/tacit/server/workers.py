"""Several processes that answer on one port: one that dies is followed by another, all end with the first."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from socket import socket

    from tacit.server.log import Log

# A worker that lived shorter than this has not died by chance; its successor waits as long.
_SHORT_S = 1.0
_DIES_WITH_PARENT = 1
_ENDED_BY = (signal.SIGTERM, signal.SIGINT)


def run(count: int, listening: socket, work: Callable[[int], int], log: Log) -> None:
    """Let `count` processes run `work` with their number, until this one is told to end; then they end first."""
    crew = _Crew(work)
    before = [(number, signal.signal(number, crew.end)) for number in _ENDED_BY]
    try:
        for worker in range(count):
            crew.start(worker)
        while crew.running:
            process, status = os.wait()
            worker, since = crew.running.pop(process, (-1, 0.0))
            if crew.is_ending:
                listening.close()  # nobody new is let in while the others answer what is under way
            elif worker >= 0:
                log.say("error", "worker died", worker=worker, status=os.waitstatus_to_exitcode(status))
                if time.monotonic() - since < _SHORT_S:
                    time.sleep(_SHORT_S)
                crew.start(worker)
    finally:
        for number, handler in before:
            signal.signal(number, handler)


class _Crew:
    """The processes that run, by their ids: the number of each worker and since when."""

    def __init__(self, work: Callable[[int], int]) -> None:
        self._work = work
        self.running: dict[int, tuple[int, float]] = {}
        self.is_ending = False

    def end(self, number: int, frame: object) -> None:
        """Tell all processes to end."""
        del number, frame
        self.is_ending = True
        for process in list(self.running):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGTERM)

    def start(self, worker: int) -> None:
        """Start the process of a worker."""
        parent = os.getpid()
        # A signal that came now would be the child's and mean the parent: it waits.
        signal.pthread_sigmask(signal.SIG_BLOCK, _ENDED_BY)
        process = os.fork()
        if not process:
            self._be(worker, parent)
        self.running[process] = (worker, time.monotonic())
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDED_BY)
        if self.is_ending:  # it was told to end while this one came
            os.kill(process, signal.SIGTERM)

    def _be(self, worker: int, parent: int) -> None:
        """Be a worker, and end."""
        code = 1
        try:
            for number in _ENDED_BY:
                signal.signal(number, signal.SIG_DFL)  # until it answers there is nothing to bring to an end
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDED_BY)
            with suppress(OSError, AttributeError):  # Linux alone; elsewhere a killed parent leaves its workers
                ctypes.CDLL(None).prctl(_DIES_WITH_PARENT, signal.SIGTERM)
            if os.getppid() == parent:
                code = self._work(worker)
        finally:
            os._exit(code)
