"""Recall across the banks of an organisation: a bank's own notes first, then its shares, then the organisation's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'tacit[server]'")
pytest.importorskip("starlette.testclient", exc_type=ImportError)

from tacit.index.postgres.access import MOST_BESIDE
from tests.cli.runner import tacit
from tests.notes import written
from tests.server.teams import serving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.server.teams import Team

pytestmark = pytest.mark.postgres

PROMPT = "how are invoices numbered in the ledger"
FILE = "L1_declarative/{}.md"


@pytest.fixture(scope="module", params=["postgres"])
def team(postgres: str) -> Iterator[Team]:
    """Four banks of one organisation, of which two stand beside the shop, and one of a rival."""
    with serving(postgres) as made:
        for bank, name, line in (
            ("acme/shop", "deploy", "deploy with blue green switches"),
            ("acme/common", "invoice", "invoices are numbered in the ledger by year"),
            ("acme/standards", "rotate", "rotate pager duty every monday morning"),
            ("acme/hidden", "hidden", "hidden plans of pager duty and invoices in the ledger"),
            ("rival/common", "rival", "rival invoices are numbered in the ledger"),
        ):
            made.push(bank, {FILE.format(name): written(name, line)})
        made.arrangement.add("acme", "shop", "common")
        made.arrangement.add("acme", "", "standards")
        made.arrangement.add("acme", "shop", "never-pushed")
        made.arrangement.add("rival", "", "common")
        yield made


def heard(team: Team, secret: str, bank: str, prompt: str) -> list[tuple[str, str]]:
    """Return id and file of each note that is recalled."""
    answer = team.ask(secret, bank, "recall", {"prompt": prompt})
    assert answer.status_code == 200
    return [(each["id"], each["file"]) for each in answer.json()["notes"]]


def test_the_share_of_a_bank_is_heard(team: Team) -> None:
    """Y-03: a token for one bank hears the bank that its owner put beside it, named as what it is."""
    reader = team.token("acme", "shop")
    assert heard(team, reader, "acme/shop", PROMPT) == [("MEM-invoice", "common/L1_declarative/invoice.md")]
    said = team.ask(reader, "acme/shop", "recall", {"prompt": PROMPT}).json()["injection"]
    assert said.endswith("[MEM-invoice] common/L1_declarative/invoice.md")
    found = team.ask(reader, "acme/shop", "search", {"query": PROMPT}).json()["notes"]
    assert [each["id"] for each in found] == ["MEM-invoice"]


def test_the_bank_of_the_organisation_is_heard_everywhere(team: Team) -> None:
    """Y-03: what stands beside all banks of an organisation is heard in each of them, and in itself once."""
    prompt = "when do we rotate pager duty"
    expected = [("MEM-rotate", "standards/L1_declarative/rotate.md")]
    assert heard(team, team.token("acme", "shop"), "acme/shop", prompt) == expected
    assert heard(team, team.token("acme", "common"), "acme/common", prompt) == expected
    own = heard(team, team.token("acme", "standards"), "acme/standards", prompt)
    assert own == [("MEM-rotate", "L1_declarative/rotate.md")]


def test_a_bank_beside_cannot_be_asked_by_itself(team: Team) -> None:
    """Y-03: hearing a bank is no right to it: neither its files, nor a search in it, nor a push."""
    writer = team.token("acme", "shop", "writer")
    assert team.ask(writer, "acme/common", "search", {"query": PROMPT}).status_code == 404
    push = {"commit": "", "put": {FILE.format("x"): written("x", "y")}, "drop": []}
    assert team.ask(writer, "acme/common", "notes", push).status_code == 404


def test_what_does_not_stand_beside_is_not_heard(team: Team) -> None:
    """Y-03: neither another bank of the organisation, nor the share of a share, nor a namesake elsewhere."""
    team.arrangement.add("acme", "common", "hidden")
    try:
        found = team.ask(team.token("acme", "shop"), "acme/shop", "search", {"query": f"{PROMPT} hidden plans rival"})
        assert {each["id"] for each in found.json()["notes"]} == {"MEM-invoice"}
        assert heard(team, team.token("acme"), "acme/common", "hidden plans of pager duty")[0][0] == "MEM-hidden"
    finally:
        team.arrangement.remove("acme", "common", "hidden")


def test_the_nearest_wins_on_the_same_id(team: Team) -> None:
    """Y-03: project over share over organisation, even where the nearer note is archived or does not fit."""
    reader = team.token("acme", "shop")
    wins = "tabs indent every yaml file of ours"
    for bank in ("common", "standards"):
        team.push(f"acme/{bank}", {FILE.format("tabs"): written("tabs", f"{wins} says {bank}")})
    assert heard(team, reader, "acme/shop", wins) == [("MEM-tabs", "common/L1_declarative/tabs.md")]
    team.push("acme/shop", {FILE.format("tabs"): written("tabs", "nothing of the kind", status="archive")})
    assert heard(team, reader, "acme/shop", wins) == []
    for bank in ("shop", "common", "standards"):
        team.push(f"acme/{bank}", {}, (FILE.format("tabs"),))


def test_a_parted_bank_is_heard_no_more(team: Team) -> None:
    """Y-03: what the owner takes away is gone with the next request."""
    reader = team.token("acme", "pay")
    team.push("acme/pay", {FILE.format("pay"): written("pay", "cards are charged at noon")})
    assert team.arrangement.add("acme", "pay", "common")
    assert heard(team, reader, "acme/pay", PROMPT)
    assert team.arrangement.remove("acme", "pay", "common")
    assert not team.arrangement.remove("acme", "pay", "common")
    assert heard(team, reader, "acme/pay", PROMPT) == []


def test_only_so_many_stand_beside_a_bank(team: Team) -> None:
    """Y-03: each bank beside another costs every prompt time, so their number has a limit."""
    added = [team.arrangement.add("acme", "crowd", f"bank{number}") for number in range(MOST_BESIDE + 1)]
    assert added == [True] * MOST_BESIDE + [False]
    assert team.arrangement.add("acme", "crowd", "bank0")


def test_the_command_says_who_is_heard(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: the owner puts banks beside each other by command, sees them, and parts them."""
    monkeypatch.setenv("TACIT_POSTGRES_URL", team.url)
    made = tacit("beside", "add", "globex", "common", "shop", "--json")
    assert made.document == {
        "schema": "tacit.beside-add/1",
        "organisation": "globex",
        "bank": "shop",
        "other": "common",
        "heard": True,
    }
    assert tacit("beside", "add", "globex", "house").code == 0
    listed = [each for each in tacit("beside", "list", "--json").document["beside"] if each["organisation"] == "globex"]
    assert [(each["bank"], each["other"]) for each in listed] == [("", "house"), ("shop", "common")]
    assert tacit("beside", "remove", "globex", "common", "shop").code == 0
    assert tacit("beside", "remove", "globex", "common", "shop").code == 2
    assert tacit("beside", "add", "globex", "shop", "shop").code == 2
    assert tacit("beside", "add", "globex", "Bad Name").code == 2
