"""Composing notes: the file that a new note becomes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tacit.errors import FieldRefused, NoteConflicted, NoteTooLarge
from tacit.formats import native
from tacit.note.model import Kind, Note, Origin, Strength

NOTE = Note(id="MEM-abc", title="Use tabs: never", when_to_load=("Formatting", "Reviewing"), one_liner="Use spaces.")


def test_the_canonical_file() -> None:
    """N-01: keys in their order, lists one item a line, sections with blank lines; what is empty is left out."""
    note = replace(
        NOTE,
        kind=Kind.PATTERN,
        strength=Strength.VALIDATED,
        origin=Origin.USER,
        source="remember",
        confirmed="terminal 2026-11-15T21:00:00Z",
        tags=("style", "编码"),
        supersedes=("MEM-old",),
        created="2026-11-15T20:00:00Z",
        updated="2026-11-15T21:00:00Z",
        session="5d1f",
        decision="Because.\n\nReally.",
        counter_signals="Makefiles.",
    )
    assert (
        native.compose(note).decode()
        == """\
---
id: MEM-abc
title: "Use tabs: never"
kind: pattern
level: principle
status: active
strength: validated
scope: medium
audience: project
portability: project-only
timing: pre
source: remember
origin: user
confirmed: terminal 2026-11-15T21:00:00Z
tags:
  - style
  - 编码
supersedes:
  - MEM-old
created: 2026-11-15T20:00:00Z
updated: 2026-11-15T21:00:00Z
session: 5d1f
---

## When to load

- Formatting
- Reviewing

## One-liner

Use spaces.

## Decision

Because.

Really.

## Counter-signals

Makefiles.
"""
    )


def test_a_small_note_is_a_small_file() -> None:
    """Empty optional keys and sections are left out."""
    text = native.compose(NOTE).decode()
    assert all(f"{key}:" not in text for key in ("confirmed", "tags", "supersedes", "created", "updated", "session"))
    assert text.count("## ") == 2


def test_blank_space_around_texts_is_not_kept() -> None:
    """Line ends, outer blank lines and the edges of items are tidied; the words are not touched."""
    untidy = replace(
        NOTE, when_to_load=(" Now \r\n and then ", "", " "), one_liner="Do\nit. ", decision="\n\n  a\r\nb\r\n\n"
    )
    note = native.parse(native.compose(untidy)).note
    assert note == replace(NOTE, when_to_load=("Now and then",), one_liner="Do it.", decision="  a\nb")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"id": ""}, "id"),
        ({"id": "CORE-x"}, "id"),
        ({"id": "MEM-a/../b"}, "id"),
        ({"title": ""}, "title"),
        ({"title": "a\u2028b"}, "title"),
        ({"title": "\ud800"}, "title"),
        ({"source": "nobody"}, "source"),
        ({"confirmed": "yes"}, "confirmed"),
        ({"tags": ("",)}, "tags"),
        ({"tags": ("a\0",)}, "tags"),
        ({"supersedes": ("x",)}, "supersedes"),
        ({"created": "2026"}, "created"),
        ({"session": "a\nb"}, "session"),
        ({"when_to_load": ()}, "When to load"),
        ({"when_to_load": (" ",)}, "When to load"),
        ({"when_to_load": ("a\0",)}, "When to load"),
        ({"one_liner": ""}, "One-liner"),
        ({"one_liner": "## x"}, "One-liner"),
        ({"one_liner": "```"}, "One-liner"),
        ({"decision": "a\n# b"}, "Decision"),
        ({"fact": "```\n"}, "Fact"),
        ({"evidence": "\udfff"}, "Evidence"),
    ],
)
def test_what_would_not_read_back_is_refused(change: dict[str, str], named: str) -> None:
    """N-05: no file is made that Tacit would refuse to read; the error names the field or section."""
    with pytest.raises(FieldRefused) as caught:
        native.compose(replace(NOTE, **change))  # type: ignore[arg-type]  # wrong on purpose
    assert caught.value.details["field"] == named


def test_size_and_conflicts_are_refused_by_the_id() -> None:
    """X-05: a note that is too large, or whose texts form conflict markers, names itself."""
    with pytest.raises(NoteTooLarge, match=r"MEM-abc\.md"):
        native.compose(replace(NOTE, decision="x" * 70_000))
    with pytest.raises(NoteConflicted, match="L1_declarative/x"):
        native.compose(replace(NOTE, file="L1_declarative/x.md", fact="<<<<<<< a\n=======\n", evidence=">>>>>>> b"))
