"""The commands of the team server, as processes: tokens are made, notes pushed, and the server ends when told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from tacit import Bank
from tacit.bank import wiring
from tacit.formats import native
from tests.cli.runner import tacit, write
from tests.notes import note
from tests.postgres import database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'tacit[server]'")
pytestmark = pytest.mark.postgres
SERVE = "from tacit.cli import main; raise SystemExit(main())"


@pytest.fixture(params=["postgres"])
def url(postgres: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A database of its own, which the environment names as its owner."""
    with database(postgres) as made:
        monkeypatch.setenv(wiring.POSTGRES_URL, made)
        yield made


@pytest.fixture
def address(url: str, postgres: str) -> Iterator[str]:
    """A running server, as a login of its own."""
    from psycopg.conninfo import make_conninfo

    login = f"tacit_server_{uuid4().hex[:8]}"
    tacit("token", "list")  # makes the tables
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute(f"CREATE ROLE {login} LOGIN IN ROLE tacit_member")
    serving = subprocess.Popen(
        [sys.executable, "-c", SERVE, "serve", "--port", "0"],
        env={**os.environ, "TACIT_LANG": "en", wiring.POSTGRES_URL: make_conninfo(url, user=login)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert serving.stdout is not None
    try:
        said = serving.stdout.readline().decode()
        yield said.split()[2].removesuffix(";")
        serving.send_signal(signal.SIGTERM)
        assert serving.wait(60) in (0, -signal.SIGTERM)
    finally:
        serving.kill()
        serving.wait()
        serving.stdout.close()
        with psycopg.connect(url, autocommit=True) as owner:
            owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s", (login,))
        with psycopg.connect(postgres, autocommit=True) as owner:
            owner.execute(f"DROP ROLE {login}")


@pytest.fixture
def bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bank:
    """A bank in a git project, with one note committed and one not."""
    monkeypatch.chdir(tmp_path)
    git("init", "-q")
    made = Bank.init(tmp_path / ".memory")
    made.add([note("deploy", "deploy with blue green switches")])
    git("add", "-A")
    git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "one")
    made.add([note("later", "not committed yet")])
    return made


def git(*words: str) -> None:
    """Run git here."""
    subprocess.run(["git", *words], check=True)


@pytest.mark.usefixtures("bank")
def test_notes_of_a_commit_are_pushed(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: what is committed reaches the server, once; what is not committed does not."""
    made = tacit("token", "create", "acme", "shop", "--role", "writer", "--json").document
    monkeypatch.setenv("TACIT_TOKEN", made["secret"])
    first = tacit("push", f"{address}/acme/shop", "--json")
    assert (first.code, first.document["changed"], first.document["refused"]) == (0, 1, {})
    assert tacit("push", f"{address}/acme/shop", "--json").document["changed"] == 0
    git("rm", "-q", "-r", "--cached", ".memory")
    git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "two")
    assert tacit("push", f"{address}/acme/shop", "--json").document["dropped"] == 1
    assert tacit("push", f"{address}/acme/shop", "--commit", "HEAD~1", "--json").document["changed"] == 1
    assert tacit("push", f"{address}/acme/other").error_code == "foreign.refused"
    assert tacit("token", "revoke", made["token"]).code == 0
    assert tacit("push", f"{address}/acme/shop").error_code == "foreign.refused"


def test_a_push_says_what_it_leaves_out(bank: Bank, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """D-02: a detail that is a secret by its name stays here, and is named; the others are pushed."""
    monkeypatch.setenv(
        "TACIT_TOKEN", tacit("token", "create", "acme", "shop", "--role", "writer", "--json").document["secret"]
    )
    write(bank.root / "details/secrets.md", "# Secrets\n\npineapple\n")
    write(bank.root / "details/fruit.md", "# Fruit\n\npineapple\n")
    git("add", "-f", ".memory/details")
    git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "two")
    done = tacit("push", f"{address}/acme/shop", "--json")
    why = "by its name it holds secrets, and is not pushed"
    assert (done.code, done.document["changed"], done.document["refused"]) == (1, 2, {"details/secrets.md": why})
    assert f"details/secrets.md: {why}" in done.err


def test_the_notes_of_the_share_go_along(bank: Bank, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-01, Y-03: what the team's repository says at the commit of its submodule is heard from the server too."""
    monkeypatch.setenv(
        "TACIT_TOKEN", tacit("token", "create", "acme", "team", "--role", "writer", "--json").document["secret"]
    )
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always")
    share = bank.root / "share"
    write(share / "L1_declarative/MEM-reviews.md", native.compose(note("reviews", "ask two people")).decode())
    write(share / "README.md", "the team's\n")
    git("init", "-q", ".memory/share")
    for words in (("add", "-A"), ("commit", "-qm", "one")):
        git(*identity, "-C", ".memory/share", *words)
    git(*identity, "submodule", "--quiet", "add", "./.memory/share", ".memory/share")
    git(*identity, "commit", "-qm", "two")
    write(share / "L1_declarative/MEM-later.md", native.compose(note("later", "not committed")).decode())
    assert tacit("push", f"{address}/acme/team", "--json").document["changed"] == 2
    known = tacit("push", f"{address}/acme/team", "--json").document
    assert (known["changed"], known["dropped"], known["refused"]) == (0, 0, {})


@pytest.mark.usefixtures("bank", "url")
@pytest.mark.parametrize(
    "place",
    [
        "http://example.org/acme/shop",
        "https://example.org/acme",
        "ftp://a/b/c",
        "x",
        "https://ada:lovelace@example.org/acme/shop",
    ],
)
def test_a_token_is_sent_in_secret_only(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: an address without TLS on another machine, or with a password, is refused before anything is sent."""
    monkeypatch.setenv("TACIT_TOKEN", "tacit_x")
    done = tacit("push", place)
    assert (done.error_code, "lovelace" in done.err) == ("foreign.refused", False)
    monkeypatch.delenv("TACIT_TOKEN")
    assert "TACIT_TOKEN" in tacit("push", place).err


@pytest.mark.usefixtures("url")
def test_tokens_are_listed_without_their_secrets() -> None:
    """Y-03: a list shows whom tokens are for; a name that is none is said."""
    made = tacit("token", "create", "acme", "--json").document
    listed = tacit("token", "list", "--json")
    assert made["secret"] not in listed.out
    assert [(each["token"], each["bank"], each["role"]) for each in listed.document["tokens"]] == [
        (made["token"], "", "reader")
    ]
    assert tacit("token", "revoke", "nobody").code == 2
    assert tacit("token", "create", "Bad Name").code == 2


@pytest.mark.usefixtures("url")
@pytest.mark.parametrize("words", ["token create acme", "beside add acme standards", "beside remove acme standards"])
def test_an_empty_name_is_not_every_bank(words: str) -> None:
    """Y-03: a variable that is not set gives no right to a whole organisation; leaving the bank out does."""
    done = tacit(*words.split(), "")
    assert (done.code, "it is empty" in done.err) == (2, True)
    group = words.partition(" ")[0]
    assert [each for each in tacit(group, "list", "--json").document.values() if isinstance(each, list)] == [[]]
    assert tacit(*words.replace("remove", "add").split()).code == 0


def test_a_server_says_what_it_lacks(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: a superuser's login and a missing address are refused with a code."""
    assert (tacit("serve", "--port", "0").code, url != "") == (13, True)
    monkeypatch.delenv(wiring.POSTGRES_URL)
    assert tacit("serve").error_code == "database.unusable"
    assert tacit("token", "list").error_code == "database.unusable"
