"""Writes through the team server: asked by an agent's token, answered by a person's, and kept by git."""

from __future__ import annotations

import pytest

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'tacit[server]'")
pytest.importorskip("starlette.testclient", exc_type=ImportError)

from typing import TYPE_CHECKING  # noqa: E402  only where they can be had

from tests.server import writers  # noqa: E402  as above
from tests.server.writers import NPM, PNPM, Team, git, payload  # noqa: E402  as above

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module", params=["postgres"])
def team(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    """A server whose folder of clones is empty at first."""
    with writers.team(postgres, tmp_path_factory.mktemp("clones")) as made:
        yield made


@pytest.fixture
def cloned(team: Team, request: pytest.FixtureRequest) -> tuple[str, Path]:
    """A bank with a clone that the server may write to, pushed."""
    name = f"b{abs(hash(request.node.name)) % 10**8}"
    place = writers.repository(team.clones / "acme" / name)
    team.push(f"acme/{name}", place)
    return f"acme/{name}", place


def test_an_answer_becomes_a_commit_on_a_branch(team: Team, cloned: tuple[str, Path]) -> None:
    """Y-03: what an agent proposes waits, what a person confirms is a commit, and the index waits for a push."""
    bank, place = cloned
    head = git(place, "rev-parse", "HEAD").strip()
    (result,) = team.propose(bank)
    assert (result["written"], result["decision"]) == (False, "new")
    shown = team.shown(bank, result["proposal_id"])
    assert PNPM in shown["diff"]
    done = team.answer(bank, result["proposal_id"])
    assert done.status_code == 200, done.text
    told = done.json()
    print(told, git(place, "log", "-p", "--all"))
    assert told["branch"] == f"tacit/{result['proposal_id']}"
    assert git(place, "rev-parse", f"{told['branch']}~1").strip() == head
