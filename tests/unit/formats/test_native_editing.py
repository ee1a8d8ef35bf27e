"""Changing notes: only the lines that a change is about differ afterwards."""

from __future__ import annotations

from difflib import unified_diff

import pytest

from tacit.errors import FieldRefused, NoteTooLarge, TacitError
from tacit.formats import native
from tacit.note.model import Kind

NOTE = """\
---
# who wrote this
id: MEM-abc
kind: decision   # why not?
tags:
  - a
  # soon: b
  - c
title: 'A title'

owner: {team: x}
# the end
---

## When to load

- Now

## One-liner

Do it.

## Decision

Because.

### Steps

1. one

## Rollback

Never.
"""


def document(text: str = NOTE) -> native.Document:
    """The note as a document."""
    return native.parse(text.encode(), "L1_declarative/MEM-abc.md")


def changes(before: native.Document, after: native.Document) -> list[str]:
    """The lines that differ, as a diff shows them."""
    old, new = (each.render().decode().splitlines(keepends=True) for each in (before, after))
    return [line for line in unified_diff(old, new, n=0) if not line.startswith(("---", "+++", "@@"))]


# ── Fields ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_field_is_replaced_where_it_stands() -> None:
    """N-04: only its own line differs."""
    before = document()
    after = before.with_fields(title="Another: title")
    assert changes(before, after) == ["-title: 'A title'\n", '+title: "Another: title"\n']
    assert after.note.title == "Another: title"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("line", "new"),
    [
        ("title: 'A # title' # mine", 'title: "B # b" # mine'),
        ("title: A title   # mine: it  ", 'title: "B # b"   # mine: it'),
        ('"title": A title # mine', 'title: "B # b"'),
    ],
    ids=["quoted", "plain", "a quoted name"],
)
def test_the_comment_beside_a_value_stays(line: str, new: str, newline: str) -> None:
    """N-04: who changes a value changes no remark beside it, where the line is an ordinary one."""
    text = NOTE.replace("title: 'A title'", line).replace("\n", newline)
    after = document(text).with_fields(title="B # b")
    assert after.note.title == "B # b"
    assert f"\n{new}{newline}" in after.render().decode()


def test_a_list_keeps_the_lines_of_what_stays() -> None:
    """N-04: items that stay keep their lines, and the comments between them stay too."""
    before = document(NOTE.replace("tags:\n  - a", "tags: # mine\n  - a   # one"))
    after = before.with_fields(tags=["a", "d"])
    assert changes(before, after) == ["-  - c\n", "+  - d\n"]
    assert after.note.tags == ("a", "d")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_list_grows_as_far_in_as_it_stands(newline: str) -> None:
    """N-04: what is added stands below what is there, with the same margin and line end."""
    before = document(NOTE.replace("  - ", "- ").replace("  # soon", "# soon").replace("\n", newline))
    after = before.with_fields(tags=["a", "c", "d"])
    assert changes(before, after) == [f"+- d{newline}"]


@pytest.mark.parametrize(
    ("lines", "tags"),
    [
        ("\n  - a # one\n  - c", ["c", "a"]),
        (" [a, c] # mine", ["a", "d"]),
        ('\n  - a # one\n  - "\\x63"', ["a", "d"]),
        (" # none", ["a"]),
        ("\n  - a # one", []),
    ],
    ids=["another order", "on one line", "an escape", "no list yet", "none left"],
)
def test_a_list_of_another_shape_is_as_it_was_asked_for(lines: str, tags: list[str]) -> None:
    """Whatever its comments, the list says afterwards what it was to say."""
    after = document(NOTE.replace("\n  - a\n  # soon: b\n  - c", lines)).with_fields(tags=tags)
    assert after.note.tags == tuple(tags)


@pytest.mark.parametrize(
    ("key", "value", "line_before"),
    [
        ("level", "fact", "kind: decision   # why not?\n"),
        ("session", "s1", "  - c\n"),
        ("zeta", "new", "# the end\n"),
        ("updated", "2026-11-15", "  - c\n"),
    ],
)
def test_a_new_key_goes_where_the_order_has_it(key: str, value: str, line_before: str) -> None:
    """A known key follows the nearest key that comes before it, an unknown one goes last."""
    before = document()
    after = before.with_fields(**{key: value})
    assert changes(before, after) == [f"+{key}: {value}\n"]
    assert f"{line_before}{key}: {value}\n" in after.render().decode()


def test_several_new_keys_keep_the_canonical_order() -> None:
    """Keys set together are written in the order of the format, whatever the order of the call."""
    before = document()
    after = before.with_fields(zeta="z", scope="broad", level="fact", status="local", kind=Kind.PATTERN)
    assert changes(before, after) == [
        "-kind: decision   # why not?\n",
        "+kind: pattern   # why not?\n",
        "+level: fact\n",
        "+status: local\n",
        "+scope: broad\n",
        "+zeta: z\n",
    ]


@pytest.mark.parametrize("key", ["kind", "tags", "owner"])
def test_none_removes_a_key_with_its_lines(key: str) -> None:
    """N-04: what is removed leaves the comments around it alone."""
    before = document()
    after = before.with_fields(**{key: None})
    assert key not in after.render().decode().partition("\n---")[0]
    assert all(line.startswith("-") for line in changes(before, after))
    assert "# who wrote this\n" in after.render().decode()
    assert "# the end\n" in after.render().decode()


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"title": "A title"},
        {"kind": "decision"},
        {"kind": Kind.DECISION},
        {"tags": ("a", "c")},
        {"tags": ["a", "c"]},
        {"scope": "medium"},
        {"session": None},
        {"session": ""},
        {"supersedes": ()},
        {"absent": None},
    ],
)
def test_setting_what_is_there_changes_nothing(fields: dict[str, str | None]) -> None:
    """The value that a field has already, by its lines or by default, leaves the document as it is."""
    before = document()
    assert before.with_fields(**fields) is before


def test_unknown_keys_are_compared_too() -> None:
    """An unknown key that has the value keeps its line; an empty text is a value of its own."""
    before = document(NOTE.replace("owner: {team: x}", "owner: [a, b]"))
    assert before.with_fields(owner=("a", "b")) is before
    assert changes(before, before.with_fields(owner="")) == ["-owner: [a, b]\n", '+owner: ""\n']


def test_one_item_for_a_list_is_written_as_a_list() -> None:
    """Lists are always written one item a line."""
    before = document()
    assert changes(before, before.with_fields(supersedes="MEM-x")) == ["+supersedes:\n", "+  - MEM-x\n"]


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"kind": "opinion"}, "kind"),
        ({"title": None}, "title"),
        ({"title": ""}, "title"),
        ({"title": "a\nb"}, "title"),
        ({"id": "../x"}, "id"),
        ({"tags": ["a"] * 33}, "tags"),
        ({"tags": "a, b"}, "tags"),
        ({"supersedes": ["x"]}, "supersedes"),
        ({"created": "now"}, "created"),
        ({"x": "a\0"}, "x"),
        ({"one_liner": "x"}, "one_liner"),
        ({"layer": "L2"}, "layer"),
        ({"file": "x"}, "file"),
        ({"not a key": "x"}, "not a key"),
        ({"": "x"}, ""),
    ],
)
def test_an_illegal_field_is_refused_by_name(fields: dict[str, str | None], named: str) -> None:
    """Nothing is changed, and the error names the field, not a line of the file."""
    with pytest.raises(FieldRefused) as caught:
        document().with_fields(**fields)
    assert caught.value.details["field"] == named


def test_a_change_cannot_outgrow_the_limits() -> None:
    """X-05: what is too large to be read is not made."""
    with pytest.raises(NoteTooLarge):
        document().with_section("Fact", "x" * 70_000)
    with pytest.raises(TacitError, match="16384"):
        document().with_fields(x="y" * 17_000)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_new_lines_end_like_the_others(end: str) -> None:
    """N-04: a file keeps its kind of line ends, byte order mark and missing final newline."""
    before = document("\ufeff" + NOTE.rstrip("\n").replace("\n", end))
    after = before.with_fields(status="local", tags=["x"]).with_section("Decision", "a\n\nb").with_section("Fact", "f")
    expected = document(NOTE).with_fields(status="local", tags=["x"]).with_section("Decision", "a\n\nb")
    assert after.render().decode() == "\ufeff" + (
        expected.with_section("Fact", "f").render().decode().rstrip("\n").replace("\n", end)
    )


def test_the_commonest_line_end_wins() -> None:
    """In a file of mixed line ends new lines take the one that most lines have."""
    mixed = document(NOTE.replace("\n", "\r\n").replace("\r\n", "\n", 3))
    assert b"status: local\r\n" in mixed.with_fields(status="local").render()


# ── Sections ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_text_of_a_section_is_replaced() -> None:
    """N-04: the heading and the blank lines around the text stay."""
    before = document()
    after = before.with_section("decision", "\nFor two reasons:\n\n- one\n- two\n\n")
    assert changes(before, after) == ["-Because.\n", "+For two reasons:\n", "+\n", "+- one\n", "+- two\n"]
    assert after.note.decision == "For two reasons:\n\n- one\n- two"


def test_a_missing_final_newline_stays_missing() -> None:
    """N-04: the last section is replaced up to the last byte of the file and no further."""
    after = document(NOTE.rstrip("\n")).with_section("Rollback", "Always.\nAt once.\n")
    assert after.render().decode() == NOTE.replace("Never.\n", "Always.\nAt once.")


def test_when_to_load_is_written_as_a_list() -> None:
    """Each line becomes an item, with or without a bullet of its own."""
    before = document()
    after = before.with_section("when_to_load", "Now\n\n* Later\n- - sooner")
    assert changes(before, after) == ["+- Later\n", "+- - sooner\n"]
    assert after.note.when_to_load == ("Now", "Later", "- sooner")


def test_a_one_liner_is_written_on_one_line() -> None:
    """Line breaks become blanks."""
    assert document().with_section("One-liner", "Do\n  that.\n").note.one_liner == "Do that."


@pytest.mark.parametrize(
    ("name", "before_it", "after_it"),
    [
        ("Signals", "1. one\n\n", "\n## Rollback"),
        ("Fact", "1. one\n\n", "\n## Rollback"),
        ("My own", "Never.\n\n", ""),
    ],
)
def test_a_new_section_goes_where_the_order_has_it(name: str, before_it: str, after_it: str) -> None:
    """A known section follows the one before it in the order with all its parts, an unknown one goes last."""
    before = document()
    after = before.with_section(name, "new")
    assert f"{before_it}## {name}\n\nnew\n{after_it}" in after.render().decode()
    assert all(line.startswith("+") for line in changes(before, after))
    assert ("new" in [section.text for section in after.sections if section.name == name]) is True


def test_a_new_section_goes_before_the_next_known_one() -> None:
    """Between two known sections, at whatever level they stand."""
    before = document(NOTE.replace("## Rollback", "### Evidence"))
    assert "1. one\n\n## Fact\n\nf\n\n### Evidence\n" in before.with_section("Fact", "f").render().decode()


def test_an_empty_section_is_filled() -> None:
    """A heading without text gets its text between blank lines."""
    before = document(NOTE.replace("Because.\n\n", ""))
    after = before.with_section("Decision", "why")
    assert "## Decision\n\nwhy\n\n### Steps\n" in after.render().decode()
    last = document(NOTE.replace("\nNever.\n", "").rstrip("\n")).with_section("Rollback", "Run it again.")
    assert last.render().decode().endswith("## Rollback\n\nRun it again.\n")


def test_none_removes_a_section() -> None:
    """N-04: heading and text go, everything else stays; the parts below it stay too."""
    before = document()
    after = before.with_section("Decision", None)
    assert changes(before, after) == ["-## Decision\n", "-\n", "-Because.\n", "-\n"]
    assert [section.name for section in after.sections] == ["When to load", "One-liner", "Steps", "Rollback"]
    assert after.with_section("Rollback", " \n").render().decode().endswith("1. one\n\n")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Decision", "Because."),
        ("Decision", "\nBecause.\n"),
        ("when to load", "Now"),
        ("One-liner", "Do\nit."),
        ("Rollback", "Never."),
        ("rollback", "Never.\r\n"),
        ("Fact", None),
        ("Fact", "  \n"),
    ],
)
def test_setting_the_same_text_changes_nothing(name: str, text: str | None) -> None:
    """A section that says this already, or is absent as wished, stays as it is."""
    before = document()
    assert before.with_section(name, text) is before


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("Decision", "a\n## Fact\nb", "Decision"),
        ("Decision", "# Title", "Decision"),
        ("Decision", "   ### x", "Decision"),
        ("Decision", "```\nnot closed", "Decision"),
        ("Decision", "~~~\n```", "Decision"),
        ("Decision", "a\0b", "Decision"),
        ("Decision", "\udc00", "Decision"),
        ("One-liner", "# x", "One-liner"),
        ("One-liner", None, "One-liner"),
        ("One-liner", "", "One-liner"),
        ("When to load", "- \n", "When to load"),
        ("", "x", "section"),
        ("a\nb", "x", "section"),
        ("#", "x", "section"),
    ],
)
def test_text_that_would_not_stay_a_section_is_refused(name: str, text: str | None, named: str) -> None:
    """Headings of level 1 to 3, open fences and what no file can carry are refused by the section's name."""
    with pytest.raises(FieldRefused) as caught:
        document().with_section(name, text)
    assert caught.value.details["field"] == named


def test_conflict_markers_are_not_written() -> None:
    """I-03: no change makes a note that counts as conflicted."""
    with pytest.raises(TacitError, match="conflict"):
        document().with_section("Fact", "<<<<<<< a\n=======\n>>>>>>> b")


def test_closed_fences_and_small_headings_are_text() -> None:
    """Code with headings inside a closed fence, and headings of level 4, are welcome."""
    text = "```\n# comment\n```\n\n#### Detail\n\nmore"
    assert document().with_section("Decision", text).note.decision == text


def test_an_open_fence_swallows_no_new_section() -> None:
    """Where a person left a fence open, a section that would vanish in it is refused."""
    open_fence = document(NOTE + "\n```\nstill code\n")
    with pytest.raises(FieldRefused, match="fence"):
        open_fence.with_section("Another", "text")
    assert open_fence.with_section("Decision", "text").note.decision == "text"


def test_an_unknown_section_that_stands_twice_is_refused() -> None:
    """Tacit does not choose between two sections of one name."""
    with pytest.raises(FieldRefused, match="twice"):
        document(NOTE + "\n## rollback\n\nagain\n").with_section("Rollback", "x")
