"""A memory bank's documents stay what they are; notes that ours put there come back as notes."""

from __future__ import annotations

from dataclasses import replace

from tacit.formats import found, memory_bank, native, tacit_bank
from tacit.formats.found import FoundDocument, Passed
from tacit.note.model import Layer, Note, Origin

NOTE = Note(
    id="MEM-a",
    title="T",
    when_to_load=("x",),
    one_liner="y",
    origin=Origin.USER,
    confirmed="terminal 2026-01-01T00:00:00Z",
)


def test_documents_keep_their_places() -> None:
    """O-01: every generation is read: MEMORY.md and details/ stay, older files move below details/."""
    files = {
        "MEMORY.md": b"# M\n",
        "details/tech.md": b"# Tech\r\n",
        "progress.md": "# 進捗\n\n- データベースの接続はプールを使う。\n".encode("cp932"),
        "empty.md": b"\n",
        "logo.png": b"\x00",
    }
    read = memory_bank.read(files, "memory-bank")

    assert read.documents == [
        FoundDocument("MEMORY.md", "MEMORY.md", b"# M\n"),
        FoundDocument("details/tech.md", "details/tech.md", b"# Tech\r\n"),
        FoundDocument(
            "progress.md", "details/progress.md", "# 進捗\n\n- データベースの接続はプールを使う。\n".encode()
        ),
    ]
    assert read.passed == [Passed("empty.md", "empty"), Passed("logo.png", "binary")]


def test_generations_are_known() -> None:
    """Each generation has names by which it is known."""
    assert memory_bank.is_memory_bank(["details/x.md"])
    assert memory_bank.is_oldest(["_index/x.md"])
    assert not memory_bank.is_memory_bank(["photos/cat.png"])


def test_notes_go_out_and_come_back() -> None:
    """O-01: notes are files of their own, without what only this bank knows, and writing them again changes nothing."""
    stamped = native.compose(NOTE).replace(b"---\n\n##", b"imported: there sha256:0\nowner: me\n---\n\n##", 1)
    document = native.parse(stamped, "L2_procedural/MEM-a.md")
    files = memory_bank.write([document], {"MEMORY.md": b"# M\n", "details/a.md": b"a", "README.md": b"x"})

    assert sorted(files) == ["MEMORY.md", "details/a.md", "details/notes/L2_procedural/MEM-a.md"]
    written = files["details/notes/L2_procedural/MEM-a.md"]
    assert b"imported" not in written
    assert b"confirmed" not in written

    (item,) = memory_bank.read(files, "memory-bank").notes
    assert (item.note.id, item.note.layer, item.extra) == ("MEM-a", Layer.PROCEDURAL, {"owner": "me"})


def test_what_is_no_note_stays_a_document() -> None:
    """A file among the notes that is none is kept as it is."""
    read = memory_bank.read({"details/notes/L1_declarative/x.md": b"text"}, "memory-bank")

    assert [each.target for each in read.documents] == ["details/notes/L1_declarative/x.md"]


def test_bank_of_ours() -> None:
    """O-02: notes of another bank keep their ids; what is private to it or made from the notes stays behind."""
    files = {
        "L1_declarative/MEM-a.md": native.compose(NOTE),
        "L1_declarative/odd.md": b"Just text.",
        "L0_core/me.md": b"# Me\n",
        "MEMORY.md": b"# M\n",
        "details/a.md": b"# A\n",
        "notes.md": b"Loose.",
        "INDEX.md": b"x",
        "README.md": b"x",
        "L3_episodic/INDEX.md": b"x",
        ".local/x": b"x",
        "details/empty.md": b"",
        "details/x.png": b"\x00",
    }
    read = tacit_bank.read(files, "tacit")

    assert [each.note.id for each in read.notes] == ["MEM-a", "", ""]
    assert [each.target for each in read.documents] == ["L0_core/me.md", "MEMORY.md", "details/a.md"]
    assert {each.path: each.reason for each in read.passed} == {
        "INDEX.md": "derived",
        "README.md": "own",
        "L3_episodic/INDEX.md": "derived",
        ".local/x": "private",
        "details/empty.md": "empty",
        "details/x.png": "binary",
    }


def test_imported_note_keeps_its_bytes() -> None:
    """O-01: a note in our own format changes where it must: its origin, where it came from, and long sections."""
    content = native.compose(replace(NOTE, decision="long"))
    item = memory_bank.native_note("x.md", content, Layer.DECLARATIVE)
    assert item is not None
    made = found.composed(item, replace(item.note, origin=Origin.IMPORT, decision="short"), "there sha256:0")

    document = native.parse(made)
    assert (document.note.decision, document.note.origin, document.note.confirmed) == ("short", Origin.IMPORT, "")
    assert b"imported: there sha256:0\n" in made
