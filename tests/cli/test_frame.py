"""What all commands have in common, seen from inside the process."""

from __future__ import annotations

import io
import os
import shutil
from contextlib import redirect_stdout
from typing import TYPE_CHECKING

import pytest

from tacit import fsio
from tacit.cli.output import Output
from tacit.errors import NoteNotFound
from tests.cli.runner import Person, fingerprint, note_text, tacit, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NEW = ("new", "--title", "T", "--when", "w", "--one-liner", "l")
MISSING = "[memory: PAUSED] This bank has no state yet, as in a fresh clone: notes are read, nothing is written.\n"


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 12)])
def test_question_of_a_fresh_clone(root: Path, person: Person, answer: str, code: int) -> None:
    """B-06: the first command that writes asks whether the bank may be written to."""
    (root / "memory.lock").unlink()
    person.will_say(answer)

    result = tacit(*NEW)

    assert result.code == code
    assert result.err.startswith(MISSING)
    assert person.was_asked() == "Turn this bank on, so that Tacit may write to it? [y/N] "
    assert (root / "memory.lock").exists() == (code == 0)


def test_reading_a_fresh_clone_asks_nothing(root: Path, person: Person) -> None:
    """B-06: who only reads is told and not asked."""
    (root / "memory.lock").unlink()

    assert tacit("list").err == MISSING
    assert person.was_asked() == ""


def test_terminal_that_breaks_is_no_terminal(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that cannot be read is no answer: nothing happens."""
    write(root / "L1_declarative/MEM-a.md", note_text("MEM-a"))
    assert tacit("list").code == 0
    monkeypatch.setattr(fsio, "open_terminal", lambda: os.open(os.devnull, os.O_RDONLY))
    before = fingerprint(root)

    result = tacit("delete", "MEM-a")

    assert (result.code, result.error_code) == (9, "gate.no_terminal")
    assert fingerprint(root) == before


@pytest.mark.parametrize(
    "words", [["edit", "MEM-a"], ["purge", "MEM-a"], ["review"], ["config", "gate.new", "terminal"]], ids=" ".join
)
def test_nobody_at_the_terminal(root: Path, words: list[str]) -> None:
    """Without a terminal what only a person may do is refused."""
    write(root / "L1_declarative/MEM-a.md", note_text("MEM-a"))
    assert tacit("tag", "MEM-a", "x").code == 0
    before = fingerprint(root)

    result = tacit(*words)

    assert (result.code, result.error_code) == (9, "gate.no_terminal")
    assert result.err == (
        f"tacit: {words[0]} needs your answer on a terminal, and there is none; nothing was changed. "
        "[gate.no_terminal]\n  Run the command yourself in a terminal. No option replaces the answer.\n"
    )
    assert fingerprint(root) == before


def test_two_versions_that_met_are_told(root: Path) -> None:
    """T-03: what recovery had to keep aside is named by the next command, and reported until somebody looked."""
    directory = root / "staging/tx-0000000009-OP-damaged"
    write(directory / "journal.json", "not what was written")

    result = tacit("list")

    assert result.code == 0
    assert result.err == "Two versions met; the other one is kept: conflicts/damaged-tx-0000000009-OP-damaged\n"
    assert tacit("check", "--json").document["problems"][0]["code"] == "store.conflict"


def test_empty_log(root: Path) -> None:
    """A bank without a log, as in a fresh clone, has an empty one."""
    shutil.rmtree(root / ".local/audit")

    assert tacit("log").out == "The log is empty.\n"


def test_disk_that_refuses_to_be_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: an error of the system that nobody expected is still one sentence with a code."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(root / "tacit.toml"))

    monkeypatch.setattr(fsio, "read", refuse)

    result = tacit("list")

    assert (result.code, result.error_code) == (7, "store.io")
    assert "tacit.toml: Permission denied" in result.err


def test_reader_who_may_not_read_the_log(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03, N-05: who may read the notes and not the log is told so; everything else is looked at."""
    write(root / "L1_declarative/MEM-a.md", note_text("MEM-a"))
    write(root / "L1_declarative/MEM-b.md", "no note")
    assert tacit("list").code == 0
    read = fsio.read

    def refuse(path: Path, **options: int) -> bytes | None:
        if "audit" in str(path):
            raise PermissionError(13, "Permission denied", str(path))
        return read(path, **options)

    monkeypatch.setattr(fsio, "read", refuse)

    report, doctor, status = tacit("check", "--json"), tacit("doctor", "--json"), tacit("status", "--json")

    assert {each["code"] for each in report.document["problems"]} == {"note.syntax", "audit.unreadable"}
    assert [each["name"] for each in doctor.document["checks"] if not each["ok"]] == ["notes", "audit"]
    assert (status.code, status.document["notes"], status.document["waiting"]) == (0, 1, None)
    assert "the log cannot be read" in tacit("status").out


def test_closed_pipe_ends_quietly(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that goes away, as `head` does, is no error."""
    assert root.is_dir()

    def gone(*_: object, **__: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(Output, "table", gone)
    monkeypatch.setattr(Output, "give", gone)

    result = tacit("list")

    assert (result.code, result.out, result.err) == (0, "", "")


class Screen(io.TextIOWrapper):
    """Standard output that says it is a terminal."""

    def __init__(self) -> None:
        self._bytes = io.BytesIO()
        super().__init__(self._bytes, encoding="utf-8", write_through=True)

    @property
    def shown(self) -> str:
        """What was written."""
        return self._bytes.getvalue().decode()

    def isatty(self) -> bool:
        """Say that this is a terminal."""
        return True


def on_a_terminal(show: Callable[[Output], None], columns: int = 40) -> str:
    """What stands on a terminal after `show` has used an output on it."""
    screen = Screen()
    with redirect_stdout(screen), pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(columns))
        show(Output("list", as_json=False))
    return screen.shown


def test_table_on_a_terminal() -> None:
    """The head is bold, and the last column is cut by columns, not by characters."""
    rows = [("MEM-1", "数据库" * 20), ("MEM-2", "short\nline")]

    shown = on_a_terminal(lambda output: output.table({}, ("Id", "Title"), rows))

    assert shown.splitlines() == [
        "\x1b[1mId     Title\x1b[0m",
        f"MEM-1  {'数据库' * 5}数…",
        "MEM-2  short line",
    ]


def test_narrow_terminal_keeps_something() -> None:
    """However narrow the terminal is, ten columns of the last column stay."""
    rows = [("MEM-1", "A long title")]

    shown = on_a_terminal(lambda output: output.table({}, ("Id", "Title"), rows), columns=5)

    assert shown.splitlines()[1] == "MEM-1  A long ti…"


def test_diff_on_a_terminal() -> None:
    """What comes is green, what goes is red."""
    shown = on_a_terminal(lambda output: output.diff("@@ -1 +1 @@\n-old\n+new\n same"))

    assert shown == "\x1b[36m    @@ -1 +1 @@\x1b[0m\n\x1b[31m    -old\x1b[0m\n\x1b[32m    +new\x1b[0m\n     same\n"


def test_no_color_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_COLOR takes the colours away."""
    monkeypatch.setenv("NO_COLOR", "1")

    assert on_a_terminal(lambda output: output.diff("+new")) == "    +new\n"


def test_error_without_a_hint(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that needs no next step is one line."""
    monkeypatch.setattr(NoteNotFound, "hint", "")

    Output("show", as_json=False).fail(NoteNotFound(id="MEM-a", nearest=""))

    assert capsys.readouterr().err == "tacit: There is no note MEM-a. [note.not_found]\n"
