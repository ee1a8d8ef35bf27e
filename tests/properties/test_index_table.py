"""What holds for INDEX.md whatever the notes say."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tacit.formats import index_table
from tacit.note.model import Layer, Note

_TRICKY = st.sampled_from(
    ["|", "\\", "<", "<br>", "`", "\n", "\r", " ", "\\x20", "\x85", "\u2028", "记", "🧠", "a", "-"]
)
TEXT = st.text(st.characters(codec="utf-8"), max_size=30) | st.lists(_TRICKY, max_size=12).map("".join)
NOTES = st.lists(
    st.builds(
        Note,
        id=st.from_regex(r"MEM-[a-z0-9]{1,8}", fullmatch=True),
        title=TEXT,
        layer=st.sampled_from([Layer.CORE, Layer.DECLARATIVE, Layer.PROCEDURAL]),
        file=TEXT,
        source=TEXT,
        session=TEXT,
        when_to_load=st.lists(TEXT.filter(lambda text: "\n" not in text), max_size=3).map(tuple),
        supersedes=st.lists(st.just("MEM-x"), max_size=2).map(tuple),
    ),
    max_size=4,
    unique_by=lambda note: note.id,
)


@given(NOTES)
def test_every_cell_reads_back(notes: list[Note]) -> None:
    """I-01: any title, path, source or session round-trips."""
    found = index_table.parse(index_table.render(notes))
    assert [(row["Id"], row["Title"], row["File"], row["Source"], row["Session"]) for row in found] == [
        (note.id, note.title, note.file, note.source, note.session) for note in sorted(notes, key=lambda note: note.id)
    ]
    assert {row["Id"]: row["When to load"] for row in found} == {
        note.id: "\n".join(note.when_to_load) for note in notes
    }


@given(NOTES)
def test_a_note_is_a_line(notes: list[Note]) -> None:
    """I-03: one line a note, none of it shared, so that branches with different notes never touch the same line."""
    lines = index_table.render(notes).decode().splitlines()
    assert len(lines) == 6 + len(notes)
    changed = [replace(note, title="changed") for note in notes[:1]] + notes[1:]
    after = index_table.render(changed).decode().splitlines()
    assert sum(old != new for old, new in zip(lines, after, strict=True)) <= 1


@given(st.binary(max_size=300))
def test_any_bytes_can_be_read(content: bytes) -> None:
    """I-02: reading never fails, and whatever it finds has all columns."""
    assert all(tuple(row) == index_table.COLUMNS for row in index_table.parse(content))
