"""What commands say that make, show and check: to people, line by line, and to programs, field by field."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import NOW
from tests.cli.runner import new, note_text, said, tacit, told, write

if TYPE_CHECKING:
    from pathlib import Path

NOTE_FIELDS = {
    *("id", "title", "layer", "file", "kind", "level", "status", "strength", "scope", "audience", "portability"),
    *("timing", "source", "origin", "confirmed", "tags", "supersedes", "created", "updated", "session"),
    *("when_to_load", "one_liner", "decision", "signals", "alternatives", "counter_signals", "fact", "principle"),
    *("evidence", "pointers", "body"),
}


# ── init ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_init(project: Path) -> None:
    """B-05: init makes the bank and says where."""
    assert said(tacit("init", "--yes")) == f"Made the bank {project}/.memory.\n"


def test_init_again(root: Path) -> None:
    """B-05: running init again adds what is missing and says how much that was."""
    (root / "README.md").unlink()
    (root / "details").rmdir()

    assert said(tacit("init", "--bare")) == f"The bank {root} is already there; 2 missing files added.\n"
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


@pytest.mark.parametrize("place", ["MEMORY.md", "details/tech.md"])
def test_show_of_a_document_names_the_way(root: Path, place: str) -> None:
    """What is no note is not shown, and who asks is told how to read it."""
    write(root / place, "# Tech\n")

    result = tacit("show", place)

    assert (result.code, result.error_code) == (4, "note.not_found")
    assert "`tacit read` answers from other documents" in result.err


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


# ── check, doctor, state, config ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("root")
def test_check_of_a_sound_bank() -> None:
    """Check says how many notes there are and that nothing is wrong."""
    new()

    assert said(tacit("check")) == "1 note, no problem found.\n"
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
        "1 problem in 0 notes.\n"
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
        "1 problem in 1 note.\n"
    )
    assert fixed.code == 0
    assert fixed.err == "INDEX.md was stale and is healed.\n"
    assert b"MEM-hand" in (root / "INDEX.md").read_bytes()
    assert said(tacit("check", "--fix")) == "1 note, no problem found.\n"


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
