"""Core documents: plain Markdown in L0, summarised for INDEX and listing."""

from __future__ import annotations

import pytest

from tacit.errors import NoteConflicted, NoteEmpty, NoteNotUtf8, NoteSyntaxError, NoteTooLarge, TacitError
from tacit.formats import core_document
from tacit.formats.core_document import dominant_line_end, split_lines
from tacit.note.model import Layer, Note, Summary

FILE = "L0_core/identity.md"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Who we are\n\nText.\n", "Who we are"),
        ("\ufeff# Who we are\r\n", "Who we are"),
        ("Text first.\n\n###  Later ##\n", "Later"),
        ("#\n\n##\n## Second\n", "Second"),
        ("```\n# comment\n```\n# Real\n", "Real"),
        ("---\n# a comment\ntitle: x\n---\n# After front matter\n", "After front matter"),
        ("---\n# Not closed\n", "Not closed"),
        ("No heading at all.\n", "identity"),
        (f"# {'long ' * 80}\n", ("long " * 40)),
    ],
)
def test_the_first_heading_is_the_title(text: str, title: str) -> None:
    """L-01: a core document is listed as CORE-<name>, with its first heading as title."""
    summary = core_document.summarise(text.encode(), FILE)
    assert summary == Summary(id="CORE-identity", title=title, layer=Layer.CORE, file=FILE)
    note = core_document.parse(text.encode(), FILE)
    assert note == Note(id="CORE-identity", title=title, layer=Layer.CORE, file=FILE)


@pytest.mark.parametrize(
    ("file", "note_id"),
    [("L0_core/价值观.md", "CORE-价值观"), ("L0_core/10.values.md", "CORE-10.values"), ("x", "CORE-x")],
)
def test_the_name_of_the_file_is_the_id(file: str, note_id: str) -> None:
    """The name without `.md`, in any script."""
    assert core_document.summarise(b"x", file).id == note_id


@pytest.mark.parametrize("name", ["my values.md", ".md", "a|b.md", "a\\b.md", f"{'x' * 61}.md"])
def test_a_name_that_makes_no_id_is_refused(name: str) -> None:
    """X-04, N-05: such a file is reported, at its first line."""
    with pytest.raises(NoteSyntaxError) as caught:
        core_document.summarise(b"# x\n", f"L0_core/{name}")
    assert caught.value.details["line"] == 1
    assert name in caught.value.message


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", NoteEmpty),
        (b"# a\0", NoteEmpty),
        (b"# a\n\xff", NoteNotUtf8),
        (b"x" * 70_000, NoteTooLarge),
        (b"# a\n<<<<<<< a\n=======\n>>>>>>> b\n", NoteConflicted),
    ],
)
def test_core_documents_pass_the_same_checks(content: bytes, error: type[TacitError]) -> None:
    """X-05, I-03: size, text and conflicts are judged as for notes."""
    with pytest.raises(error, match="identity"):
        core_document.summarise(content, FILE)


@pytest.mark.parametrize("text", ["", "a", "a\n", "\n\r\n\r", "a\r\nb\rc\n\nd"])
def test_lines_join_to_the_text_again(text: str) -> None:
    """Whatever ends a line stays with it."""
    assert "".join(split_lines(text)) == text


@pytest.mark.parametrize(
    ("text", "end"), [("", "\n"), ("a", "\n"), ("a\r\nb\n", "\n"), ("a\r\nb\r\nc\n", "\r\n"), ("a\rb\r", "\r")]
)
def test_the_dominant_line_end_is_that_of_most_lines(text: str, end: str) -> None:
    r"""In doubt it is `\n`."""
    assert dominant_line_end(split_lines(text)) == end
