"""Attempts to read or write across banks and roles, by every door of the server and with its login: none succeeds."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from tacit.bank import wiring
from tests.notes import written
from tests.postgres import database
from tests.server import running

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'tacit[server]'")
pytest.importorskip("starlette.testclient", exc_type=ImportError)

from starlette.testclient import TestClient  # noqa: E402  only where it can be had

from tacit.server.app import Server  # noqa: E402  as above

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.postgres
SECRET = "zanzibar"
FILE = "L1_declarative/plans.md"


@pytest.fixture(scope="module", params=["postgres"])
def team(postgres: str) -> Iterator[SimpleNamespace]:
    """Two organisations; the rival's bank holds a word that nobody of the other one may ever see."""
    with database(postgres) as url, running.login(url) as login:
        issuer = wiring.issuer(url)
        tokens = {
            "reader": issuer.create("acme", "shop", "reader")[1],
            "writer": issuer.create("acme", "", "writer")[1],
            "rival": issuer.create("rival", "", "writer")[1],
        }
        hosting = wiring.Hosting(login, most=4)
        server = Server(hosting, None, a_minute=1_000_000, log=lambda _: None)
        client = TestClient(server.application(), raise_server_exceptions=False)
        made = SimpleNamespace(url=url, client=client, tokens=tokens, hosting=hosting)
        for token, bank, word in (("writer", "acme/shop", "deploy"), ("rival", "rival/plans", SECRET)):
            put = {FILE: written("plans", f"{word} plans of this year")}
            assert ask(made, token, f"/v1/{bank}/notes", {"commit": "", "put": put, "drop": []})[0] == 200
        yield made
        assert ask(made, "rival", "/v1/rival/plans/search", {"query": SECRET})[1].count(SECRET) > 0
        server.close()


def ask(
    team: SimpleNamespace, token: str, path: str, body: object, *, method: str = "POST", **headers: str
) -> tuple[int, str]:
    """The status and the text of an answer."""
    sent = {"Authorization": f"Bearer {team.tokens.get(token, token)}"} | headers
    answer = team.client.request(method, path, content=json.dumps(body).encode(), headers=sent)
    return answer.status_code, answer.text


# What a question, a name or a path could carry to leave its place.
INJECTED = (
    "' OR true --",
    "'; SET LOCAL tacit.bank = '00000000-0000-0000-0000-000000000000'; --",
    f"{SECRET}') UNION SELECT words FROM tacit.documents --",
    "$1 OR bank IS NOT NULL",
    "%s) OR (1=1",
    "\\'; DROP POLICY own ON tacit.documents; --",
    "acme/../rival/plans",
    "rival/plans",
    "mem://L1/MEM-plans",
    "\x00rival",
    "ʼ OR 1=1 --",
    '{"$ne": null}',
    "{{7*7}} ${jndi:ldap://rival} `id`",
    "x" * 5_000 + SECRET,
)


@pytest.mark.parametrize("act", ["recall", "search"])
@pytest.mark.parametrize("text", INJECTED, ids=range(len(INJECTED)))
@pytest.mark.parametrize("token", ["reader", "writer"])
def test_no_question_leaves_its_bank(team: SimpleNamespace, token: str, act: str, text: str) -> None:
    """Y-03: whatever a prompt or a query carries, the answer is of the bank that was named."""
    body = {"prompt": f"{SECRET} plans of this year {text}", "turns": [text], "query": f"{SECRET} {text}", "limit": 50}
    status, answer = ask(team, token, f"/v1/acme/shop/{act}", body)
    assert status == 200
    assert SECRET not in answer


PATHS = (
    "/v1/rival/plans/{}",
    "/v1/acme/../rival/plans/{}",
    "/v1/acme/%2e%2e/rival/plans/{}",
    "/v1/acme/shop/../../rival/plans/{}",
    "/v1/acme%2f..%2frival/plans/{}",
    "/v1//rival/plans/{}",
    "/v1/RIVAL/plans/{}",
    "/v1/rival%00/plans/{}",
    "/v1/rival /plans/{}",
    "/v1/rival/plans%27%20OR%20true--/{}",
    "/v1/acme.rival/plans/{}",
    "/v1/rival/plans/{}/",
)


@pytest.mark.parametrize("act", ["recall", "search", "notes", "proposals", "mcp"])
@pytest.mark.parametrize("path", PATHS)
def test_no_path_leads_to_another_bank(team: SimpleNamespace, path: str, act: str) -> None:
    """Y-03: a name is a name, however it is written; reading and writing end as if nothing were there."""
    body = {"prompt": SECRET, "query": SECRET, "commit": "", "put": {FILE: written("x", "y")}, "drop": [FILE]}
    status, answer = ask(team, "writer", path.format(act), body)
    assert status in (404, 405)
    assert SECRET not in answer


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Original-URL": "/v1/rival/plans/search"},
        {"X-Forwarded-Prefix": "/v1/rival/plans", "X-Forwarded-Host": "rival"},
        {"Host": "rival"},
        {"X-HTTP-Method-Override": "PUT"},
        {"Forwarded": "for=127.0.0.1"},
        {"Cookie": "token=rival; bank=rival/plans"},
    ],
)
def test_no_header_changes_the_bank(team: SimpleNamespace, headers: dict[str, str]) -> None:
    """Y-03: what a proxy or a browser may add says nothing about who asks and of which bank."""
    status, answer = ask(team, "reader", "/v1/acme/shop/search", {"query": SECRET, "bank": "rival/plans"}, **headers)
    assert (status, SECRET in answer) == (200, False)


@pytest.mark.parametrize("scheme", ["{}", "Basic {}", "bearer{}", "Bearer {}x", "Bearer\t{0},{0}"])
def test_no_other_scheme_lets_in(team: SimpleNamespace, scheme: str) -> None:
    """Y-03: a token counts as it is, and only as a bearer's."""
    sent = scheme.format(team.tokens["reader"])
    answer = team.client.post("/v1/acme/shop/search", json={"query": "deploy"}, headers={"Authorization": sent})
    assert answer.status_code in (200, 401)
    assert SECRET not in answer.text
    assert answer.status_code == 401 or sent == team.tokens["reader"]


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_a_scheme_is_written_in_any_case(team: SimpleNamespace, scheme: str) -> None:
    """Y-03: HTTP does not tell the case of a scheme, and some issuers name it in small letters."""
    sent = f"{scheme} {team.tokens['reader']}"
    answer = team.client.post("/v1/acme/shop/search", json={"query": "deploy"}, headers={"Authorization": sent})
    assert answer.status_code == 200


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE"])
@pytest.mark.parametrize("act", ["recall", "search", "notes"])
def test_a_reader_changes_nothing_by_any_method(team: SimpleNamespace, method: str, act: str) -> None:
    """Y-03: what is not an address of the server is no way to write."""
    status, answer = ask(team, "reader", f"/v1/acme/shop/{act}", {"drop": [FILE]}, method=method)
    assert status == (200 if (method, act) in {("GET", "notes"), ("HEAD", "notes")} else 405)
    assert SECRET not in answer
    assert "plans" in ask(team, "reader", "/v1/acme/shop/search", {"query": "deploy plans"})[1]


@pytest.mark.parametrize(
    "file", ["../../rival/plans/" + FILE, "/" + FILE, "L1_declarative/../../x.md", "share/../x.md"]
)
def test_no_file_is_written_elsewhere(team: SimpleNamespace, file: str) -> None:
    """Y-03: a pushed file with a way out of its bank is refused by its name."""
    body = {"commit": "", "put": {file: written("out", "out of the bank")}, "drop": [file]}
    status, answer = ask(team, "writer", "/v1/acme/shop/notes", body)
    assert status == 200
    assert list(json.loads(answer)["refused"]) == [file]


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM entering('\\x00'::bytea, 'rival', 'plans')",
        "SELECT * FROM entering(NULL, 'rival', 'plans')",
        "SELECT * FROM admitted('\\x00'::bytea, 'rival', 'plans')",
        "SELECT received('\\x00'::bytea, 'rival', 'plans', 'ab')",
        "SELECT holder_of('\\x00'::bytea)",
        "SELECT words FROM documents",
        "SELECT state FROM banks",
        "SELECT vector FROM vectors",
        "SELECT file FROM files",
        "SELECT token FROM postings",
    ],
)
def test_the_login_alone_sees_nothing(team: SimpleNamespace, statement: str) -> None:
    """Y-03: without a token's hash or a bank's number, the login of the server gets no row."""
    with team.hosting.door.outside() as asking:
        assert [row for row in asking.execute(statement) if any(row)] == []


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM tokens",
        "SELECT * FROM hosted",
        "SELECT * FROM accesses",
        "DELETE FROM accesses",
        "INSERT INTO tokens VALUES ('a', 'b', 'rival', '', 'writer')",
        "UPDATE hosted SET organisation = 'acme'",
        "SELECT * FROM vectors_3",
        "ALTER FUNCTION own_bank() STRICT",
        "CREATE OR REPLACE FUNCTION tacit.entering(bytea, text, text) RETURNS void LANGUAGE sql AS ''",
        "GRANT pg_read_all_data TO CURRENT_USER",
        "SELECT set_config('tacit.bank', 'x', false)",
        "SET SESSION AUTHORIZATION postgres",
    ],
)
def test_the_login_changes_no_rule(team: SimpleNamespace, statement: str) -> None:
    """Y-03: the server's login reads no token and can change neither tables nor rights."""
    with team.hosting.door._pool.connection() as asking, pytest.raises(psycopg.errors.InsufficientPrivilege):
        asking.execute(statement)


def test_nothing_is_copied_out(team: SimpleNamespace) -> None:
    """Y-03: a whole table, copied out by the login of the server, is empty."""
    with team.hosting.door._pool.connection() as asking, asking.cursor().copy("COPY documents TO STDOUT") as rows:
        assert list(rows) == []
