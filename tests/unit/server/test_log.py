"""The list of accesses behind the answers: nothing is lost while the database is away, and nobody waits for it."""

from __future__ import annotations

import threading

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'tacit[server]'")

from tacit.errors import DatabaseUnusable
from tacit.server import log
from tacit.server.log import Accesses


class Database:
    """Takes rows, unless it is away."""

    def __init__(self) -> None:
        self.rows: list = []
        self.times = 0
        self.is_away = False
        self.error: Exception = DatabaseUnusable(reason="away")
        self.was_asked = threading.Event()

    def note(self, rows: list) -> None:
        """Take rows."""
        self.was_asked.set()
        if self.is_away:
            raise self.error
        self.times += 1
        self.rows += rows


def made(database: Database) -> tuple[Accesses, list[str]]:
    """A list on its way, and the faults that it tells."""
    faults: list[str] = []
    return Accesses(database, faults.append), faults  # type: ignore[arg-type]


def test_rows_arrive_in_their_order_and_together() -> None:
    """Y-03: many accesses are few transactions."""
    database = Database()
    kept, faults = made(database)
    for number in range(500):
        kept.note("t", "acme", f"b{number}", "recall", 200)
    kept.settle()
    assert [row.bank for row in database.rows] == [f"b{number}" for number in range(500)]
    assert database.times < 50
    kept.close()
    assert faults == []


def test_what_came_while_the_database_was_away_is_noted_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: an access waits for the database, and answers do not."""
    monkeypatch.setattr(log, "_AGAIN_S", 0.0)
    database = Database()
    database.is_away = True
    kept, faults = made(database)
    kept.note("t", "acme", "shop", "recall", 200)
    assert database.was_asked.wait(30)
    assert len(kept) == 1
    database.is_away = False
    kept.settle()
    kept.close()
    assert ([row.bank for row in database.rows], faults) == (["shop"], [])


def test_a_table_that_takes_no_row_is_told_and_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: what the keeper of the database did to the list ends it for no longer than that lasts."""
    monkeypatch.setattr(log, "_AGAIN_S", 0.0)
    database = Database()
    database.is_away, database.error = True, ValueError("no partition for this row")
    told = threading.Event()
    kept = Accesses(database, lambda _: told.set())  # type: ignore[arg-type]
    kept.note("t", "acme", "shop", "recall", 200)
    assert told.wait(30)
    database.is_away = False
    kept.settle()
    kept.close()
    assert [row.bank for row in database.rows] == ["shop"]


def test_too_many_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: a list that cannot be kept is said to be cut, and so is what is left at the end."""
    monkeypatch.setattr(log, "_MOST_WAITING", 2)
    database = Database()
    database.is_away = True
    kept, faults = made(database)
    for number in range(3):
        kept.note("t", "acme", f"b{number}", "recall", 200)
    assert faults == ["an access was not noted: too many wait for the database"]
    kept.close()
    assert faults[1:] == ["2 accesses were not noted"]
