"""MCP over HTTP at the address of each bank: the SDK's own client in both eras, tokens, limits and accesses."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'tacit[server]'")
pytest.importorskip("mcp", reason="mcp is not installed: pip install 'tacit[server]'")

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from tacit.bank.roles import Role
from tacit.server.app import MAX_BODY_BYTES
from tests.mcp import clients
from tests.mcp.clients import ERAS
from tests.notes import written
from tests.server.teams import serving

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path
    from typing import TypeVar

    from tests.server.teams import Team

    T = TypeVar("T")

pytestmark = pytest.mark.postgres

HOST = "http://memory.example.org"
DEPLOY = "deploy with blue green switches"
PROMPT = f"how do we {DEPLOY}"
DETAIL = "# Cache\n\nLock the redis key before a refill.\n"


@pytest.fixture(scope="module", params=["postgres"])
def team(postgres: str) -> Iterator[Team]:
    """A server with three banks of one organisation, one beside another, and one of a rival."""
    with serving(postgres) as made:
        made.push("acme/shop", {"L1_declarative/deploy.md": written("deploy", DEPLOY), "details/cache.md": DETAIL})
        made.push(
            "acme/common", {"L1_declarative/invoice.md": written("invoice", "invoices are numbered in the ledger")}
        )
        for bank in ("acme/shop", "acme/common"):
            made.push(bank, {"tacit.toml": "format = 1\n"})
        made.push("acme/pay", {"L1_declarative/cards.md": written("cards", "cards are charged at noon")})
        made.push("rival/shop", {"L1_declarative/plans.md": written("plans", "rival plans of blue green switches")})
        made.arrangement.add("acme", "shop", "common")
        yield made


@pytest.fixture(params=ERAS)
def era(request: pytest.FixtureRequest) -> str:
    """Both eras of the protocol."""
    return str(request.param)


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentences are compared in English."""
    monkeypatch.setenv("TACIT_LANG", "en")


def over_http(team: Team, secret: str, act: Callable[[httpx2.AsyncClient], Awaitable[T]]) -> T:
    """Return what an act with an HTTP client gives; no port is opened."""

    async def run() -> T:
        transport = httpx2.ASGITransport(team.application)
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        async with httpx2.AsyncClient(transport=transport, base_url=HOST, headers=headers) as http:
            return await act(http)

    return asyncio.run(run())


def spoken(
    team: Team, secret: str, act: Callable[[Client], Awaitable[T]], *, era: str = ERAS[1], bank: str = "acme/shop"
) -> T:
    """Return what an act with the SDK's client gives."""

    async def speak(http: httpx2.AsyncClient) -> T:
        async with Client(streamable_http_client(f"{HOST}/v1/{bank}/mcp", http_client=http), mode=era) as client:
            return await act(client)

    try:
        return over_http(team, secret, speak)
    except BaseExceptionGroup as group:
        raise clients.alone(group) from None


def call(
    team: Team, secret: str, tool: str, *, era: str = ERAS[1], bank: str = "acme/shop", **arguments: object
) -> tuple[str, dict[str, Any], bool]:
    """Return text and structured result of one call, and whether it is an error."""
    result = spoken(team, secret, lambda client: client.call_tool(tool, arguments), era=era, bank=bank)
    return result.content[0].text, result.structured_content or {}, bool(result.is_error)  # type: ignore[union-attr]


def knock(team: Team, secret: str, path: str, **options: Any) -> httpx2.Response:  # noqa: ANN401  the client's own
    """Return the answer to one plain request."""

    async def send(http: httpx2.AsyncClient) -> httpx2.Response:
        return await http.request(options.pop("method", "POST"), path, **options)

    return over_http(team, secret, send)


def accesses(team: Team) -> list[tuple[str, str, int]]:
    """Return the accesses so far: bank, act and outcome."""
    team.server.accesses.settle()
    import psycopg

    with psycopg.connect(team.url) as owner:
        return owner.execute("SELECT name, act, outcome FROM tacit.accesses ORDER BY number").fetchall()


def test_the_reading_tools_are_those_of_one_machine(team: Team, era: str, tmp_path: Path) -> None:
    """V-01, Y-03: names, schemas and hints are the same as of `tacit mcp`."""
    local = clients.talk(clients.server(tmp_path, Role.READER), lambda client: client.list_tools(), era=era).tools
    wanted = [tool for tool in local if tool.name in ("recall", "search", "show")]
    found = spoken(team, team.token("acme", "shop"), lambda client: client.list_tools(), era=era).tools
    assert found == wanted


def test_recall_says_what_the_bank_says(team: Team, era: str) -> None:
    """V-01, Y-03: recall gives lines as the local tool does, those of banks beside it too; silence has its reason."""
    reader = team.token("acme", "shop")
    text, result, _ = call(team, reader, "recall", era=era, prompt=PROMPT)
    assert text == result["said"]
    assert result["said"].endswith(f"- {DEPLOY} [MEM-deploy] shop/L1_declarative/deploy.md")
    assert result["notes"] == [
        {"id": "MEM-deploy", "title": "deploy", "one_liner": DEPLOY, "file": "L1_declarative/deploy.md"}
    ]
    _, beside, _ = call(team, reader, "recall", era=era, prompt="how are invoices numbered in the ledger")
    assert [each["file"] for each in beside["notes"]] == ["common/L1_declarative/invoice.md"]
    _, silent, _ = call(team, reader, "recall", era=era, prompt="cards are charged at noon")
    assert silent == {"said": "", "reason": "nothing fits well enough", "notes": []}


def test_a_conversation_is_told_once(team: Team) -> None:
    """J-02, Y-03: in one conversation and phase a note is said once; another conversation, token or phase hears it."""
    reader = team.token("acme", "shop")

    def said(secret: str, conversation_id: str = "") -> tuple[bool, str]:
        _, result, _ = call(team, secret, "recall", prompt=PROMPT, conversation_id=conversation_id)
        return bool(result["said"]), result["reason"]

    assert said(reader, conversation_id="one") == (True, "found")
    assert said(reader, conversation_id="one") == (False, "already said in this session")
    assert said(reader, conversation_id="two") == (True, "found")
    assert said(team.token("acme", "shop"), conversation_id="one") == (True, "found")
    assert said(reader) == (True, "found")


def test_search_finds_notes_and_details(team: Team, era: str) -> None:
    """V-01, Y-03: search lists what fits, best first, one line each."""
    _, result, _ = call(team, team.token("acme", "shop"), "search", era=era, query="redis refill", limit=3)
    assert [(each["title"], each["file"]) for each in result["notes"]] == [("Cache", "details/cache.md")]
    text, none, _ = call(team, team.token("acme", "shop"), "search", era=era, query="\0 \ud800".replace("\ud800", ""))
    assert (none["notes"], bool(text)) == ([], True)


@pytest.mark.parametrize(
    ("what", "file"),
    [
        ("MEM-deploy", "L1_declarative/deploy.md"),
        ("L1_declarative/deploy.md", "L1_declarative/deploy.md"),
        ("shop/L1_declarative/deploy.md", "L1_declarative/deploy.md"),
        ("details/cache.md", "details/cache.md"),
        ("MEM-invoice", "common/L1_declarative/invoice.md"),
        ("common/L1_declarative/invoice.md", "common/L1_declarative/invoice.md"),
    ],
)
def test_show_reads_what_recall_names(team: Team, what: str, file: str) -> None:
    """V-01, Y-03: a note is read whole by its id, or by the path that recall and search name it with."""
    text, result, is_error = call(team, team.token("acme", "shop"), "show", what=what)
    assert not is_error
    assert result["files"] == [file]
    assert text in (DETAIL, written("deploy", DEPLOY), written("invoice", "invoices are numbered in the ledger"))


def test_show_resolves_pointers_and_questions(team: Team, era: str) -> None:
    """Z-01, D-01, Y-03: a pointer leads to a note or a part of it, a question to the details that answer it."""
    reader = team.token("acme", "shop")
    assert call(team, reader, "show", era=era, what="mem://L1/MEM-deploy#one-liner")[0] == DEPLOY
    assert call(team, reader, "show", era=era, what="mem://L1/MEM-invoice")[0].startswith("---")
    read, result, _ = call(team, reader, "show", era=era, question="how is a redis key refilled")
    assert "Lock the redis key" in read
    assert result["files"] == ["details/cache.md"]
    packed, _, _ = call(team, reader, "show", era=era, question="why is the redis key locked, with the source")
    assert "evidence:" in packed
    assert call(team, reader, "show", era=era, question="zebra")[1]["files"] == []


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ("MEM-plans", "note.not_found"),
        ("MEM-cards", "note.not_found"),
        ("L1_declarative/invoice.md", "note.not_found"),
        ("pay/L1_declarative/cards.md", "note.not_found"),
        ("tacit.toml", "note.not_found"),
        ("shop/tacit.toml", "note.not_found"),
        ("common/tacit.toml", "note.not_found"),
        ("../pay/L1_declarative/cards.md", "note.not_found"),
        ("' OR true --", "note.not_found"),
        ("", "note.not_found"),
        ("a\0b", "note.not_found"),
        ("mem://L1/MEM-cards", "pointer.dangling"),
        ("mem://L2/MEM-deploy", "pointer.dangling"),
        ("mem://L1/MEM-deploy#nothing", "pointer.dangling"),
        ("mem://L9/MEM-deploy", "pointer.refused"),
    ],
)
def test_what_is_not_there_for_the_token_is_not_shown(team: Team, what: str, code: str) -> None:
    """Z-01, Y-03: other banks' notes, files outside and broken pointers end in a sentence with a code."""
    text, _, is_error = call(team, team.token("acme", "shop"), "show", what=what)
    assert is_error
    assert f"({code})" in text


def test_a_note_is_a_resource(team: Team, era: str) -> None:
    """V-01, Y-03: notes are resources by their pointers; what leads nowhere is said to."""

    async def read(client: Client) -> str:
        assert (await client.list_resource_templates()).resource_templates[0].uri_template == "mem://{layer}/{id}"
        return (await client.read_resource("mem://L1/MEM-deploy")).contents[0].text  # type: ignore[union-attr]

    reader = team.token("acme", "shop")
    assert DEPLOY in spoken(team, reader, read, era=era)
    with pytest.raises(MCPError, match="mem://L1/MEM-plans"):
        spoken(team, reader, lambda client: client.read_resource("mem://L1/MEM-plans"), era=era)


def test_the_prompt_that_reads_is_offered(team: Team, era: str) -> None:
    """V-01, Y-03: only prompts whose tools are offered are."""
    found = spoken(team, team.token("acme", "shop"), lambda client: client.list_prompts(), era=era)
    assert [prompt.name for prompt in found.prompts] == ["recall"]


@pytest.mark.parametrize("tool", ["propose", "remember", "maintain", "task", "nothing"])
def test_nothing_else_is_offered(team: Team, tool: str) -> None:
    """V-01, Y-03: a tool that is not listed is not called either."""
    _, _, is_error = call(team, team.token("acme", "shop"), tool)
    assert is_error


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.mark.parametrize(
    ("token", "bank", "status"),
    [
        (None, "acme/shop", 401),
        ("wrong", "acme/shop", 401),
        ("shop", "acme/pay", 404),
        ("shop", "acme/common", 404),
        ("shop", "rival/shop", 404),
        ("shop", "acme/new", 404),
        ("all", "acme/new", 404),
        ("all", "acme/pay", 200),
        ("shop", "acme/shop", 200),
    ],
)
def test_tokens_are_looked_at_first(team: Team, token: str | None, bank: str, status: int) -> None:
    """Y-03: a request without a good token for the bank is refused before a word of MCP is read."""
    own = {"shop": ("acme", "shop"), "all": ("acme",)}
    secret = team.token(*own[token]) if token in own else token or ""
    answer = knock(team, secret, f"/v1/{bank}/mcp", json=HELLO, headers=ACCEPT)
    assert answer.status_code == status
    if status == 401:
        assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    ("content", "headers"),
    [
        (b"", {}),
        (b"[]", {}),
        (b"{", {}),
        (b"[" * 100_000, {}),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "nothing"}', {}),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 5}}', {}),
        (json.dumps(HELLO).encode(), {"Accept": "text/html"}),
        (json.dumps(HELLO).encode(), {"Mcp-Protocol-Version": "1999-01-01"}),
        (json.dumps(HELLO).encode(), {"Content-Type": "text/plain"}),
    ],
)
def test_what_makes_no_sense_is_no_error_of_the_server(team: Team, content: bytes, headers: dict[str, str]) -> None:
    """Y-03: broken messages and headers are the caller's."""
    sent = {"Content-Type": "application/json", **ACCEPT, **headers}
    answer = knock(team, team.token("acme", "shop"), "/v1/acme/shop/mcp", content=content, headers=sent)
    assert answer.status_code < 500
    assert answer.status_code >= 400 or "error" in answer.json()


def test_half_a_character_does_no_harm(team: Team) -> None:
    """Y-03: what JSON can write and a database cannot keep is replaced."""
    asked = {"name": "recall", "arguments": {"prompt": "PLACE deploy switches"}}
    content = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked})
    answer = knock(
        team,
        team.token("acme", "shop"),
        "/v1/acme/shop/mcp",
        content=content.replace("PLACE", "\\ud800\\u0000").encode(),
        headers={"Content-Type": "application/json", **ACCEPT},
    )
    assert answer.status_code < 500


def test_a_message_has_its_size(team: Team) -> None:
    """Y-03: a message has as many bytes as any request."""
    large = b"x" * (MAX_BODY_BYTES + 1)
    answer = knock(team, team.token("acme", "shop"), "/v1/acme/shop/mcp", content=large, headers=ACCEPT)
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "body.too_large")


def test_messages_count_as_requests(postgres: str) -> None:
    """Y-03: a token has as many messages as requests."""
    with serving(postgres, a_minute=1) as team:
        team.push("acme/shop", {"L1_declarative/deploy.md": written("deploy", DEPLOY)})
        reader = team.token("acme", "shop")
        first, second = (knock(team, reader, "/v1/acme/shop/mcp", json=HELLO, headers=ACCEPT) for _ in range(2))
    assert (first.status_code, second.status_code, "retry-after" in second.headers) == (200, 429, True)


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_there_are_no_sessions(team: Team, method: str) -> None:
    """Y-03: every message is answered for itself; there is no stream to open and no session to end."""
    answer = knock(team, team.token("acme", "shop"), "/v1/acme/shop/mcp", method=method, headers=ACCEPT)
    assert answer.status_code == 405


def test_every_call_is_in_the_list_of_accesses(team: Team, era: str) -> None:
    """Y-03: which tool was called is kept, and never what was asked."""
    before = len(accesses(team))
    call(team, team.token("acme", "shop"), "recall", era=era, prompt="a private question of quokkas")
    call(team, team.token("acme", "shop"), "show", era=era, what="MEM-none")
    made = accesses(team)[before:]
    assert ("shop", "mcp recall", 200) in made
    assert ("shop", "mcp show", 200) in made
    assert {act for _, act, _ in made} <= {"mcp", "mcp recall", "mcp show"}
    assert "quokkas" not in "".join(team.lines)
