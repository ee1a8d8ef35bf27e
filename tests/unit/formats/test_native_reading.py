"""Reading notes: what a file says, and that nothing of it is lost."""

from __future__ import annotations

import pytest

from tacit.formats import native
from tacit.formats.native import Section
from tacit.note.model import (
    Audience,
    Kind,
    Layer,
    Level,
    Note,
    Origin,
    Portability,
    Scope,
    Status,
    Strength,
    Timing,
)

FILE = "L2_procedural/MEM-7f3k2p9q.md"
FULL = """\
---
# Written by hand, mostly.
id: MEM-7f3k2p9q
title: "Deploys: freeze on Fridays"
kind: decision
level: fact
status: local
strength: enforced
scope: broad
audience: team
portability: cross-project
timing: both
source: starter-kit@1.2.0
origin: user
confirmed: terminal 2026-11-15T21:00:00Z
tags:
  - deploys
  - 发布
supersedes: [MEM-old1, MEM-old2]
created: 2026-11-01
updated: 2026-11-15T21:00:00.123456Z
session: 5d1f
owner: {team: platform, since: 2024}
---
# Deploys

Some words before the first section.

## When to load

- Planning a release
* Before a long weekend

   a plain line

## One-liner (for injection)

Do not deploy after
Thursday noon.

### Decision ##

    indented code
and why

#### A detail

more

## Rollback

Unknown to Tacit.

## signals
s
## ALTERNATIVES
a
## Counter signals
c
## Fact
f
## Principle
p
## Evidence
```sh
## no heading
```
## Pointers
mem://L1/MEM-old1
"""
MINIMAL = b"---\nid: MEM-abc\ntitle: t\n---\n## When to load\nNow\n## One-liner\nDo it.\n"


def test_every_field_is_read() -> None:
    """N-01, N-02: each key and section arrives in its field."""
    assert native.parse(FULL.encode(), FILE).note == Note(
        id="MEM-7f3k2p9q",
        title="Deploys: freeze on Fridays",
        layer=Layer.PROCEDURAL,
        file=FILE,
        kind=Kind.DECISION,
        level=Level.FACT,
        status=Status.LOCAL,
        strength=Strength.ENFORCED,
        scope=Scope.BROAD,
        audience=Audience.TEAM,
        portability=Portability.CROSS_PROJECT,
        timing=Timing.BOTH,
        source="starter-kit@1.2.0",
        origin=Origin.USER,
        confirmed="terminal 2026-11-15T21:00:00Z",
        tags=("deploys", "发布"),
        supersedes=("MEM-old1", "MEM-old2"),
        created="2026-11-01",
        updated="2026-11-15T21:00:00.123456Z",
        session="5d1f",
        when_to_load=("Planning a release", "Before a long weekend", "a plain line"),
        one_liner="Do not deploy after Thursday noon.",
        decision="    indented code\nand why\n\n#### A detail\n\nmore",
        signals="s",
        alternatives="a",
        counter_signals="c",
        fact="f",
        principle="p",
        evidence="```sh\n## no heading\n```",
        pointers="mem://L1/MEM-old1",
    )


def test_what_is_left_out_has_its_default() -> None:
    """N-02: id, title, When to load and One-liner are enough."""
    assert native.parse(MINIMAL).note == Note(id="MEM-abc", title="t", when_to_load=("Now",), one_liner="Do it.")


@pytest.mark.parametrize("key", [key for key in native.KEYS if key not in ("id", "title")])
def test_an_empty_value_means_the_default(key: str) -> None:
    """A key without a value, as in the template, counts as left out."""
    content = MINIMAL.replace(b"title: t\n", f"title: t\n{key}:\n".encode())
    assert native.parse(content).note == native.parse(MINIMAL).note


@pytest.mark.parametrize(("key", "value"), [("tags", ("a b",)), ("supersedes", ("MEM-x",))])
def test_one_word_is_a_list_of_one(key: str, value: tuple[str, ...]) -> None:
    """Where a list is meant, a single item needs no list."""
    content = MINIMAL.replace(b"title: t\n", f"title: t\n{key}: {value[0]}\n".encode())
    assert getattr(native.parse(content).note, key) == value


@pytest.mark.parametrize(
    ("file", "layer"),
    [
        ("L1_declarative/a.md", Layer.DECLARATIVE),
        ("L2_procedural/a.md", Layer.PROCEDURAL),
        ("L3_episodic/a.md", Layer.EPISODIC),
        ("share/L2_procedural/a.md", Layer.PROCEDURAL),
        ("", Layer.DECLARATIVE),
    ],
)
def test_the_folder_names_the_layer(file: str, layer: Layer) -> None:
    """The first part of the path says where a note stands."""
    assert native.parse(MINIMAL, file).note.layer is layer


def test_sections_are_listed_with_their_lines() -> None:
    """N-04: unknown sections are there too, under the words of their heading."""
    sections = native.parse(FULL.encode(), FILE).sections
    assert [section.name for section in sections] == [
        "When to load",
        "One-liner",
        "Decision",
        "Rollback",
        "Signals",
        "Alternatives",
        "Counter-signals",
        "Fact",
        "Principle",
        "Evidence",
        "Pointers",
    ]
    assert sections[3] == Section("Rollback", 50, "Unknown to Tacit.")
    lines = FULL.split("\n")
    assert all(lines[section.start_line - 1].startswith("##") for section in sections)


def test_a_heading_of_level_one_ends_a_section() -> None:
    """What stands under a second title belongs to no section."""
    document = native.parse(MINIMAL + b"\n# Appendix\n\nnot to inject\n")
    assert document.note.one_liner == "Do it."
    assert [section.name for section in document.sections] == ["When to load", "One-liner"]


@pytest.mark.parametrize(
    "heading", ["## decision", "###   Decision  ###", "   ## DECISION (why)", "## Decision （原因）"]
)
def test_headings_are_read_generously(heading: str) -> None:
    """Case, level 3, closing hashes, a suffix in brackets and up to three blanks make no difference."""
    assert native.parse(MINIMAL + f"{heading}\nyes\n".encode()).note.decision == "yes"


@pytest.mark.parametrize(
    "heading", ["##Decision", "    ## Decision", "#### Decision", "\\## Decision", "## The decision"]
)
def test_other_lines_are_no_known_headings(heading: str) -> None:
    """What Markdown or the format does not call that section is text."""
    assert native.parse(MINIMAL + f"{heading}\nno\n".encode()).note.decision == ""


@pytest.mark.parametrize(
    "fence",
    [
        "```\n{}\n```\n",
        "~~~ text\n```\n{}\n~~~~\n",
        "````\n```\n{}\n````\n",
        "  ```\n``` x\n{}\n  ```   \n",
        "```\n{}\n",
    ],
)
def test_headings_inside_code_fences_are_text(fence: str) -> None:
    """Only a fence of the same kind, at least as long and alone on its line, closes a fence."""
    note = native.parse(MINIMAL + b"## Fact\n" + fence.format("## Decision\n# Title").encode()).note
    assert "## Decision" in note.fact
    assert note.decision == ""


def test_ticks_inside_a_line_open_no_fence() -> None:
    """Inline code with three ticks is no fence."""
    assert native.parse(MINIMAL + b"```inline``` text\n## Decision\nyes\n").note.decision == "yes"


VARIANTS = {
    "as it is": FULL.encode(),
    "byte order mark": b"\xef\xbb\xbf" + FULL.encode(),
    "Windows line ends": FULL.replace("\n", "\r\n").encode(),
    "old Mac line ends": FULL.replace("\n", "\r").encode(),
    "mixed line ends": FULL.replace("\n", "\r\n", 9).encode(),
    "no final newline": FULL.rstrip("\n").encode(),
    "many final newlines": FULL.encode() + b"\n\n \n",
    "blanks after the dashes": FULL.replace("---\n", "--- \t\n").encode(),
}


@pytest.mark.parametrize("content", VARIANTS.values(), ids=VARIANTS)
def test_a_note_is_given_back_byte_for_byte(content: bytes) -> None:
    """N-04: byte order mark, line ends and final newline survive, and the note is the same in all variants."""
    document = native.parse(content, FILE)
    assert document.render() == content
    assert document.note == native.parse(FULL.encode(), FILE).note
    assert [section.text for section in document.sections][3] == "Unknown to Tacit."


def test_the_body_has_the_line_ends_of_the_file() -> None:
    """The body is everything after the front matter, as it stands."""
    content = FULL.replace("\n", "\r\n").encode()
    assert native.parse(content).body == FULL.partition("\n---\n")[2].replace("\n", "\r\n")
    assert native.parse(MINIMAL).body == MINIMAL.decode().partition("\n---\n")[2]


def test_a_document_shows_its_note_and_not_its_bytes() -> None:
    """The representation is short enough for a log."""
    assert "_content" not in repr(native.parse(MINIMAL))
