"""A team server for tests: a database of its own, tokens as asked for, and requests without a port."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import psycopg
from psycopg.conninfo import make_conninfo
from starlette.testclient import TestClient

from tacit.bank import wiring
from tacit.server.app import Server
from tests.postgres import database

if TYPE_CHECKING:
    from collections.abc import Iterator

    from httpx2 import Response


class Team:
    """A server, the owner's tools, and the lines that it logged."""

    def __init__(
        self,
        url: str,
        hosting: wiring.Hosting,
        a_minute: int,
        **options: Any,  # noqa: ANN401  the server's own
    ) -> None:
        self.url = url
        self.lines: list[str] = []
        self.issuer = wiring.issuer(url)
        self.arrangement = wiring.arrangement(url)
        self.server = Server(hosting, None, a_minute=a_minute, log=self.lines.append, **options)
        self.application = self.server.application()
        self.client = TestClient(self.application)

    def token(self, organisation: str, bank: str = "", role: str = "reader") -> str:
        """Return the secret of a new token."""
        return self.issuer.create(organisation, bank, role)[1]

    def ask(self, secret: str, bank: str, act: str, body: object) -> Response:
        """Return the answer to one request."""
        headers = {"Authorization": f"Bearer {secret}"}
        return self.client.post(f"/v1/{bank}/{act}", json=body, headers=headers)

    def push(self, bank: str, put: dict[str, str], drop: tuple[str, ...] = ()) -> Response:
        """Return the answer to a push by somebody who may."""
        secret = self.token(bank.partition("/")[0], role="writer")
        return self.ask(secret, bank, "notes", {"commit": "ab12", "put": put, "drop": list(drop)})


@contextmanager
def serving(
    postgres: str,
    a_minute: int = 100_000,
    **options: Any,  # noqa: ANN401  as above
) -> Iterator[Team]:
    """Give a server over an empty database, with a login of its own."""
    login = f"tacit_server_{uuid4().hex[:8]}"
    with database(postgres) as url:
        wiring.issuer(url).tokens()  # makes the tables
        with psycopg.connect(url, autocommit=True) as owner:
            owner.execute(f"CREATE ROLE {login} LOGIN IN ROLE tacit_member")
        team = Team(url, wiring.Hosting(make_conninfo(url, user=login), most=4), a_minute, **options)
        yield team
        team.server.close()
    with psycopg.connect(postgres, autocommit=True) as owner:
        owner.execute(f"DROP ROLE {login}")
