"""Front matter: what is read without PyYAML, what takes it, and what is written."""

from __future__ import annotations

import sys
import textwrap

import pytest

from tacit.errors import FieldRefused
from tacit.formats import front_matter
from tacit.formats.front_matter import Entry

FILE = "MEM-abc.md"


def values(text: str) -> dict[str, front_matter.Value]:
    """The values of an indented text."""
    return front_matter.values(textwrap.dedent(text), file=FILE, first_line=2)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("key: value", "value"),
        ("key:   value  ", "value"),
        ("key: a:b", "a:b"),
        ("key: a#b", "a#b"),
        ("key: a # comment", "a"),
        ("key: https://example.org/#top", "https://example.org/#top"),
        ("key:", ""),
        ("key:   # comment", ""),
        ('key: "a: b # c"', "a: b # c"),
        ("key: 'it''s' # comment", "it's"),
        ('key: ""', ""),
        ("key: []", []),
        ("key: [ ]", []),
        ("key: [a, b c]", ["a", "b c"]),
        ("key: ['a', \"b\" ,c]", ["a", "b", "c"]),
        ("key: 使用 🧠", "使用 🧠"),
        ('key: it\'s "here"', 'it\'s "here"'),
    ],
)
def test_ordinary_lines_are_read_without_yaml(line: str, value: front_matter.Value) -> None:
    """The lines that nearly every note consists of never load PyYAML."""
    assert front_matter.read_ordinary(f"{line}\n") == {"key": value}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("key: -1\n", "-1"),
        ("key: {a: b}\n", {"a": "b"}),
        ("key: [a, [b]]\n", ["a", ["b"]]),
        ("key: [a, ]\n", ["a"]),
        ('key: ["a, b"]\n', ["a, b"]),
        ("key: |\n  a\n   b\n", "a\n b\n"),
        ("key: >-\n  a\n  b\n", "a b"),
        ("key: a\n  b\n", "a b"),
        ('key: "a\\tb\\u2028"\n', "a\tb\u2028"),
        ("key:\n  - a\n  -\n", ["a", ""]),
        ("key:\n  - a: b\n    c: d\n", [{"a": "b", "c": "d"}]),
        ("'key': a\n", "a"),
        ("key:\n  a:\n    b: [c]\n", {"a": {"b": ["c"]}}),
    ],
)
def test_unusual_lines_are_read_by_yaml(text: str, value: front_matter.Value) -> None:
    """What the quick way does not know is read all the same."""
    assert front_matter.read_ordinary(text) is None
    assert front_matter.values(text, file=FILE, first_line=2) == {"key": value}


@pytest.mark.parametrize("word", ["no", "true", "null", "~", "12", "1e3", "0x1f", "2026-11-15", "1:30"])
def test_every_scalar_is_a_string(word: str) -> None:
    """A value means what it says, whichever way it is read."""
    assert values(f"key: {word}\nother: {{a: {word}}}\n") == {"key": word, "other": {"a": word}}


def test_a_list_ends_with_its_last_item() -> None:
    """Comments and blank lines may stand between items; the next key ends the list."""
    assert values("""\
        tags:
          # first
          - a

          - "b"   # second
        title: t
        """) == {"tags": ["a", "b"], "title": "t"}


def test_only_comments_are_no_entries() -> None:
    """Front matter without a key has no entries, read either way."""
    assert values("# nothing\n\n") == {}
    assert front_matter.read_any("# nothing\n\n", file=FILE, first_line=2) == []


@pytest.mark.parametrize("more", ["", "odd: {}\n"])
def test_an_entry_knows_its_lines(more: str) -> None:
    """The lines of an entry end with its value; what follows belongs to nobody. Both ways agree."""
    text = "# top\na: 1\n\n# about b\nb:\n  - x\n  # between\n  - y\n  # after\n\nc:\n" + more
    found = front_matter.parse(text, file=FILE, first_line=2)
    assert (front_matter.read_ordinary(text) is None) == bool(more)
    assert found[:3] == [Entry("a", "1", 1, 2), Entry("b", ["x", "y"], 4, 8), Entry("c", "", 10, 11)]


def test_values_of_many_lines_know_their_lines() -> None:
    """Block scalars own their blank lines, flow lists end at the bracket, plain text with its last word."""
    text = "a: |\n  x\n\n# c\nb: [x,\n  y]\n\nc: x\n  y\n\nd:\n  e:\n    - {}\n  # c\nf: z\n"
    assert [(e.key, e.start, e.end) for e in front_matter.parse(text, file=FILE, first_line=2)] == [
        ("a", 0, 3),
        ("b", 4, 6),
        ("c", 7, 9),
        ("d", 10, 13),
        ("f", 14, 15),
    ]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("plain words", "plain words"),
        ("a:b and c#d", "a:b and c#d"),
        ("", '""'),
        (" ", '" "'),
        ("a: b", '"a: b"'),
        ("ends with:", '"ends with:"'),
        ("a #b", '"a #b"'),
        ("- item", '"- item"'),
        ("*star", '"*star"'),
        ('say "hi": now', "'say \"hi\": now'"),
        ("it's \\:odd", "it's \\:odd"),
        ("'it''s' \\", "'''it''''s'' \\'"),
        ("tab\there", '"tab\\there"'),
        ('two\nlines\r "\\"', '"two\\nlines\\r \\"\\\\\\""'),
        ("\x85\u2028\ufeff\x1b", '"\\u0085\\u2028\\ufeff\\u001b"'),
        ("记忆: 🧠", '"记忆: 🧠"'),
        ("no", "no"),
    ],
)
def test_a_scalar_is_quoted_only_where_it_must_be(value: str, written: str) -> None:
    """What reads back as itself stays plain; the rest gets the quotes that need least escaping."""
    lines = front_matter.render_entry("key", value)
    assert lines == [f"key: {written}\n"]
    assert front_matter.values(lines[0], file=FILE, first_line=2) == {"key": value}


@pytest.mark.parametrize("key", ["''", '"', "#", "a: b", "- a", "i$", "\\", "键", ""])
def test_an_odd_key_is_quoted(key: str) -> None:
    """N-04: a key that somebody else made up reads back as itself, whatever stands in it."""
    for value in ("text", ["one", "two"]):
        lines = "".join(front_matter.render_entry(key, value))
        assert front_matter.values(lines, file=FILE, first_line=2) == {key: value}


def test_a_list_takes_a_line_for_each_item() -> None:
    """I-03: one item a line, so that git merges changes of different items."""
    assert front_matter.render_entry("tags", ("a", "b: c"), "\r\n") == ["tags:\r\n", "  - a\r\n", '  - "b: c"\r\n']
    assert front_matter.render_entry("tags", []) == ["tags: []\n"]


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "\udfff x"])
def test_text_that_no_file_can_carry_is_refused(text: str) -> None:
    """NUL and halves of surrogate pairs are refused by the name of the field."""
    with pytest.raises(FieldRefused, match="tags"):
        front_matter.render_entry("tags", ["fine", text])


def test_ordinary_notes_never_load_yaml(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading and finding the lines of an ordinary note works where PyYAML cannot be imported."""
    monkeypatch.setitem(sys.modules, "yaml", None)
    text = "id: MEM-abc\ntags:\n  - a\n"
    assert front_matter.values(text, file=FILE, first_line=2) == {"id": "MEM-abc", "tags": ["a"]}
    assert len(front_matter.parse(text, file=FILE, first_line=2)) == 2
