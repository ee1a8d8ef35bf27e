"""What git gets of an answer through the team server: a branch of a clone or a patch, and nothing else."""

from __future__ import annotations

import pytest

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'tacit[server]'")
pytest.importorskip("starlette.testclient", exc_type=ImportError)

from typing import TYPE_CHECKING  # noqa: E402  as above

from tacit import Bank  # noqa: E402  as above
from tests.notes import note  # noqa: E402  as above
from tests.server import writers  # noqa: E402  as above
from tests.server.writers import NPM, PNPM, Team, git, payload, tree  # noqa: E402  as above

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("trusted")]


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
