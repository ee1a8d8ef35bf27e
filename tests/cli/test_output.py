"""Nothing that a note says can drive the terminal, and programs get JSON alone."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from tacit.bank import Bank
from tacit.errors import RoleRefused
from tests.cli.runner import TACIT, Person, at_terminal, environment, note_text, process, tacit, write

if TYPE_CHECKING:
    from pathlib import Path

# Escape sequences as a note could carry them: colour, window title, clipboard, C1, backspace, right-to-left override.
EVIL = "\x1b[31mred\x1b]0;title\x07\x1b]52;c;aGk=\x07 \x9b31m \x08\x7f \u202egnp.exe"
EVIL_IN_YAML = json.dumps(EVIL)
READING = [["list"], ["show", "MEM-evil"], ["trash", "list"], ["log", "MEM-evil"], ["check"], ["doctor"]]
UNSAFE = {chr(code) for code in (*range(9), *range(11, 32), *range(127, 160), *range(0x202A, 0x202F), 0x2066)}


@pytest.fixture
def evil(root: Path, person: Person) -> Path:
    """A bank with a note, and a removed one, whose title, tags and text are full of escape sequences."""
    text = note_text("MEM-evil", EVIL_IN_YAML, tags=f"[{EVIL_IN_YAML}]") + f"\n## Decision\n\n{EVIL}\n"
    write(root / "L1_declarative/gone.md", text.replace("MEM-evil", "MEM-gone"))
    person.will_say("y")
    assert tacit("delete", "MEM-gone").code == 0
    write(root / "L1_declarative/evil.md", text)
    write(root / f"L2_procedural/{EVIL.replace('/', '')}.md", "no note")
    person.was_asked()
    return root


@pytest.mark.parametrize("words", READING, ids=" ".join)
@pytest.mark.usefixtures("evil")
def test_escapes_in_notes_are_neutralised(words: list[str]) -> None:
    """A title, a tag, a text or a file name cannot drive the terminal that shows it."""
    result = tacit(*words)

    assert UNSAFE.isdisjoint(result.out + result.err)
    assert result.out != ""


@pytest.mark.parametrize("words", READING, ids=" ".join)
@pytest.mark.usefixtures("evil")
def test_escapes_are_escapes_in_json(words: list[str]) -> None:
    """JSON carries the same text as escapes: a program gets it whole, a terminal gets nothing to act on."""
    result = tacit(*words, "--json")

    assert UNSAFE.isdisjoint(result.out)
    if words[0] in ("list", "show"):
        document = result.document
        shown = document["notes"][0] if words[0] == "list" else document
        assert shown["title"] == EVIL


def test_lines_of_the_log_are_not_forged(root: Path) -> None:
    """What a caller without the role calls its change comes back as part of one line."""
    forged = "2026-01-01T00:00:00Z  OP-forged"
    with pytest.raises(RoleRefused):
        Bank.open(root, role="reader").set_fields("MEM-hand", f"edit\n{forged}", title="New")

    (line,) = [line for line in tacit("log").out.splitlines() if forged in line]
    assert not line.startswith(forged)


def test_lines_of_check_are_not_forged(root: Path) -> None:
    """What a file is called stays a part of one line; who is to change it is told to rename it."""
    write(root / "L1_declarative/a\nINDEX.md: all is well.md", note_text("MEM-a"))

    assert not [line for line in tacit("check").out.splitlines() if line.startswith("INDEX.md: all")]
    assert "or rename it" in tacit("tag", "MEM-a", "x").err


@pytest.mark.usefixtures("evil")
def test_escapes_in_questions_are_neutralised(person: Person) -> None:
    """The question that a person answers shows the title without its escapes, so that it cannot be rewritten."""
    person.will_say("n")
    tacit("delete", "MEM-evil")

    asked = person.was_asked()
    assert "red" in asked
    assert UNSAFE.isdisjoint(asked)


def test_escapes_in_arguments_are_neutralised(root: Path) -> None:
    """What was typed comes back in an error without its escapes."""
    result = tacit("show", "MEM-\x1b[31m")

    assert result.code == 4
    assert UNSAFE.isdisjoint(result.err)
    assert root.is_dir()


@pytest.mark.parametrize("as_json", [False, True], ids=["people", "json"])
@pytest.mark.usefixtures("root")
def test_argument_that_is_no_text(*, as_json: bool) -> None:
    """Bytes on the command line that are not UTF-8 end in a sentence, also where output is strict."""
    done = subprocess.run(
        [TACIT, "show", b"MEM-\xff", *(["--json"] if as_json else [])],
        capture_output=True,
        env=environment(PYTHONIOENCODING="utf-8:strict"),
        start_new_session=True,
        check=False,
    )

    assert done.returncode == 4
    assert b"Traceback" not in done.stderr
    assert b"note.not_found" in done.stderr
    if as_json:
        assert json.loads(done.stdout)["code"] == "note.not_found"


@pytest.mark.parametrize("words", [["list"], ["log", "MEM-hand"], ["check"], ["doctor"], ["--help"]], ids=" ".join)
def test_no_colours_without_a_terminal(root: Path, words: list[str]) -> None:
    """No ANSI code is written where no terminal reads it."""
    write(root / "L1_declarative/hand.md", note_text())
    write(root / "L1_declarative/broken.md", "no note")

    result = process(*words)

    assert "\x1b" not in result.out + result.err
    assert result.out != ""


def test_colours_on_a_terminal(root: Path) -> None:
    """On a terminal what is wrong is red, unless NO_COLOR asks for none."""
    write(root / "L1_declarative/broken.md", "no note")

    coloured = at_terminal("check", all_on_screen=True)
    plain = at_terminal("check", all_on_screen=True, NO_COLOR="1")

    assert "\x1b[31mL1_declarative/broken.md" in coloured.screen
    assert "\x1b" not in plain.screen
    assert coloured.code == plain.code == 1


def test_table_fits_the_terminal(root: Path) -> None:
    """On a terminal the last column is cut to fit; in a pipe it is whole."""
    title = "A long title " * 10
    write(root / "L1_declarative/long.md", note_text("MEM-long", title.strip()))

    shown = at_terminal("list", all_on_screen=True, COLUMNS="70")

    row = shown.screen.splitlines()[-1]
    assert row.endswith("…")
    assert len(row) == 70
    assert title.strip() in process("list").out


@pytest.mark.usefixtures("root")
def test_locale_that_lacks_characters() -> None:
    """What a locale cannot show stands as an escape, after the note is written too; JSON is UTF-8 in all of them."""
    said = ("new", "--title", "一", "--when", "w", "--one-liner", "使用制表符")

    for encoding in ("latin-1", "cp1252"):
        shown = process("list", PYTHONIOENCODING=encoding)
        assert (process(*said, PYTHONIOENCODING=encoding).code, shown.code, shown.err) == (0, 0, "")
        told = process("list", "--json", PYTHONIOENCODING=encoding)
        assert {each["title"] for each in told.document["notes"]} >= {"一"}
    assert "\\u4e00" in process("list", PYTHONIOENCODING="latin-1").out
    assert "\\u7075" in process("--help", PYTHONIOENCODING="latin-1").out


@pytest.mark.parametrize(
    "words",
    [["show", "MEM-nothing"], ["show", "mem://nonsense"], ["undo", "OP-nothing"], ["config", "nothing"]],
    ids=" ".join,
)
@pytest.mark.usefixtures("root")
def test_error_as_json(words: list[str]) -> None:
    """With --json an error is a document too: code, message and hint; people read the same on standard error."""
    people, program = tacit(*words), tacit(*words, "--json")

    document = program.document
    assert document.keys() == {"schema", "code", "message", "hint"}
    assert document["schema"] == "tacit.error/1"
    assert people.out == ""
    assert people.err == program.err == f"tacit: {document['message']} [{document['code']}]\n  {document['hint']}\n"
    assert people.code == program.code > 2


def test_reader_that_goes_away(root: Path) -> None:
    """A pipe that is closed early, as by `head`, is no error."""
    for number in range(30):
        write(root / f"L1_declarative/MEM-{number:03d}.md", note_text(f"MEM-{number:03d}"))
    reading, writing = os.pipe()
    os.close(reading)
    buffered = environment()
    buffered.pop("PYTHONUNBUFFERED", None)

    done = subprocess.run(
        [TACIT, "list"], stdout=writing, stderr=subprocess.PIPE, env=buffered, start_new_session=True, check=False
    )
    os.close(writing)

    assert (done.returncode, done.stderr) == (0, b"")


def test_a_closed_pipe_stops_no_work(root: Path, tmp_path: Path) -> None:
    """T-01: what a command was told to do is done, also where it shows its plan first and nobody reads it."""
    rules = tmp_path / "rules/.cursor/rules"
    rules.mkdir(parents=True)
    (rules / "a.mdc").write_text("---\ndescription: naming branches\n---\nUse short names.\n", encoding="utf-8")
    reading, writing = os.pipe()
    os.close(reading)
    words = [TACIT, "import", str(tmp_path / "rules"), "--yes"]
    done = subprocess.run(words, stdout=writing, stderr=subprocess.PIPE, env=environment(), check=False)
    os.close(writing)

    assert (done.returncode, done.stderr) == (0, b"")
    assert len(list((root / "L1_declarative").glob("MEM-*.md"))) == 1


@pytest.mark.parametrize("more", [[], ["--json"]], ids=["people", "json"])
@pytest.mark.parametrize("place", ["full", "closed"])
def test_output_that_cannot_be_written(root: Path, place: str, more: list[str]) -> None:
    """T-01: an output that is lost is told as that; what the command did is done, and nobody is told otherwise."""
    words = [TACIT, "new", "--title", "T", "--when", "w", "--one-liner", "l", *more]
    redirect = ">/dev/full" if place == "full" else ">&-"

    done = subprocess.run(
        ["sh", "-c", f'"$@" {redirect}', "sh", *words], stderr=subprocess.PIPE, env=environment(), check=False
    )

    told = done.stderr.decode()
    assert (done.returncode, told.splitlines()[0].rpartition(" ")[2]) == (7, "[output.lost]")
    assert "is done" in told
    assert "nothing was changed" not in told
    assert "Traceback" not in told
    assert len(list((root / "L1_declarative").glob("MEM-*.md"))) == 1


@pytest.mark.usefixtures("root")
def test_error_that_cannot_be_written() -> None:
    """T-01: an error keeps its exit code where neither standard output nor standard error can be written to."""
    done = subprocess.run(
        ["sh", "-c", '"$@" >/dev/full 2>/dev/full', "sh", TACIT, "show", "MEM-none", "--json"],
        env=environment(),
        check=False,
    )

    assert done.returncode == 4
