"""Import, export and mount by command: what people see and programs get."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from inline_snapshot import snapshot

from tacit import link
from tacit.bank import models
from tacit.index.embed.catalogue import CATALOGUE
from tests.cli.runner import Person, fingerprint, tacit, write

if TYPE_CHECKING:
    from pathlib import Path

# Put together here, so that no file holds what looks like a key.
KEY = "AKIA" + "Q3EXAMPLZ7" + "KJD9WQ"


@pytest.fixture
def source(root: Path) -> Path:
    """A memory of Claude's beside the project of an empty bank."""
    folder = root.parent.parent / "old" / ".claude" / "memory"
    write(folder / "MEMORY.md", "# Memory\n")
    write(folder / "style.md", "---\nname: Style\ndescription: Use tabs\n---\n\nAlways.\n")
    write(folder / "key.md", f"The key is {KEY}.\n")
    write(folder / "empty.md", "")
    return folder


def test_import_as_json(source: Path) -> None:
    """O-02: format, counts and refusals; a second import adds nothing."""
    first = tacit("import", source, "--yes", "--json").document
    second = tacit("import", source, "--yes", "--json").document

    assert {name: first[name] for name in ("schema", "format", "found", "imported", "skipped", "questions")} == {
        "schema": "tacit.import/1",
        "format": "claude-memory",
        "found": 4,
        "imported": 2,
        "skipped": 0,
        "questions": 0,
    }
    assert [each["item"] for each in first["refused"]] == ["key.md"]
    assert [each["item"] for each in first["left_out"]] == ["empty.md"]
    assert (second["imported"], second["skipped"]) == (0, 2)


def test_import_for_people(source: Path) -> None:
    """O-02: counts first, then what is refused and why, then how to take it back."""
    assert tacit("import", source).out == snapshot(
        """\
Format: claude-memory. Found: 4.
New notes: 1. Documents: 1. Here already: 0. Refused: 1.
Left out, nothing is lost: 1.
  - key.md: line 1: this looks like secret (aws-access-key), which a memory must not keep; nothing was written.
Imported: 2. `tacit undo OP-00000003` takes all of it back.
"""
    )
    assert tacit("import", source).out.endswith("There is nothing new to import.\n")


def test_import_says_that_vectors_follow(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-09: where there is a model, its vectors are made in the background, and the import says where to look."""
    followed: list[str] = []
    monkeypatch.setattr(models, "installed", lambda: [CATALOGUE["arctic-embed-s"]])
    monkeypatch.setattr(link, "follow", followed.append)
    first, again = tacit("import", source).out, tacit("import", source).out

    assert "vectors follow in the background: see `tacit index status`" in first
    assert "vectors" not in again
    assert len(followed) == 1


def test_dry_run_changes_nothing(source: Path, root: Path) -> None:
    """O-02: the plan is shown, and no note, document or line in the log is written."""
    before = (root / "INDEX.md").read_bytes()
    document = tacit("import", source, "--dry-run", "--json").document

    assert (document["applied"], document["imported"], len(document["notes"])) == (False, 0, 1)
    assert tacit("import", source, "--dry-run").out.endswith("Nothing was changed: this is the plan.\n")
    assert (root / "INDEX.md").read_bytes() == before
    assert tacit("log", "--json").document["operations"][-1]["event"] == "memory_bank_created"


def test_import_asks_on_a_terminal(source: Path, person: Person) -> None:
    """O-02: a person sees the plan and says yes; core documents come in by that word alone."""
    write(source.parent / "core/L0_core/me.md", "# Me\n")
    write(source.parent / "core/L1_declarative/MEM-x.md", "Short.\n")
    person.will_say("n")
    assert tacit("import", source.parent / "core").code == 12
    person.will_say("y")
    assert "Imported: 2." in tacit("import", source.parent / "core").out
    assert "Import this?" in person.was_asked()
    assert tacit("import", source.parent / "core").out.endswith("There is nothing new to import.\n")


def test_many_refusals_are_cut(source: Path) -> None:
    """Only the first refusals are shown to people; programs get all."""
    for number in range(25):
        write(source / f"key{number}.md", f"Key {number} is {KEY}.\n")
    assert "… and 6 more; `--json` lists all." in tacit("import", source).out


def test_questions_are_told(source: Path, person: Person) -> None:
    """O-02: what meets another note waits for `tacit review`, until the import is undone."""
    tacit("remember", "--scene", "naming files", "--choice", "use kebab case", "naming")
    write(source / "naming.md", "---\nname: naming files\n---\n\nnever use kebab case\n")
    person.will_say("y")
    done = tacit("import", source)

    assert "To be asked about: 1." in done.out
    assert "Questions that wait: 1." in done.out
    person.will_say("y")
    assert "Questions that it had left and that wait no more: 1." in tacit("undo").out


def test_format_can_be_named(source: Path) -> None:
    """Where names do not tell the format, the user does."""
    assert tacit("import", source, "--format", "serena", "--json").document["format"] == "serena"
    assert tacit("import", source.parent / "none").error_code == "foreign.refused"


def test_export(root: Path, source: Path, person: Person) -> None:
    """O-01: what was written, and what the format cannot carry; files that differ are asked about."""
    tacit("import", source, "--yes")
    folder = root.parent.parent / "out"
    plan = tacit("export", "lingxi", folder, "--dry-run")
    assert not folder.exists()
    assert plan.out.endswith("Nothing was changed: this is the plan.\n")

    done = tacit("export", "lingxi", folder, "--json").document
    assert done["files"] == ["INDEX.md", "notes/MEM-00000002.md"]
    assert done["not_carried"] == snapshot(
        ["details, and the entry document: 2", "who confirmed a note, and where it came from"]
    )
    assert tacit("export", "lingxi", folder).out.endswith("is up to date.\n")

    write(folder / "INDEX.md", "mine")
    person.will_say("n")
    assert tacit("export", "lingxi", folder).code == 12
    person.will_say("y")
    assert "1 file, 1 note." in tacit("export", "lingxi", folder).out


def test_export_without_a_terminal_overwrites_nothing(root: Path, source: Path) -> None:
    """O-01: nobody could be asked, so nothing is replaced."""
    tacit("import", source, "--yes")
    folder = root.parent.parent / "out"
    write(folder / "INDEX.md", "mine")

    assert tacit("export", "lingxi", folder).error_code == "foreign.refused"
    assert tacit("export", "lingxi", folder, "--overwrite").code == 0


def test_mount(root: Path, source: Path) -> None:
    """O-03: mounted, listed, recalled and removed."""
    assert root.exists()
    assert tacit("mount").out == "Nothing is mounted. Mount another memory with: tacit mount PATH\n"
    done = tacit("mount", source, "--json").document
    assert (done["format"], done["documents"], done["mounted"]) == ("claude-memory", 2, True)
    assert str(source) in tacit("mount", "--list").out
    assert tacit("search", "tabs", "--json").document["hits"][0]["file"] == str(source / "style.md")
    write(source / "secrets.md", "The pineapple is ripe.\n")
    assert "secrets.md: by its name it holds secrets" in tacit("mount", source).err
    assert tacit("mount", source, "--remove").code == 0
    assert tacit("mount", "--list", "--json").document["mounts"] == []


def test_undo_names_the_first_files(source: Path, person: Person) -> None:
    """The question stays short however much an import brought."""
    for number in range(20):
        write(source / f"note{number}.md", f"Rule number {number} says {'abcdefghijklmnopqrstu'[number] * 5}.\n")
    tacit("import", source, "--yes")
    person.will_say("y")
    assert tacit("undo").code == 0
    assert ", … (22)" in person.was_asked()


@pytest.mark.parametrize("words", [("export", "lingxi", ""), ("import", ""), ("mount", ""), ("list", "--bank", "")])
def test_an_empty_path_is_not_the_working_directory(root: Path, words: tuple[str, ...]) -> None:
    """O-01: a variable of a script without a value writes nothing where the script happens to stand."""
    before = fingerprint(root.parent)
    result = tacit(*words)
    assert (result.code, "The path is empty; write . for this directory." in result.err) == (2, True)
    assert fingerprint(root.parent) == before
