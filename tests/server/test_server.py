"""The team server: tokens, roles, banks kept apart, limits, and the same answers as the bank of files."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from tests.notes import written
from tests.postgres import database

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'tacit[server]'")
pytest.importorskip("starlette.testclient", exc_type=ImportError)

from starlette.testclient import TestClient  # noqa: E402  only where it can be had

from tacit.bank import wiring  # noqa: E402  as above
from tacit.errors import DatabaseUnusable  # noqa: E402  as above
from tacit.server.app import MAX_BODY_BYTES, Server  # noqa: E402  as above
from tacit.server.visit import Rate  # noqa: E402  as above

if TYPE_CHECKING:
    from collections.abc import Iterator

    from httpx2 import Response

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module", params=["postgres"])
def team(postgres: str) -> Iterator[SimpleNamespace]:
    """A server with two organisations, two banks of the first, and tokens of every kind."""
    from psycopg.conninfo import make_conninfo

    login = f"tacit_server_{uuid4().hex[:8]}"
    with database(postgres) as url:
        issuer = wiring.issuer(url)
        grants = {
            "shop-writer": ("acme", "shop", "writer"),
            "shop-reader": ("acme", "shop", "reader"),
            "acme-writer": ("acme", "", "writer"),
            "acme-reader": ("acme", "", "reader"),
            "other-writer": ("rival", "", "writer"),
        }
        made = {name: issuer.create(*grant) for name, grant in grants.items()}
        with psycopg.connect(url, autocommit=True) as owner:
            owner.execute(f"CREATE ROLE {login} LOGIN IN ROLE tacit_member")
        lines: list[str] = []
        server = Server(
            wiring.Hosting(make_conninfo(url, user=login), most=4), None, a_minute=100_000, log=lines.append
        )
        client = TestClient(server.application())
        found = SimpleNamespace(
            url=url,
            issuer=issuer,
            tokens={name: secret for name, (_, secret) in made.items()},
            lines=lines,
            client=client,
            server=server,
        )
        push(
            found,
            "shop-writer",
            "acme/shop",
            {"L1_declarative/deploy.md": written("deploy", "deploy with blue green switches")},
        )
        push(
            found,
            "acme-writer",
            "acme/pay",
            {"L1_declarative/invoice.md": written("invoice", "invoices are kept ten years")},
        )
        push(
            found,
            "other-writer",
            "rival/shop",
            {"L1_declarative/secret.md": written("rival", "rival plans of deploy switches")},
        )
        yield found
        server.close()
    with psycopg.connect(postgres, autocommit=True) as owner:
        owner.execute(f"DROP ROLE {login}")


def asked(team: SimpleNamespace, token: str, bank: str, act: str, body: object) -> Response:
    """The answer to one request."""
    headers = {"Authorization": f"Bearer {team.tokens.get(token, token)}"}
    return team.client.post(f"/v1/{bank}/{act}", json=body, headers=headers)


def push(team: SimpleNamespace, token: str, bank: str, put: dict[str, str], drop: tuple[str, ...] = ()) -> Response:
    """The answer to a push."""
    return asked(team, token, bank, "notes", {"commit": "ab12", "put": put, "drop": list(drop)})


PROMPT = "how do we deploy with blue green switches"


def test_recall_says_the_notes_of_the_bank(team: SimpleNamespace) -> None:
    """Y-03: a prompt gets what its bank says, in the words that an agent is told."""
    answer = asked(team, "shop-reader", "acme/shop", "recall", {"prompt": PROMPT})
    assert answer.status_code == 200
    assert [each["id"] for each in answer.json()["notes"]] == ["MEM-deploy"]
    assert "deploy with blue green switches [MEM-deploy] shop/L1_declarative/deploy.md" in answer.json()["injection"]
    assert asked(team, "shop-reader", "acme/shop", "recall", {"prompt": "thanks"}).json() == {
        "notes": [],
        "injection": "",
    }


def test_search_gives_the_best_first(team: SimpleNamespace) -> None:
    """Y-03: search is answered with scores."""
    found = asked(team, "acme-reader", "acme/pay", "search", {"query": "invoices", "limit": 3}).json()["notes"]
    assert [each["id"] for each in found] == ["MEM-invoice"]
    assert found[0]["score"] > 0


def test_the_same_push_again_changes_nothing(team: SimpleNamespace) -> None:
    """Y-03: a push is known by its content; what is gone is forgotten, what is no note is refused."""
    file = {"L1_declarative/queue.md": written("queue", "kafka carries the events")}
    assert push(team, "acme-writer", "acme/queue", file).json() == {
        "changed": ["L1_declarative/queue.md"],
        "dropped": [],
        "refused": {},
    }
    assert push(team, "acme-writer", "acme/queue", file).json()["changed"] == []
    known = team.client.get(
        "/v1/acme/queue/notes", headers={"Authorization": f"Bearer {team.tokens['acme-reader']}"}
    ).json()
    assert (known["commit"], list(known["files"])) == ("ab12", ["L1_declarative/queue.md"])
    bad = {
        "L1_declarative/broken.md": "---\nid: [",
        "../L1_declarative/out.md": written("out", "x"),
        "L1_declarative/key.md": written("key", "the key is AKIAIOSFODNN7EXAMPLQ and ghp_" + "a1B2" * 9),
    }
    answer = push(team, "acme-writer", "acme/queue", bad, ("L1_declarative/queue.md",)).json()
    assert set(answer["refused"]) == set(bad)
    assert answer["dropped"] == ["L1_declarative/queue.md"]
    assert asked(team, "acme-reader", "acme/queue", "search", {"query": "kafka"}).json()["notes"] == []


WRONG = [
    (token, bank)
    for token, banks in {
        "shop-writer": ("acme/pay", "rival/shop", "acme/new", "rival/new"),
        "shop-reader": ("acme/pay", "rival/shop", "acme/new"),
        "acme-writer": ("rival/shop", "rival/new", "acme.rival/shop"),
        "acme-reader": ("rival/shop", "rival/new", "ACME/shop"),
        "other-writer": ("acme/shop", "acme/pay", "acme/new", "acme/%2e%2e"),
    }.items()
    for bank in banks
]


@pytest.mark.parametrize(("token", "bank"), WRONG)
@pytest.mark.parametrize("act", ["recall", "search", "notes"])
def test_no_token_reaches_another_bank(team: SimpleNamespace, token: str, bank: str, act: str) -> None:
    """Y-03: reading or writing a bank that a token is not for ends as if the bank were not there."""
    body = {
        "prompt": PROMPT,
        "query": PROMPT,
        "commit": "",
        "put": {"L1_declarative/a.md": written("a", "b")},
        "drop": [],
    }
    answer = asked(team, token, bank, act, body)
    assert answer.status_code == 404
    assert "rival plans" not in answer.text


@pytest.mark.parametrize("token", ["", "nothing", "tacit_" + "x" * 43, "' OR true --", "\u00e9"])
def test_no_token_no_answer(team: SimpleNamespace, token: str) -> None:
    """Y-03: what is no token is told nothing."""
    answer = team.client.post(
        "/v1/acme/shop/recall", json={"prompt": PROMPT}, headers={"Authorization": f"Bearer {token}".encode("latin-1")}
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "token.refused")


@pytest.mark.parametrize("token", ["shop-reader", "acme-reader"])
def test_a_reader_writes_nothing(team: SimpleNamespace, token: str) -> None:
    """Y-03: a reader's push is refused, and changes nothing."""
    answer = push(
        team, token, "acme/shop", {"L1_declarative/x.md": written("x", "nothing")}, ("L1_declarative/deploy.md",)
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "role.refused")
    assert asked(team, token, "acme/shop", "recall", {"prompt": PROMPT}).json()["notes"]


def test_a_token_is_taken_back(team: SimpleNamespace) -> None:
    """Y-03: a revoked token is refused at once; only hashes of tokens are kept."""
    name, secret = team.issuer.create("acme", "shop", "reader")
    assert asked(team, secret, "acme/shop", "search", {"query": "deploy"}).status_code == 200
    assert team.issuer.revoke(name)
    assert not team.issuer.revoke("nobody")
    assert asked(team, secret, "acme/shop", "search", {"query": "deploy"}).status_code == 401
    assert [each.revoked is not None for each in team.issuer.tokens() if each.token == name] == [True]
    with psycopg.connect(team.url) as owner:
        kept = owner.execute("SELECT tokens::text FROM tacit.tokens").fetchall()
    assert not any(secret in str(row) for row in kept)


def test_every_access_is_noted_and_no_prompt(team: SimpleNamespace) -> None:
    """Y-03: who asked what of which bank, and how it went, is kept; the words are not, nor in the log."""
    asked(team, "shop-reader", "acme/shop", "recall", {"prompt": "a very private question"})
    push(team, "shop-reader", "acme/shop", {})
    team.server.accesses.settle()
    with psycopg.connect(team.url) as owner:
        rows = owner.execute(
            "SELECT organisation, name, act, outcome FROM tacit.accesses ORDER BY number DESC LIMIT 2"
        ).fetchall()
        everything = str(owner.execute("SELECT accesses::text FROM tacit.accesses").fetchall())
    assert rows == [("acme", "shop", "push", 403), ("acme", "shop", "recall", 200)]
    assert "private" not in everything + "".join(team.lines)
    assert json.loads(team.lines[-1])["status"] == 403


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b"\xff",
        b"[" * 100_000,
        b"{}",
        b'{"prompt": ""}',
        b'{"prompt": 5}',
        b'{"prompt": "a", "phase": "later"}',
        b'{"prompt": "a", "turns": "b"}',
        b'{"prompt": "\\ud800 deploy"}',
        b'{"prompt": "\xed\xa0\x80 deploy"}',
        '{"prompt": "deploy"}'.encode("utf-16"),
        b'\xef\xbb\xbf{"prompt": "deploy"}',
    ],
)
def test_what_makes_no_sense_is_refused(team: SimpleNamespace, body: bytes) -> None:
    """Y-03: a broken body is an error of the caller, never of the server."""
    headers = {"Authorization": f"Bearer {team.tokens['shop-reader']}"}
    answer = team.client.post("/v1/acme/shop/recall", content=body, headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "payload.refused")


@pytest.mark.parametrize(
    ("act", "body"),
    [
        ("search", {"query": "a", "limit": 0}),
        ("search", {"query": "a", "limit": True}),
        ("notes", {"commit": "not a commit", "put": {}, "drop": []}),
        ("notes", {"commit": "", "put": [], "drop": []}),
        ("notes", {"commit": "", "put": {"L1_declarative/a.md": 5}, "drop": []}),
        ("notes", {"commit": "", "put": {}, "drop": "L1_declarative/a.md"}),
    ],
)
def test_wrong_members_are_refused(team: SimpleNamespace, act: str, body: dict[str, object]) -> None:
    """Y-03: every member of a body has its kind."""
    assert asked(team, "shop-writer", "acme/shop", act, body).status_code == 400


def test_nul_and_odd_names_do_no_harm(team: SimpleNamespace) -> None:
    """Y-03: characters that PostgreSQL cannot keep are no server error."""
    assert asked(team, "shop-reader", "acme/shop", "recall", {"prompt": "deploy \0 switches blue"}).status_code == 200
    answer = push(
        team, "shop-writer", "acme/shop", {"L1_declarative/a\0b.md": written("a", "b"), "L1_declarative/n.md": "\0"}
    )
    assert set(answer.json()["refused"]) == {"L1_declarative/a\0b.md", "L1_declarative/n.md"}


def test_a_push_with_half_a_character_leaves_the_commit(team: SimpleNamespace) -> None:
    """Y-03: what is no text is refused before anything is changed."""
    headers = {"Authorization": f"Bearer {team.tokens['shop-writer']}"}
    before = team.client.get("/v1/acme/shop/notes", headers=headers).json()
    body = b'{"commit": "cccc", "put": {}, "drop": ["\xed\xa0\x80"]}'
    assert team.client.post("/v1/acme/shop/notes", content=body, headers=headers).status_code == 400
    assert team.client.get("/v1/acme/shop/notes", headers=headers).json() == before


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/v1/acme/shop/recall", 405, "method.refused"),
        ("DELETE", "/v1/acme/shop/notes", 405, "method.refused"),
        ("POST", "/v1/acme/shop/forget", 404, "address.not_found"),
        ("GET", "/v2", 404, "address.not_found"),
        ("POST", "/v1/acme/shop/recall/", 404, "address.not_found"),
        ("POST", "/v1/acme/shop/mcp/", 404, "address.not_found"),
    ],
)
def test_addresses_that_are_none_answer_as_all_others(
    team: SimpleNamespace, method: str, path: str, status: int, code: str
) -> None:
    """Y-03: a program reads every error in one way, and is led nowhere else with its token."""
    answer = team.client.request(method, path, follow_redirects=False)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert ("allow" in answer.headers) == (status == 405)


def test_what_is_too_large_is_refused(team: SimpleNamespace) -> None:
    """Y-03: a body has its limit."""
    answer = asked(team, "shop-writer", "acme/shop", "notes", {"put": {"L1_declarative/a.md": "x" * MAX_BODY_BYTES}})
    assert answer.status_code == 413


def test_health_and_readiness(team: SimpleNamespace) -> None:
    """Y-03: whoever watches the server can ask without a token; its addresses are described."""
    assert team.client.get("/health").json() == {"status": "ok"}
    assert team.client.get("/ready").json() == {"status": "ok"}
    described = team.client.get("/openapi.json").json()["paths"]
    assert "/v1/{organisation}/{bank}/recall" in described


def test_a_superuser_is_no_login_for_a_server(team: SimpleNamespace) -> None:
    """Y-03: a server refuses to run as whom row-level security does not bind."""
    with pytest.raises(DatabaseUnusable, match="superuser"):
        wiring.Hosting(team.url, most=1)


def test_the_login_of_a_server_reads_no_token(team: SimpleNamespace) -> None:
    """Y-03: even a question that was tampered with gets neither tokens nor the numbers of other banks."""
    door = wiring._door(team.url)
    for table in ("tokens", "hosted", "accesses"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege), door.outside() as asking:
            asking.execute(f"SELECT * FROM {table}")  # noqa: S608  a constant
    door.close()
    wiring._door.cache_clear()


def test_the_rate_has_a_limit() -> None:
    """Y-03: a token that asks too often waits; time fills its bucket again, and others are not touched."""
    now = [0.0]
    rate = Rate(60, clock=lambda: now[0])
    assert [rate.wait_s("a") for _ in range(60)] == [0.0] * 60
    assert rate.wait_s("a") == pytest.approx(1.0)
    assert rate.wait_s("b") == 0.0
    now[0] = 2.0
    assert rate.wait_s("a") == 0.0
