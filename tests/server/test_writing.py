"""Writes through the team server: asked by an agent's token, answered by a person's, and kept by git."""

from __future__ import annotations

import pytest

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'tacit[server]'")
pytest.importorskip("starlette.testclient", exc_type=ImportError)

from concurrent.futures import ThreadPoolExecutor  # noqa: E402  as above
from typing import TYPE_CHECKING  # noqa: E402  as above

from tacit import Bank  # noqa: E402  as above
from tacit.bank import wiring  # noqa: E402  as above
from tacit.index.asked import Settled  # noqa: E402  as above
from tests.server import writers  # noqa: E402  as above
from tests.server.writers import NPM, PNPM, Team, git, note, payload, tree  # noqa: E402  as above

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("trusted")]


@pytest.fixture
def elsewhere(team: Team, bank: str, tmp_path: Path) -> Path:
    """A repository of that bank which the server knows nothing of; its notes are pushed."""
    place = writers.repository(tmp_path / "project")
    team.push(bank, place)
    return place


def changed(place: Path, old: str, new: str) -> dict[str, bytes]:
    """The files that are new or other in a commit."""
    before = tree(place, old)
    return {file: content for file, content in tree(place, new).items() if before.get(file) != content}


def test_an_answer_becomes_a_commit_on_a_branch(team: Team, bank: str, clone: Path) -> None:
    """Y-03: what an agent proposes waits; what a person confirms is one commit, of the note and the list of notes."""
    (result,) = team.propose(bank)
    assert (result["written"], result["decision"]) == (False, "new")
    shown = team.shown(bank, result["proposal_id"])
    assert (shown["status"], PNPM in shown["diff"]) == ("waiting", True)
    told = team.answer(bank, result["proposal_id"]).json()
    assert (told["status"], told["branch"]) == ("applied", f"tacit/{result['proposal_id']}")
    assert git(clone, "rev-parse", told["branch"]).strip() == told["commit"]
    files = changed(clone, "main", told["branch"])
    file = f".memory/L1_declarative/{told['note_id']}.md"
    assert set(files) == {".memory/INDEX.md", file}
    assert b"confirmed: token 2026-11-16T08:00:00Z" in files[file]
    message = git(clone, "log", "-1", "--format=%B", told["branch"])
    assert f"Tacit-Proposal: {result['proposal_id']} sha256:{shown['digest']}" in message
    assert "Tacit-Answer: confirm" in message


def test_nothing_else_of_a_clone_is_touched(team: Team, bank: str, clone: Path) -> None:
    """Y-03: branch, index and work tree of the clone stay as they are, and no hook of a commit runs."""
    for hook in ("pre-commit", "commit-msg", "post-commit", "post-checkout"):
        (clone / ".git/hooks" / hook).write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        (clone / ".git/hooks" / hook).chmod(0o755)
    before = git(clone, "rev-parse", "HEAD", "main")
    told = team.answer(bank, team.propose(bank)[0]["proposal_id"]).json()
    assert (git(clone, "rev-parse", "HEAD", "main"), git(clone, "status", "--porcelain")) == (before, "")
    refs = git(clone, "for-each-ref", "--format=%(refname)").split()
    assert refs == ["refs/heads/main", f"refs/heads/{told['branch']}"]


def test_the_index_waits_for_a_push(team: Team, bank: str, clone: Path) -> None:
    """Y-03: an answer changes git alone; recall knows of it once the commit was pushed."""
    told = team.answer(bank, team.propose(bank)[0]["proposal_id"]).json()
    query = {"query": PNPM}
    assert told["note_id"] not in team.ask("reader", f"{bank}/search", query).text
    git(clone, "merge", "-q", told["branch"])
    assert Bank.open(clone / ".memory").check()[1] == []
    team.push(bank, clone)
    assert told["note_id"] in team.ask("reader", f"{bank}/search", query).text


def test_without_a_clone_there_is_a_patch(team: Team, bank: str, elsewhere: Path) -> None:
    """Y-03: where no clone is configured, the answer is a patch that `git am` and `git apply` take."""
    proposal = team.propose(bank)[0]["proposal_id"]
    assert team.ask("reviewer", f"{bank}/proposals/{proposal}/patch").status_code == 404
    told = team.answer(bank, proposal).json()
    assert (told["status"], told["branch"], told["patch"]) == ("applied", "", True)
    patch = elsewhere.parent / "answer.patch"
    patch.write_bytes(team.ask("writer", f"{bank}/proposals/{proposal}/patch").content)
    git(elsewhere, "apply", "--check", "--directory=.memory", str(patch))
    git(elsewhere, "am", "-q", "--keep-cr", "--directory=.memory", str(patch))
    assert set(changed(elsewhere, "HEAD~1", "HEAD")) == {f".memory/L1_declarative/{told['note_id']}.md"}
    assert Bank.open(elsewhere).get(told["note_id"]).decision
    assert [str(each) for each in Bank.open(elsewhere).check()[1]] == []
    assert "Tacit-Answer: confirm" in git(elsewhere, "log", "-1", "--format=%B")


def test_a_patch_is_the_branch_byte_for_byte(team: Team, bank: str, clone: Path, tmp_path: Path) -> None:
    """Y-03: applied in another clone, a patch gives the notes of the branch, whatever ends their lines."""
    Bank.open(clone / ".memory").add([note("npm", f"when {writers.SCENE}, {NPM}")])
    old = clone / ".memory/L1_declarative/MEM-npm.md"
    old.write_bytes(old.read_bytes().replace(b"\n", b"\r\n"))
    git(clone, "config", "core.autocrlf", "false")
    writers.committed(clone)
    team.push(bank, clone)
    git(tmp_path, "clone", "-q", str(clone), "other")
    (result,) = team.propose(bank, payload(scene=f"when {writers.SCENE}"))
    assert result["decision"] in ("replace", "veto"), result
    option = "take_new" if result["decision"] == "veto" else "confirm"
    told = team.answer(bank, result["proposal_id"], option).json()
    assert told["superseded"] == ["MEM-npm"], told
    patch = tmp_path / "answer.patch"
    patch.write_bytes(team.ask("reviewer", f"{bank}/proposals/{result['proposal_id']}/patch").content)
    git(tmp_path / "other", "am", "-q", "--keep-cr", "--directory=.memory", str(patch))
    branch, other = tree(clone, told["branch"]), tree(tmp_path / "other", "HEAD")
    notes = [{file: text for file, text in each.items() if "INDEX" not in file} for each in (branch, other)]
    assert notes[0] == notes[1]
    assert ".memory/L1_declarative/MEM-npm.md" not in notes[0]


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


def test_a_branch_of_that_name_is_left_alone(team: Team, bank: str, clone: Path) -> None:
    """Y-03: where the clone has the branch already, nothing is answered; without it, the same answer counts."""
    proposal = team.propose(bank)[0]["proposal_id"]
    git(clone, "branch", f"tacit/{proposal}")
    done = team.answer(bank, proposal)
    assert (done.status_code, done.json()["error"]["code"]) == (409, "branch.exists")
    assert git(clone, "rev-parse", f"tacit/{proposal}") == git(clone, "rev-parse", "main")
    assert team.shown(bank, proposal)["status"] == "waiting"
    git(clone, "branch", "-D", f"tacit/{proposal}")
    assert team.answer(bank, proposal).json()["status"] == "applied"


def test_an_answer_that_was_cut_off_is_found_in_git(team: Team, bank: str, clone: Path) -> None:
    """Y-03: if the server died after git had the commit, the question is settled by it, not answered twice."""
    proposal = team.propose(bank)[0]["proposal_id"]
    shown = team.shown(bank, proposal)["digest"]
    kept = "CREATE TEMP TABLE kept AS SELECT * FROM tacit.proposals WHERE proposal = %s"
    with psycopg.connect(team.url, autocommit=True) as owner:
        owner.execute(kept, (proposal,))
        told = team.answer(bank, proposal).json()
        owner.execute("DELETE FROM tacit.proposals WHERE proposal = %s", (proposal,))
        owner.execute("INSERT INTO tacit.proposals SELECT * FROM kept")
    done = team.answer(bank, proposal, "cancel", shown=shown)
    assert (done.status_code, "applied" in done.text) == (409, True)
    found = team.shown(bank, proposal)
    assert (found["status"], found["result"], found["option"]) == ("applied", told["commit"], "")
    assert git(clone, "rev-parse", told["branch"]).strip() == told["commit"]


def test_a_clone_that_cannot_be_written_to(team: Team, bank: str, clone: Path) -> None:
    """Y-03: where git cannot keep the answer nothing is answered, the reason is in the log, and later it counts."""
    proposal = team.propose(bank)[0]["proposal_id"]
    objects = clone / ".git/objects/pack"
    objects.rmdir()
    objects.write_bytes(b"")  # as on a read-only disk, and for root too
    done = team.answer(bank, proposal)
    assert (done.status_code, done.json()["error"]["code"]) == (503, "clone.unusable")
    assert str(clone) not in done.text
    assert any('"detail"' in line for line in team.lines)
    assert team.shown(bank, proposal)["status"] == "waiting"
    assert "tacit" not in git(clone, "for-each-ref")
    objects.unlink()
    assert team.answer(bank, proposal).json()["status"] == "applied"


def test_a_ref_that_cannot_be_made(team: Team, bank: str, clone: Path) -> None:
    """Y-03: where the branch cannot be made nothing is answered, and nothing is left aside."""
    proposal = team.propose(bank)[0]["proposal_id"]
    git(clone, "branch", "tacit")  # so there is no room for `tacit/…`
    assert team.answer(bank, proposal).json()["error"]["code"] == "clone.unusable"
    assert git(clone, "for-each-ref", "--format=%(refname)").split() == ["refs/heads/main", "refs/heads/tacit"]
    assert team.shown(bank, proposal)["status"] == "waiting"


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


def test_a_clone_fetches_what_it_lacks(team: Team, bank: str, tmp_path: Path) -> None:
    """Y-03: a bare clone that is behind gets the pushed commit from where it came, or says that it has it not."""
    place = writers.repository(tmp_path / "origin")
    folder = team.clones / "acme"
    folder.mkdir(exist_ok=True)
    name = bank.removeprefix("acme/")
    git(folder, "clone", "-q", "--bare", str(place), f"{name}.git")
    git(folder / f"{name}.git", "config", "remote.origin.fetch", "+refs/heads/main:refs/remotes/origin/main")
    Bank.open(place / ".memory").add([note("logs", "logs are kept for a week")])
    writers.committed(place)
    team.push(bank, place)
    told = team.answer(bank, team.propose(bank)[0]["proposal_id"]).json()
    assert ".memory/L1_declarative/MEM-logs.md" in tree(folder / f"{name}.git", told["branch"])
    place.rename(tmp_path / "gone")
    team.ask("writer", f"{bank}/notes", {"commit": "ab" * 20, "put": {}, "drop": []})
    for commit in ("ab" * 20, "main", ""):
        team.ask("writer", f"{bank}/notes", {"commit": commit, "put": {}, "drop": []})
        done = team.ask("writer", f"{bank}/proposals", {"payloads": [payload()]})
        assert (done.status_code, done.json()["error"]["code"]) == (409, "clone.behind")


def test_a_bank_that_is_its_whole_repository(team: Team, bank: str) -> None:
    """Y-03: a team's bank need not be a folder of a project; a repository without a bank is said to be none."""
    place = team.clones / bank
    place.mkdir(parents=True)
    Bank.init(place).add([note("deploy", "deploy with blue green switches")])
    git(place, "init", "-q", "-b", "main")
    writers.committed(place)
    commit = git(place, "rev-parse", "HEAD").strip()
    team.ask("writer", f"{bank}/notes", {"commit": commit, "put": {}, "drop": []})
    told = team.answer(bank, team.propose(bank)[0]["proposal_id"]).json()
    assert f"L1_declarative/{told['note_id']}.md" in changed(place, "main", told["branch"])
    git(place, "rm", "-q", "tacit.toml")
    git(place, "commit", "-qm", "no bank")
    commit = git(place, "rev-parse", "HEAD").strip()
    team.ask("writer", f"{bank}/notes", {"commit": commit, "put": {}, "drop": []})
    done = team.ask("writer", f"{bank}/proposals", {"payloads": [payload()]})
    assert (done.status_code, done.json()["error"]["code"]) == (409, "clone.unusable")


def test_what_somebody_commits_below_private_folders_is_no_part_of_a_bank(team: Team, bank: str, clone: Path) -> None:
    """Y-03: a log, a state or a question that somebody put into git is not believed."""
    for file, text in {
        "memory.lock": "OFF\n",
        "staging/proposals/P-forged.json": "{}",
        ".local/audit/audit-000001.ndjson": "forged\n",
        "L4_working/task.json": "{}",
    }.items():
        (clone / ".memory" / file).parent.mkdir(parents=True, exist_ok=True)
        (clone / ".memory" / file).write_text(text, encoding="utf-8")
        git(clone, "add", "-f", f".memory/{file}")
    writers.committed(clone)
    team.push(bank, clone)
    (result,) = team.propose(bank)
    told = team.answer(bank, result["proposal_id"]).json()
    assert set(changed(clone, "main", told["branch"])) == {
        ".memory/INDEX.md",
        f".memory/L1_declarative/{told['note_id']}.md",
    }


def test_notes_that_are_not_all_kept_are_pushed_again(team: Team, bank: str, elsewhere: Path) -> None:
    """Y-03: a bank of an older server has no contents yet; that is said, and the next push brings them."""
    with psycopg.connect(team.url, autocommit=True) as owner:
        owner.execute("DELETE FROM tacit.contents")
    done = team.ask("writer", f"{bank}/proposals", {"payloads": [payload()]})
    assert (done.status_code, done.json()["error"]["code"]) == (409, "notes.incomplete")
    assert team.ask("writer", f"{bank}/notes").json()["files"] == {}
    team.push(bank, elsewhere)
    assert team.propose(bank)[0]["proposal_id"]


@pytest.mark.usefixtures("elsewhere")
def test_settings_with_a_secret_are_not_kept(team: Team, bank: str) -> None:
    """Y-03: what must not be kept anywhere is not kept in settings either."""
    put = {"tacit.toml": "format = 1\n# AKIA" + "IOSFODNN7EXAMPLQ\n"}
    done = team.ask("writer", f"{bank}/notes", {"commit": "ab12", "put": put, "drop": []}).json()
    assert list(done["refused"]) == ["tacit.toml"]
    assert "tacit.toml" not in team.ask("writer", f"{bank}/notes").json()["files"]


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
