"""The port of the team server: open at once, and quick."""

from __future__ import annotations

import socket

import pytest

pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install 'tacit[server]'")
pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'tacit[server]'")

from tacit.errors import PortTaken
from tacit.server import serve


def test_answers_do_not_wait_for_each_other() -> None:
    """Y-03: a connection sends its packets at once, also those of an answer in two pieces."""
    with serve._listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_port_that_is_taken_is_said() -> None:
    """Y-03: two servers on one port are refused with a code."""
    with serve._listen("127.0.0.1", 0) as listening, pytest.raises(PortTaken):
        serve._listen("127.0.0.1", listening.getsockname()[1])
