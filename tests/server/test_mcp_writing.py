"""Proposing and reviewing over MCP on the team server: who is asked, who answers, and what git gets of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'tacit[server]'")
pytest.importorskip("mcp", reason="mcp is not installed: pip install 'tacit[server]'")

import httpx2
import psycopg
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import ElicitResult

from tacit import Bank
from tacit.bank import wiring
from tacit.index.asked import Settled
from tests.mcp import clients
from tests.mcp.clients import ERAS, User
from tests.server import writers
from tests.server.writers import NPM, PNPM, git, payload, tree

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path
    from typing import TypeVar

    from tests.server.writers import Team

    T = TypeVar("T")

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("trusted")]

HOST = "http://memory.example.org"


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentences are compared in English."""
    monkeypatch.setenv("TACIT_LANG", "en")


def spoken(
    team: Team,
    token: str,
    bank: str,
    act: Callable[[Client], Awaitable[T]],
    *,
    user: User | None = None,
    era: str = ERAS[1],
) -> T:
    """Return what an act with the SDK's client gives; `user` answers its forms."""

    async def run() -> T:
        transport = httpx2.ASGITransport(team.application)
        headers = {"Authorization": f"Bearer {team.tokens[token]}"}
        async with httpx2.AsyncClient(transport=transport, base_url=HOST, headers=headers) as http:
            over = streamable_http_client(f"{HOST}/v1/{bank}/mcp", http_client=http)
            async with Client(over, mode=era, elicitation_callback=user) as client:
                return await act(client)

    try:
        return asyncio.run(run())
    except BaseExceptionGroup as group:
        raise clients.alone(group) from None


def call(
    team: Team,
    token: str,
    bank: str,
    tool: str,
    *,
    user: User | None = None,
    era: str = ERAS[1],
    **arguments: object,
) -> tuple[str, dict[str, Any], bool]:
    """Return text and structured result of one call, and whether it is an error."""
    result = spoken(team, token, bank, lambda client: client.call_tool(tool, arguments), user=user, era=era)
    return result.content[0].text, result.structured_content or {}, bool(result.is_error)  # type: ignore[union-attr]


def proposed(team: Team, token: str, bank: str, *, user: User | None = None, **more: Any) -> tuple[str, dict[str, Any]]:  # noqa: ANN401  a payload's members
    """Return text and result of proposing one payload."""
    text, result, is_error = call(team, token, bank, "propose", user=user, payloads=[payload(**more)])
    assert not is_error, text
    (only,) = result["results"]
    return text, only


@pytest.mark.parametrize(
    ("role", "more"),
    [
        ("reader", []),
        ("writer", ["propose", "remember", "review"]),
        ("author", ["propose", "remember", "review"]),
        ("reviewer", ["review"]),
    ],
)
def test_a_role_is_offered_its_tools(
    team: Team, bank: str, clone: Path, tmp_path: Path, role: str, more: list[str]
) -> None:
    """V-01, Y-03: names, schemas and hints are those of `tacit mcp`; a tool of another role is not called either."""
    local = clients.talk(clients.server(tmp_path), lambda client: client.list_tools()).tools
    found = spoken(team, role, bank, lambda client: client.list_tools()).tools
    assert found == [tool for tool in local if tool.name in ("recall", "search", "show", *more)]
    for tool in {"propose", "remember", "review", "maintain", "task"} - {*more}:
        assert call(team, role, bank, tool, text="x", act="list", payloads=[payload()])[2]
    assert team.ask("reviewer", f"{bank}/proposals").json()["proposals"] == []
    assert clone.is_dir()


def test_what_an_author_confirms_in_a_form_is_a_commit(team: Team, bank: str, clone: Path) -> None:
    """V-04, Y-03: the author's client shows the question, and their yes is one commit on a branch, as by any answer."""
    user = User("confirm")
    text, result = proposed(team, "author", bank, user=user)
    assert (result["written"], len(user.asked), PNPM in user.asked[0].message) == (True, 1, True)
    branch = f"tacit/{result['proposal_id']}"
    assert branch in text
    new = set(tree(clone, branch)) - set(tree(clone, "main"))
    assert new == {f".memory/L1_declarative/{result['note_id']}.md"}
    message = git(clone, "log", "-1", "--format=%B", branch)
    assert ("Tacit-Answer: confirm" in message, ", elicitation" in message) == (True, True)
    (kept,) = team.ask("reviewer", f"{bank}/proposals").json()["proposals"]
    assert (kept["status"], kept["channel"]) == ("applied", "elicitation")
    assert kept["asked_by"] == kept["answered_by"]


def test_without_a_clone_an_authors_yes_is_a_patch(team: Team, bank: str, tmp_path: Path) -> None:
    """Y-03: the agent is told where the patch is, and `git am` takes it."""
    place = writers.repository(tmp_path / "project")
    team.push(bank, place)
    text, result = proposed(team, "author", bank, user=User("confirm"))
    assert f"proposals/{result['proposal_id']}/patch" in text
    patch = tmp_path / "answer.patch"
    patch.write_bytes(team.ask("author", f"{bank}/proposals/{result['proposal_id']}/patch").content)
    git(place, "am", "-q", "--keep-cr", "--directory=.memory", str(patch))
    assert Bank.open(place).get(result["note_id"]).decision


@pytest.mark.parametrize("answer", ["cancel", "decline"])
def test_a_form_that_was_put_away_leaves_the_question(team: Team, bank: str, clone: Path, answer: Any) -> None:  # noqa: ANN401  one of the protocol's words
    """V-04, Y-03: clients put forms away by themselves, so the question waits; a reviewer answers it."""
    text, result = proposed(team, "author", bank, user=User(ElicitResult(action=answer)))
    assert (result["written"], "reviewer" in text) == (False, True)
    told = team.answer(bank, result["proposal_id"]).json()
    assert (told["status"], told["branch"]) == ("applied", f"tacit/{result['proposal_id']}")
    assert git(clone, "rev-parse", told["branch"]).strip() == told["commit"]


@pytest.mark.parametrize(("token", "era"), [("writer", ERAS[0]), ("writer", ERAS[1]), ("author", ERAS[0])])
def test_who_cannot_be_asked_waits_for_a_reviewer(team: Team, bank: str, clone: Path, token: str, era: str) -> None:
    """V-04, Y-03: no form for a token that may not answer, nor for a client of the old protocol; the page has it."""
    user = User("confirm")
    text, result, _ = call(team, token, bank, "propose", user=user, era=era, payloads=[payload()])
    (only,) = result["results"]
    assert (user.asked, only["written"], only["decision"]) == ([], False, "new")
    assert PNPM in text
    assert "review page" in text
    assert team.answer(bank, only["proposal_id"]).json()["status"] == "applied"
    assert f"tacit/{only['proposal_id']}" in git(clone, "branch", "--list", "tacit/*")


def test_an_author_answers_nothing_but_their_own_form(team: Team, bank: str, clone: Path) -> None:
    """Y-03: not through the JSON API, and not what another token asked: that one waits on."""
    (asked,) = team.propose(bank)
    assert team.answer(bank, asked["proposal_id"], token="author").status_code == 403
    text, result = proposed(team, "author", bank, user=User("confirm"))
    assert (result["proposal_id"], result["written"]) == (asked["proposal_id"], False)
    assert "no such question" in text
    asking = team.server._hosting.asking(team.tokens["author"], *bank.split("/"))
    with asking.held(asked["proposal_id"]) as held:
        assert held is None
    _, own = proposed(team, "author", bank, user=User(ElicitResult(action="cancel")), choice=NPM)
    with asking.held(own["proposal_id"]) as held:
        assert held is not None
        with pytest.raises(psycopg.errors.CheckViolation):
            held.settle(Settled("applied", "confirm", "token"))
    assert team.shown(bank, asked["proposal_id"])["status"] == "waiting"
    assert git(clone, "branch", "--list", "tacit/*") == ""


def test_a_token_cannot_carry_on_the_talk_of_another(team: Team, bank: str, clone: Path) -> None:
    """Y-03: what a question left with one client is worth nothing in the hands of another."""

    async def ask(client: Client) -> str:
        done = await client.session.call_tool("propose", {"payloads": [payload()]}, allow_input_required=True)
        return str(done.request_state)  # type: ignore[union-attr]

    async def carry_on(client: Client) -> object:
        answers: dict[str, Any] = {"answer": clients.accepted("confirm")}
        given = {"payloads": [payload()]}
        return await client.session.call_tool(
            "propose", given, input_responses=answers, request_state=state, allow_input_required=True
        )

    state = spoken(team, "author", bank, ask, user=User("confirm"))
    team.tokens["another"] = wiring.issuer(team.url).create("acme", "", "author")[1]
    for token in ("writer", "another"):
        with pytest.raises(MCPError):
            spoken(team, token, bank, carry_on, user=User("confirm"))
    assert git(clone, "branch", "--list", "tacit/*") == ""
    spoken(team, "author", bank, carry_on, user=User("confirm"))
    assert git(clone, "branch", "--list", "tacit/*") != ""


def test_a_dry_run_leaves_nothing(team: Team, bank: str, clone: Path) -> None:
    """A-06, Y-03: what would happen is told, and nothing waits."""
    text, result, _ = call(team, "author", bank, "propose", user=User("confirm"), payloads=[payload()], dry_run=True)
    assert ([each["decision"] for each in result["results"]], result["results"][0]["proposal_id"]) == (["new"], "")
    assert text
    assert team.ask("writer", f"{bank}/proposals").json()["proposals"] == []
    assert clone.is_dir()


def test_a_remark_is_a_proposal(team: Team, bank: str, clone: Path) -> None:
    """R-03, Y-03: what the user asks to remember goes the same way."""
    remark = "Remember: release notes are written in German"
    user = User("confirm")
    _, result, is_error = call(team, "author", bank, "remember", user=user, text=remark)
    (only,) = result["results"]
    assert (is_error, only["written"], len(user.asked)) == (False, True, 1)
    assert git(clone, "log", "-1", "--format=%s", f"tacit/{only['proposal_id']}").startswith("memory: ")


def test_review_lists_what_waits(team: Team, bank: str, clone: Path) -> None:
    """V-01, Y-03: writers, authors and reviewers see the questions with their diffs."""
    (asked,) = team.propose(bank)
    for token in ("writer", "author", "reviewer"):
        text, result, _ = call(team, token, bank, "review")
        assert [each["proposal_id"] for each in result["proposals"]] == [asked["proposal_id"]]
        assert (PNPM in result["proposals"][0]["diff"], asked["proposal_id"] in text) == (True, True)
        assert (result["state"], result["role"], result["notes"], result["problems"]) == ("ON", token, 1, [])
    assert clone.is_dir()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "payload.refused"),
        ({"payloads": [payload()] * 21}, "payload.refused"),
        ({"draft": "# Tech\n", "target": "tech.md"}, "payload.refused"),
    ],
)
def test_what_cannot_be_proposed_here_is_said(
    team: Team, bank: str, clone: Path, arguments: dict[str, Any], code: str
) -> None:
    """V-02, Y-03: an error is a sentence with a code, and nothing waits."""
    text, _, is_error = call(team, "writer", bank, "propose", **arguments)
    assert (is_error, f"({code})" in text) == (True, True)
    assert team.ask("writer", f"{bank}/proposals").json()["proposals"] == []
    assert clone.is_dir()


def test_calls_are_in_the_list_of_accesses(team: Team, bank: str, clone: Path) -> None:
    """Y-03: who proposed and who looked is kept."""
    before = len(team.accesses())
    proposed(team, "author", bank, user=User("confirm"))
    call(team, "reviewer", bank, "review")
    made = team.accesses()[before:]
    assert made.count(("author", "mcp propose", 200)) == 2  # the question, and the call with the answer
    assert ("reviewer", "mcp review", 200) in made
    assert clone.is_dir()
