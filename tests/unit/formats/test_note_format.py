"""NOTE-FORMAT.md says what the code does."""

from __future__ import annotations

import re
from dataclasses import fields
from enum import StrEnum
from pathlib import Path

import pytest

from tacit.formats import front_matter, index_table, native
from tacit.formats.fields import MAX_SUPERSEDED, MAX_TAG_CHARS
from tacit.note import model
from tacit.note.model import Kind, Note, Strength
from tacit.note.pointer import IN_TEXT, Pointer

TEXT = (Path(__file__).parents[3] / "NOTE-FORMAT.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```markdown\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
ENUMERATIONS = {
    name.lower(): [member.value for member in value]
    for name, value in vars(model).items()
    if isinstance(value, type) and issubclass(value, StrEnum) and value is not StrEnum
}


def rows(head: str) -> list[list[str]]:
    """The cells of the table with this head."""
    table = TEXT.split(f"| {head} |\n")[1].split("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()[1:]]


@pytest.mark.parametrize("example", EXAMPLES, ids=["English", "Chinese"])
def test_each_example_is_a_note(example: str) -> None:
    """N-01: what the page shows can be copied, is read without complaint and given back as it is."""
    document = native.parse(example.encode(), "L1_declarative/example.md")
    assert document.render() == example.encode()
    assert document.note.tags


def test_the_first_example_shows_what_the_page_says() -> None:
    """The annotated example has every kind of thing in it."""
    document = native.parse(EXAMPLES[0].encode())
    assert document.note.kind is Kind.DECISION
    assert document.note.strength is Strength.ENFORCED
    assert [section.name for section in document.sections][-1] == "History"
    pointers = IN_TEXT.findall(document.note.counter_signals)
    assert [str(Pointer.parse(pointer)) for pointer in pointers] == pointers != []


def test_the_version_and_its_change_are_named() -> None:
    """B-03: the page is about the version that the code has."""
    assert f"Format version: **{native.FORMAT_VERSION}**" in TEXT
    assert f"\n- {native.FORMAT_VERSION}: " in TEXT


def test_the_table_of_keys_is_complete() -> None:
    """N-01: every key in the order in which it is written."""
    assert [key.strip("`") for key, _, _ in rows("key | value | default")] == list(native.KEYS)


@pytest.mark.parametrize("row", rows("key | value | default"), ids=native.KEYS)
def test_a_row_of_keys_is_right(row: list[str]) -> None:
    """N-02: the values are those of the code, the defaults those of a note."""
    key = row[0].strip("`")
    if key in ENUMERATIONS:
        assert row[1] == ", ".join(ENUMERATIONS[key])
    if key == "source":
        assert row[1].startswith(", ".join(sorted(model.SOURCES)))
    default = next(member.default for member in fields(Note) if member.name == key)
    expected = "required" if key in ("id", "title") else default or "none"
    assert row[2] == expected


def test_the_table_of_sections_is_complete() -> None:
    """N-01: every section in the order in which it is written."""
    table = rows("section | what it says")
    assert [name for name, _ in table] == list(native.SECTIONS)
    assert [name for name, says in table if says.startswith("required")] == ["When to load", "One-liner"]


def test_the_columns_of_the_index_are_named() -> None:
    """I-01: exactly these columns."""
    assert f"| {' | '.join(index_table.COLUMNS)} |\n" in TEXT


def test_the_limits_are_those_of_the_code() -> None:
    """X-05: every bound is written down."""
    assert rows("what | at most") == [
        ["a note", f"{model.MAX_NOTE_BYTES:,} bytes"],
        ["its front matter", f"{front_matter.MAX_FRONT_MATTER_BYTES:,} bytes"],
        ["nesting", f"{front_matter.MAX_DEPTH} levels"],
        ["a title, a session", f"{model.MAX_TITLE_CHARS} characters"],
        ["tags", f"{model.MAX_TAGS}, of {MAX_TAG_CHARS} characters each"],
        ["superseded notes", f"{MAX_SUPERSEDED}"],
    ]
