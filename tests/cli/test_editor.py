"""Writing and changing notes in the person's editor: nothing that was typed is lost."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import NOW
from tests.cli.runner import Person, Result, at_terminal, fingerprint, note_text, tacit, write
from tests.files import holders

if TYPE_CHECKING:
    from collections.abc import Callable

    Editor = Callable[..., None]

ID = "MEM-edited"
FILE = f"L1_declarative/{ID}.md"
ASKED = f"Save these changes to {ID}? [y/N] "


@pytest.fixture
def note(root: Path) -> Path:
    """A note that is to be edited."""
    path = write(root / FILE, note_text(ID, "Before"))
    assert tacit("list").code == 0  # heals INDEX.md
    return path


@pytest.fixture
def edit_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    """Make an editor that saves a text, or does what a line of shell says; $1 is the file it is given."""

    def make(saves: str | None = None, does: str = "", variable: str = "EDITOR") -> None:
        if saves is not None:
            does = f'cp "{write(tmp_path / "typed", saves)}" "$1"\n{does}'
        script = write(tmp_path / "my editor", f"#!/bin/sh\n{does}\n")
        script.chmod(0o755)
        monkeypatch.setenv(variable, f"'{script}'")

    return make


def kept_text(result: Result) -> Path:
    """The file that the command named for the text it could not save."""
    line = next(line for line in result.err.splitlines() if line.startswith("Your text is kept at "))
    return Path(line.removeprefix("Your text is kept at ").removesuffix("."))


# ── edit ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_edit_shows_the_difference_and_saves(note: Path, person: Person, edit_with: Editor) -> None:
    """What the editor saved is shown as a difference, asked about and written; the draft goes."""
    edit_with(note_text(ID, "After"))
    person.will_say("y")

    result = tacit("edit", ID)

    assert (result.code, result.err) == (0, "")
    assert result.out == (
        f"    @@ -2,3 +2,3 @@\n     id: {ID}\n    -title: Before\n    +title: After\n     ---\nSaved {ID}.\n"
    )
    assert person.was_asked() == ASKED
    assert note.read_text(encoding="utf-8") == note_text(ID, "After", updated=f'"{NOW}"').replace('"', "")
    assert not (note.parents[1] / ".local/edit").exists()


def test_edit_as_json(note: Path, person: Person, edit_with: Editor) -> None:
    """With --json the difference is left out, for standard output is JSON alone."""
    edit_with(note_text(ID, "After"))
    person.will_say("y")

    result = tacit("edit", ID, "--json")

    assert result.document == {"schema": "tacit.edit/1", "id": ID, "operation_id": "OP-00000003", "file": FILE}
    assert "After" in note.read_text(encoding="utf-8")


def test_edit_on_a_real_terminal(note: Path, edit_with: Editor) -> None:
    """The editor has the terminal to itself first, then the question is asked there."""
    edit_with(does='printf "Title? [y/N] " > /dev/tty; read line < /dev/tty; sed -i "s/Before/$line/" "$1"')

    result = at_terminal("edit", ID, answers=["Typed on the terminal", "y"], EDITOR=os.environ["EDITOR"])

    assert (result.code, result.err) == (0, "")
    assert result.screen == f"Title? [y/N] {ASKED}"
    assert "title: Typed on the terminal\n" in note.read_text(encoding="utf-8")


def test_edit_without_a_change_asks_nothing(note: Path, person: Person, edit_with: Editor) -> None:
    """An editor that was left without saving changes nothing and needs no answer."""
    edit_with(does=":")
    before = fingerprint(note.parents[1])

    result = tacit("edit", ID)

    assert (result.code, result.out) == (0, "Nothing was changed.\n")
    assert person.was_asked() == ""
    assert fingerprint(note.parents[1]) == before


def test_visual_comes_before_editor(note: Path, person: Person, edit_with: Editor) -> None:
    """$VISUAL is taken before $EDITOR."""
    edit_with(note_text(ID, "Visual"), variable="VISUAL")
    person.will_say("y")

    assert tacit("edit", ID).code == 0
    assert "Visual" in note.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("no note at all", "note.syntax"),
        (note_text(ID, kind="nonsense"), "note.syntax"),
        ("", "note.empty"),
        (note_text(ID, "x" * 201), "note.syntax"),
        (note_text(ID) + "x" * 70_000, "note.too_large"),
        (f"<<<<<<< ours\n{note_text(ID)}=======\n>>>>>>> theirs\n", "note.conflicted"),
    ],
    ids=["nonsense", "bad kind", "empty", "long title", "too large", "conflict"],
)
def test_invalid_text_is_kept_and_named(note: Path, person: Person, edit_with: Editor, text: str, code: str) -> None:
    """A text that is no valid note is not written, but kept in a file that is named; nobody is asked."""
    before = note.read_bytes()
    edit_with(text)

    result = tacit("edit", ID)

    assert result.code == 3
    assert result.error_code == code
    assert kept_text(result).read_text(encoding="utf-8") == text
    assert "tacit: The edited text:" in result.err
    assert f"It is no note: {ID} is as it was. Run `tacit edit {ID}` again." in result.err.splitlines()[-1]
    assert note.read_bytes() == before
    assert person.was_asked() == ""


def test_kept_text_survives_the_next_edit(note: Path, person: Person, edit_with: Editor) -> None:
    """A kept text is the person's: no later edit of the same note overwrites or removes it."""
    kept = []
    for text in ("first try", "second try", "third try"):
        edit_with(text)
        kept.append(kept_text(tacit("edit", ID)))
    edit_with(note_text(ID, "After"))
    person.will_say("y")

    assert tacit("edit", ID).code == 0
    assert [path.read_text(encoding="utf-8") for path in kept] == ["first try", "second try", "third try"]
    assert [path.name for path in kept] == [f"{ID}.md", f"{ID}-2.md", f"{ID}-3.md"]
    assert "After" in note.read_text(encoding="utf-8")


def test_declined_text_is_kept(note: Path, person: Person, edit_with: Editor) -> None:
    """Who says no to the difference has the text still."""
    edit_with(note_text(ID, "After"))
    person.will_say("n")

    result = tacit("edit", ID)

    assert (result.code, result.error_code) == (12, "gate.declined")
    assert "title: After" in kept_text(result).read_text(encoding="utf-8")
    assert "title: Before" in note.read_text(encoding="utf-8")


def test_somebody_changed_the_note_meanwhile(note: Path, person: Person, edit_with: Editor) -> None:
    """T-03: a note that changed while the editor was open is not overwritten; the text is kept."""
    edit_with(note_text(ID, "Mine"), does=f'echo "Theirs." >> "{note}"')
    person.will_say("y")

    result = tacit("edit", ID)

    assert (result.code, result.error_code) == (5, "store.changed")
    assert FILE in result.err
    assert "title: Mine" in kept_text(result).read_text(encoding="utf-8")
    assert note.read_text(encoding="utf-8") == note_text(ID, "Before") + "Theirs.\n"


def test_note_was_removed_meanwhile(note: Path, person: Person, edit_with: Editor) -> None:
    """T-03: a note that is gone when the text comes back is not made again; the text is kept."""
    edit_with(note_text(ID, "Mine"), does=f'rm "{note}"')
    person.will_say("y")

    result = tacit("edit", ID)

    assert (result.code, result.error_code) == (4, "note.not_found")
    assert "title: Mine" in kept_text(result).read_text(encoding="utf-8")
    assert not note.exists()


def test_a_note_keeps_its_id(note: Path, person: Person, edit_with: Editor) -> None:
    """N-03: an id survives every edit; a text with another one is kept, not saved."""
    edit_with(note_text("MEM-other", "After"))
    person.will_say("y")

    result = tacit("edit", ID)

    assert (result.code, result.error_code) == (3, "field.refused")
    assert kept_text(result).is_file()
    assert note.read_text(encoding="utf-8") == note_text(ID, "Before")


def test_core_document_is_refused_before_the_editor_opens(root: Path, edit_with: Editor, tmp_path: Path) -> None:
    """Nobody types a text that cannot be saved in the end."""
    write(root / "L0_core/values.md", "# Values\n")
    edit_with(does=f'touch "{tmp_path}/opened"')

    result = tacit("edit", "CORE-values")

    assert (result.code, result.error_code) == (3, "field.refused")
    assert not (tmp_path / "opened").exists()


@pytest.mark.parametrize(
    ("editor", "reason"),
    [
        ("false", "it ended with code 1."),
        ("no-such-editor-here", "No such file"),
        ("'unclosed", "No closing quotation"),
        ("   ", "ermission denied"),
    ],
)
@pytest.mark.usefixtures("person")
def test_editor_that_fails(note: Path, monkeypatch: pytest.MonkeyPatch, editor: str, reason: str) -> None:
    """An editor that cannot be run ends in one sentence with a code, and leaves nothing behind."""
    monkeypatch.setenv("EDITOR", editor)
    before = fingerprint(note.parents[1])

    result = tacit("edit", ID)

    assert (result.code, result.error_code) == (3, "editor.failed")
    assert reason in result.err
    assert "kept" not in result.err
    assert fingerprint(note.parents[1]) == before


@pytest.mark.usefixtures("person")
def test_editor_that_fails_after_saving(note: Path, edit_with: Editor) -> None:
    """What was typed before the editor failed is kept."""
    edit_with("half a thought", does="exit 7")

    result = tacit("edit", ID)

    assert (result.code, result.error_code) == (3, "editor.failed")
    assert kept_text(result).read_text(encoding="utf-8") == "half a thought"
    assert "Before" in note.read_text(encoding="utf-8")


def test_purge_takes_kept_texts_along(note: Path, person: Person, edit_with: Editor) -> None:
    """T-05: a leak is also in the texts that were kept; purge destroys them."""
    edit_with(f"{ID} said: the password is hunter2")
    assert kept_text(tacit("edit", ID)).is_file()
    person.will_say("y")

    assert tacit("purge", ID).code == 0

    assert holders(note.parents[1], "hunter2") == []


# ── new ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("person")
def test_new_opens_the_template(root: Path, edit_with: Editor) -> None:
    """Without options the editor opens with the bank's own template; the id is made on saving."""
    edit_with(does='sed -i "s/A short name for the decision/Typed/" "$1"')

    result = tacit("new", "--json")

    assert result.code == 0
    document = result.document
    assert document["id"] == "MEM-00000003"
    text = (root / document["file"]).read_text(encoding="utf-8")
    assert "title: Typed\n" in text
    assert "MEM-template" not in text
    assert not (root / ".local/edit").exists()


@pytest.mark.usefixtures("person", "root")
def test_new_keeps_an_id_that_was_typed(edit_with: Editor) -> None:
    """A person may choose the id."""
    edit_with(note_text("MEM-chosen"))

    assert tacit("new", "--json").document["id"] == "MEM-chosen"


@pytest.mark.usefixtures("person")
@pytest.mark.parametrize("typed", [False, True])
def test_new_for_yourself_alone(
    root: Path, tmp_path: Path, edit_with: Editor, monkeypatch: pytest.MonkeyPatch, *, typed: bool
) -> None:
    """Y-02, M-01: a note for the user alone goes to their own bank, by options and by the editor."""
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "mine"))
    edit_with(does='sed -i "s/audience: project/audience: personal/; s/A short name for the decision/Typed/" "$1"')
    words = ("--title", "T", "--when", "w", "--one-liner", "l", "--audience", "personal")

    document = tacit("new", "--json", *(() if typed else words)).document

    assert Path(document["file"]).is_relative_to(tmp_path / "mine/personal/L1_declarative")
    assert "audience: personal" in Path(document["file"]).read_text(encoding="utf-8")
    assert list((root / "L1_declarative").iterdir()) == []
    assert "in your personal bank" in tacit("new", *words, "--one-liner", "m").out


@pytest.mark.usefixtures("person")
def test_new_without_a_change_writes_nothing(root: Path, edit_with: Editor) -> None:
    """Leaving the editor without typing anything makes no note of the template."""
    edit_with(does=":")

    result = tacit("new")

    assert (result.code, result.error_code) == (12, "gate.declined")
    assert list((root / "L1_declarative").iterdir()) == []
    assert "kept" not in result.err


@pytest.mark.usefixtures("person")
def test_new_keeps_what_cannot_be_read(root: Path, edit_with: Editor) -> None:
    """A text that is no note is kept in a file that is named."""
    edit_with("a thought")

    result = tacit("new")

    assert (result.code, result.error_code) == (3, "note.syntax")
    assert kept_text(result).read_text(encoding="utf-8") == "a thought"
    assert "Run `tacit new` again" in result.err
    assert list((root / "L1_declarative").iterdir()) == []


@pytest.mark.usefixtures("note", "person")
def test_new_keeps_what_cannot_be_saved(edit_with: Editor) -> None:
    """A text that is a note, but whose id is taken, is kept as well."""
    edit_with(note_text(ID, "Twice"))

    result = tacit("new")

    assert (result.code, result.error_code) == (3, "id.duplicate")
    assert "Twice" in kept_text(result).read_text(encoding="utf-8")


def test_new_without_a_terminal_opens_no_editor(root: Path, edit_with: Editor, tmp_path: Path) -> None:
    """Where nobody sits at a terminal the options are needed."""
    edit_with(does=f'touch "{tmp_path}/opened"')

    result = tacit("new")

    assert result.code == 2
    assert "--title, --when, --one-liner must be given" in result.err
    assert not (tmp_path / "opened").exists()
    assert root.is_dir()
