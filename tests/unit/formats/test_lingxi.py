"""LingXi's notes keep what they say on the way in and on the way out."""

from __future__ import annotations

from tacit.formats import lingxi
from tacit.formats.found import Extra, FoundDocument, FoundNote, Passed
from tacit.note.model import Kind, Layer, Level, Note, Origin, Status, Strength, Timing

NOTE = """\
# Design by goals

## Meta

- **Id**: MEM-001
- **Kind**: principle
- **Strength**: validated
- **Source**: user
- **Tags**: skill, agent
- **CreatedAt**: 2026-02-21T00:00:00.000Z
- **Session**: -
- **Mood**: calm
- a loose line

## When to load

- Writing instructions
- Reviewing them

## One-liner (for injection)

Say the goal,
not the steps.

## Context / Decision

- **Decision**: Let the agent find the steps.
  It knows them.
- **Signals**: "first do A"
- **Alternatives**: a list of steps
- **Counter-signals**: checklists

## Pointers

- `.cursor/skills/`

## History

Kept.
"""


def only(files: dict[str, str]) -> FoundNote:
    """The one note of a memory."""
    (note,) = lingxi.read({path: text.encode() for path, text in files.items()}, "lingxi").notes
    return note


def test_note_is_read_whole() -> None:
    """O-01: each part of a LingXi note has its place, and what Tacit does not know is kept."""
    item = only({"notes/MEM-001.md": NOTE})
    note = item.note

    assert (note.id, note.title, note.kind, note.strength) == (
        "MEM-001",
        "Design by goals",
        Kind.PRINCIPLE,
        Strength.VALIDATED,
    )
    assert (note.source, note.tags, note.session, note.origin) == ("user", ("skill", "agent"), "", Origin.IMPORT)
    assert note.when_to_load == ("Writing instructions", "Reviewing them")
    assert note.one_liner == "Say the goal, not the steps."
    assert note.decision == "Let the agent find the steps.\n  It knows them."
    assert (note.signals, note.alternatives, note.counter_signals) == (
        '"first do A"',
        "a list of steps",
        "checklists",
    )
    assert item.extra == {"Mood": "calm", "meta": ["- a loose line"]}
    assert item.tail == "## History\n\nKept."


def test_list_fills_in_what_a_note_lacks() -> None:
    """The list knows what replaced what."""
    head = (
        "| Id | Kind | Title | When to load | Status | Strength | Scope | Supersedes | CreatedAt | UpdatedAt | Source"
        " | Session | File |\n|" + " --- |" * 13 + "\n"
    )
    row = "| MEM-001 | decision | x | y | local | validated | broad | MEM-000 | | | user | - | notes/MEM-001.md |\n"
    found = lingxi.read({"INDEX.md": (head + row).encode(), "notes/MEM-001.md": NOTE.encode()}, "lingxi")

    assert found.notes[0].note.supersedes == ("MEM-000",)
    assert found.notes[0].note.kind is Kind.PRINCIPLE
    assert [each.target for each in found.documents] == ["references/imported/lingxi/INDEX.md"]


def test_values_that_are_not_ours() -> None:
    """What is no legal value is kept under another name."""
    item = only({"notes/a.md": "# T\n\n## Meta\n\n- **Id:** weird id\n- **Kind**: wish\n- **Layer**: L2\n"})

    assert item.note.id == ""
    assert item.note.layer is Layer.PROCEDURAL
    assert item.extra == {"original_id": "weird id", "original_kind": "wish"}
    assert (item.note.when_to_load, item.note.one_liner) == (("T",), "T")


def test_what_is_over_elsewhere_is_archived_here() -> None:
    """O-01: a note whose status says that it is over is kept, and not recalled as if it held."""
    item = only({"notes/a.md": "# T\n\n## Meta\n\n- **Id**: MEM-a\n- **Status**: 已废弃\n"})
    assert (item.note.status, item.extra) == (Status.ARCHIVE, {"original_status": "已废弃"})


def test_long_title() -> None:
    """A title that is too long is cut, and kept whole beside it."""
    item = only({"notes/a.md": f"# {'word ' * 60}\n\nIntro.\n\n## Meta\n\n- **Kind**: pattern\n\n## Empty\n"})

    assert item.note.title.endswith("…")
    assert item.extra["original_title"] == ("word " * 60).strip()
    assert item.tail == "## Preface\n\nIntro."
    assert item.note.layer is Layer.PROCEDURAL


def test_decision_under_headings() -> None:
    """Several lines stand under headings; another heading becomes a line in bold."""
    text = "# T\n\n## Meta\n\n## Context / Decision\n\n### Decision\n\n- a\n\n### Why\n\nb\n\n### Signals\n\nc\n"

    note = only({"notes/a.md": text}).note

    assert (note.decision, note.signals) == ("- a\n\n**Why**\n\nb", "c")


def test_other_files() -> None:
    """Templates are kept beside the notes, other texts as documents; what says nothing is passed over."""
    files = {
        "notes/plain.md": b"Just text.",
        "references/template.md": b"# Template\n",
        "notes/empty.md": b"",
        "x.png": b"\x00",
    }
    found = lingxi.read(files, "lingxi")

    assert [each.note.title for each in found.notes] == ["plain"]
    assert found.documents == [
        FoundDocument("references/template.md", "references/imported/lingxi/references/template.md", b"# Template\n")
    ]
    assert found.passed == [Passed("notes/empty.md", "empty"), Passed("x.png", "binary")]


def test_written_notes_are_read_back() -> None:
    """O-01: writing, reading and writing again gives the same bytes, and the same notes."""
    plain = Note(
        id="MEM-b",
        title="Use C #",
        kind=Kind.PATTERN,
        layer=Layer.DECLARATIVE,
        level=Level.FACT,
        timing=Timing.BOTH,
        tags=("a", "b"),
        supersedes=("MEM-z",),
        when_to_load=("one", "two"),
        one_liner="Do it.",
        decision="one line",
        fact="It happened.",
        origin=Origin.IMPORT,
    )
    long = Note(
        id="MEM-a",
        title="Long",
        when_to_load=("x",),
        one_liner="y",
        decision="- **Signals**: not a part\n\nmore",
        signals="s",
        origin=Origin.IMPORT,
    )
    bare = Note(id="MEM-c", title="Bare", when_to_load=("x",), one_liner="y", origin=Origin.IMPORT)
    notes: list[tuple[Note, Extra, str]] = [
        (plain, {"owner": "me", "l-x": ["p", "q"]}, "## More\n\ntext"),
        (long, {}, ""),
        (bare, {}, ""),
    ]

    files = lingxi.write(notes)
    found = lingxi.read(files, "lingxi")
    again = lingxi.write([(each.note, each.extra, each.tail) for each in found.notes])

    assert again == files
    assert [each.note for each in found.notes] == [long, plain, bare]
    assert found.passed == [Passed("INDEX.md", "derived")]


def test_a_key_of_ones_own_does_not_pass_for_a_label() -> None:
    """O-01: labels are read in any case, so a foreign key that looks like one is marked, and the note stays."""
    note = Note(id="MEM-a", title="Own", when_to_load=("x",), one_liner="y", origin=Origin.IMPORT)
    files = lingxi.write([(note, {"Id": "other", "kiNd": "decision"}, "")])

    (found,) = lingxi.read(files, "x").notes
    assert found.note == note
    assert found.extra == {"x-Id": "other", "x-kiNd": "decision"}
    assert lingxi.write([(found.note, found.extra, "")]) == files


def test_a_second_section_of_a_name_takes_nothing_from_the_first() -> None:
    """O-01: a section of one's own that is called like one of LingXi's comes back as it was."""
    note = Note(id="MEM-a", title="Own", when_to_load=("x",), one_liner="y", decision="d", origin=Origin.IMPORT)
    tail = "## Meta\n\n- **Kind**: pattern\n\n## Context / Decision\n\nanother"

    (found,) = lingxi.read(lingxi.write([(note, {}, tail)]), "x").notes
    assert (found.note, found.tail) == (note, tail)
