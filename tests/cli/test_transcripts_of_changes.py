"""What commands say that change notes and take it back: to people, line by line, and to programs, field by field."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest

from tacit.bank import Bank
from tests.cli.conftest import NOW
from tests.cli.runner import Person, new, note_text, said, tacit, told, write
from tests.files import holders
from tests.git.repositories import begin, git

if TYPE_CHECKING:
    from pathlib import Path


# ── tag, move, archive, delete, restore ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("root")
def test_tag() -> None:
    """Tag adds tags, and removes those with a minus, whatever letter follows it."""
    new("--tag", "hotfix", "--tag", "build")

    assert said(tacit("tag", "MEM-00000003", "release", "-hotfix", "-bank")) == (
        "MEM-00000003 has the tags: build, release\n"
    )
    assert told(tacit("tag", "MEM-00000003", "a", "a", "-build", "--json"), "tag") == {
        "id": "MEM-00000003",
        "tags": ["release", "a"],
    }


def test_move(root: Path) -> None:
    """Move says where the note is now; its id stays."""
    new()

    assert said(tacit("move", "MEM-00000003", "--layer", "L2")) == (
        "MEM-00000003 is now in L2_procedural/MEM-00000003.md\n"
    )
    assert told(tacit("move", "MEM-00000003", "--layer", "L1", "--json"), "move") == {
        "id": "MEM-00000003",
        "file": "L1_declarative/MEM-00000003.md",
        "operation_id": "OP-00000005",
    }
    assert not (root / "L2_procedural/MEM-00000003.md").exists()


@pytest.mark.usefixtures("root")
def test_archive(person: Person) -> None:
    """Archive asks on the terminal, with the title, and then says that it is done."""
    new()
    person.will_say("y")

    assert said(tacit("archive", "MEM-00000003")) == "MEM-00000003 is archived.\n"
    assert person.was_asked() == "Archive MEM-00000003 “Use pnpm”, so that it is recalled no more? [y/N] "
    assert tacit("list", "--json").document["notes"][0]["status"] == "archive"


def test_delete_and_restore(root: Path, person: Person) -> None:
    """T-04: delete moves to the trash, which lists it, and restore brings the same bytes back."""
    new()
    before = (root / "L1_declarative/MEM-00000003.md").read_bytes()
    person.will_say("yes")

    assert said(tacit("delete", "MEM-00000003")) == (
        "MEM-00000003 is in the trash; `tacit restore MEM-00000003` brings it back.\n"
    )
    assert person.was_asked() == "Move MEM-00000003 “Use pnpm” to the trash? [y/N] "
    assert said(tacit("trash", "list")) == (
        f"Id            Removed               Operation    Title\nMEM-00000003  {NOW}  OP-00000004  Use pnpm\n"
    )
    assert told(tacit("trash", "list", "--json"), "trash-list") == {
        "items": [
            {
                "note_id": "MEM-00000003",
                "title": "Use pnpm",
                "file": "L1_declarative/MEM-00000003.md",
                "operation_id": "OP-00000004",
                "removed": NOW,
                "taken": False,
                "standing": [],
            }
        ]
    }
    assert said(tacit("restore", "MEM-00000003")) == "MEM-00000003 is back: L1_declarative/MEM-00000003.md\n"
    assert (root / "L1_declarative/MEM-00000003.md").read_bytes() == before
    assert said(tacit("trash", "list")) == "The trash is empty.\n"


@pytest.mark.parametrize("command", ["archive", "delete"])
@pytest.mark.usefixtures("root")
def test_archive_and_delete_as_json(person: Person, command: str) -> None:
    """The question stands on the terminal, so that standard output is JSON alone."""
    new()
    person.will_say("y")

    assert told(tacit(command, "MEM-00000003", "--json"), command) == {
        "id": "MEM-00000003",
        "file": "L1_declarative/MEM-00000003.md",
        "operation_id": "OP-00000004",
    }


@pytest.mark.parametrize("what", ["MEM-00000003", "L1_declarative/MEM-00000003.md", "OP-00000004"])
@pytest.mark.usefixtures("root")
def test_restore_as_json(person: Person, what: str) -> None:
    """A removed note is named by its id, its path or the operation that removed it."""
    new()
    person.will_say("y")
    tacit("delete", "MEM-00000003")

    assert told(tacit("restore", what, "--json"), "restore") == {
        "id": "MEM-00000003",
        "file": "L1_declarative/MEM-00000003.md",
        "operation_id": "OP-00000005",
    }


def test_restore_asks_before_it_replaces(root: Path, person: Person) -> None:
    """Where another file stands in its place, restore asks first; what it replaces goes to the trash."""
    new()
    person.will_say("y", "n", "y")
    tacit("delete", "MEM-00000003")
    write(root / "L1_declarative/MEM-00000003.md", note_text("MEM-00000003", "Another"))
    person.was_asked()

    declined = tacit("restore", "MEM-00000003")
    restored = tacit("restore", "MEM-00000003")

    assert declined.error_code == "gate.declined"
    assert said(restored) == "MEM-00000003 is back: L1_declarative/MEM-00000003.md\n"
    question = "L1_declarative/MEM-00000003.md exists; replace it by the version from the trash? [y/N] "
    assert person.was_asked() == question * 2
    assert tacit("list", "--json").document["notes"][0]["title"] == "Use pnpm"


def test_restore_names_the_file_that_goes(root: Path, person: Person) -> None:
    """T-04: where the id lives in a file of another name, that is the file that the question is about."""
    new()
    person.will_say("y", "n")
    tacit("delete", "MEM-00000003")
    write(root / "L1_declarative/renamed.md", note_text("MEM-00000003", "Another"))
    person.was_asked()

    assert tacit("restore", "MEM-00000003").error_code == "gate.declined"
    question = "L1_declarative/renamed.md exists; replace it by the version from the trash? [y/N] "
    assert person.was_asked() == question


# ── trash empty, purge ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("root")
def test_trash_empty(person: Person) -> None:
    """Emptying says what becomes final, asks, and then says what was destroyed."""
    new()
    person.will_say("y", "y")
    tacit("delete", "MEM-00000003")
    person.was_asked()

    assert said(tacit("trash", "empty", "--days", "0")) == "Destroyed 3 finished operations.\n"
    assert person.was_asked() == (
        "Destroy 3 finished operations for good? They can then no longer be undone, "
        "and 1 removed note can never come back. [y/N] "
    )
    assert said(tacit("trash", "list")) == "The trash is empty.\n"


@pytest.mark.usefixtures("root")
def test_trash_empty_spares_what_is_young(person: Person) -> None:
    """The retention time holds, and nobody is asked where there is nothing to destroy."""
    new()

    assert said(tacit("trash", "empty")) == "Nothing in the trash is older than 30 days.\n"
    assert told(tacit("trash", "empty", "--days", "7", "--json"), "trash-empty") == {"destroyed": 0}
    assert person.was_asked() == ""


def test_purge(root: Path, person: Person) -> None:
    """T-05: purge asks, destroys every trace, and says how to clean git's history."""
    new()
    person.will_say("y")

    assert said(tacit("purge", "MEM-00000003")) == (
        "MEM-00000003 is gone from the bank, its trash and its caches.\n"
        "If git ever had it, clean the history in a fresh clone, then push by force (INDEX.md is made anew):\n"
        "  git filter-repo --invert-paths --path .memory/L1_declarative/MEM-00000003.md --path .memory/INDEX.md\n"
        "Tell all who have a clone, and change the secret if it was one.\n"
    )
    assert person.was_asked() == (
        "Destroy every trace of MEM-00000003 for good (1 private copy)? This cannot be undone. [y/N] "
    )
    assert holders(root, "pnpm") == []


def test_purge_names_every_path_and_what_stays(root: Path, person: Person) -> None:
    """T-05: earlier paths are cleaned too; a version of another note goes, a document that quotes it is named."""
    new()
    tacit("move", "MEM-00000003", "--layer", "L2")
    quoted = "Only pnpm installs packages in this project."
    write(root / "L2_procedural/MEM-00000003.md", note_text("MEM-00000003", "Leak").replace("Test it.", quoted))
    write(root / "L1_declarative/MEM-old.md", note_text("MEM-old", "Old one").replace("Test it.", quoted))
    write(root / "MEMORY.md", f"# Project\n\n{quoted}\n")
    person.will_say("y", "y")
    tacit("delete", "MEM-old")
    person.was_asked()

    output = said(tacit("purge", "MEM-00000003"))

    assert person.was_asked().startswith(
        "These hold it too and go: tasks and episodes whole, other notes' versions in the trash: MEM-old. Destroy "
    )
    assert next(line for line in output.splitlines() if "filter-repo" in line).split(" --path ")[1:] == [
        ".memory/L2_procedural/MEM-00000003.md",
        ".memory/L1_declarative/MEM-00000003.md",
        ".memory/L1_declarative/MEM-old.md",
        ".memory/INDEX.md",
    ]
    assert output.splitlines()[-1].startswith("Still quoted in MEMORY.md: take it out")


def test_purge_tells_what_the_next_commit_would_take(root: Path, person: Person) -> None:
    """T-05: what is staged is no history yet, and would become one; what is told takes it out, to the last object."""
    project = begin(root.parent)
    new()
    git(project, "add", "--all")
    person.will_say("y")

    line = said(tacit("purge", "MEM-00000003")).splitlines()[-1]

    paths = " ".join(f":/{root.name}/{each}" for each in ("INDEX.md", "L1_declarative/MEM-00000003.md"))
    assert line == f"It is staged for the next commit: git reset -q -- {paths} && git prune"
    for command in line.partition(": ")[2].split(" && "):
        git(project, *shlex.split(command)[1:])
    assert "MEM-" not in git(project, "ls-files")
    assert git(project, "fsck", "--unreachable") == ""


@pytest.mark.usefixtures("root")
def test_purge_as_json(person: Person) -> None:
    """Purge --json lists the private copies that went with the note."""
    new()
    tacit("tag", "MEM-00000003", "release")
    person.will_say("y")

    document = told(tacit("purge", "MEM-00000003", "--json"), "purge")

    assert document == {
        "id": "MEM-00000003",
        "file": "L1_declarative/MEM-00000003.md",
        "destroyed": [".trash/tx-0000000003-OP-00000004/0", ".trash/tx-0000000002-OP-00000002/1"],
    }


# ── log, undo ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("root")
def test_log() -> None:
    """A-03: the log tells in a line each what was done, oldest first."""
    new()
    tacit("tag", "MEM-00000003", "release")
    tacit("config", "trash.retention_days", "90")

    assert said(tacit("log")) == (
        f"{NOW}  OP-00000001  bank created tacit.toml by init (python)\n"
        f"{NOW}  OP-00000002  note created MEM-00000003 by create (command)\n"
        f"{NOW}  OP-00000004  note updated MEM-00000003 by tag (command)\n"
        f"{NOW}  OP-00000005  settings changed tacit.toml by config (command) — trash.retention_days = 90\n"
    )
    assert said(tacit("log", "-n", "1")).count("\n") == 1


@pytest.mark.usefixtures("root")
def test_log_of_a_note() -> None:
    """A-03: the life of one note is told with what each operation changed."""
    new()
    tacit("tag", "MEM-00000003", "release")

    lines = said(tacit("log", "MEM-00000003")).splitlines()

    assert lines[0] == f"{NOW}  OP-00000002  note created MEM-00000003 by create (command)"
    assert "    +title: Use pnpm" in lines
    assert lines[lines.index(f"{NOW}  OP-00000004  note updated MEM-00000003 by tag (command)") :][2:] == [
        "     origin: hand",
        "    +tags:",
        "    +  - release",
        f"     created: {NOW}",
    ]


@pytest.mark.usefixtures("root")
def test_log_of_an_operation() -> None:
    """A-03: an operation, too, is told by the id that every command names, with what it changed alone."""
    new()
    tacit("tag", "MEM-00000003", "release")
    tacit("tag", "MEM-00000003", "urgent")

    lines = said(tacit("log", "OP-00000004")).splitlines()

    assert lines[0] == f"{NOW}  OP-00000004  note updated MEM-00000003 by tag (command)"
    assert [line for line in lines if line.startswith("    +")] == ["    +tags:", "    +  - release"]


@pytest.mark.usefixtures("root")
def test_log_as_json() -> None:
    """Log --json gives each operation with the fields that programs rely on."""
    new()

    created = told(tacit("log", "MEM-00000003", "--json"), "log")["operations"]
    every = told(tacit("log", "--json"), "log")["operations"]

    assert created[0].pop("diff").startswith("@@ -0,0 +1")
    assert created == [
        {
            "operation_id": "OP-00000002",
            "event": "memory_note_created",
            "ts": NOW,
            "note_id": "MEM-00000003",
            "operation": "create",
            "source": "manual",
            "file": "L1_declarative/MEM-00000003.md",
            "channel": "command",
            "assurance": "unattended",
            "reason": "",
        }
    ]
    assert [entry["event"] for entry in every] == ["memory_bank_created", "memory_note_created"]


def test_log_of_a_note_without_a_past(root: Path) -> None:
    """A note that a person put there has no operations, which is no error."""
    write(root / "L1_declarative/hand.md", note_text())

    assert said(tacit("log", "MEM-hand")) == "The log is empty.\n"
    assert told(tacit("log", "MEM-hand", "--json"), "log") == {"operations": []}


@pytest.mark.usefixtures("root")
def test_undo(person: Person) -> None:
    """A-03: undo asks with what it would take back, and can itself be undone."""
    new()
    person.will_say("y", "y")

    assert said(tacit("undo")) == "Undone: OP-00000002. `tacit undo OP-00000004` brings it back.\n"
    assert person.was_asked() == (
        f"Undo OP-00000002 (new, {NOW}), which changed L1_declarative/MEM-00000003.md? [y/N] "
    )
    assert said(tacit("undo", "OP-00000004")) == "Undone: OP-00000004. `tacit undo OP-00000005` brings it back.\n"
    assert tacit("list", "--json").document["notes"][0]["id"] == "MEM-00000003"


def test_undo_of_a_state_says_what_works(root: Path, person: Person) -> None:
    """A-03: undo passes over a state; undone by its id, it says how the bank is turned on again."""
    tacit("state", "paused")
    tacit("state", "on")

    assert tacit("undo").error_code == "operation.not_found"
    person.will_say("y")
    named = Bank.open(root).log()[-1].operation_id
    assert said(tacit("undo", named)) == (
        f"Undone: {named}. The bank is PAUSED now; `tacit state on` turns it on again.\n"
    )


def test_undo_asks_nobody_in_vain(root: Path, person: Person) -> None:
    """A-03: what was edited past Tacit since is said at once."""
    new()
    path = root / "L1_declarative/MEM-00000003.md"
    path.write_bytes(path.read_bytes().replace(b"Use pnpm", b"Use npm"))

    refused = tacit("undo")

    assert refused.error_code == "undo.blocked"
    assert "MEM-00000003.md was changed since, past Tacit." in refused.err
    assert "what was edited past Tacit is yours to take back" in refused.err
    assert person.was_asked() == ""


@pytest.mark.usefixtures("root")
def test_undo_as_json(person: Person) -> None:
    """Undo --json names the new operation, the one undone, and the files."""
    new()
    person.will_say("y")

    assert told(tacit("undo", "OP-00000002", "--json"), "undo") == {
        "operation_id": "OP-00000004",
        "undone": "OP-00000002",
        "files": ["L1_declarative/MEM-00000003.md"],
        "withdrawn": [],
    }
