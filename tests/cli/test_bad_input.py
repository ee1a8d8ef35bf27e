"""Whatever is handed in: one sentence with place, reason and next step, a stable code, and an unchanged bank."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import chdir
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.cli.runner import Result, fingerprint, note_text, tacit, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Prepare = Callable[[Path], object]

ID = "MEM-good"
FILE = f"L1_declarative/{ID}.md"
BAD = "L1_declarative/MEM-bad.md"
LINK = "L1_declarative/MEM-link.md"
PLAIN = {"--title": "T", "--when": "w", "--one-liner": "l"}


def nothing(_: Path) -> None:
    """Leave the bank as it is."""


def new(**given: str | list[str]) -> list[str]:
    """The words of a `tacit new` with these options in place of the plain ones; underscores stand for hyphens."""
    options: dict[str, str | list[str]] = {**PLAIN}
    options |= {f"--{name.replace('_', '-')}": value for name, value in given.items()}
    pairs = ((name, [value] if isinstance(value, str) else value) for name, value in options.items())
    return ["new", *(f"{name}={each}" for name, values in pairs for each in values)]


def file(name: str, content: str | bytes) -> Prepare:
    """Put a file into the bank."""
    return lambda bank: write(bank / name, content)


def settings(text: str | bytes) -> Prepare:
    """Let tacit.toml be so."""
    return file("tacit.toml", text)


def link(name: str, target: str) -> Prepare:
    """Put a symbolic link into the bank."""

    def prepare(bank: Path) -> None:
        write(bank.parent / "outside/MEM-link.md", note_text("MEM-link"))
        path = bank / name
        if path.is_dir():
            for inner in path.iterdir():
                inner.rename(bank.parent / "outside" / inner.name)
            path.rmdir()
        path.symlink_to(bank.parent / target)

    return prepare


def index_link(bank: Path) -> None:
    """Let INDEX.md be a symbolic link."""
    (bank / "INDEX.md").unlink()
    link("INDEX.md", "outside/MEM-link.md")(bank)


def fifo(bank: Path) -> None:
    """Put a fifo where a note could be."""
    os.mkfifo(bank / "L1_declarative/MEM-odd.md")


def listening_socket(bank: Path) -> None:
    """Put a socket where a note could be."""
    with chdir(bank / "L1_declarative"), socket.socket(socket.AF_UNIX) as made:  # the path of a socket must be short
        made.bind("MEM-odd.md")


def device(bank: Path) -> None:
    """Put a device where a note could be; only root may."""
    try:
        os.mknod(bank / "L1_declarative/MEM-odd.md", 0o600 | 0o020000, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("making a device needs root")


def folder(bank: Path) -> None:
    """Put a folder where a note could be."""
    (bank / "L1_declarative/MEM-odd.md").mkdir()


def twice(bank: Path) -> None:
    """Let two files claim one id."""
    write(bank / "L1_declarative/one.md", note_text("MEM-twice"))
    write(bank / "L2_procedural/two.md", note_text("MEM-twice"))


@dataclass(frozen=True)
class Case:
    """What is done, with what, and what must come of it: a code, an exit code, and words in the sentence."""

    words: list[str]
    code: str
    exit_code: int
    says: str
    prepare: Prepare = nothing


MARKERS = "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"
CASES = {
    # the bank itself
    "newer format": Case(["list"], "bank.format_too_new", 10, "has format 2", settings("format = 2\n")),
    "much newer format, writing": Case(new(), "bank.format_too_new", 10, "format 99", settings("format = 99\n")),
    "newer format, init": Case(["init", "--yes"], "bank.format_too_new", 10, "format 2", settings("format = 2\n")),
    "settings are no TOML": Case(["list"], "setting.broken", 3, "no valid TOML", settings("format = = 1")),
    "settings without format": Case(["list"], "setting.broken", 3, "format number", settings("# nothing\n")),
    "format is a word": Case(["list"], "setting.broken", 3, "format number", settings("format = 'one'\n")),
    "format is negative": Case(["list"], "setting.broken", 3, "format number", settings("format = -1\n")),
    "settings are not UTF-8": Case(["list"], "setting.broken", 3, "not UTF-8", settings(b"format = 1 # \xff\n")),
    "settings are empty": Case(new(), "setting.broken", 3, "format number", settings("")),
    "no such bank": Case(["list", "--bank", "nowhere"], "bank.not_found", 4, "nowhere"),
    "bank is a file": Case(["list", "--bank", f".memory/{FILE}"], "bank.not_found", 4, FILE),
    "bank name is too long": Case(["list", "--bank", "x" * 5000], "store.io", 7, "name too long"),
    "init where a file is": Case(["init", "--yes", "--bank", f".memory/{FILE}"], "store.io", 7, "Not a directory"),
    "init below a file": Case(["init", "--yes", "--bank", f".memory/{FILE}/x"], "store.io", 7, "Not a directory"),
    # which note
    "unknown id": Case(["show", "MEM-nothing"], "note.not_found", 4, "no note MEM-nothing"),
    "unknown id, nearest named": Case(["show", "MEM-god"], "note.not_found", 4, f"the nearest is {ID}"),
    "unknown id, tag": Case(["tag", "MEM-nothing", "x"], "note.not_found", 4, "MEM-nothing"),
    "unknown id, move": Case(["move", "MEM-nothing", "--layer", "L2"], "note.not_found", 4, "MEM-nothing"),
    "unknown id, archive": Case(["archive", "MEM-nothing"], "note.not_found", 4, "MEM-nothing"),
    "unknown id, delete": Case(["delete", "MEM-nothing"], "note.not_found", 4, "MEM-nothing"),
    "unknown id, edit": Case(["edit", "MEM-nothing"], "note.not_found", 4, "MEM-nothing"),
    "unknown id, restore": Case(["restore", "MEM-nothing"], "note.not_found", 4, "in the trash"),
    "unknown id, purge": Case(["purge", "MEM-nothing"], "note.not_found", 4, "MEM-nothing"),
    "unknown id, log": Case(["log", "MEM-nothing"], "note.not_found", 4, "MEM-nothing"),
    "id with a slash": Case(["show", "MEM-a/b"], "note.not_found", 4, "MEM-a/b"),
    "id that goes up": Case(["show", "../../etc/passwd"], "path.refused", 3, "inside the bank"),
    "id that goes down and up": Case(["show", "L1_declarative/../../x"], "path.refused", 3, "inside the bank"),
    "absolute path": Case(["show", "/etc/passwd"], "path.refused", 3, "/etc/passwd"),
    "delete an absolute path": Case(["delete", "/etc/passwd"], "path.refused", 3, "/etc/passwd"),
    "tag a path that goes up": Case(["tag", "../tacit.toml", "x"], "path.refused", 3, "../tacit.toml"),
    "a file that is no note": Case(["show", "./.memory/tacit.toml"], "note.not_found", 4, "tacit.toml"),
    "delete the settings": Case(["delete", "./.memory/tacit.toml"], "note.not_found", 4, "tacit.toml"),
    "path that is too long": Case(["show", "L1_declarative/" + "x" * 300], "store.io", 7, "name too long"),
    "empty id": Case(["show", ""], "note.not_found", 4, "There is no note"),
    "purge something else": Case(["purge", "../x"], "id.refused", 3, "no note id"),
    "purge a core document": Case(["purge", "CORE-values"], "id.refused", 3, "no note id"),
    "two files, one id": Case(["show", "MEM-twice"], "id.duplicate", 3, "one.md and L2_procedural/two.md", twice),
    "tag one of two": Case(["tag", "MEM-twice", "x"], "id.duplicate", 3, "claim the same id", twice),
    "delete one of two": Case(["delete", "MEM-twice"], "id.duplicate", 3, "claim the same id", twice),
    # pointers
    "pointer without an id": Case(["show", "mem://L1"], "pointer.refused", 3, "does not read"),
    "pointer to nonsense": Case(["show", "mem://nonsense"], "pointer.refused", 3, "does not read"),
    "pointer to no layer": Case(["show", f"mem://L9/{ID}"], "pointer.refused", 3, "'L9' is no layer"),
    "pointer that goes up": Case(["show", "mem://L1/../x"], "pointer.refused", 3, "does not read"),
    "pointer with a wrong id": Case(["show", "mem://L1/nothing"], "pointer.refused", 3, "no id of layer L1"),
    "pointer without a path": Case(["show", f"mem://L1/{ID}#"], "pointer.refused", 3, "does not read"),
    "dangling pointer": Case(["show", "mem://L1/MEM-god"], "pointer.dangling", 4, f"the nearest is mem://L1/{ID}"),
    "dangling section": Case(["show", f"mem://L1/{ID}#one-line"], "pointer.dangling", 4, "the nearest is one-liner"),
    "pointer to the wrong layer": Case(
        ["show", f"mem://L2/{ID}#title"], "pointer.dangling", 4, f"mem://L1/{ID}#title does"
    ),
    "pointer to an episode": Case(["show", "mem://L3/EP-nothing"], "pointer.dangling", 4, "EP-nothing leads nowhere"),
    # operations and settings
    "unknown operation": Case(["undo", "OP-nothing"], "operation.not_found", 4, "OP-nothing"),
    "unknown operation, log": Case(["log", "OP-nothing"], "operation.not_found", 4, "no operation OP-nothing"),
    "unknown operation, explain": Case(["explain", "OP-nothing"], "operation.not_found", 4, "OP-nothing"),
    "nothing to undo": Case(["undo"], "operation.not_found", 4, "no operation left to undo"),
    "undo of init": Case(["undo", "OP-00000001"], "undo.blocked", 5, "it made the bank"),
    "unknown setting": Case(["config", "nothing"], "setting.refused", 3, "there is no setting 'nothing'"),
    "unknown setting, set": Case(["config", "nothing", "1"], "setting.refused", 3, "no setting 'nothing'"),
    "setting out of range": Case(["config", "lock.timeout_s", "601"], "setting.refused", 3, "from 0 to 600"),
    "setting is no number": Case(["config", "lock.timeout_s", "soon"], "setting.refused", 3, "'soon'"),
    "setting is no choice": Case(["config", "language", "fr"], "setting.refused", 3, "auto, en, zh"),
    "setting inside a value": Case(
        ["config", "lock.timeout_s", "3"], "setting.refused", 3, "lock is not a table", settings("format=1\nlock=1\n")
    ),
    # new notes
    "title too long": Case(new(title="x" * 201), "field.refused", 3, "1 to 200 characters"),
    "title of two lines": Case(new(title="a\nb"), "field.refused", 3, "not one line"),
    "title of blanks": Case(new(title="   "), "field.refused", 3, "not one line"),
    "title with a carriage return": Case(new(title="a\rb"), "field.refused", 3, "not one line"),
    "title with a line separator": Case(new(title="a\u2028b"), "guard.refused", 3, "title"),
    "title with a form feed": Case(new(title="a\x0cb"), "field.refused", 3, "not one line"),
    "title with NUL": Case(new(title="a\x00b"), "guard.refused", 3, "title"),
    "title that is no text": Case(new(title="a\udcffb"), "field.refused", 3, "surrogate"),
    "one-liner of blanks": Case(new(one_liner="  "), "field.refused", 3, "One-liner"),
    "one-liner with NUL": Case(new(one_liner="a\x00"), "guard.refused", 3, "one"),
    "when of blanks": Case(new(when="  "), "field.refused", 3, "When to load"),
    "too many lines of when": Case(new(when=["1", "2", "3", "4"]), "field.refused", 3, "more than 3 lines"),
    "too many tags": Case(new(tag=[str(n) for n in range(33)]), "field.refused", 3, "there are 33, more than the 32"),
    "tag of two lines": Case(new(tag="a\nb"), "field.refused", 3, "tags"),
    "tag too long": Case(new(tag="x" * 65), "field.refused", 3, "1 to 64 characters"),
    "empty tag": Case(["tag", ID, ""], "field.refused", 3, "tags"),
    "too many tags added": Case(["tag", ID, *(str(n) for n in range(33))], "field.refused", 3, "more than the 32"),
    "note over the limit": Case(new(decision="x" * 65_536), "note.too_large", 3, "more than the 65536 allowed"),
    "heading in a section": Case(new(decision="a\n## One-liner\nb"), "field.refused", 3, "heading"),
    "open code fence": Case(new(decision="```\ncode"), "field.refused", 3, "code fence"),
    # files that a person, an editor or git left in the bank
    "file over the limit": Case(
        ["show", "MEM-big"], "note.too_large", 3, "MEM-big.md", file("L1_declarative/MEM-big.md", b"x" * 65_537)
    ),
    "file is not UTF-8": Case(["show", "MEM-bad"], "note.not_utf8", 3, "MEM-bad.md:2:", file(BAD, b"---\nid: \xff")),
    "file is empty": Case(["tag", "MEM-bad", "x"], "note.empty", 3, "bad.md", file(BAD, "")),
    "file of NUL": Case(["delete", "MEM-bad"], "note.empty", 3, "NUL", file(BAD, b"\0" * 100)),
    "conflict markers": Case(
        ["show", "MEM-bad"],
        "note.conflicted",
        3,
        "bad.md:12",
        file(BAD, note_text()[:-9] + MARKERS),
    ),
    "edit a file with conflict markers": Case(
        ["edit", "MEM-bad"], "note.conflicted", 3, "conflict", file(BAD, MARKERS)
    ),
    "file without front matter": Case(
        ["show", "MEM-bad"], "note.syntax", 3, "bad.md:1: a note begins", file(BAD, "# Hi\n")
    ),
    "file with a bad kind": Case(["archive", "MEM-bad"], "note.syntax", 3, "kind", file(BAD, note_text(kind="x"))),
    "fifo": Case(["show", "MEM-odd"], "note.not_regular", 3, "this is a fifo", fifo),
    "socket": Case(["show", "MEM-odd"], "note.not_regular", 3, "this is a socket", listening_socket),
    "device": Case(["show", "MEM-odd"], "note.not_regular", 3, "this is a device", device),
    "folder": Case(["delete", "MEM-odd"], "note.not_regular", 3, "this is a directory", folder),
    "link to a file outside": Case(
        ["show", "MEM-link"],
        "path.symlink",
        3,
        "MEM-link.md",
        link(LINK, "outside/MEM-link.md"),
    ),
    "link to itself": Case(
        ["tag", "MEM-link", "x"],
        "path.symlink",
        3,
        "MEM-link.md",
        link(LINK, f".memory/{LINK}"),
    ),
    "layer is a link": Case(new(), "path.symlink", 3, "L1_declarative", link("L1_declarative", "outside")),
    "note in a layer that is a link": Case(
        ["show", "L1_declarative/MEM-link.md"], "note.not_found", 4, "MEM-link", link("L1_declarative", "outside")
    ),
    "staging is a link": Case(new(), "path.symlink", 3, "staging", link("staging", "outside")),
    "trash is a link": Case(["tag", ID, "x"], "path.symlink", 3, ".trash", link(".trash", "outside")),
    "place for conflicts is a link": Case(new(), "path.symlink", 3, "conflicts", link("conflicts", "outside")),
    "INDEX.md is a link": Case(new(), "path.symlink", 3, "INDEX.md", index_link),
}


@pytest.fixture
def bank(root: Path) -> Path:
    """A bank with one good note and INDEX.md in order."""
    write(root / FILE, note_text(ID))
    assert tacit("list").code == 0
    return root


def one_sentence(result: Result) -> str:
    """The message of an error; it stands on one line with its code, and the next step on the next."""
    assert result.out == ""
    lines = result.err.splitlines()
    assert len(lines) == 2, result.err
    assert re.fullmatch(r"tacit: .+\. \[[a-z]+\.[a-z0-9_]+\]", lines[0]), result.err
    assert re.fullmatch(r"  [^ ].+\.", lines[1]), result.err
    return lines[0].removeprefix("tacit: ")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@pytest.mark.usefixtures("person")
def test_bad_input_ends_in_one_sentence_and_an_unchanged_bank(bank: Path, case: Case) -> None:
    """Place, reason and next step in one sentence; a stable code; an exit code; not a byte of the project changed."""
    case.prepare(bank)
    tacit("check", "--fix")  # so that no stale INDEX.md is healed later
    before = fingerprint(bank.parent)

    result = tacit(*case.words)

    assert result.error_code == case.code
    assert result.code == case.exit_code
    assert case.says in one_sentence(result)
    assert fingerprint(bank.parent) == before


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@pytest.mark.usefixtures("person")
def test_bad_input_is_told_to_programs(bank: Path, case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same code and exit code with JSON, and the next step in the language of the user."""
    case.prepare(bank)
    monkeypatch.setenv("TACIT_LANG", "zh")

    result = tacit(*case.words, "--json")

    assert result.code == case.exit_code
    assert result.document["schema"] == "tacit.error/1"
    assert result.document["code"] == case.code
    assert re.search("[\u4e00-\u9fff]", result.document["hint"])


USAGE = {
    "no title": (["new", "--when=w", "--one-liner=l"], "--title must be given"),
    "empty title": (new(title=""), "--title must be given"),
    "nothing given": (["new"], "--title, --when, --one-liner must be given"),
    "nothing to remember": (["remember", " "], "TEXT or --choice must be given"),
    "unknown kind": (new(kind="nonsense"), "'nonsense' is not one of"),
    "unknown layer": (new(layer="L3"), "'L3' is not one of"),
    "core layer": (["move", ID, "--layer", "L0"], "'L0' is not one of"),
    "unknown status": (new(status="done"), "'done' is not one of"),
    "unknown strength": (new(strength="iron"), "'iron' is not one of"),
    "unknown state": (["state", "maybe"], "'maybe' is not one of"),
    "negative days": (["trash", "empty", "--days", "-1"], "-1 is not in the range"),
    "no layer to move to": (["move", ID], "Missing option '--layer'"),
    "option of another tool": (["tag", ID, "--add", "ops"], "No tag begins with --"),
    "no tags": (["tag", ID], "Missing argument 'TAGS...'"),
    "number of no lines": (["log", "-n", "0"], "0 is not in the range"),
    "unknown option": (["delete", ID, "--yes"], "No such option"),
}


@pytest.mark.parametrize(("words", "says"), USAGE.values(), ids=USAGE)
def test_wrong_command_line_changes_nothing(bank: Path, words: list[str], says: str) -> None:
    """A wrong command line is told in one sentence, with exit code 2, and changes nothing."""
    before = fingerprint(bank.parent)

    result = tacit(*words)

    assert (result.code, result.out) == (2, "")
    assert says in result.err
    assert fingerprint(bank.parent) == before


# ── a lock that is held too long ──────────────────────────────────────────────────────────────────────────────────────

HOLDER = """
import sys, time
from pathlib import Path
from tacit.store.lock import WriterLock
lock = WriterLock(Path(sys.argv[1]), timeout_s=10, act="a long import")
lock.acquire()
print("held", flush=True)
time.sleep(60)
"""


@pytest.fixture
def holder(bank: Path) -> Iterator[int]:
    """The id of another process that writes for a long time; commands here do not wait for it."""
    assert tacit("config", "lock.timeout_s", "0").code == 0
    other = subprocess.Popen([sys.executable, "-c", HOLDER, str(bank / ".local")], stdout=subprocess.PIPE)
    assert other.stdout is not None
    assert other.stdout.readline() == b"held\n"
    yield other.pid
    other.send_signal(signal.SIGKILL)
    other.communicate()


def test_lock_held_too_long(bank: Path, holder: int) -> None:
    """T-02: writers give up after the time that is set and name who writes; readers do not notice."""
    before = fingerprint(bank)
    writing = [new(), ["tag", ID, "x"], ["move", ID, "--layer", "L2"], ["state", "off"], ["config", "language", "zh"]]
    for words in writing:
        result = tacit(*words)

        assert (result.code, result.error_code) == (6, "store.busy")
        assert f"process {holder}, a long import" in one_sentence(result)
        assert "gave up after 0 s" in result.err

    assert tacit("list").code == tacit("show", ID).code == tacit("check").code == 0
    assert fingerprint(bank) == before
