"""A bank whose index is kept in PostgreSQL: the same commands, the same answers."""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from evals import sets
from evals.backends import differences
from tacit import Bank
from tacit.bank import wiring
from tacit.errors import DatabaseUnusable
from tests.cli.runner import tacit
from tests.notes import note
from tests.postgres import database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module", params=["postgres"])
def url(postgres: str) -> Iterator[str]:
    """A database of its own."""
    with database(postgres) as made:
        yield made
        wiring._door(made).close()
        wiring._door.cache_clear()


@pytest.fixture(autouse=True)
def named(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment names it."""
    monkeypatch.setenv(wiring.POSTGRES_URL, url)


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    """A bank with its index in the database."""
    made = Bank.init(tmp_path / ".memory")
    made.add([note("deploy", "deploy with blue green switches"), note("database", "postgres keeps the invoices")])
    made.set_setting("index.backend", "postgres")
    return Bank.open(made.root)


def test_the_same_notes_are_injected(tmp_path: Path) -> None:
    """Y-03: for at least 99 % of the project's own prompts the same notes are injected as with the file."""
    for name, cases in (("own", sets.own()), ("fresh", sets.fresh())):
        for case in cases:
            found = differences(case, tmp_path / name)
            assert len(found) <= 0.01 * len(case.prompts), found


def test_a_bank_is_searched_in_the_database(bank: Bank) -> None:
    """Y-03: search, new notes and deleted files go through the database, and no file is made."""
    assert [hit.id for hit in bank.search("invoices")] == ["MEM-database"]
    bank.add([note("queue", "kafka carries invoices")])
    assert {hit.id for hit in bank.search("invoices")} == {"MEM-database", "MEM-queue"}
    assert not (bank.root / ".local" / "index.db").exists()
    assert bank.index_status().documents == 3
    assert bank.index_status().damage == ()


def test_copies_of_a_bank_do_not_mix(bank: Bank, tmp_path: Path) -> None:
    """Y-03: a copy of the whole folder is a bank of its own in the database."""
    import shutil

    assert bank.index_status().documents == 2 or bank.search("invoices")
    copied = tmp_path / "copy" / ".memory"
    shutil.copytree(bank.root, copied)
    other = Bank.open(copied)
    other.add([note("queue", "kafka carries invoices")])
    assert {hit.id for hit in other.search("invoices")} == {"MEM-database", "MEM-queue"}
    assert [hit.id for hit in bank.search("invoices")] == ["MEM-database"]


def test_a_rebuild_and_a_purge_empty_the_database(bank: Bank) -> None:
    """T-05: what is destroyed is gone from the database too."""
    assert bank.search("invoices")
    bank.rebuild_index()
    assert [hit.id for hit in bank.search("invoices")] == ["MEM-database"]
    bank.purge("MEM-database")
    index = wiring.shared_index(bank._store.layout)
    assert index is not None
    assert index.known() == {}
    assert bank.search("invoices") == []


def test_a_purge_is_told_of_a_database_that_nobody_named(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-05: nothing is called destroyed while a database that the environment does not name may hold it."""
    assert bank.search("invoices")
    monkeypatch.delenv(wiring.POSTGRES_URL)
    with pytest.raises(DatabaseUnusable, match="TACIT_POSTGRES_URL is not set"):
        bank.purge("MEM-database")
    assert [each.id for each in bank.notes()] == ["MEM-database", "MEM-deploy"]


def test_an_index_that_moves_leaves_nothing_where_it_was(bank: Bank) -> None:
    """T-05, Y-03: a bank that goes back to a file has no rows in the database that a later purge would not reach."""
    assert bank.search("invoices")
    index = wiring.shared_index(bank._store.layout)
    assert index is not None
    assert tacit("index", "rebuild", "--backend", "sqlite", "--bank", str(bank.root)).code == 0
    assert index.known() == {}
    assert [hit.id for hit in Bank.open(bank.root).search("invoices")] == ["MEM-database"]


def test_without_an_address_the_file_answers(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: who has cloned such a bank and no database works on with a file."""
    monkeypatch.delenv(wiring.POSTGRES_URL)
    again = Bank.open(bank.root)
    assert [hit.id for hit in again.search("invoices")] == ["MEM-database"]
    assert (bank.root / ".local" / "index.db").exists()


def test_a_database_that_does_not_answer(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: a search says clearly what is wrong; recall stays silent and hinders nobody."""
    monkeypatch.setenv(wiring.POSTGRES_URL, "postgresql://nobody@/nothing?host=/nowhere")
    again = Bank.open(bank.root)
    with pytest.raises(DatabaseUnusable):
        again.search("invoices")
    assert again.recall("where are the invoices").abstained
    found = tacit("doctor", "--json", "--bank", str(bank.root)).document
    assert [each["ok"] for each in found["checks"] if each["name"] == "database"] == [False]


def test_a_database_that_was_away_keeps_nobody_waiting_again(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03, W-02: after one try a process leaves such a database alone for a while; others are asked as ever."""
    tries: list[str] = []

    def hang_up() -> None:
        with suppress(OSError):
            while True:
                with away.accept()[0]:
                    tries.append("one")

    with socket.create_server(("127.0.0.1", 0)) as away:
        thread = Thread(target=hang_up)
        thread.start()
        monkeypatch.setenv(wiring.POSTGRES_URL, f"postgresql://nobody@127.0.0.1:{away.getsockname()[1]}/nothing")
        assert Bank.open(bank.root).recall("where are the invoices").abstained
        first = len(tries)
        assert Bank.open(bank.root).recall("where are the invoices").abstained
        assert len(tries) == first > 0
        away.shutdown(socket.SHUT_RDWR)
        thread.join()
