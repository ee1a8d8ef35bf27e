"""N-05: a file that is no valid note never breaks the bank."""

from __future__ import annotations

import os
import socket
from contextlib import chdir
from typing import TYPE_CHECKING

import pytest

from tests.cli.runner import fingerprint, note_text, tacit, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ID = "MEM-good"
NEW = ("new", "--title", "T", "--when", "w", "--one-liner", "l")

# What lies at L1_declarative/broken.md, and the code under which `check` reports it.
TEXTS: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "note.empty"),
    "blank lines": (b"\n\n  \n", "note.empty"),
    "byte order mark alone": (b"\xef\xbb\xbf", "note.empty"),
    "NUL bytes": (b"\0" * 4096, "note.empty"),
    "NUL inside": (note_text().encode() + b"\0", "note.empty"),
    "latin-1": ("---\nid: MEM-x\ntitle: Grüße\n---\n".encode("latin-1"), "note.not_utf8"),
    "UTF-16": (note_text().encode("utf-16-be").replace(b"\0", b"\xfe"), "note.not_utf8"),
    "over the limit": (note_text().encode() + b"x" * 65_536, "note.too_large"),
    "plain Markdown": (b"# A heading\n\nSome text.\n", "note.syntax"),
    "front matter not closed": (b"---\nid: MEM-x\ntitle: T\n", "note.syntax"),
    "front matter is no YAML": (b"---\nid: [\n---\n", "note.syntax"),
    "front matter is a list": (b"---\n- a\n- b\n---\n", "note.syntax"),
    "YAML alias": (b"---\nid: &a MEM-x\ntitle: *a\n---\n\n## When to load\n\nw\n\n## One-liner\n\nl\n", "note.syntax"),
    "YAML tag": (b"---\nid: !!python/object:os.system x\ntitle: T\n---\n", "note.syntax"),
    "key twice": (note_text().replace("title:", "id: MEM-y\ntitle:", 1).encode(), "note.syntax"),
    "no id": (note_text().replace("id: MEM-hand\n", "").encode(), "note.syntax"),
    "id of another shape": (note_text("../../etc/passwd").encode(), "note.syntax"),
    "no title": (note_text().replace("title: Written by hand\n", "").encode(), "note.syntax"),
    "unknown kind": (note_text(kind="nonsense").encode(), "note.syntax"),
    "bad time": (note_text(created="yesterday").encode(), "note.syntax"),
    "too many tags": (note_text(tags=f"[{', '.join(map(str, range(33)))}]").encode(), "note.syntax"),
    "no one-liner": (note_text().replace("## One-liner", "## Other").encode(), "note.syntax"),
    "section twice": ((note_text() + "\n## One-liner\n\nAgain.\n").encode(), "note.syntax"),
    "conflict markers": (
        note_text().replace("Test it.", "<<<<<<< ours\nA\n=======\nB\n>>>>>>> theirs").encode(),
        "note.conflicted",
    ),
}


def make_socket(path: Path) -> None:
    """Leave a socket there."""
    with chdir(path.parent), socket.socket(socket.AF_UNIX) as made:  # the path of a socket must be short
        made.bind(path.name)


ODDITIES: dict[str, tuple[Callable[[Path], object], str]] = {
    "fifo": (os.mkfifo, "note.not_regular"),
    "socket": (make_socket, "note.not_regular"),
    "folder": (os.mkdir, "note.not_regular"),
    "link to nowhere": (lambda path: path.symlink_to("nowhere"), "path.symlink"),
    "link to a note": (lambda path: path.symlink_to(f"{ID}.md"), "path.symlink"),
    "link to a folder": (lambda path: path.symlink_to("..", target_is_directory=True), "path.symlink"),
}


def file_of(text: bytes) -> Callable[[Path], object]:
    """Make a file with that content."""
    return lambda path: path.write_bytes(text)


MAKERS = {name: (file_of(text), code) for name, (text, code) in TEXTS.items()} | ODDITIES


@pytest.fixture
def bank(root: Path) -> Path:
    """A bank with a good note."""
    write(root / f"L1_declarative/{ID}.md", note_text(ID, "Good"))
    return root


def goes_on(bank: Path) -> None:
    """Every command does its work on the good notes."""
    listed = tacit("list", "--json")
    assert listed.code == 0
    assert ID in [note["id"] for note in listed.document["notes"]]
    assert tacit("show", ID).code == 0
    written = tacit(*NEW, "--json")
    assert (written.code, written.err) == (0, "")
    assert tacit("tag", ID, "still").code == 0
    assert tacit("move", written.document["id"], "--layer", "L2").code == 0
    assert tacit("log").code == 0
    assert tacit("show", f"mem://L1/{ID}#one-liner").out == "Test it.\n"
    index = (bank / "INDEX.md").read_text(encoding="utf-8")
    assert ID in index
    assert written.document["id"] in index


@pytest.mark.parametrize(("make", "code"), MAKERS.values(), ids=MAKERS)
def test_broken_file_stops_nothing(bank: Path, make: Callable[[Path], object], code: str) -> None:
    """The file is reported with its name and reason, left as it is, and everything else goes on working."""
    path = bank / "L1_declarative/broken.md"
    make(path)
    before = fingerprint(bank)["L1_declarative/broken.md"]

    goes_on(bank)
    listed = tacit("list")
    report = tacit("check", "--json")

    assert listed.err == "Not in use (1): L1_declarative/broken.md. `tacit check` says why.\n"
    assert report.code == 1
    assert [(each["file"], each["code"]) for each in report.document["problems"]] == [
        ("L1_declarative/broken.md", code)
    ]
    assert fingerprint(bank)["L1_declarative/broken.md"] == before
    assert "broken.md" not in (bank / "INDEX.md").read_text(encoding="utf-8")


def test_all_of_them_together_stop_nothing(bank: Path) -> None:
    """With every kind of broken file at once the bank goes on, and check names each of them."""
    for number, (make, _) in enumerate(MAKERS.values()):
        make(bank / f"L1_declarative/broken-{number:02d}.md")
    os.mkfifo(bank / "L0_core/fifo.md")
    write(bank / "L0_core/has blanks.md", "# Values\n")

    goes_on(bank)
    report = tacit("check", "--json")
    doctor = tacit("doctor", "--json")

    found = {each["file"]: each["code"] for each in report.document["problems"]}
    assert found == {
        **{f"L1_declarative/broken-{number:02d}.md": code for number, (_, code) in enumerate(MAKERS.values())},
        "L0_core/fifo.md": "note.not_regular",
        "L0_core/has blanks.md": "note.syntax",
    }
    assert doctor.code == 1
    assert len(MAKERS) >= 20


@pytest.mark.parametrize("name", ["L1_declarative", "L2_procedural", "L0_core"])
def test_layer_that_is_no_folder(bank: Path, name: str) -> None:
    """A file where a layer should be, or a link, leaves the other layers readable."""
    write(bank / "L2_procedural/MEM-two.md", note_text("MEM-two"))
    assert tacit("list").code == 0
    (bank / name).rename(bank.parent / "away")
    (bank / name).symlink_to(bank.parent / "away")

    listed = tacit("list", "--json")
    report = tacit("check", "--json")

    assert listed.code == 0
    there = {"MEM-good", "MEM-two"} - {"L1_declarative": {ID}, "L2_procedural": {"MEM-two"}}.get(name, set())
    assert {note["id"] for note in listed.document["notes"]} == there
    assert name in [each["file"] for each in report.document["problems"] if each["code"] == "path.symlink"]


@pytest.mark.parametrize("kind", ["link", "folder", "fifo"])
def test_index_that_is_no_file(bank: Path, kind: str) -> None:
    """An INDEX.md that cannot be read is reported; reading goes on, and writing refuses with a sentence."""
    index = bank / "INDEX.md"
    index.unlink()
    if kind == "link":
        index.symlink_to(write(bank.parent / "elsewhere.md", "# Index\n"))
    elif kind == "folder":
        index.mkdir()
    else:
        os.mkfifo(index)
    before = fingerprint(bank.parent)

    listed, shown, written = tacit("list"), tacit("show", ID), tacit(*NEW)
    report, doctor = tacit("check", "--json"), tacit("doctor", "--json")

    assert listed.code == shown.code == 0
    assert (written.code, written.err.count("INDEX.md")) == (3, 1)
    code = "path.symlink" if kind == "link" else "note.not_regular"
    assert [(each["file"], each["code"]) for each in report.document["problems"]] == [("INDEX.md", code)]
    assert [check["name"] for check in doctor.document["checks"] if not check["ok"]] == ["notes", "index"]
    assert fingerprint(bank.parent) == before


def test_names_that_are_no_utf8_stop_nothing(bank: Path, tmp_path: Path) -> None:
    """Files whose names are no UTF-8 text are reported with what to do; nothing else sees them."""
    odd = os.fsdecode(b"caf\xe9.md")
    folders = ("L0_core", "L1_declarative", "L3_episodic", "details")
    for folder in folders:
        write(bank / folder / odd, note_text("MEM-latin", "Never told"))
    write(bank.parent / os.fsdecode(b"dir\xe9") / odd, "# Not ours\n")

    goes_on(bank)
    report = tacit("check", "--json")
    remembered = tacit("remember", "Use tabs in makefiles.")
    found = tacit("search", "testing")
    others = [
        tacit("recall", "How do I go about testing it?"),
        tacit("context"),
        tacit("refresh"),
        tacit("export", "layered", tmp_path / "export"),
        tacit("mount", tmp_path / "export"),
    ]

    assert {(each["code"], each["file"]) for each in report.document["problems"]} == {
        ("layout.name", f"{folder}/{odd}") for folder in folders
    }
    assert all("Rename it" in each["hint"] for each in report.document["problems"])
    assert remembered.code == found.code == 0
    assert ID in found.out
    assert [each.code for each in others] == [0] * len(others)
    assert "failed" not in others[0].out
    assert not [each for each in others if "Never told" in each.out]
    assert "Never told" not in (bank / "INDEX.md").read_text(encoding="utf-8")


def test_project_whose_name_is_no_utf8(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of any name can hold a bank, be looked at by the doctor and be wired to a host."""
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    monkeypatch.chdir(folder)

    assert tacit("init", "--yes").code == 0
    assert tacit("doctor").code == 0
    assert tacit("install", "claude", "--yes").code == 0
    assert tacit("uninstall", "claude", "--yes").code == 0


def test_strays_are_reported(bank: Path) -> None:
    """What lies among the notes and is none is said, and nothing else happens."""
    write(bank / "L1_declarative/notes.txt", "text")
    write(bank / "L2_procedural/deep/MEM-deep.md", note_text("MEM-deep"))
    write(bank / "L1_declarative/.hidden", "editor's own")
    write(bank / "L1_declarative/README.md", "# About this folder\n")

    goes_on(bank)
    problems = tacit("check", "--json").document["problems"]

    assert [(each["code"], each["file"]) for each in problems] == [
        ("layout.stray", "L1_declarative/notes.txt"),
        ("layout.stray", "L2_procedural/deep"),
    ]


def test_wrong_settings_are_reported(bank: Path) -> None:
    """A wrong value in tacit.toml leaves the default and is reported by check."""
    write(bank / "tacit.toml", "format = 1\nlanguage = 'fr'\nnothing = 1\n[lock]\ntimeout_s = 'soon'\n")

    goes_on(bank)
    problems = tacit("check", "--json").document["problems"]

    assert [each["code"] for each in problems] == ["setting.refused"] * 3
    assert {each["file"] for each in problems} == {"tacit.toml"}
