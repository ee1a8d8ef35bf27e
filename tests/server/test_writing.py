"""Writes through the team server: asked by an agent's token, answered by a person's, once and as shown."""

from __future__ import annotations

import pytest

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'tacit[server]'")
pytest.importorskip("starlette.testclient", exc_type=ImportError)

from concurrent.futures import ThreadPoolExecutor  # noqa: E402  as above
from typing import TYPE_CHECKING  # noqa: E402  as above

from starlette.testclient import TestClient  # noqa: E402  as above

from tacit import Bank  # noqa: E402  as above
from tacit.bank import wiring  # noqa: E402  as above
from tacit.index.asked import Settled  # noqa: E402  as above
from tests.notes import note  # noqa: E402  as above
from tests.server import writers  # noqa: E402  as above
from tests.server.writers import NPM, Team, git, payload, tree  # noqa: E402  as above

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("trusted")]


@pytest.mark.parametrize("token", ["writer", "reader", "rival-reviewer", "rival-writer"])
def test_an_agents_token_answers_nothing(team: Team, bank: str, clone: Path, token: str) -> None:
    """Y-03: only a reviewer's token of this bank answers; whoever asked does not, and the question waits on."""
    proposal = team.propose(bank)[0]["proposal_id"]
    done = team.answer(bank, proposal, token=token)
    assert done.status_code == (404 if token.startswith("rival") else 403)
    assert team.shown(bank, proposal)["status"] == "waiting"
    assert "tacit/" not in git(clone, "branch", "--list")
    assert team.accesses()[-2][1:] == ("answer", done.status_code) or token.startswith("rival")


@pytest.mark.usefixtures("elsewhere")
def test_the_database_takes_no_answer_of_an_agent(team: Team, bank: str) -> None:
    """Y-03: even past the server's own look at roles, a writer's token settles nothing, nor does no token."""
    proposal = team.propose(bank)[0]["proposal_id"]
    hosting = wiring.Hosting(team.login, most=1)
    for token in ("writer", "reader", "rival-reviewer"):
        with hosting.asking(team.tokens[token], *bank.split("/")).held(proposal) as held:
            assert held is None
    with hosting.asking(team.tokens["reviewer"], *bank.split("/")).held(proposal) as held:
        assert held is not None
        held._who = (b"", *bank.split("/"))  # type: ignore[assignment]
        held.settle(Settled("applied", "confirm", "token"))
    with pytest.raises(psycopg.errors.InsufficientPrivilege), hosting.door.outside() as asking:
        asking.execute("UPDATE proposals SET status = 'applied'")
    hosting.door.close()
    assert team.shown(bank, proposal)["status"] == "waiting"


@pytest.mark.usefixtures("elsewhere")
def test_a_reviewer_proposes_nothing(team: Team, bank: str) -> None:
    """Y-03: who answers does not ask, so nobody answers themselves; a reader sees no question."""
    for token in ("reviewer", "reader"):
        done = team.ask(token, f"{bank}/proposals", {"payloads": [payload()]})
        assert (done.status_code, done.json()["error"]["code"]) == (403, "role.refused")
    assert team.ask("reader", f"{bank}/proposals").status_code == 403
    assert team.ask("reviewer", f"{bank}/notes", {"commit": "", "put": {}, "drop": []}).status_code == 403
    assert team.ask("rival-reviewer", f"{bank}/proposals").status_code == 404


@pytest.mark.parametrize("option", ["confirm", "cancel"])
def test_an_answer_counts_once(team: Team, bank: str, clone: Path, option: str) -> None:
    """Y-03: the same answer again, or another one, is told that the question waits no more."""
    proposal = team.propose(bank)[0]["proposal_id"]
    shown = team.shown(bank, proposal)["digest"]
    assert team.answer(bank, proposal, option).status_code == 200
    branches = git(clone, "branch", "--list")
    for again in ("confirm", "cancel"):
        done = team.answer(bank, proposal, again, shown=shown)
        assert (done.status_code, done.json()["error"]["code"]) == (409, "question.settled")
    assert git(clone, "branch", "--list") == branches
    found = team.shown(bank, proposal)
    assert (found["status"], found["option"], found["channel"]) == (
        "applied" if option == "confirm" else "declined",
        option,
        "token",
    )
    assert found["asked_by"] != found["answered_by"] != ""


@pytest.mark.usefixtures("elsewhere")
def test_an_answer_can_come_too_late(team: Team, bank: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: a question that has expired is not answered."""
    proposal = team.propose(bank)[0]["proposal_id"]
    shown = team.shown(bank, proposal)["digest"]
    monkeypatch.setattr(team, "now", "2026-12-24T08:00:00Z")
    assert team.shown(bank, proposal)["status"] == "expired"
    done = team.answer(bank, proposal, shown=shown)
    assert (done.status_code, "expired" in done.text) == (409, True)
    (again,) = team.propose(bank)
    assert again["proposal_id"] not in ("", proposal)


FORGED = [
    ({"shown": "0" * 64}, 409, "proposal.void"),
    ({"shown": ""}, 400, "payload.refused"),
    ({"option": "both"}, 400, "answer.refused"),
    ({"option": "show_diff"}, 400, "answer.refused"),
    ({"option": ""}, 400, "answer.refused"),
    ({"option": ["confirm"]}, 400, "payload.refused"),
]


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(("members", "status", "code"), FORGED)
def test_a_forged_answer_changes_nothing(team: Team, bank: str, members: object, status: int, code: str) -> None:
    """Y-03: an answer is bound to what was shown, and is one of its options."""
    proposal = team.propose(bank)[0]["proposal_id"]
    done = team.answer(bank, proposal, **members)  # type: ignore[arg-type]
    assert (done.status_code, done.json()["error"]["code"]) == (status, code)
    assert team.shown(bank, proposal)["status"] == "waiting"


@pytest.mark.usefixtures("elsewhere")
def test_a_question_of_another_bank_is_none(team: Team, bank: str, tmp_path: Path) -> None:
    """Y-03: a question is answered where it was asked, and ids that are none are not found."""
    other = f"{bank}-other"
    team.push(other, writers.repository(tmp_path / "other"))
    proposal = team.propose(bank)[0]["proposal_id"]
    shown = team.shown(bank, proposal)["digest"]
    for place, one in ((other, proposal), (bank, "P-nothing"), (bank, "%00"), (bank, "' OR true --")):
        done = team.ask("reviewer", f"{place}/proposals/{one}/answer", {"option": "confirm", "shown": shown})
        assert done.status_code == 404
        assert team.ask("reviewer", f"{place}/proposals/{one}").status_code == 404


@pytest.mark.usefixtures("elsewhere")
def test_a_question_that_was_tampered_with_is_void(team: Team, bank: str) -> None:
    """Y-03: who changes a question in the database changes its digest, and the answer does not fit."""
    proposal = team.propose(bank)[0]["proposal_id"]
    shown = team.shown(bank, proposal)["digest"]
    with psycopg.connect(team.url, autocommit=True) as owner:
        owner.execute(
            "UPDATE tacit.proposals SET content = convert_to(replace(convert_from(content, 'UTF8'), 'pnpm', 'evil'),"
            " 'UTF8') WHERE proposal = %s",
            (proposal,),
        )
    done = team.answer(bank, proposal, shown=shown)
    assert (done.status_code, done.json()["error"]["code"]) == (409, "proposal.void")
    assert team.shown(bank, proposal)["status"] == "void"
    assert team.propose(bank, payload(NPM))[0]["proposal_id"] != ""


def test_a_bank_that_changed_is_asked_anew(team: Team, bank: str, clone: Path) -> None:
    """Y-03: where the pushed notes make the decision another one, the approval is void and it is asked again."""
    proposal = team.propose(bank)[0]["proposal_id"]
    Bank.open(clone / ".memory").add([note("npm", f"when {writers.SCENE}, {NPM}")])
    writers.committed(clone)
    team.push(bank, clone)
    told = team.answer(bank, proposal).json()
    assert (told["status"], told["branch"], told["proposal"] != proposal) == ("asked_again", "", True)
    old = team.shown(bank, proposal)
    assert (old["status"], old["successor"]) == ("void", told["proposal"])
    new = team.shown(bank, told["proposal"])
    assert (new["status"], new["asked_by"]) == ("waiting", old["asked_by"])
    assert "tacit/" not in git(clone, "branch", "--list")
    done = team.answer(bank, told["proposal"], "take_new").json()
    assert done["superseded"] == ["MEM-npm"]
    assert git(clone, "rev-parse", f"{done['branch']}~1") == git(clone, "rev-parse", "main")


def test_a_change_that_does_not_matter_voids_nothing(team: Team, bank: str, clone: Path) -> None:
    """Y-03: the answer holds on the newer commit where the decision is the same."""
    proposal = team.propose(bank)[0]["proposal_id"]
    Bank.open(clone / ".memory").add([note("logs", "logs are kept for a week")])
    writers.committed(clone)
    team.push(bank, clone)
    told = team.answer(bank, proposal).json()
    assert told["status"] == "applied"
    assert ".memory/L1_declarative/MEM-logs.md" in tree(clone, told["branch"])


def test_what_was_written_meanwhile_is_not_written_twice(team: Team, bank: str, elsewhere: Path) -> None:
    """Y-03: a question that the pushed notes have answered ends without a change."""
    proposal = team.propose(bank)[0]["proposal_id"]
    patch = elsewhere.parent / "answer.patch"
    other = team.propose(bank, payload(claim={"id": "c2", "digest": "the same in other words"}))[0]["proposal_id"]
    team.answer(bank, other)
    patch.write_bytes(team.ask("reviewer", f"{bank}/proposals/{other}/patch").content)
    git(elsewhere, "am", "-q", "--directory=.memory", str(patch))
    team.push(bank, elsewhere)
    told = team.answer(bank, proposal).json()
    assert (told["status"], told["patch"]) == ("decided_anew", False)
    assert team.shown(bank, proposal)["status"] == "void"


@pytest.mark.usefixtures("elsewhere")
def test_who_comes_second_is_told_at_once(team: Team, bank: str) -> None:
    """Y-03: a question that somebody is answering is held, and nobody waits for it."""
    proposal = team.propose(bank)[0]["proposal_id"]
    shown = team.shown(bank, proposal)["digest"]
    hosting = wiring.Hosting(team.login, most=1)
    with hosting.asking(team.tokens["reviewer"], *bank.split("/")).held(proposal):
        done = team.answer(bank, proposal, shown=shown)
        assert (done.status_code, done.json()["error"]["code"]) == (409, "question.held")
    hosting.door.close()
    assert team.answer(bank, proposal).status_code == 200


def test_of_many_answers_at_once_one_counts(team: Team, bank: str, clone: Path) -> None:
    """Y-03: whatever the others said, one answer is carried out, and there is one branch or none."""
    proposal = team.propose(bank)[0]["proposal_id"]
    shown = team.shown(bank, proposal)["digest"]
    words = ["confirm", "cancel"] * 4
    with ThreadPoolExecutor(len(words)) as pool:
        done = list(pool.map(lambda option: team.answer(bank, proposal, option, shown=shown), words))
    (first,) = [each for each in done if each.status_code == 200]
    assert {each.json()["error"]["code"] for each in done if each is not first} <= {
        "question.held",
        "question.settled",
    }
    branches = git(clone, "branch", "--list", "tacit/*").split()
    assert branches == ([f"tacit/{proposal}"] if first.json()["status"] == "applied" else [])


@pytest.mark.usefixtures("elsewhere")
def test_an_answer_needs_one_connection(team: Team, bank: str) -> None:
    """Y-03: a server all of whose connections are taken by answers reads the bank for them on these."""
    proposal = team.propose(bank)[0]["proposal_id"]
    shown = team.shown(bank, proposal)["digest"]
    server = team.another(connections=1)
    done = TestClient(server.application()).post(
        f"/v1/{bank}/proposals/{proposal}/answer",
        json={"option": "confirm", "shown": shown},
        headers={"Authorization": f"Bearer {team.tokens['reviewer']}"},
    )
    server.close()
    assert (done.status_code, done.json()["status"]) == (200, "applied")


def test_a_secret_is_kept_nowhere(team: Team, bank: str, clone: Path) -> None:
    """Y-03: what the guards refuse reaches neither the database nor the log nor git, and is told without the value."""
    secret = "AKIA" + "IOSFODNN7EXAMPLQ"
    (result,) = team.propose(bank, payload(fact=f"the key is {secret}"))
    assert (result["decision"], result["proposal_id"]) == ("refused", "")
    assert secret not in writers.dumped(result)
    assert secret not in "".join(team.lines)
    assert team.ask("reviewer", f"{bank}/proposals").json()["proposals"] == []
    assert "tacit" not in git(clone, "for-each-ref")


def test_the_settings_of_a_bank_say_what_an_answer_needs(team: Team, bank: str, clone: Path, tmp_path: Path) -> None:
    """Y-03: a bank that wants a terminal takes no answer from a program, with a clone and without one."""
    other = f"{bank}-other"
    git(tmp_path, "clone", "-q", str(clone), "other")
    for name, place in ((bank, clone), (other, tmp_path / "other")):
        with (place / ".memory/tacit.toml").open("a", encoding="utf-8") as settings:
            settings.write('\n[gate]\nnew = "terminal"\n\n[index]\nbackend = "postgres"\n')
        writers.committed(place)
        team.push(name, place)
        proposal = team.propose(name)[0]["proposal_id"]
        done = team.answer(name, proposal)
        assert (done.status_code, done.json()["error"]["code"]) == (403, "gate.assurance")
        assert team.shown(name, proposal)["status"] == "waiting"


@pytest.mark.usefixtures("elsewhere")
def test_one_question_is_asked_once(team: Team, bank: str) -> None:
    """Y-03: the same payload waits once, and what was declined is not asked again in the same conversation."""
    first, second = (team.propose(bank, conversation_id="c")[0] for _ in range(2))
    assert first["proposal_id"] == second["proposal_id"] != ""
    assert team.answer(bank, first["proposal_id"], "cancel").json()["status"] == "declined"
    assert team.propose(bank, conversation_id="c")[0]["proposal_id"] == ""
    assert team.propose(bank, conversation_id="d")[0]["proposal_id"] != ""
    found = team.ask("writer", f"{bank}/proposals").json()["proposals"]
    assert [each["status"] for each in found] == ["waiting", "declined"]
    assert all("content" not in each for each in found)


@pytest.mark.usefixtures("elsewhere")
def test_every_word_is_noted(team: Team, bank: str) -> None:
    """Y-03: who asked and who answered, and what came of it, stands in the list of accesses."""
    proposal = team.propose(bank)[0]["proposal_id"]
    shown = team.shown(bank, proposal)["digest"]
    for token in ("writer", "reviewer"):
        team.answer(bank, proposal, token=token, shown=shown)
    noted = [each for each in team.accesses()[-6:] if each[1] in ("propose", "answer")]
    assert noted == [("writer", "propose", 200), ("writer", "answer", 403), ("reviewer", "answer", 200)]


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"payloads": []},
        {"payloads": [payload()] * 21},
        {"payloads": [payload()], "conversation_id": 7},
        {"payloads": [payload()], "conversation_id": "x" * 201},
        {"payloads": [payload(apply="personal")]},
    ],
)
def test_what_is_no_proposal_is_refused(team: Team, bank: str, body: object) -> None:
    """Y-03: a body that makes no sense, and a note for one user alone, are refused whole."""
    done = team.ask("writer", f"{bank}/proposals", body)
    assert (done.status_code, done.json()["error"]["code"]) == (400, "payload.refused")


def test_notes_that_are_not_all_kept_are_pushed_again(team: Team, bank: str, elsewhere: Path) -> None:
    """Y-03: a bank of an older server has no contents yet; that is said, and the next push brings them."""
    with psycopg.connect(team.url, autocommit=True) as owner:
        owner.execute("DELETE FROM tacit.contents")
    done = team.ask("writer", f"{bank}/proposals", {"payloads": [payload()]})
    assert (done.status_code, done.json()["error"]["code"]) == (409, "notes.incomplete")
    assert team.ask("writer", f"{bank}/notes").json()["files"] == {"L1_declarative/MEM-deploy.md": ""}
    team.push(bank, elsewhere)
    assert team.propose(bank)[0]["proposal_id"]


@pytest.mark.usefixtures("elsewhere")
def test_settings_with_a_secret_are_not_kept(team: Team, bank: str) -> None:
    """Y-03: what must not be kept anywhere is not kept in settings either."""
    put = {"tacit.toml": "format = 1\n# AKIA" + "IOSFODNN7EXAMPLQ\n"}
    done = team.ask("writer", f"{bank}/notes", {"commit": "ab12", "put": put, "drop": []}).json()
    assert list(done["refused"]) == ["tacit.toml"]
    assert "tacit.toml" not in team.ask("writer", f"{bank}/notes").json()["files"]


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("text", ["format = 1\n[gate\n", "format = 1\nindex = 5\n", "[gate]\n", ""])
def test_broken_settings_are_named_when_they_are_pushed(team: Team, bank: str, text: str) -> None:
    """Y-03: settings that no proposal could be made under are refused by name, and proposals go on."""
    body = {"commit": "ab12", "put": {"tacit.toml": text}, "drop": []}
    done = team.ask("writer", f"{bank}/notes", body).json()
    assert [*done["refused"]] == ["tacit.toml"]
    assert "tacit.toml" in done["refused"]["tacit.toml"]
    assert team.propose(bank)[0]["proposal_id"]


def test_a_bank_that_was_never_pushed_takes_no_proposal(team: Team, bank: str) -> None:
    """Y-03: there is nothing to compare with, so nothing is asked."""
    assert team.ask("writer", f"{bank}/proposals", {"payloads": [payload()]}).status_code == 404
    assert team.ask("reviewer", f"{bank}/proposals").json() == {"proposals": []}


def test_every_address_is_described(team: Team) -> None:
    """Y-03: programs can read what may be asked about proposals, with which answers."""
    described = team.client.get("/openapi.json").json()["paths"]
    for path, method, _, _ in team.server.writing.acts():
        act = described[f"/v1/{{organisation}}/{{bank}}{path}"][method.lower()]
        assert {"200", "400", "401", "403", "404", "429", "503"} <= set(act["responses"])
        assert ("{proposal}" in path) == any(each["name"] == "proposal" for each in act["parameters"])


@pytest.mark.usefixtures("elsewhere")
def test_so_many_questions_wait_and_no_more(team: Team, bank: str) -> None:
    """Y-03: a bank has room for so many questions; then its people have to answer some."""
    with psycopg.connect(team.url, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO tacit.proposals"
            " (bank, proposal, digest, alike, conversation, candidate, commit, asked_by, expires)"
            " SELECT bank, 'P-' || n, '', n::text, '', '', '', 'x', '9999' FROM tacit.hosted, generate_series(1, 500) n"
            " WHERE organisation || '/' || name = %s",
            (bank,),
        )
    done = team.ask("writer", f"{bank}/proposals", {"payloads": [payload()]})
    assert (done.status_code, done.json()["error"]["code"]) == (429, "proposals.full")
