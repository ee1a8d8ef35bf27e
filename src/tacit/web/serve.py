"""The page on a port of this machine, until it is told to end."""

from __future__ import annotations

import signal
import socket
from typing import TYPE_CHECKING

import uvicorn

from tacit.errors import PortTaken
from tacit.index import process
from tacit.web import doorkeeper
from tacit.web.app import Site
from tacit.web.doorkeeper import HOST, Doorkeeper
from tacit.web.keeper import Keeper, Slow

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.bank import Bank

# How long open pages may keep the process from ending.
_GRACE_S = 1


def run(bank: Bank, port: int, ready: Callable[[str], None]) -> None:
    """Serve a bank's page; `ready` gets the link once the port is open. Ends with an interrupt.

    Raises PortTaken if another program has the port.
    """
    process.settle()
    listening = listen(port)
    trust = doorkeeper.trust_for(listening)
    door = Doorkeeper(listening.getsockname()[1], trust)
    keeper, slow = Keeper(bank.root), Slow(bank.root)
    site = Site(keeper, slow, door, bank.pulse, lambda: server.should_exit)
    server = uvicorn.Server(
        uvicorn.Config(
            site.application(),
            lifespan="off",
            access_log=False,  # it would keep the link
            log_level="warning",
            server_header=False,
            proxy_headers=False,  # nobody stands before us, so nobody may say who a request is from
            timeout_graceful_shutdown=_GRACE_S,
        )
    )

    def end(*_: object) -> None:
        server.should_exit = True

    # From here on, for the server's own is there only once it runs: an interrupt before would meet half of a loop.
    before = signal.signal(signal.SIGINT, end)
    try:
        ready(door.new_link())
        server.run(sockets=[listening])
    finally:
        signal.signal(signal.SIGINT, before)
        slow.close()
        keeper.close()
        listening.close()


def listen(port: int) -> socket.socket:
    """Return an open port of this machine, a free one for 0."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Connections inherit it: an answer in two packets does not wait for the browser's word on the first.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listening.bind((HOST, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise PortTaken(port=port, reason=error.strerror or str(error)) from error
    return listening
