"""Branches that meet: INDEX.md never conflicts and is right after the next open; conflicts in notes are shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from tacit.bank import Bank
from tacit.cli.app import app
from tacit.errors import NoteConflicted, StateRefused
from tests.git import campaign
from tests.git.campaign import COUNTED, MUST_BE_ZERO, WAYS
from tests.git.repositories import commit_all, git, unmerged
from tests.store.banks import ids, make, note, tree

if TYPE_CHECKING:
    from pathlib import Path

A = "L1_declarative/MEM-a.md"


@pytest.fixture(scope="module")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository that every trial starts from."""
    return campaign.make_pattern(tmp_path_factory.mktemp("merges"))


@pytest.mark.parametrize("trials", [range(10), range(10, 20)], ids=["first", "second"])
@pytest.mark.parametrize("way", WAYS)
def test_branches_meet_without_index_conflicts(tmp_path: Path, pattern: Path, way: str, trials: range) -> None:
    """I-03: two branches that add, edit and delete notes never conflict in INDEX.md, and the next open has it right."""
    found = campaign.run(way, trials, tmp_path, pattern)

    assert {name: found[name] for name in MUST_BE_ZERO} == dict.fromkeys(MUST_BE_ZERO, 0)
    assert found["note conflicts shown"] > 0
    assert found["stale INDEX before the open"] > 0, "there was nothing to heal, so healing was not tried"


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_branches_meet_sixty_times(tmp_path: Path, pattern: Path, way: str) -> None:
    """I-03: the same in sixty trials of each way."""
    found = campaign.run(way, range(60), tmp_path, pattern)

    assert {name: found[name] for name in MUST_BE_ZERO} == dict.fromkeys(MUST_BE_ZERO, 0)


def test_attributes_are_what_keeps_the_index_mergeable(tmp_path: Path) -> None:
    """I-03: without the bank's .gitattributes the same branches do conflict, so the trials prove something."""
    pattern = campaign.make_pattern(tmp_path)
    (pattern / ".memory" / ".gitattributes").write_bytes(b"*.md -text\n")
    commit_all(pattern, "no union")

    assert campaign.run("merge", range(2), tmp_path, pattern)["INDEX conflicts"] == 2


def test_campaign_prints_a_table_and_writes_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """R-01: the campaign behind the published numbers can be run by anybody."""
    assert campaign.main(["--trials", "1", "--json", str(tmp_path / "numbers.json")]) == 0

    numbers = json.loads((tmp_path / "numbers.json").read_bytes())
    assert numbers["trials"] == 1
    assert set(numbers["found"]) == set(WAYS)
    shown = capsys.readouterr().out
    assert all(name in shown for name in (*COUNTED, *WAYS))


# ── While a merge is unfinished ───────────────────────────────────────────────────────────────────────────────────────


def retitle(root: Path, title: bytes) -> None:
    """Edit the note by hand and commit."""
    path = root / ".memory" / A
    path.write_bytes(path.read_bytes().replace(b"title: About a", b"title: " + title))
    commit_all(root, "edit")


def diverge(root: Path) -> None:
    """Two branches with different titles of the same note; `right` is checked out."""
    git(root, "checkout", "--quiet", "-b", "left")
    retitle(root, b"Left")
    git(root, "checkout", "--quiet", "-b", "right", "main")
    retitle(root, b"Right")


# Each of these stops at the note that both branches changed.
STOPS = {
    "merge": ["merge", "left"],
    "rebase": ["rebase", "--merge", "left"],
    "rebase by patches": ["rebase", "--apply", "left"],
    "cherry-pick": ["cherry-pick", "left"],
    "revert": ["revert", "--no-edit", "left"],
}


@pytest.mark.parametrize("way", STOPS)
def test_nothing_is_healed_while_git_waits(project: Path, way: str) -> None:
    """I-02, I-03: in the middle of a merge INDEX.md is git's business; once it is over the next open heals."""
    diverge(project)
    git(project, *STOPS[way], may_fail=True)
    assert unmerged(project) == [f".memory/{A}"]
    (project / ".memory" / "INDEX.md").write_bytes(b"half merged\n")
    before = tree(project / ".memory")

    bank = Bank.open(project)

    assert ids(bank) == ["MEM-b", "MEM-c"]
    assert tree(project / ".memory") == before
    git(project, STOPS[way][0], "--abort")
    (project / ".memory" / "INDEX.md").write_bytes(b"half merged\n")
    assert Bank.open(project).check() == (3, [])


def test_note_with_conflict_markers_is_shown_and_kept_out(project: Path) -> None:
    """I-03: such a note is reported with its line, never listed, never skipped silently, and left as git made it."""
    diverge(project)
    git(project, "merge", "left", may_fail=True)
    content = (project / ".memory" / A).read_bytes()
    assert b"<<<<<<< " in content

    bank = Bank.open(project)

    assert ids(bank) == ["MEM-b", "MEM-c"]
    [problem] = [problem for problem in bank.check()[1] if problem.file == A]
    assert (problem.code, problem.line) == ("note.conflicted", content[: content.index(b"<<<<<<<")].count(b"\n") + 1)
    for name in ("MEM-a", A):
        with pytest.raises(NoteConflicted):
            bank.get(name)
    assert (project / ".memory" / A).read_bytes() == content


def test_resolved_note_is_back_at_once(project: Path) -> None:
    """I-03: as soon as the markers are gone the note is a note again."""
    diverge(project)
    git(project, "merge", "left", may_fail=True)
    git(project, "checkout", "--theirs", "--", f".memory/{A}")
    commit_all(project, "resolved")

    bank = Bank.open(project)

    assert bank.get("MEM-a").title == "Left"
    assert bank.check() == (3, [])


def test_committed_markers_are_still_shown(project: Path) -> None:
    """I-03: a merge that somebody committed with its markers is over for git, not for `check`."""
    diverge(project)
    git(project, "merge", "left", may_fail=True)
    commit_all(project, "resolved badly")

    bank = Bank.open(project)

    assert [problem.code for problem in bank.check()[1]] == ["note.conflicted"]
    assert [problem.code for problem in bank.check(staged=True)[1]] == ["note.conflicted", "index.stale"]
    assert b"MEM-a" not in (project / ".memory" / "INDEX.md").read_bytes()


def test_note_removed_on_one_side_and_edited_on_the_other_is_kept(project: Path) -> None:
    """I-03: git asks which one is meant; until then the edited note stands."""
    git(project, "checkout", "--quiet", "-b", "left")
    Bank.open(project).delete("MEM-a")
    commit_all(project, "remove")
    git(project, "checkout", "--quiet", "-b", "right", "main")
    retitle(project, b"Right")

    git(project, "merge", "left", may_fail=True)

    assert unmerged(project) == [f".memory/{A}"]
    assert ids(Bank.open(project)) == ["MEM-a", "MEM-b", "MEM-c"]


def test_line_ends_survive_git(project: Path) -> None:
    """N-04: git changes no byte of a note, whatever the machine's idea of line ends."""
    git(project, "config", "core.autocrlf", "true")
    path = project / ".memory" / A
    content = path.read_bytes().replace(b"\n", b"\r\n")
    path.write_bytes(content)
    Bank.open(project)
    commit_all(project, "crlf")
    path.unlink()

    git(project, "checkout", "--", ".")

    assert path.read_bytes() == content
    assert Bank.open(project).check() == (3, [])


# ── What git is about to commit ───────────────────────────────────────────────────────────────────────────────────────


def test_staged_notes_are_checked_as_git_has_them(project: Path) -> None:
    """N-05: a pre-commit check sees the index of git, not the files: broken there, mended here, is still broken."""
    path = project / ".memory" / A
    content = path.read_bytes()
    path.write_bytes(b"no note\n")
    git(project, "add", "--all")
    path.write_bytes(content)

    bank = Bank.open(project)

    assert bank.check() == (3, [])
    count, problems = bank.check(staged=True)
    assert count == 2
    assert [(problem.code, problem.file) for problem in problems] == [("note.syntax", A), ("index.stale", "INDEX.md")]


def test_staged_check_knows_the_same_notes_as_the_check_of_files(project: Path) -> None:
    """N-05: what lies in a folder below is no note for either of them."""
    below = project / ".memory" / "L1_declarative" / "old"
    below.mkdir()
    (below / "MEM-z.md").write_bytes((project / ".memory" / A).read_bytes().replace(b"MEM-a", b"MEM-z"))
    git(project, "add", "--all")

    bank = Bank.open(project)

    assert [problem.code for problem in bank.check()[1]] == ["layout.stray"]
    assert bank.check(staged=True) == (3, [])


# ── Clones and worktrees ──────────────────────────────────────────────────────────────────────────────────────────────


def test_private_parts_stay_out_of_git(project: Path) -> None:
    """B-02, B-05: state, trash, staging and all that is derived are ignored; notes, INDEX.md and settings are not."""
    Bank.open(project).delete("MEM-c")
    commit_all(project, "delete")

    listed = git(project, "ls-files").splitlines()

    assert not [
        path for path in listed if path.split("/")[1] in ("memory.lock", "staging", ".trash", ".local", "L4_working")
    ]
    assert {f".memory/{name}" for name in (A, "INDEX.md", "tacit.toml", "MEMORY.md", ".gitattributes")} <= set(listed)
    assert git(project, "status", "--porcelain") == ""


def test_worktrees_share_notes_by_git_alone(project: Path, tmp_path: Path) -> None:
    """B-06: each worktree has its own state, log, trash and locks; notes pass between them by git."""
    other = tmp_path / "other"
    git(project, "worktree", "add", "--quiet", "-b", "side", str(other))
    here, there = Bank.open(project), Bank.open(other)
    assert (here.state, there.state, there.has_state) == ("ON", "PAUSED", False)
    there.set_state(here.state)

    there.add([note("d")])
    there.delete("MEM-a")

    assert ids(here) == ["MEM-a", "MEM-b", "MEM-c"]
    assert ids(there) == ["MEM-b", "MEM-c", "MEM-d"]
    assert here.trash() == []
    assert [item.note_id for item in there.trash()] == ["MEM-a"]
    assert here.log()[-1].operation == "create"
    commit_all(other, "side work")
    git(project, "merge", "--quiet", "side")
    assert ids(Bank.open(project)) == ["MEM-b", "MEM-c", "MEM-d"]
    assert Bank.open(project).check() == (3, [])


def test_unfinished_merge_in_one_worktree_does_not_stop_the_other(project: Path, tmp_path: Path) -> None:
    """B-06, I-02: healing pauses where the merge is, and nowhere else."""
    diverge(project)
    git(project, "checkout", "--quiet", "main")
    other = tmp_path / "other"
    git(project, "worktree", "add", "--quiet", str(other), "right")
    Bank.open(other).set_state(Bank.open(project).state)
    git(other, "merge", "left", may_fail=True)
    for root in (project, other):
        (root / ".memory" / "INDEX.md").write_bytes(b"stale\n")
        Bank.open(root)

    assert (other / ".memory" / "INDEX.md").read_bytes() == b"stale\n"
    assert b"MEM-a" in (project / ".memory" / "INDEX.md").read_bytes()


def test_fresh_clone_is_read_at_once_and_written_after_one_word(project: Path, tmp_path: Path) -> None:
    """B-06, K-01: a clone is paused, readable and unchanged by reading; `tacit state on` makes it writable."""
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", str(project), str(clone))
    before = tree(clone / ".memory")
    bank = Bank.open(clone)

    assert (bank.state, bank.has_state) == ("PAUSED", False)
    assert ids(bank) == ["MEM-a", "MEM-b", "MEM-c"]
    assert bank.check() == (3, [])
    with pytest.raises(StateRefused, match="fresh clone"):
        bank.add([note("d")])
    assert tree(clone / ".memory") == before

    done = CliRunner().invoke(app, ["state", "on", "--bank", str(clone)])
    assert done.exit_code == 0, done.output
    bank.add([note("d")])
    assert ids(Bank.open(clone)) == ["MEM-a", "MEM-b", "MEM-c", "MEM-d"]
    assert git(clone, "status", "--porcelain", "--untracked-files=all").split() == [
        "M",
        ".memory/INDEX.md",
        "??",
        ".memory/L1_declarative/MEM-d.md",
    ]


def test_clone_with_a_stale_index_leaves_it_until_it_may_write(project: Path, tmp_path: Path) -> None:
    """I-02: a paused bank reports a stale INDEX.md and does not touch it."""
    (project / ".memory" / "INDEX.md").unlink()
    commit_all(project, "lost")
    git(tmp_path, "clone", "--quiet", str(project), "clone")

    bank = Bank.open(tmp_path / "clone")

    assert [problem.code for problem in bank.check()[1]] == ["index.stale"]
    bank.set_state(Bank.open(project).state)
    assert Bank.open(tmp_path / "clone").check() == (3, [])


def test_bank_outside_git_is_healed_as_ever(tmp_path: Path) -> None:
    """I-02: git is not needed."""
    bank = make(tmp_path / "bank")
    (bank.root / "INDEX.md").unlink()

    assert Bank.open(bank.root).check() == (0, [])
    assert (bank.root / "INDEX.md").exists()
