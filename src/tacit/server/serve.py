"""The team server on a port, until it is told to end; what is under way is answered first."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import uvicorn

from tacit.bank import models
from tacit.bank.meanings import LoadedModels
from tacit.bank.wiring import Hosting
from tacit.errors import PortTaken
from tacit.server.app import Server

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.server.oauth import People

# How long requests that are under way may keep the process from ending.
_GRACE_S = 20


def run(
    url: str,
    host: str,
    port: int,
    ready: Callable[[str], None],
    *,
    a_minute: int,
    connections: int,
    people: People | None = None,
) -> None:
    """Serve the banks of a database; `ready` gets the address once the port is open. Ends with a signal."""
    listening = _listen(host, port)
    installed = models.installed()
    serving = None
    try:
        serving = Server(
            Hosting(url, most=connections),
            LoadedModels(installed) if installed else None,
            a_minute=a_minute,
            people=people,
        )
        running = uvicorn.Server(
            uvicorn.Config(
                serving.application(),
                lifespan="off",
                access_log=False,  # we log ourselves, without what was asked
                log_level="warning",
                server_header=False,
                timeout_graceful_shutdown=_GRACE_S,
            )
        )
        ready("http://{}:{}".format(*listening.getsockname()[:2]))
        running.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        if serving is not None:
            serving.close()
        listening.close()


def _listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), backlog=512)
    except OSError as error:
        raise PortTaken(port=port, reason=error.strerror or str(error)) from error
