"""Connections of one port, and which process takes them."""

from __future__ import annotations

import socket

import pytest

pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install 'tacit[server]'")


def test_the_process_with_fewer_connections_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: a process leaves a connection to one that has fewer, but not for longer than a moment."""
    from tacit.server import connections

    now = [100.0]
    monkeypatch.setattr("tacit.server.connections.time.monotonic", lambda: now[0])
    shares = connections.Shares(2)
    with socket.create_server(("127.0.0.1", 0)) as made:
        address = made.getsockname()
        one, other = (connections.Listening(made.dup(), shares, worker) for worker in (0, 1))
        with one, other:
            clients = [socket.create_connection(address) for _ in range(4)]
            taken = [one.accept()[0]]
            with pytest.raises(BlockingIOError):
                one.accept()
            taken.append(other.accept()[0])
            taken[1].close()  # the other one has none again
            now[0] += 60.0
            for _ in range(2):  # it does not come, each time
                with pytest.raises(BlockingIOError):
                    one.accept()
                now[0] += 0.06
                with pytest.raises(BlockingIOError):
                    one.accept()
                now[0] += 0.06
                taken.append(one.accept()[0])
            for each in (*taken, *clients):
                each.close()
            assert all(shares.has_least(worker) for worker in (0, 1))
    assert len(taken) == len(clients)
