"""The team server on a port, until it is told to end; what is under way is answered first."""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import socket
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import uvicorn

from tacit.bank import models, wiring
from tacit.bank.meanings import LoadedModels
from tacit.errors import PortTaken
from tacit.index.process import settle
from tacit.server.app import Server
from tacit.server.connections import QUEUE, Answering, Listening, Shares, Taking
from tacit.server.log import Handler, Log
from tacit.server.metrics import Board
from tacit.server.page import origins

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import FrameType

    from tacit.server.oauth import People

# How long requests that are under way may keep the process from ending.
_GRACE_S = 20
# Longer than a proxy keeps a connection that nobody uses, so that it is not closed under a request.
_KEEP_ALIVE_S = 75
_MIB = 1024 * 1024


class Plan(NamedTuple):
    """How a server is to work: limits for each of its processes, where clones are, and where people reach its page."""

    a_minute: int = 600
    connections: int = 8
    workers: int = 1
    memory_mb: int = 512
    clones: Path | None = None
    public_url: str = ""
    people: People | None = None


def run(url: str, host: str, port: int, ready: Callable[[str], None], *, plan: Plan) -> None:
    """Serve the banks of a database; `ready` gets the address once the port is open. Ends with a signal."""
    listening = _listen(host, port)
    board, shares, log, key = Board(plan.workers), Shares(plan.workers), Log(), os.urandom(32)
    signal.signal(signal.SIGTERM, _end)
    logging.basicConfig(handlers=[Handler(log)], level=logging.WARNING, force=True)

    def work(worker: int, told: Callable[[], None] = lambda: None) -> int:
        return _work(url, plan, listening, board=board, shares=shares, worker=worker, key=key, told=told)

    def told() -> None:
        ready("http://{}:{}".format(*listening.getsockname()[:2]))

    try:
        if plan.workers == 1:
            work(0, told)
        else:
            wiring.Hosting(url, most=1).door.close()  # what is wrong is told once, and not by every worker
            told()
            _run_workers(plan.workers, listening, work, log)
    finally:
        listening.close()
        log.say("info", "ended")


def _work(
    url: str,
    plan: Plan,
    listening: socket.socket,
    *,
    board: Board,
    shares: Shares,
    worker: int,
    key: bytes,
    told: Callable[[], None],
) -> int:
    """Answer until a signal comes; return the exit code of a process."""
    settle()
    installed = models.installed()
    serving = Server(
        wiring.Hosting(url, most=plan.connections, most_bytes=plan.memory_mb * _MIB),
        LoadedModels(installed) if installed else None,
        a_minute=plan.a_minute,
        board=board,
        worker=worker,
        clones=plan.clones,
        origins=origins(plan.public_url, listening.getsockname()[1]),
        people=plan.people,
        key=key,
    )
    try:
        running = Taking(
            uvicorn.Config(
                serving.application(),
                http=Answering,
                lifespan="off",
                access_log=False,  # we log ourselves, without what was asked
                log_config=None,
                server_header=False,
                proxy_headers=False,  # who asks is known by a token, and the public address by --public-url
                backlog=1,
                timeout_keep_alive=_KEEP_ALIVE_S,
                timeout_graceful_shutdown=_GRACE_S,
            )
        )
        serving.log.say("info", "started", worker=worker)
        told()
        signal.signal(signal.SIGTERM, _end)
        running.run(sockets=[Listening(listening, shares, worker)])
    except KeyboardInterrupt:
        pass
    finally:
        serving.close()
        serving.log.say("info", "stopped", worker=worker)
        sys.stderr.flush()
    return 0


def _end(number: int, frame: FrameType | None) -> None:
    """Bring the process to an end, once: uvicorn hands a signal on, and who asks again must not cut the end short."""
    signal.signal(number, signal.SIG_IGN)
    signal.default_int_handler(number, frame)


def _listen(host: str, port: int) -> socket.socket:
    try:
        listening = socket.create_server((host, port), backlog=QUEUE)
    except OSError as error:
        raise PortTaken(port=port, reason=error.strerror or str(error)) from error
    # Connections inherit it. Without, the second packet of an answer waits 40 ms for the client's word on the first.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


# A worker that lived shorter than this has not died by chance; its successor waits as long.
_SHORT_S = 1.0
_DIES_WITH_PARENT = 1
_ENDED_BY = (signal.SIGTERM, signal.SIGINT)


def _run_workers(count: int, listening: socket.socket, work: Callable[[int], int], log: Log) -> None:
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
