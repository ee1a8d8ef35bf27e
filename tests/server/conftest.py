"""A team that writes through a server, for the tests of writing and of the page; others make a team of their own."""

from __future__ import annotations

import os
from itertools import count
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.server.writers import Team

_NUMBERS = count()


@pytest.fixture(scope="module", params=["postgres"])
def team(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    """A server with a folder of clones."""
    from tests.server import writers  # needs what the extra brings

    with writers.team(postgres, tmp_path_factory.mktemp("clones")) as made:
        yield made


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk of the tests is trusted, which makes them quicker."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def bank() -> str:
    """The name of a bank that no other test uses."""
    return f"acme/b{next(_NUMBERS)}"


@pytest.fixture
def clone(team: Team, bank: str) -> Path:
    """The clone of that bank, which the server may write to; its notes are pushed."""
    from tests.server import writers

    place = writers.repository(team.clones / bank)
    team.push(bank, place)
    return place


@pytest.fixture
def elsewhere(team: Team, bank: str, tmp_path: Path) -> Path:
    """A repository of that bank which the server knows nothing of; its notes are pushed."""
    from tests.server import writers

    place = writers.repository(tmp_path / "project")
    team.push(bank, place)
    return place
