"""A team that writes through the server: its tokens, its banks in real git repositories, and a clock of its own."""

from __future__ import annotations

import json
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import psycopg
from psycopg.conninfo import make_conninfo
from starlette.testclient import TestClient

from tacit import Bank
from tacit.bank import hosted, wiring
from tacit.project import git as projects
from tacit.server import page
from tacit.server.app import Server
from tests.notes import note
from tests.postgres import database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from httpx2 import Response

PORT = 8123
LOCAL = f"http://127.0.0.1:{PORT}"
PUBLIC = "https://memory.example.org"
SCENE = "installing packages in the web client"
PNPM = "use pnpm to install packages"
NPM = "use npm to install packages"


def payload(choice: str = PNPM, **members: Any) -> dict[str, Any]:  # noqa: ANN401  the members of a payload
    """What an agent sends."""
    words = f"From now on {choice} in the web client."
    return {
        "scene": SCENE,
        "choice": choice,
        "principles": [choice, NPM if choice == PNPM else PNPM],
        "source": "auto",
        "confidence": "high",
        "origin": {"text": words, "spans": [{"start": 0, "end": len(words)}]},
        "claim": {"id": "c1", "digest": "which package manager"},
        **members,
    }


def git(place: Path, *words: str) -> str:
    """Run git in a place; return what it says."""
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", "-C", place, *identity, *words], check=True, capture_output=True)
    return done.stdout.decode()


class Team:
    """A server, and what people and agents ask of it."""

    def __init__(self, url: str, login: str, clones: Path) -> None:
        self.url = url
        self.login = login
        self.clones = clones
        self.now = "2026-11-16T08:00:00Z"
        self.lines: list[str] = []
        self.server = self.another()
        self.application = self.server.application()
        self.client = TestClient(self.application)
        issuer = wiring.issuer(url)
        roles = ("reader", "writer", "author", "reviewer")
        self.tokens = {role: issuer.create("acme", "", role)[1] for role in roles}
        self.tokens |= {f"rival-{role}": issuer.create("rival", "", role)[1] for role in roles}

    def another(self, connections: int = 12) -> Server:
        """A server over the same database and clones, as another process would be; all have the same clock."""
        hosting = wiring.Hosting(self.login, most=connections)
        names = page.origins(PUBLIC, PORT)
        made = Server(hosting, None, a_minute=100_000, log=self.lines.append, clones=self.clones, origins=names)
        writing = made.writing
        writing._clock = writing.answering._clock = writing.benches._clock = lambda: self.now
        return made

    def ask(self, token: str, path: str, body: object | None = None) -> Response:
        """The answer to one request: a POST if there is a body."""
        headers = {"Authorization": f"Bearer {self.tokens[token]}"}
        if body is None:
            return self.client.get(f"/v1/{path}", headers=headers)
        return self.client.post(f"/v1/{path}", json=body, headers=headers)

    def propose(self, bank: str, *payloads: object, **members: str) -> list[dict[str, Any]]:
        """What became of payloads."""
        done = self.ask("writer", f"{bank}/proposals", {"payloads": list(payloads) or [payload()], **members})
        assert done.status_code == 200, done.text
        found: list[dict[str, Any]] = done.json()["results"]
        return found

    def shown(self, bank: str, proposal: str) -> dict[str, Any]:
        """A question as a person sees it."""
        found: dict[str, Any] = self.ask("reviewer", f"{bank}/proposals/{proposal}").json()
        return found

    def answer(
        self, bank: str, proposal: str, option: str = "confirm", token: str = "reviewer", **members: str
    ) -> Response:
        """What a word to a question leads to."""
        body = {"option": option, "shown": self.shown(bank, proposal).get("digest", "none"), **members}
        return self.ask(token, f"{bank}/proposals/{proposal}/answer", body)

    def push(self, bank: str, place: Path) -> str:
        """Push what is committed in a repository; return the commit."""
        name, contents = projects.committed(place / ".memory", "HEAD") or ("", {})
        wanted = (*hosted.pushed(contents), "tacit.toml")
        files = {file: contents[file].decode() for file in wanted if file in contents}
        known = self.ask("writer", f"{bank}/notes").json()["files"]
        gone = [file for file in known if file not in files]
        done = self.ask("writer", f"{bank}/notes", {"commit": name, "put": files, "drop": gone})
        assert (done.status_code, done.json()["refused"]) == (200, {}), done.text
        return name

    def accesses(self) -> list[tuple[str, str, int]]:
        """Who did what, as the database has it, without the tokens' names."""
        self.server.accesses.settle()
        with psycopg.connect(self.url) as owner:
            return owner.execute(
                "SELECT role, act, outcome FROM tacit.accesses JOIN tacit.tokens USING (token) ORDER BY number"
            ).fetchall()


@contextmanager
def team(postgres: str, clones: Path) -> Iterator[Team]:
    """A server over a database of its own, with a folder of clones."""
    login = f"tacit_server_{uuid4().hex[:8]}"
    with database(postgres) as url:
        wiring.issuer(url).tokens()  # makes the tables
        with psycopg.connect(url, autocommit=True) as owner:
            owner.execute(f"CREATE ROLE {login} LOGIN IN ROLE tacit_member".encode())
        made = Team(url, make_conninfo(url, user=login), clones)
        yield made
        made.server.close()
    with psycopg.connect(postgres, autocommit=True) as owner:
        owner.execute(f"DROP ROLE {login}".encode())


def repository(place: Path) -> Path:
    """A project in git with a bank of one note, committed."""
    place.mkdir(parents=True)
    git(place, "init", "-q", "-b", "main")
    Bank.init(place / ".memory").add([note("deploy", "deploy with blue green switches")])
    (place / "README.md").write_text("a project\n", encoding="utf-8")
    committed(place)
    return place


def committed(place: Path) -> None:
    """Commit everything in a repository."""
    git(place, "add", "-A")
    git(place, "commit", "-qm", "more")


def tree(place: Path, revision: str) -> dict[str, bytes]:
    """The files of a commit."""
    listing = git(place, "ls-tree", "-r", "-z", "--name-only", revision).split("\0")
    read = ["git", "-C", str(place), "show"]
    return {
        file: subprocess.run([*read, f"{revision}:{file}"], check=True, capture_output=True).stdout
        for file in listing
        if file
    }


def dumped(found: object) -> str:
    """A document as text, to look for words in it."""
    return json.dumps(found, ensure_ascii=False)
