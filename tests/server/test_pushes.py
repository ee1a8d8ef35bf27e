"""Pushes of one bank at the same time, and banks that such pushes damaged: commit, index and contents stay one."""

from __future__ import annotations

import hashlib
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'tacit[server]'")
pytest.importorskip("starlette.testclient", exc_type=ImportError)

from starlette.testclient import TestClient  # noqa: E402  as above

from tests.notes import written  # noqa: E402  as above

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.server.app import Server
    from tests.server.writers import Team

pytestmark = pytest.mark.postgres

FILE = "L1_declarative/bread.md"
OTHER = "details/flour.md"
GRAMS, OUNCES = written("bread", "weigh the flour in grams"), written("bread", "weigh the flour in ounces")
SECTIONS = "# Rye\n\ndark flour\n\n# Wheat\n\nlight flour\n"


def sent(team: Team, server: Server, bank: str, commit: str, put: dict[str, str], *drop: str, **members: object) -> int:
    """The status of a push to one of several servers over one database."""
    headers = {"Authorization": f"Bearer {team.tokens['writer']}"}
    body = {"commit": commit, "put": put, "drop": drop, **members}
    return TestClient(server.application()).post(f"/v1/{bank}/notes", json=body, headers=headers).status_code


def known(team: Team, bank: str) -> dict[str, Any]:
    """The commit and the files that the server says it has."""
    found: dict[str, Any] = team.ask("writer", f"{bank}/notes").json()
    return found


def lines(team: Team, bank: str) -> list[str]:
    """What the index finds."""
    return [each["one_liner"] for each in team.ask("reader", f"{bank}/search", {"query": "flour"}).json()["notes"]]


def synced(team: Team, bank: str, files: dict[str, str]) -> None:
    """Push as a client does: what is known otherwise is sent, what is known and gone is dropped."""
    has = known(team, bank)["files"]
    put = {file: text for file, text in files.items() if has.get(file) != digest(text)}
    assert sent(team, team.server, bank, "ef", put, *(file for file in has if file not in files)) == 200
    assert known(team, bank) == {"commit": "ef", "files": {file: digest(text) for file, text in files.items()}}


def digest(text: str) -> str:
    """What a content is known by."""
    return hashlib.sha256(text.encode()).hexdigest()


def damage(team: Team, statement: str) -> None:
    """Change a table behind the server's back."""
    with psycopg.connect(team.url, autocommit=True) as owner:
        owner.execute(statement)


@pytest.fixture
def meanwhile(team: Team, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], Thread]:
    """Let something happen while the next push is half done: it ends then, or waits for that push."""

    def arrange(act: Callable[[], object]) -> Thread:
        source = team.server.writing.source
        keep = source.keep
        thread = Thread(target=act)

        def slow(*given: Any) -> object:  # noqa: ANN401  as it is given
            monkeypatch.setattr(source, "keep", keep)
            thread.start()
            thread.join(1)
            return keep(*given)

        monkeypatch.setattr(source, "keep", slow)
        return thread

    return arrange


@pytest.mark.parametrize("same_process", [True, False])
def test_the_later_of_two_pushes_wins_in_all_things(
    team: Team, bank: str, meanwhile: Callable[[Callable[[], object]], Thread], *, same_process: bool
) -> None:
    """Y-03: a push waits for another one of its bank, in whichever process; a dropped note stays dropped."""
    second = team.server if same_process else team.another()
    assert sent(team, team.server, bank, "aa", {FILE: GRAMS}) == 200
    codes: list[int] = []
    thread = meanwhile(lambda: codes.append(sent(team, second, bank, "cc", {}, FILE)))
    assert sent(team, team.server, bank, "bb", {FILE: OUNCES, OTHER: SECTIONS}) == 200
    thread.join()
    assert codes == [200]
    assert known(team, bank) == {"commit": "cc", "files": {OTHER: digest(SECTIONS)}}
    assert sorted(lines(team, bank)) == ["dark flour", "light flour"]
    if not same_process:
        second.close()


def test_nobody_sees_half_a_push(team: Team, bank: str, meanwhile: Callable[[Callable[[], object]], Thread]) -> None:
    """Y-03: until a push is done its bank answers as before, and other banks are pushed."""
    assert sent(team, team.server, bank, "aa", {FILE: GRAMS}) == 200
    seen: list[object] = []
    other = f"{bank}-other"

    def look() -> None:
        seen.extend((known(team, bank)["commit"], lines(team, bank)))
        seen.append(sent(team, team.server, other, "aa", {FILE: OUNCES}))

    thread = meanwhile(look)
    assert sent(team, team.server, bank, "bb", {FILE: OUNCES}) == 200
    thread.join()
    assert seen == ["aa", ["weigh the flour in grams"], 200]
    assert lines(team, bank) == ["weigh the flour in ounces"]


def test_a_push_builds_on_the_commit_it_names(team: Team, bank: str) -> None:
    """Y-03: two that read the same state do not mix; of the same commit each may send what is missing."""
    assert sent(team, team.server, bank, "aa", {FILE: GRAMS}, base="") == 200
    assert sent(team, team.server, bank, "bb", {FILE: OUNCES}, base="aa") == 200
    before = known(team, bank)
    assert sent(team, team.server, bank, "cc", {OTHER: SECTIONS}, base="aa") == 409
    assert sent(team, team.server, bank, "cc", {OTHER: SECTIONS}, base="") == 409
    assert known(team, bank) == before
    assert sent(team, team.server, bank, "bb", {OTHER: SECTIONS}, base="aa") == 200
    assert sent(team, team.server, bank, "cc", {}, OTHER, base="bb") == 200
    assert [sent(team, team.server, bank, "dd", {}, base=base) for base in (7, None, "x")] == [400, 400, 400]


def test_a_push_that_fails_changes_nothing(team: Team, bank: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: the commit does not move ahead of the notes, and the next push is taken."""
    assert sent(team, team.server, bank, "aa", {FILE: GRAMS}) == 200
    before = known(team, bank)
    with monkeypatch.context() as broken:
        broken.setattr(team.server.writing.source, "keep", None)
        assert sent(team, team.server, bank, "bb", {FILE: OUNCES}) == 500
    assert (known(team, bank), lines(team, bank)) == (before, ["weigh the flour in grams"])
    assert sent(team, team.server, bank, "bb", {FILE: OUNCES}) == 200
    assert lines(team, bank) == ["weigh the flour in ounces"]


@pytest.mark.parametrize("files", [{FILE: GRAMS, OTHER: SECTIONS}, {FILE: GRAMS}, {OTHER: SECTIONS}, {}])
@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM tacit.contents",
        "UPDATE tacit.contents SET digest = 'x', content = 'y'",
        "UPDATE tacit.documents SET digest = 'x'",
        "UPDATE tacit.documents SET digest = 'x' WHERE key LIKE '%#2'",
    ],
)
def test_the_next_push_heals(team: Team, bank: str, statement: str, files: dict[str, str]) -> None:
    """Y-03: where index and contents fell apart, the next push brings both to what git has."""
    assert sent(team, team.server, bank, "aa", {FILE: GRAMS, OTHER: SECTIONS}) == 200
    damage(team, statement)
    assert "" in known(team, bank)["files"].values()
    synced(team, bank, files)
    expected = ["weigh the flour in grams"] * (FILE in files) + ["dark flour", "light flour"] * (OTHER in files)
    assert sorted(lines(team, bank)) == sorted(expected)


def test_what_the_index_lost_is_sent_again(team: Team, bank: str) -> None:
    """Y-03: a note that is kept and not found is brought back; an empty detail changes nothing however often."""
    files = {FILE: GRAMS, "details/empty.md": "\n"}
    assert sent(team, team.server, bank, "aa", files) == 200
    organisation, name = bank.split("/")
    number = team.server._let_in((team.tokens["writer"], organisation, name)).found()
    team.server._hosting.index(number).update([], [FILE])
    assert set(known(team, bank)["files"].values()) == {""}
    answer = team.ask("writer", f"{bank}/notes", {"commit": "bb", "put": files, "drop": []}).json()
    assert answer["changed"] == [FILE]
    assert lines(team, bank) == ["weigh the flour in grams"]


def test_what_is_sent_and_dropped_at_once_is_there(team: Team, bank: str) -> None:
    """Y-03: index and contents understand a push that contradicts itself in the same way."""
    for _ in range(2):
        assert sent(team, team.server, bank, "aa", {FILE: GRAMS}, FILE) == 200
        assert known(team, bank)["files"] == {FILE: digest(GRAMS)}
        assert lines(team, bank) == ["weigh the flour in grams"]
