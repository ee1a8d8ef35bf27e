"""Writes through the server as a process: its options, its clones and its page, over a real port."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen
from uuid import uuid4

import pytest

from tacit.bank import wiring
from tests.cli.runner import tacit
from tests.postgres import database

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'tacit[server]'")
pytest.importorskip("starlette.testclient", exc_type=ImportError)

from tests.server import writers  # noqa: E402  only where the others can be had

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from pathlib import Path

pytestmark = pytest.mark.postgres
SERVE = "from tacit.cli import main; raise SystemExit(main())"
ROLES = ("writer", "reviewer")


def opened(address: str, headers: dict[str, str], content: bytes | None = None) -> HTTPResponse:
    """What the server sends, not yet read."""
    answer: HTTPResponse = urlopen(Request(address, content, headers), timeout=60)  # noqa: S310  our own server
    return answer


def asked(address: str, secret: str, body: object | None = None) -> dict[str, Any]:
    """What the server answers."""
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
    content = None if body is None else json.dumps(body).encode()
    with opened(address, headers, content) as answer:
        found: dict[str, Any] = json.loads(answer.read())
        return found


@pytest.mark.parametrize("backend", ["postgres"])
def test_a_team_writes_through_a_process(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str
) -> None:
    """Y-03: push, propose, show, answer and the page of `tacit serve`, from tokens to a branch of a clone."""
    assert backend in wiring.POSTGRES_URL.lower()
    from psycopg.conninfo import make_conninfo

    place = writers.repository(tmp_path / "clones/acme/shop")
    login = f"tacit_server_{uuid4().hex[:8]}"
    with database(postgres) as url:
        monkeypatch.setenv(wiring.POSTGRES_URL, url)
        made = {role: tacit("token", "create", "acme", "--role", role, "--json").document["secret"] for role in ROLES}
        with psycopg.connect(url, autocommit=True) as owner:
            owner.execute(f"CREATE ROLE {login} LOGIN IN ROLE tacit_member")
        options = ["--port", "0", "--clones", str(tmp_path / "clones"), "--public-url", writers.PUBLIC]
        serving = subprocess.Popen(
            [sys.executable, "-c", SERVE, "serve", *options],
            env={**os.environ, "TACIT_LANG": "en", wiring.POSTGRES_URL: make_conninfo(url, user=login)},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert serving.stdout is not None
        try:
            address = serving.stdout.readline().decode().split()[2].removesuffix(";")
            monkeypatch.chdir(place)
            monkeypatch.setenv("TACIT_TOKEN", made["writer"])
            assert tacit("push", f"{address}/acme/shop").code == 0
            bank = f"{address}/v1/acme/shop/proposals"
            (result,) = asked(bank, made["writer"], {"payloads": [writers.payload()]})["results"]
            one = f"{bank}/{result['proposal_id']}"
            word = {"option": "confirm", "shown": asked(one, made["reviewer"])["digest"]}
            told = asked(f"{one}/answer", made["reviewer"], word)
            assert writers.git(place, "rev-parse", told["branch"]).strip() == told["commit"]
            with opened(f"{address}/sign-in", {"Host": "memory.example.org"}) as page:
                assert b"Sign in" in page.read()
        finally:
            serving.send_signal(signal.SIGTERM)
            serving.wait(60)
            serving.stdout.close()
    with psycopg.connect(postgres, autocommit=True) as owner:
        owner.execute(f"DROP ROLE {login}")


def test_a_folder_of_clones_must_be_there(tmp_path: Path) -> None:
    """Y-03: a folder that is not there is a wrong command line."""
    assert tacit("serve", "--clones", str(tmp_path / "nowhere")).code == 2
