"""What each command says: to people, line by line, and to programs, field by field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.conftest import NOW
from tests.cli.runner import Person, Result, note_text, tacit, write
from tests.files import holders

if TYPE_CHECKING:
    from pathlib import Path

NOTE_FIELDS = {
    *("id", "title", "layer", "file", "kind", "level", "status", "strength", "scope", "audience", "portability"),
    *("timing", "source", "origin", "confirmed", "tags", "supersedes", "created", "updated", "session"),
    *("when_to_load", "one_liner", "decision", "signals", "alternatives", "counter_signals", "fact", "principle"),
    *("evidence", "pointers", "body"),
}


def new(*more: str, title: str = "Use pnpm") -> Result:
    """Write a note in an empty bank; its id is MEM-00000003, its operation OP-00000002."""
    return tacit("new", "--title", title, "--when", "adding a package", "--one-liner", "Use pnpm, never npm.", *more)


def said(result: Result) -> str:
    """What a command that went well said to people."""
    assert (result.code, result.err) == (0, "")
    return result.out


def told(result: Result, command: str) -> dict[str, Any]:
    """What a command that went well told a program: the document on standard output, and nothing else anywhere."""
    assert (result.code, result.err) == (0, "")
    document = result.document
    assert document.pop("schema") == f"tacit.{command}/1"
    return document


# ── init ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_init(project: Path) -> None:
    """B-05: init makes the bank and says where."""
    assert said(tacit("init", "--yes")) == f"Made the bank {project}/.memory.\n"


def test_init_again(root: Path) -> None:
    """B-05: running init again adds what is missing and says how much that was."""
    (root / "README.md").unlink()
    (root / "details").rmdir()

    assert said(tacit("init", "--bare")) == f"The bank {root} is already there; 2 missing files were added.\n"
    assert told(tacit("init", "--json"), "init") == {"bank": str(root), "created": []}


def test_init_as_json(project: Path) -> None:
    """B-02: init --json names the bank and everything that was made, which is the whole layout."""
    document = told(tacit("init", "--yes", "--json"), "init")

    assert document == {
        "bank": f"{project}/.memory",
        "created": [
            *("L0_core/", "L1_declarative/", "L2_procedural/", "L3_episodic/", "L4_working/", "details/"),
            *("references/", "staging/", ".trash/", ".local/", ".local/audit/", "tacit.toml", "README.md"),
            *("MEMORY.md", "references/note-template.md", ".gitignore", ".gitattributes", "memory.lock", "INDEX.md"),
        ],
    }
    assert [name for name in document["created"] if not (project / ".memory" / name).exists()] == []


# ── new, list, show ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("root")
def test_new() -> None:
    """New says the id and the file of the note."""
    assert said(new()) == "Wrote MEM-00000003: L1_declarative/MEM-00000003.md\n"


def test_new_as_json(root: Path) -> None:
    """New --json gives id and file, and the operation that can be undone."""
    document = told(new("--kind", "tech", "--layer", "L2", "--tag", "a", "--tag", "b", "--json"), "new")

    assert document == {
        "id": "MEM-00000003",
        "file": "L2_procedural/MEM-00000003.md",
        "operation_id": "OP-00000002",
    }
    assert (root / document["file"]).is_file()


@pytest.mark.usefixtures("root")
def test_list() -> None:
    """List shows a table of the notes, the columns lined up whatever the script."""
    new("--kind", "tech")
    new("--layer", "L2", "--status", "local", title="数据库迁移")

    assert said(tacit("list")) == (
        "Id            Layer  Kind   Status  Strength   Title\n"
        "MEM-00000003  L1     tech   active  validated  Use pnpm\n"
        "MEM-00000005  L2     other  local   validated  数据库迁移\n"
    )


def test_list_of_an_empty_bank_says_how_to_begin(root: Path) -> None:
    """An empty bank is no empty table."""
    assert said(tacit("list")) == ("The bank is empty. Write down the few constraints you care most about: tacit new\n")
    assert root.is_dir()


@pytest.mark.usefixtures("root")
def test_list_as_json() -> None:
    """List --json gives each note with the fields that programs rely on, and the state of none is guessed."""
    new("--kind", "tech", "--tag", "release")

    assert told(tacit("list", "--json"), "list") == {
        "notes": [
            {
                "id": "MEM-00000003",
                "title": "Use pnpm",
                "kind": "tech",
                "layer": "L1",
                "status": "active",
                "strength": "validated",
                "scope": "medium",
                "audience": "project",
                "timing": "pre",
                "file": "L1_declarative/MEM-00000003.md",
                "updated": NOW,
                "tags": ["release"],
                "one_liner": "Use pnpm, never npm.",
            }
        ],
        "left_out": [],
    }


def test_list_names_what_it_leaves_out(root: Path) -> None:
    """I-03: a broken note, one with conflict markers and a double id are never left out silently."""
    write(root / "L1_declarative/broken.md", "<<<<<<< a\n=======\n>>>>>>> b\n")
    for name in ("one", "two"):
        write(root / f"L2_procedural/{name}.md", note_text("MEM-twice"))

    people, program = tacit("list"), tacit("list", "--json")

    assert people.code == program.code == 0
    assert (
        people.err
        == program.err
        == (
            "Not in use (2): L1_declarative/broken.md, L2_procedural/one.md and L2_procedural/two.md. "
            "`tacit check` says why.\n"
        )
    )
    assert [error["code"] for error in program.document["left_out"]] == ["note.conflicted", "id.duplicate"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--layer", "L0"], ["CORE-values"]),
        (["--layer", "L2"], ["MEM-00000003"]),
        (["--kind", "pattern"], ["MEM-00000003"]),
        (["--kind", "other"], ["MEM-hand"]),
        (["--status", "archive"], ["MEM-hand"]),
        (["--tag", "release"], ["MEM-00000003"]),
        (["--tag", "release", "--layer", "L1"], []),
        ([], ["CORE-values", "MEM-00000003", "MEM-hand"]),
    ],
    ids=" ".join,
)
def test_list_can_be_narrowed(root: Path, words: list[str], expected: list[str]) -> None:
    """List filters by layer, kind, status and tag."""
    write(root / "L0_core/values.md", "# Our values\n\nKindness.\n")
    new("--layer", "L2", "--kind", "pattern", "--tag", "release")
    write(root / "L1_declarative/hand.md", note_text(status="archive"))

    document = told(tacit("list", *words, "--json"), "list")

    assert [note["id"] for note in document["notes"]] == expected
    assert said(tacit("list", *words)).splitlines()[0].startswith("Id ")


@pytest.mark.usefixtures("root")
def test_show() -> None:
    """Show gives title, fields, file and body of a note."""
    new("--decision", "One lock file.", "--tag", "release")

    assert said(tacit("show", "MEM-00000003")) == (
        "MEM-00000003  Use pnpm\n"
        "kind: other  layer: L1  status: active  strength: validated  scope: medium  audience: project  timing: pre  "
        "source: manual  origin: hand\n"
        "L1_declarative/MEM-00000003.md\n"
        "\n"
        "## When to load\n\n- adding a package\n\n"
        "## One-liner\n\nUse pnpm, never npm.\n\n"
        "## Decision\n\nOne lock file.\n"
    )


@pytest.mark.usefixtures("root")
def test_show_as_json() -> None:
    """Show --json gives every field of the note and its body."""
    new("--decision", "One lock file.", "--tag", "release")

    document = told(tacit("show", "MEM-00000003", "--json"), "show")

    assert document.keys() == NOTE_FIELDS
    assert document["when_to_load"] == ["adding a package"]
    assert document["tags"] == ["release"]
    assert document["decision"] == "One lock file."
    assert document["body"].startswith("\n## When to load\n")


@pytest.mark.parametrize("place", ["", "L1_declarative/", "./.memory/L1_declarative/"])
@pytest.mark.usefixtures("root")
def test_show_takes_an_id_or_a_path(place: str) -> None:
    """A note is named by its id, by its path in the bank, or by its path from here."""
    new()

    word = f"{place}MEM-00000003.md" if place else "MEM-00000003"
    assert told(tacit("show", word, "--json"), "show")["id"] == "MEM-00000003"


def test_show_of_a_core_document(root: Path) -> None:
    """A core document is shown as it is, for it is plain Markdown."""
    write(root / "L0_core/values.md", "# Our values\n\nKindness.\n")

    document = told(tacit("show", "CORE-values", "--json"), "show")

    assert (document["layer"], document["title"]) == ("L0", "Our values")
    assert document["body"] == "# Our values\n\nKindness.\n"


@pytest.mark.parametrize(
    ("pointer", "text"),
    [
        ("mem://L1/MEM-00000003#one-liner", "Use pnpm, never npm."),
        ("mem://declarative/MEM-00000003#When-to-load", "- adding a package"),
        ("mem://L1_declarative/MEM-00000003#title", "Use pnpm"),
        ("mem://L1/MEM-00000003#tags", "a\nb"),
    ],
)
@pytest.mark.usefixtures("root")
def test_show_follows_a_pointer(pointer: str, text: str) -> None:
    """Z-01: show resolves a pointer to a section or a field, with long and short layer names."""
    new("--tag", "a", "--tag", "b")

    assert said(tacit("show", pointer)) == f"{text}\n"
    assert told(tacit("show", pointer, "--json"), "show") == {"pointer": pointer, "text": text}


def test_show_follows_a_pointer_to_a_whole_note(root: Path) -> None:
    """Z-01: a pointer without a path leads to the note's file."""
    new()
    text = (root / "L1_declarative/MEM-00000003.md").read_text(encoding="utf-8")

    assert said(tacit("show", "mem://L1/MEM-00000003")) == text


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
        "Destroy 3 finished operations for good? They can then no longer be undone, and 1 removed notes are final."
        " [y/N] "
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
        "If it was ever committed, git still has it. Clean the history with\n"
        "  git filter-repo --invert-paths --path .memory/L1_declarative/MEM-00000003.md\n"
        "tell everybody who has a clone, and change the secret if it was one.\n"
    )
    assert person.was_asked() == (
        "Destroy every trace of MEM-00000003 for good (1 private copies)? This cannot be undone. [y/N] "
    )
    assert holders(root, "pnpm") == []


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


# ── check, doctor, state, config ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("root")
def test_check_of_a_sound_bank() -> None:
    """Check says how many notes there are and that nothing is wrong."""
    new()

    assert said(tacit("check")) == "1 notes, no problem found.\n"
    assert told(tacit("check", "--json"), "check") == {"ok": True, "problems": []}


def test_check_of_a_broken_bank(root: Path) -> None:
    """N-05: check names file, line, reason and next step of each problem, and exits with 1."""
    write(root / "L1_declarative/broken.md", note_text(kind="nonsense"))

    people, program = tacit("check"), tacit("check", "--json")

    choices = "principle, heuristic, decision, pattern, business, tech, reference, troubleshooting, other"
    assert (people.code, people.err) == (1, "")
    assert people.out == (
        f"L1_declarative/broken.md:4: kind: 'nonsense' is not one of {choices}. [note.syntax]\n"
        "  Open the file and mend that line; NOTE-FORMAT.md shows the format.\n"
        "1 problems in 0 notes.\n"
    )
    assert (program.code, program.err) == (1, "")
    assert program.document == {
        "schema": "tacit.check/1",
        "ok": False,
        "problems": [
            {
                "code": "note.syntax",
                "file": "L1_declarative/broken.md",
                "line": 4,
                "message": f"L1_declarative/broken.md:4: kind: 'nonsense' is not one of {choices}.",
                "hint": "Open the file and mend that line; NOTE-FORMAT.md shows the format.",
            }
        ],
    }


def test_check_heals_a_stale_index_when_asked(root: Path) -> None:
    """I-02: check alone reports a stale INDEX.md and leaves it; with --fix it is healed first."""
    write(root / "L1_declarative/hand.md", note_text())
    stale = (root / "INDEX.md").read_bytes()

    reported = tacit("check")
    untouched = (root / "INDEX.md").read_bytes()
    fixed = tacit("check", "--fix")

    assert (reported.code, untouched) == (1, stale)
    assert reported.out == (
        "INDEX.md: INDEX.md does not say what the notes say. [index.stale]\n"
        "  Run `tacit check --fix`.\n"
        "1 problems in 1 notes.\n"
    )
    assert fixed.code == 0
    assert fixed.err == "INDEX.md was stale and is healed.\n"
    assert b"MEM-hand" in (root / "INDEX.md").read_bytes()
    assert said(tacit("check", "--fix")) == "1 notes, no problem found.\n"


@pytest.mark.usefixtures("root")
def test_doctor() -> None:
    """Doctor looks at every promise, says the state, and ends with a verdict."""
    lines = said(tacit("doctor")).splitlines()
    document = told(tacit("doctor", "--json"), "doctor")

    assert [line[:5] for line in lines[:-2]] == ["ok   "] * len(document["checks"])
    assert lines[-2:] == ["[memory: ON]", f"All {len(document['checks'])} checks passed."]
    assert document["ok"] is True
    assert document["state"] == "ON"
    assert [check["name"] for check in document["checks"]] == [
        *("format", "paths", "notes", "index", "transactions", "audit", "undo", "recall", "disk", "git", "hosts"),
    ]
    assert all(check.keys() == {"name", "ok", "detail"} for check in document["checks"])


def test_doctor_of_a_sick_bank(root: Path) -> None:
    """Doctor exits with 1 and marks what does not hold."""
    write(root / "L1_declarative/broken.md", "no note")

    result = tacit("doctor")

    assert (result.code, result.err) == (1, "")
    assert "BAD  notes: 0 notes are valid, 1 problems (`tacit check` lists them)\n" in result.out
    assert result.out.endswith("1 of 11 checks failed.\n")
    assert tacit("doctor", "--json").document["ok"] is False


def test_state(root: Path) -> None:
    """K-01: state shows the bank's state, and sets it whatever it is."""
    assert said(tacit("state")) == "[memory: ON]\nAnswering by keywords alone.\n"
    assert said(tacit("state", "off")) == "[memory: OFF]\n"
    assert (root / "memory.lock").read_text(encoding="utf-8") == "OFF\n"
    assert told(tacit("state", "PADDING", "--json"), "state") == {
        "state": "PADDING",
        "set": True,
        "mode": "keywords alone",
    }
    assert said(tacit("state", "Paused")) == "[memory: PAUSED]\n"
    assert said(tacit("state", "on")) == "[memory: ON]\n"


def test_config(root: Path) -> None:
    """Config lists the settings with their values, and changes one in the file."""
    assert said(tacit("config")) == (
        "Setting                 Value        Meaning\n"
        "language                auto         language of questions and messages\n"
        "trust                   normal       which notes reach agents: all, or only those written or confirmed here\n"
        "lock.timeout_s          10           how long a command waits for another writer\n"
        "trash.retention_days    30           how long `trash empty` spares what was removed\n"
        "gate.new                elicitation  least assurance of an answer to a new note that is asked about\n"
        "gate.merge              elicitation  least assurance of an answer to a merge\n"
        "gate.replace            elicitation  least assurance of an answer to a replacement\n"
        "gate.archive            elicitation  least assurance of an answer to an archival\n"
        "gate.delete             terminal     least assurance of an answer to a deletion\n"
        "gate.undo               terminal     least assurance of an answer to an undo\n"
        "gate.restore            terminal     least assurance of an answer to a restore over a note\n"
        "gate.detail             elicitation  "
        "least assurance of an answer to a change of a detail or the entry document\n"
        "recall.notes            2            the most notes that are said for one prompt\n"
        "recall.per_path         5            how many candidates each path brings\n"
        "recall.meaning_percent  0            part of meaning in the score; 0: as measured for the models\n"
        "recall.caution_percent  100          how sure recall must be; more is more silence\n"
        "proposals.days          14           how long a proposal waits for its answer\n"
        "capture.suggest         off          say once, when an agent stops, that something is worth keeping\n"
        "upkeep.heartbeat        on           let the daemon look after the bank once a session\n"
        "upkeep.unused_days      180          after how long without a recall a note may be archived\n"
        "sessions.days           7            how long recorded prompts are kept\n"
        "audit.segment_bytes     8388608      size at which the audit log starts a new file\n"
        "index.backend           sqlite       "
        "where the search index is kept; postgres needs TACIT_POSTGRES_URL, and without it is sqlite\n"
        "core.budget_chars       8000         how long the core documents may be, all together\n"
    )
    assert said(tacit("config", "trash.retention_days", "90")) == "trash.retention_days = 90\n"
    assert said(tacit("config", "trash.retention_days")).splitlines()[1].split()[:2] == ["trash.retention_days", "90"]
    assert "retention_days = 90" in (root / "tacit.toml").read_text(encoding="utf-8")


@pytest.mark.usefixtures("root")
def test_config_as_json() -> None:
    """Config --json gives name, value, default and meaning, and what was set."""
    assert told(tacit("config", "lock.timeout_s", "3", "--json"), "config") == {"name": "lock.timeout_s", "value": 3}
    assert told(tacit("config", "lock.timeout_s", "--json"), "config") == {
        "settings": [
            {
                "name": "lock.timeout_s",
                "value": 3,
                "default": 10,
                "meaning": "how long a command waits for another writer",
            }
        ]
    }
    assert len(told(tacit("config", "--json"), "config")["settings"]) == 24
