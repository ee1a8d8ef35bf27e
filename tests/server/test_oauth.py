"""OAuth on the team server: whom an outside issuer vouches for, with which scopes, and what is refused."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'tacit[server]'")
pytest.importorskip("mcp", reason="mcp is not installed: pip install 'tacit[server]'")

import httpx2
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

from tacit.server import serve
from tacit.server.oauth import Keys, People, is_private
from tacit.server.visit import Refused
from tests.cli.runner import tacit
from tests.mcp.clients import ERAS
from tests.notes import written
from tests.server.issuer import KID, issuing
from tests.server.teams import serving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from httpx2 import Response
    from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

    from tests.server.issuer import Issuer
    from tests.server.teams import Team

pytestmark = pytest.mark.postgres

HERE = "https://memory.example.org"
MCP = f"{HERE}/v1/acme/shop/mcp"
METADATA = f"{HERE}/.well-known/oauth-protected-resource/v1/acme/shop/mcp"
DEPLOY = "deploy with blue green switches"
PUSH = {"commit": "", "put": {"L1_declarative/x.md": written("x", "y")}, "drop": []}


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    """An issuer for all tests."""
    with issuing() as made:
        yield made


@pytest.fixture(scope="module", params=["postgres"])
def team(postgres: str, issuer: Issuer) -> Iterator[Team]:
    """A server that lets in whom the issuer vouches for, in the name of a token that may write."""
    with serving(postgres) as made:
        people = People(issuer.address, f"{HERE}/", made.token("acme", role="writer"), Keys(issuer.address))
        made.server._people = people
        made.push("acme/shop", {"L1_declarative/deploy.md": written("deploy", DEPLOY)})
        made.push("acme/pay", {"L1_declarative/cards.md": written("cards", "cards are charged at noon")})
        made.push("rival/shop", {"L1_declarative/plans.md": written("plans", DEPLOY)})
        yield made


def recall(team: Team, token: str, bank: str = "acme/shop") -> Response:
    """Return the answer to a prompt."""
    return team.ask(token, bank, "recall", {"prompt": f"how do we {DEPLOY}"})


class Memory:
    """Keeps what an OAuth client was given."""

    def __init__(self) -> None:
        self._tokens: OAuthToken | None = None
        self._client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        """Return the tokens."""
        return self._tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """Keep the tokens."""
        self._tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """Return who the client is."""
        return self._client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Keep who the client is."""
        self._client = client_info


@pytest.mark.parametrize("era", ERAS)
def test_an_agent_finds_the_issuer_and_is_let_in(team: Team, issuer: Issuer, era: str) -> None:
    """V-01, Y-03: the SDK's own client goes from a refusal to the metadata, the issuer, a token, and the answer."""
    given: list[tuple[str, str]] = []

    async def redirect(address: str) -> None:
        given.append(issuer.authorize(address))

    async def callback() -> AuthorizationCodeResult:
        code, state = given[-1]
        return AuthorizationCodeResult(code=code, state=state)

    async def run() -> dict[str, Any]:
        wishes = OAuthClientMetadata.model_validate({"redirect_uris": ["http://127.0.0.1:9/callback"]})
        auth = OAuthClientProvider(MCP, wishes, Memory(), redirect, callback)
        mounts = {HERE: httpx2.ASGITransport(team.application)}
        async with (
            httpx2.AsyncClient(auth=auth, mounts=mounts) as http,
            Client(streamable_http_client(MCP, http_client=http), mode=era) as client,
        ):
            return (await client.call_tool("recall", {"prompt": f"how do we {DEPLOY}"})).structured_content or {}

    assert [each["id"] for each in asyncio.run(run())["notes"]] == ["MEM-deploy"]


def test_the_metadata_says_who_gives_tokens(team: Team, issuer: Issuer) -> None:
    """V-01, Y-03: everybody may read for whom a token must be, whether there is such a bank or not."""
    found = team.client.get(METADATA.removeprefix(HERE))
    assert found.json() == {
        "resource": MCP,
        "authorization_servers": [issuer.address],
        "scopes_supported": ["tacit:reader", "tacit:writer"],
        "bearer_methods_supported": ["header"],
        "resource_name": "Tacit",
    }
    path = "/.well-known/oauth-protected-resource/v1"
    assert team.client.get(f"{path}/acme/never/mcp").json()["resource"] == f"{HERE}/v1/acme/never/mcp"
    assert team.client.get(f"{path}/acme/Bad%20Name/mcp").status_code == 404


def test_a_refusal_says_where_to_go(team: Team, issuer: Issuer) -> None:
    """V-01, Y-03: without a token, with a bad one, and one that lacks a scope, the way to a better one is named."""
    none = team.client.post(MCP.removeprefix(HERE), json={})
    assert (none.status_code, none.headers["www-authenticate"]) == (401, f'Bearer resource_metadata="{METADATA}"')
    bad = recall(team, issuer.token("https://elsewhere.example.org"))
    assert bad.status_code == 401
    assert 'error="invalid_token"' in bad.headers["www-authenticate"]
    poor = recall(team, issuer.token(HERE, "openid"))
    assert poor.status_code == 403
    assert 'error="insufficient_scope", scope="tacit:reader"' in poor.headers["www-authenticate"]


@pytest.mark.parametrize(
    ("scope", "bank", "reads", "writes"),
    [
        ("tacit:reader", "acme/shop", 200, 403),
        ("openid tacit:reader:shop", "acme/shop", 200, 403),
        ("tacit:reader:pay", "acme/shop", 403, 403),
        ("tacit:writer", "acme/shop", 200, 200),
        ("tacit:writer:shop", "acme/shop", 200, 200),
        ("tacit:writer:shop tacit:reader", "acme/pay", 200, 403),
        ("tacit:reviewer", "acme/shop", 403, 403),
        ("tacit:reader:*", "acme/shop", 403, 403),
        ("tacit:writer", "rival/shop", 404, 404),
        (["tacit:reader"], "acme/shop", 200, 403),
    ],
)
def test_scopes_say_role_and_bank(
    team: Team, issuer: Issuer, scope: object, bank: str, reads: int, writes: int
) -> None:
    """Y-03: a scope gives a role in all banks that the server's own token is for, or in one of them."""
    token = issuer.token(HERE, scope)
    assert recall(team, token, bank).status_code == reads
    assert team.ask(token, bank, "notes", PUSH).status_code == writes


def test_other_issuers_say_scopes_otherwise(team: Team, issuer: Issuer) -> None:
    """Y-03: scopes may stand in `scp`, and an audience may be one of several, or the address of the one bank."""
    assert recall(team, issuer.token(HERE, None, scp=["tacit:reader"])).status_code == 200
    assert recall(team, issuer.token(HERE, aud=["other", f"{HERE}/"])).status_code == 200
    assert recall(team, issuer.token(MCP)).status_code == 200
    assert recall(team, issuer.token(MCP), "acme/pay").status_code == 401


def test_the_token_of_the_server_bounds_everybody(postgres: str, issuer: Issuer) -> None:
    """Y-03: people are let in as far as the server's own token goes, and no longer than it is good."""
    with serving(postgres) as team:
        name, secret = team.issuer.create("acme", "shop", "reader")
        team.server._people = People(issuer.address, HERE, secret, Keys(issuer.address))
        team.push("acme/shop", {"L1_declarative/deploy.md": written("deploy", DEPLOY)})
        team.push("acme/pay", {"L1_declarative/cards.md": written("cards", "cards are charged at noon")})
        token = issuer.token(HERE, "tacit:writer")
        assert recall(team, token).status_code == 200
        assert recall(team, token, "acme/pay").status_code == 404
        assert team.ask(token, "acme/shop", "notes", PUSH).status_code == 403
        team.issuer.revoke(name)
        assert recall(team, token).status_code == 401


def test_own_tokens_are_as_good_as_before(team: Team) -> None:
    """Y-03: CI goes on with a token of the server's."""
    assert recall(team, team.token("acme", "shop")).status_code == 200
    assert recall(team, "tacit_wrong").status_code == 401


def test_people_are_named_in_the_list_of_accesses(team: Team, issuer: Issuer) -> None:
    """Y-03: whom the issuer vouched for is kept, not the token of the server."""
    import psycopg

    recall(team, issuer.token(HERE, sub="bob\n<b>"))
    team.server.accesses.settle()
    with psycopg.connect(team.url) as owner:
        row = owner.execute("SELECT token, act, outcome FROM tacit.accesses ORDER BY number DESC LIMIT 1").fetchone()
    assert row == ("sub:bob?<b>", "recall", 200)


OTHER = ec.generate_private_key(ec.SECP256R1())
NOW = int(time.time())


BAD = {
    "run out": {"exp": NOW - 3600},
    "without an end": {"exp": None},
    "not yet good": {"nbf": NOW + 3600},
    "another issuer": {"iss": "https://evil.example.org"},
    "no issuer": {"iss": None},
    "no audience": {"aud": None},
    "a name that only begins like ours": {"aud": "https://memory.example.org.evil.example"},
    "another bank": {"aud": f"{HERE}/v1/acme/pay/mcp"},
    "nobody": {"sub": None},
    "bound to a key": {"cnf": {"jkt": "x"}},
    "another key": {"key": OTHER},
    "an unknown key": {"kid": "unknown"},
    "unknown and another": {"kid": "unknown", "key": OTHER},
    "unsigned": {"key": None, "alg": "none"},
    "a shared secret": {"key": "secret of thirty-two bytes or more", "alg": "HS256"},
}


@pytest.mark.parametrize("claims", list(BAD.values()), ids=list(BAD))
def test_tokens_that_are_no_good_are_refused(team: Team, issuer: Issuer, claims: dict[str, Any]) -> None:
    """Y-03: old, foreign, unsigned, bound or tampered tokens are told nothing."""
    assert recall(team, issuer.token(HERE, **claims)).status_code == 401


def test_a_public_key_is_no_secret(team: Team, issuer: Issuer) -> None:
    """Y-03: a token signed with the bytes of the public key, as if they were a password, is refused."""
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    public = issuer.key.public_key().public_bytes(serialization.Encoding.PEM, form)
    said = issuer.token(HERE).split(".")[1]
    signed = f"{coded(json.dumps({'alg': 'HS256', 'kid': KID}).encode())}.{said}"
    signature = hmac.digest(public, signed.encode(), "sha256")
    assert recall(team, f"{signed}.{coded(signature)}").status_code == 401


def coded(content: bytes) -> str:
    """Return bytes as a token holds them."""
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


@pytest.mark.parametrize("token", ["..", "a.b.c", "x.y.", "e30.e30.e30", "\u00e9.\u00e9.\u00e9"])
def test_what_only_looks_like_a_token_is_refused(team: Team, token: str) -> None:
    """Y-03: two dots make no token."""
    headers = {b"Authorization": f"Bearer {token}".encode("latin-1")}
    answer = team.client.post("/v1/acme/shop/recall", json={"prompt": DEPLOY}, headers=headers)
    assert answer.status_code == 401


ISSUER = "https://login.example.org/realm"
PLACES = {
    f"{ISSUER}/.well-known/openid-configuration": {"issuer": ISSUER, "jwks_uri": "https://login.example.org/keys"},
}


class Outside:
    """An issuer's documents, which can be taken away, and how often they were asked for."""

    def __init__(self, *keys: dict[str, Any]) -> None:
        self.keys = [*keys]
        self.is_there = True
        self.asked = 0

    def __call__(self, address: str) -> Any:  # noqa: ANN401  JSON
        """Return a document, or fail as the network does."""
        self.asked += 1
        if not self.is_there or address not in {*PLACES, "https://login.example.org/keys"}:
            raise OSError
        return PLACES.get(address, {"keys": self.keys})


def public(kid: str, **more: str) -> dict[str, Any]:
    """Return a public key as issuers tell it."""
    return {**ECAlgorithm.to_jwk(OTHER.public_key(), as_dict=True), "kid": kid, **more}


def test_keys_are_found_by_the_metadata_of_openid_too() -> None:
    """Y-03: an issuer that has only what OpenID asks for is enough."""
    assert Keys(ISSUER, Outside(public("a"))).key("a") is not None


def test_only_keys_for_signatures_are_used() -> None:
    """Y-03: keys for encryption, symmetric ones and those of unknown kinds are passed over; algorithms fit the key."""
    large = RSAAlgorithm.to_jwk(rsa.generate_private_key(65537, 2048).public_key(), as_dict=True)
    keys = Keys(
        ISSUER,
        Outside(
            public("good", alg="ES256"),
            public("closed", use="enc"),
            public("odd", alg="RS256"),
            {"kty": "oct", "k": "c2VjcmV0", "kid": "shared", "alg": "HS256"},
            {"kty": "EC", "crv": "none", "kid": "broken"},
            {**large, "kid": "large"},
        ),
    )
    assert [keys.key(name) is None for name in ("closed", "odd", "shared", "broken", "")] == [True] * 5
    good, rsa_key = keys.key("good"), keys.key("large")
    assert good is not None
    assert good.algorithms == ("ES256",)
    assert rsa_key is not None
    assert "HS256" not in rsa_key.algorithms


def test_the_only_key_needs_no_name() -> None:
    """Y-03: an issuer with one key may leave its name out."""
    assert Keys(ISSUER, Outside(public("only"))).key("") is not None


def test_keys_are_fetched_now_and_then_and_kept_meanwhile() -> None:
    """Y-03: new keys are noticed, unknown names do not make us ask at will, and an issuer may be away for a while."""
    now = [0.0]
    outside = Outside(public("first"))
    keys = Keys(ISSUER, outside, clock=lambda: now[0])
    assert keys.key("first") is not None
    before = outside.asked
    assert [keys.key(f"made up {number}") for number in range(100)] == [None] * 100
    assert outside.asked == before
    outside.keys = [public("second")]
    now[0] += 60
    assert keys.key("second") is not None
    outside.is_there = False
    now[0] += 3600
    assert keys.key("second") is not None
    now[0] += 25 * 3600
    with pytest.raises(Refused) as refused:
        keys.key("second")
    assert (refused.value.status, refused.value.code) == (503, "issuer.unusable")
    outside.is_there = True
    now[0] += 60
    assert keys.key("second") is not None


def test_an_issuer_that_was_never_there_is_said(team: Team, issuer: Issuer) -> None:
    """Y-03: while nobody can tell whether a token is good, the answer is to come again."""
    others, team.server._people = team.server._people, People(ISSUER, HERE, "x", Keys(ISSUER, Outside()))
    try:
        answer = recall(team, issuer.token(HERE))
    finally:
        team.server._people = others
    assert (answer.status_code, "retry-after" in answer.headers) == (503, True)


def test_an_issuer_that_moved_is_named_in_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: keys come from the address that was given; where else they may be is told to who runs the server."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")

    class Moved(BaseHTTPRequestHandler):
        """Sends everybody away."""

        def do_GET(self) -> None:
            """Answer one request."""
            self.send_response(302)
            self.send_header("Location", "http://127.0.0.1:9/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Be silent."""

    with HTTPServer(("127.0.0.1", 0), Moved) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            with pytest.raises(Refused) as refused:
                Keys(f"http://127.0.0.1:{server.server_port}").key("a")
        finally:
            server.shutdown()
            thread.join()
    assert (refused.value.status, "elsewhere" in str(refused.value)) == (503, False)
    assert "use that address, http://127.0.0.1:9/elsewhere" in refused.value.detail


def test_metadata_of_another_issuer_is_not_believed() -> None:
    """Y-03: the document must be of the issuer that was named."""
    with pytest.raises(Refused):
        Keys("https://login.example.org", Outside(public("a"))).key("a")


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://login.example.org", True),
        ("http://127.0.0.1:8080/realm", True),
        ("http://login.example.org", False),
        ("file:///etc/passwd", False),
        ("https://", False),
    ],
)
def test_keys_are_fetched_in_private(address: str, expected: bool) -> None:  # noqa: FBT001  a case of the table
    """Y-03: an issuer is asked over TLS, or on this machine."""
    assert is_private(address) is expected
    if not expected:
        with pytest.raises(Refused):
            Keys(address).key("a")


@pytest.mark.parametrize(
    ("words", "secret"),
    [
        (["--issuer", ISSUER], "tacit_x"),
        (["--audience", HERE], "tacit_x"),
        (["--issuer", ISSUER, "--audience", HERE], ""),
        (["--issuer", "http://login.example.org", "--audience", HERE], "tacit_x"),
        (["--issuer", ISSUER, "--audience", "memory.example.org"], "tacit_x"),
    ],
)
def test_a_server_says_what_an_issuer_needs(words: list[str], secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: half of what is needed to let people in is refused before anything is served."""
    monkeypatch.setenv("TACIT_POSTGRES_URL", "postgresql:")
    monkeypatch.setenv("TACIT_TOKEN", secret)
    assert tacit("serve", *words).code == 2


def test_a_server_is_told_of_an_issuer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: the command hands on issuer, address and token."""
    served: list[People] = []
    monkeypatch.setattr(serve, "run", lambda *_, plan: served.append(plan.people))
    monkeypatch.setenv("TACIT_POSTGRES_URL", "postgresql:")
    monkeypatch.setenv("TACIT_TOKEN", "tacit_x")
    assert tacit("serve", "--issuer", ISSUER, "--audience", HERE).code == 0
    (people,) = served
    assert (people.secret, people.resource("acme", "shop")) == ("tacit_x", MCP)
    assert people.metadata("acme", "shop")["authorization_servers"] == [ISSUER]
