"""INDEX.md: the table, its escapes, and reading it back."""

from __future__ import annotations

import pytest

from tacit.formats import index_table
from tacit.note.model import Kind, Layer, Note, Strength

NOTE = Note(
    id="MEM-b",
    title="Pipes | and <tags>",
    kind=Kind.DECISION,
    strength=Strength.ENFORCED,
    file="L1_declarative/MEM-b.md",
    when_to_load=("First line", "Second line"),
    supersedes=("MEM-x", "MEM-y"),
    created="2026-11-15T20:00:00Z",
    updated="2026-11-15T21:00:00Z",
    source="remember",
    session="5d1f",
)
CORE = Note(id="CORE-values", title="Values", layer=Layer.CORE, file="L0_core/values.md")


def test_the_whole_file() -> None:
    """I-01: a heading, one comment, exactly these columns, and one row a note sorted by id."""
    assert index_table.render([NOTE, CORE]).decode().split("\n") == [
        "# Index of notes",
        "",
        "<!-- Tacit makes this file from the notes; what is changed here by hand is replaced. -->",
        "",
        (
            "| Id | Kind | Title | When to load | Status | Strength | Scope | Supersedes | CreatedAt | UpdatedAt"
            " | Source | Session | File |"
        ),
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        "| CORE-values | core | Values |  | active | hypothesis | medium |  |  |  | manual |  | L0_core/values.md |",
        (
            r"| MEM-b | decision | Pipes \| and \<tags> | First line<br>Second line | active | enforced | medium"
            " | MEM-x, MEM-y | 2026-11-15T20:00:00Z | 2026-11-15T21:00:00Z | remember | 5d1f"
            " | L1_declarative/MEM-b.md |"
        ),
        "",
    ]


def test_an_empty_bank_has_an_empty_table() -> None:
    """I-01: the head stands even without notes, and the file ends with a newline."""
    content = index_table.render([])
    assert content.endswith(b" --- |\n")
    assert index_table.parse(content) == []


def test_the_order_of_the_notes_makes_no_difference() -> None:
    """I-02: the file is a function of the notes, not of how they were found."""
    pages = [index_table.page([index_table.row(note)]) for note in (CORE, NOTE)]
    assert index_table.assemble(pages) == index_table.render([CORE, NOTE]) == index_table.render([NOTE, CORE])


def test_a_row_reads_back_by_its_columns() -> None:
    """I-01: every cell is given back as it was."""
    assert index_table.parse(index_table.render([NOTE])) == [
        {
            "Id": "MEM-b",
            "Kind": "decision",
            "Title": "Pipes | and <tags>",
            "When to load": "First line\nSecond line",
            "Status": "active",
            "Strength": "enforced",
            "Scope": "medium",
            "Supersedes": "MEM-x, MEM-y",
            "CreatedAt": "2026-11-15T20:00:00Z",
            "UpdatedAt": "2026-11-15T21:00:00Z",
            "Source": "remember",
            "Session": "5d1f",
            "File": "L1_declarative/MEM-b.md",
        }
    ]


@pytest.mark.parametrize(
    ("title", "cell"),
    [
        ("plain *stars* & such", "plain *stars* & such"),
        ("a|b", r"a\|b"),
        ("a\\|b", r"a\\\|b"),
        ("`code`", r"\`code\`"),
        ("<br>", r"\<br>"),
        ("a\nb", "a<br>b"),
        ("\ta\r", r"\x09a\x0d"),
        (" a ", r"\x20a\x20"),
        (" ", r"\x20"),
        ("a \n", "a <br>"),
        ("\\x20", r"\\x20"),
        ("\x85\u2028\u202e\ufeff", r"\x85\u2028\u202e\ufeff"),
        ("记忆 🧠\u3000", "记忆 🧠\u3000"),
    ],
)
def test_a_cell_is_escaped_and_reads_back(title: str, cell: str) -> None:
    """I-01: what a table, a line or a terminal would not carry is written as an escape."""
    note = Note(id="MEM-a", title=title)
    assert f"| MEM-a | other | {cell} |  | active |" in index_table.row(note)
    assert index_table.parse(index_table.render([note]))[0]["Title"] == title


def test_what_is_no_row_is_passed_over() -> None:
    """I-02: an INDEX that git merged badly, or a person edited, still gives its rows."""
    row = index_table.row(NOTE)
    others = [
        "\ufeff# Mine",
        "<<<<<<< a",
        "=======",
        ">>>>>>> b",
        "| a | b |",
        f"{row}| more |",
        f"|{row}",
        f"{row[:-1]}\\|",
    ]
    merged = "\n".join([*others, f"{row}\r", f"  {row}  "])
    content = index_table.render([CORE]) + merged.encode() + b"\n\xff\n"
    assert [found["Id"] for found in index_table.parse(content)] == ["CORE-values", "MEM-b", "MEM-b"]


@pytest.mark.parametrize(
    ("content", "ours"),
    [
        (index_table.render([]), True),
        (index_table.render([NOTE]).replace(b"\n", b"\r\n"), True),
        (b"<<<<<<< a\n" + index_table.render([NOTE]), True),
        (b"# My own index\n\n- a\n", False),
        (b"", True),
        (b"\0" * 400, True),
        (index_table.render([NOTE])[:60], True),
    ],
)
def test_an_index_of_somebody_else_is_told_apart(content: bytes, ours: bool) -> None:  # noqa: FBT001 - a case
    """B-05: a file of the user's that happens to be called INDEX.md is not taken for ours."""
    assert index_table.is_ours(content) is ours
