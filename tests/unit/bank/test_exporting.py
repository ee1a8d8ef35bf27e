"""A bank goes out in other formats and comes back byte for byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit import fsio
from tacit.bank import Bank, By
from tacit.bank.exporting import FORMATS
from tacit.errors import ForeignRefused, SymlinkRefused
from tacit.note.model import Audience, Kind, Layer, Note, Status
from tests.cli.runner import note_text, write
from tests.files import held

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def full(bank: Bank) -> Bank:
    """A bank with notes of many shapes, core, details and an episode."""
    bank.add(
        [
            Note(
                id="",
                title="Sizes: C #",
                layer=Layer.PROCEDURAL,
                kind=Kind.TECH,
                tags=("a", "b"),
                when_to_load=("sizing", "with: colon"),
                one_liner="Take # 5.",
                decision="- one\n- **Signals**: none\n\n```\n## code\n```",
                alternatives="- six",
                fact="It was five.",
            ),
            Note(id="", title="长标题", when_to_load=("部署前",), one_liner="先备份。", decision="行\n" * 3000),
            Note(id="", title="Mine", audience=Audience.PERSONAL, when_to_load=("x",), one_liner="y"),
            Note(id="", title="Here", status=Status.LOCAL, when_to_load=("x",), one_liner="y"),
        ]
    )
    for file, text in {
        "L0_core/me.md": "# Me\n",
        "details/tech.md": "# Tech\r\n\r\n## Stack\r\n",
        "MEMORY.md": "# Shop\n",
        "L3_episodic/EP-1.md": "---\nid: EP-1\ntitle: Task\n---\n\n# Task\n",
        "L3_episodic/EP-2.md": "broken",
        "L1_declarative/MEM-hand.md": (
            "---\nid: MEM-hand\ntitle: By hand\nowner: {team: x}\nconfirmed: terminal 2026-01-01T00:00:00Z\n---\n"
            "Preface.\n\n## When to load\n\n- x\n\n## One-liner\n\ny\n\n## History\n\nold\n"
        ),
        "L1_declarative/broken.md": "no note",
    }.items():
        (bank.root / file).write_bytes(text.encode())
    return bank


@pytest.mark.parametrize("name", FORMATS)
def test_round_trip_changes_no_byte(full: Bank, tmp_path: Path, name: str) -> None:
    """O-01: export, import into an empty bank and export again give the same files."""
    full.exporter.write(full.exporter.plan(name, tmp_path / "1"))
    other = Bank.init(tmp_path / "other" / ".memory")
    done = other.importer.run(tmp_path / "1", by=By())
    for core in ("L0_core/me.md",) if name == "layered" else ():
        (other.root / core).write_bytes((full.root / core).read_bytes())
    other.exporter.write(other.exporter.plan(name, tmp_path / "2"))

    assert done.plan.format == name
    assert held(tmp_path / "2") == held(tmp_path / "1")


@pytest.mark.parametrize("name", FORMATS)
def test_export_comes_home_without_a_change(full: Bank, tmp_path: Path, name: str) -> None:
    """O-01: the bank knows its own notes again."""
    full.exporter.write(full.exporter.plan(name, tmp_path / "1"))
    done = full.importer.run(tmp_path / "1", by=By())

    assert (done.plan.notes, done.plan.questions, done.operation_id) == ([], [], "")


def test_what_a_format_cannot_carry_is_said(full: Bank, tmp_path: Path) -> None:
    """O-01: each format says what it leaves behind."""
    lost = {name: full.exporter.plan(name, tmp_path / name).lost for name in FORMATS}

    confirmed = "who confirmed a note, and where it came from"
    preface = "text outside of sections, in notes: 1"
    assert lost == {
        "lingxi": [
            "core documents: 1",
            "details, and the entry document: 2",
            "finished tasks: 1",
            preface,
            confirmed,
        ],
        "layered": ["details, and the entry document: 2", preface, confirmed],
        "memory-bank": ["core documents: 1", "finished tasks: 1", confirmed],
    }


def test_what_stands_elsewhere_than_a_format_looks_is_said(bank: Bank, tmp_path: Path) -> None:
    """O-01, Z-02: text below a heading of level 1, pieces too long to be put back and files that are no Markdown."""
    note = "---\nid: {0}\ntitle: {0}\n---\n\n## When to load\n\n- x\n\n## One-liner\n\ny\n\n{1}"
    piece = "line\n" * 20_000
    blob = f"references/blobs/{fsio.digest(piece.encode())}"
    (bank.root / blob).parent.mkdir(parents=True, exist_ok=True)
    for file, text in {
        "L1_declarative/MEM-a.md": note.format("MEM-a", "# Apart\n\nLost.\n"),
        "L1_declarative/MEM-b.md": note.format("MEM-b", f"## Decision\n\nmem://blobs/{blob.rpartition('/')[2]}\n"),
        "details/schema.json": "{}",
        "details/.keep": "",
        blob: piece,
    }.items():
        (bank.root / file).write_bytes(text.encode())

    lost = {name: bank.exporter.plan(name, tmp_path / name).lost[-4:-1] for name in FORMATS}

    apart, files = "text outside of sections, in notes: 1", "files below details/ that are no readable Markdown: 1"
    long = "long pieces, to which these notes only point: 1"
    assert lost == {"lingxi": [apart, files, long], "layered": [apart, files, long], "memory-bank": [files, long]}


def test_private_notes_stay(full: Bank, tmp_path: Path) -> None:
    """N-02: personal and local notes are left out unless they are asked for."""
    plan = full.exporter.plan("lingxi", tmp_path / "x")
    whole = full.exporter.plan("lingxi", tmp_path / "x", personal=True, local=True)

    assert (plan.notes, whole.notes) == (3, 5)
    assert plan.left_out == [
        "personal notes: 1 (--personal includes them)",
        "notes with status local: 1 (--local includes them)",
        "files that are no valid notes: 1",
    ]


def test_no_file_is_written_over_unasked(full: Bank, tmp_path: Path) -> None:
    """O-01: what differs stays until somebody says so; what is the same is not written again."""
    folder = tmp_path / "x"
    folder.mkdir()
    (folder / "INDEX.md").write_text("mine", encoding="utf-8")
    (folder / "own.md").write_text("mine", encoding="utf-8")
    exporter = full.exporter
    with pytest.raises(ForeignRefused, match=r"INDEX\.md"):
        exporter.write(exporter.plan("lingxi", folder))
    assert sorted(held(folder)) == ["INDEX.md", "own.md"]

    exporter.write(exporter.plan("lingxi", folder), overwrite=True)
    assert (folder / "own.md").read_text(encoding="utf-8") == "mine"
    assert exporter.write(exporter.plan("lingxi", folder)).written == []


def test_links_are_not_followed(full: Bank, tmp_path: Path) -> None:
    """X-04: nothing is written through a link."""
    folder = tmp_path / "x"
    folder.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (folder / "notes").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SymlinkRefused):
        full.exporter.write(full.exporter.plan("lingxi", folder), overwrite=True)
    assert list((tmp_path / "elsewhere").iterdir()) == []

    (folder / "notes").unlink()
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    (folder / "INDEX.md").symlink_to(tmp_path / "file")
    full.exporter.write(full.exporter.plan("lingxi", folder), overwrite=True)
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


def test_not_into_the_bank_itself(full: Bank) -> None:
    """A bank is not exported into itself."""
    with pytest.raises(ForeignRefused):
        full.exporter.plan("lingxi", full.root / "details")


@pytest.mark.parametrize(
    ("line", "count"), [("kind: tech # why", 1), ("# why\nkind: tech", 1), ("title: 'Bug # 3'", 0), ("title: C#", 0)]
)
def test_comments_that_stay_behind_are_said(tmp_path: Path, line: str, count: int) -> None:
    """O-01: what a person wrote beside the fields of a note is carried by the bank's own shape alone."""
    bank = Bank.init(tmp_path / "project")
    text = note_text("MEM-hand0001").replace("title: Written by hand", line)
    write(
        bank.root / "L1_declarative/MEM-hand0001.md",
        text if "title" in line else text.replace("---", "---\ntitle: a", 1),
    )
    told = "comments in front matter, in notes: 1"
    lost = {name: told in bank.exporter.plan(name, tmp_path / name).lost for name in FORMATS}
    assert lost == {"lingxi": bool(count), "layered": bool(count), "memory-bank": False}
