"""Fuzz targets for what a bank keeps: notes, episodes, tables, tasks, proposals, settings, the log, the index."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from tacit import settings
from tacit.audit import record
from tacit.errors import PointerRefused, ProposalVoid, SettingRefused, TacitError, TaskRefused
from tacit.formats import core_document, episode, front_matter, index_table, lingxi, memory_bank, native
from tacit.formats import layered as layered_format
from tacit.formats.found import split
from tacit.govern import proposal
from tacit.index import postings
from tacit.note import blob
from tacit.note.pointer import IN_TEXT, Pointer
from tacit.tasks import working
from tests.fuzz.target import Target, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

FILE = "L1_declarative/MEM-fuzz.md"
NOTE = """---
id: MEM-fuzz
title: "Use uv: never pip"
kind: decision
tags: [tools, 'python']
created: 2026-01-02T03:04:05Z
x-own:
  - kept
---

## When to load

- adding a package
- 加依赖时

## One-liner

Use uv, not pip.

## Decision

uv add keeps the lock file, see mem://L1/MEM-other#decision.

```sh
# no heading
uv add x
```

## Own words

Anything.
"""
PLAIN_NOTE = "---\nid: MEM-a\ntitle: t\n---\n## When to load\n- x\n## One-liner\ny\n"
NOTE_WORDS = (
    *("id: MEM-a\n", "title: t\n", "kind: decision\n", "status: active\n", "tags: [a]\n", "key: |\n  a\n", "&a", "*a"),
    *("!!str ", "<<: ", "## When to load\n", "## One-liner\n", "### Decision\n", "## Pointers\n", "---\n", "- a\n"),
    *("<<<<<<< ours\n", "=======\n", ">>>>>>> theirs\n", "confirmed: ", "origin: user\n", "supersedes: [MEM-a]\n"),
)


def _note(given: bytes) -> None:
    """A note or a documented refusal; unchanged bytes; one summary; composing settles after one round."""
    refusals = {_refusal(read, given) for read in (native.parse, native.summarise)}
    assert len(refusals) == 1
    if refusals != {None}:
        return
    document = native.parse(given, FILE)
    assert document.render() == given
    summary = native.summarise(given, FILE)
    assert all(getattr(summary, name) == getattr(document.note, name) for name in type(summary).__slots__)
    assert document.with_fields(title=document.note.title) is document
    with suppress(TacitError):
        once = native.compose(document.note)
        assert native.compose(native.parse(once, FILE).note) == once
    with suppress(TacitError):
        assert document.with_section("Decision", "Another.").note.decision == "Another."
    with suppress(TacitError):
        changed = document.with_fields(title="Another", tags=["a", "b"])
        assert (changed.note.title, changed.note.tags) == ("Another", ("a", "b"))
    shorter, blobs = blob.taken_out(document.note)
    assert blob.put_back(shorter.decision, blobs.get) == document.note.decision or "mem://blobs/" in text_of(given)


def _refusal(read: Callable[[bytes, str], object], given: bytes) -> type[TacitError] | None:
    try:
        read(given, FILE)
    except TacitError as refusal:
        return type(refusal)
    return None


def _export(given: bytes) -> None:
    """A note that Tacit itself could have written is read again as the same note by the readers of other formats."""
    try:
        document = native.parse(given, FILE)
        native.compose(document.note)
    except TacitError:
        return
    note = document.note
    extra, tail = split(document)
    for files, reader in (
        (memory_bank.write([document], {}), memory_bank.read),
        (lingxi.write([(note, extra, tail)]), lingxi.read),
        (layered_format.write([(note, extra, tail)], {}, []), layered_format.read),
    ):
        found = reader(files, "x").notes
        assert [each.note.id for each in found] == [note.id], reader
        assert found[0].note.kind == note.kind, reader


def _front_matter(given: bytes) -> None:
    """Ordinary lines read the short way say what the whole reader says; what is written reads back."""
    text = text_of(given).replace("\r", "\n") + "\n"
    short = front_matter.read_ordinary(text)
    try:
        entries = front_matter.read_any(text, file=FILE, first_line=2)
    except TacitError:
        assert short is None
        return
    whole = {entry.key: entry.value for entry in entries}
    assert short is None or short == whole
    for key, value in whole.items():
        if isinstance(value, str):
            with suppress(TacitError):
                lines = "".join(front_matter.render_entry(key, value))
                assert front_matter.values(lines, file=FILE, first_line=2) == {key: value}


def _episode(given: bytes) -> None:
    with suppress(TacitError):
        found = episode.parse(given, "L3_episodic/EP-fuzz.md")
        assert episode.parse(episode.render(found), found.file) == found
        episode.index([found])


def _index_table(given: bytes) -> None:
    rows = index_table.parse(given)
    index_table.is_ours(given)
    for row in rows:
        for cell in row.values():
            cells = ["MEM-a", *[index_table.escaped(cell)] * (len(index_table.COLUMNS) - 1)]
            assert [*index_table.parse(f"| {' | '.join(cells)} |".encode())[0].values()][1:] == [cell] * 12


def _core_document(given: bytes) -> None:
    with suppress(TacitError):
        core_document.parse(given, "L0_core/identity.md")


def _task(given: bytes) -> None:
    with suppress(TaskRefused):
        found = working.load(given, "t1")
        assert working.load(working.dump(found), "t1") == found


def _proposal(given: bytes) -> None:
    with suppress(ProposalVoid):
        found = proposal.load(given, "P-fuzz")
        assert proposal.load(proposal.dump(found), "P-fuzz") == found


def _settings(given: bytes) -> None:
    text = text_of(given)
    try:
        settings.parse(text)
    except SettingRefused:
        with suppress(SettingRefused):
            settings.changed(text, "recall.notes", "1")
        return
    with suppress(SettingRefused):
        changed = settings.changed(text, "recall.notes", "1")
        assert settings.parse(changed).number("recall.notes") == 1


def _audit_line(given: bytes) -> None:
    members = record.parse(given)
    if members is not None:
        record.is_intact(given, members, record.GENESIS)


def _postings(given: bytes) -> None:
    """Any blob of a damaged index is read or dropped; a whole one comes back from a change as it was."""
    known = postings.numbers(3, given)
    assert all(3 * postings.BLOCK <= number < 4 * postings.BLOCK for number in known)
    found = list(postings.best([("word", 3, given)], {"word": 1.5}, 20.0, 10))
    assert len(found) <= 10
    new = postings.entry(5, 2, 30)
    with_new = postings.changed(given, [new], [5])
    assert postings.numbers(0, with_new).count(5) == 1
    assert postings.changed(with_new, [], [5]) == postings.changed(given, [], [5])


def _pointer(given: bytes) -> None:
    text = text_of(given)
    for each in (text, *IN_TEXT.findall(text)):
        with suppress(PointerRefused):
            found = Pointer.parse(each)
            assert Pointer.parse(str(found)) == found


_TASK = working.dump(
    working.Task(
        id="t1",
        title="t",
        core=(working.Loaded("CORE-a", "L0_core/a.md", "d", "text"),),
        entries=(working.Entry("2026-01-02T03:04:05Z", working.EntryKind.FINDING, "x"),),
        proposals=("P-1",),
    )
)
_FILE_CHANGE = proposal.FileChange(FILE, None, PLAIN_NOTE, "MEM-a")
_PROPOSAL = proposal.dump(
    proposal.Proposal(
        id="P-fuzz",
        decision="new",
        created="2026-01-02T03:04:05Z",
        expires="2026-01-16T03:04:05Z",
        nonce="n",
        bank="b",
        options={"confirm": proposal.Change("new", (_FILE_CHANGE,), "MEM-a"), "cancel": None},
        reasons=("because",),
        scores={"d1": 2},
        payload={"scene": "x"},
    )
)
_AUDIT = record.lines(
    [record.Record(event=record.Event.NOTE_CREATED, operation="add", note_id="MEM-a")],
    number=1,
    operation_id="OP-1",
    ts="2026-01-02T03:04:05Z",
    previous=record.GENESIS,
)

TARGETS = (
    Target("note", _note, (NOTE.encode(), PLAIN_NOTE.encode()), NOTE_WORDS),
    Target("note-export", _export, (NOTE.encode(), PLAIN_NOTE.encode()), NOTE_WORDS),
    Target("front-matter", _front_matter, (b"id: a\ntags: [a, b]\n", b'x: "y"\nz:\n  - a\n  - b: c\n'), NOTE_WORDS),
    Target(
        "episode",
        _episode,
        (b"---\nid: EP-fuzz\ntitle: t\nsummary: s\nstarted: x\n---\n\nbody\n",),
        ("id: EP-a\n", "title: t\n", "---\n"),
    ),
    Target(
        "index-table",
        _index_table,
        (index_table.assemble([index_table.page(["| " + " | ".join(["a"] * len(index_table.COLUMNS)) + " |"])]),),
        ("|", "\\|", "<br>", "\\x20", "\\u2028", "\\"),
    ),
    Target("core-document", _core_document, (b"---\na: b\n---\n# Who we are\n\ntext\n",), ("# ", "```\n", "---\n")),
    Target("task", _task, (_TASK,), ("format", "id", "t1", "state", "entries", "kind", "core", "notes"), is_json=True),
    Target("proposal", _proposal, (_PROPOSAL,), ("format", "id", "P-fuzz", "options", "files", "lost"), is_json=True),
    Target(
        "settings",
        _settings,
        (b"format = 1\n[recall]\nnotes = 2 # two\n", b'format = 1\n[index]\nbackend = "sqlite"\n'),
        ("format = 1\n", "[recall]\n", "notes = ", "[[a]]\n", "a.b.c = ", "2026-01-01", "0x", "'''", "recall = 1\n"),
    ),
    Target("audit-line", _audit_line, (_AUDIT,), ('"n":', '"hash":', '"prev":', ',"hash":"'), is_json=True),
    Target("postings", _postings, (bytes(range(16)), b""), ()),
    Target(
        "pointer",
        _pointer,
        (b"mem://L1/MEM-a#decision", b"see mem://L3/EP-1, and (mem://L4/t1)."),
        ("mem://", "L0", "L1_declarative", "CORE-a", "EP-a", "#", "/", ".."),
    ),
)
