"""What holds for every note and for every file that claims to be one."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tacit.errors import FieldRefused, NoteSyntaxError, TacitError
from tacit.formats import front_matter, native
from tacit.formats.core_document import split_lines
from tacit.formats.fields import CHECKS, _read_known
from tacit.note.model import (
    SOURCES,
    Audience,
    Kind,
    Level,
    Note,
    Origin,
    Portability,
    Scope,
    Status,
    Strength,
    Summary,
    Timing,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy

FILE = "L1_declarative/MEM-abc.md"
LOADERS = [
    pytest.param("CBaseLoader", id="libyaml", marks=pytest.mark.skipif(not yaml.__with_libyaml__, reason="no libyaml")),
    pytest.param("BaseLoader", id="python"),
]

# ── Strategies ────────────────────────────────────────────────────────────────────────────────────────────────────────

# What YAML, Markdown and our own reader give a meaning to, each likely enough to meet the others.
_SEASONED = st.sampled_from(
    [
        *":#-\"'[]{},|>&*!%@`?\\=~<./_",
        *["\n", "\n", "\n", " ", "  ", "\t", "\r", "\r\n", ": ", " #", "- ", "---", "...", "<<", "''", '""', "null"],
        *["\x85", "\u2028", "\u2029", "\ufeff", "\xa0", "\u3000", "\x1b", "é", "记忆", "🧠", "a", "b", "id", "key:"],
    ]
)
SEASONED_TEXT = st.lists(_SEASONED, max_size=24).map("".join)
TEXT = st.text(st.characters(codec="utf-8"), max_size=40) | SEASONED_TEXT
LINE = TEXT.map(lambda text: "".join(text.split("\x00")).strip()).filter(
    lambda text: 0 < len(text) <= 60 and len(text.splitlines()) == 1 and "\0" not in text
)
IDS = st.from_regex(r"MEM-[A-Za-z0-9][A-Za-z0-9_-]{0,20}", fullmatch=True)
TIMES = st.datetimes().map(lambda moment: f"{moment.isoformat()}Z") | st.dates().map(str)
KEY = st.sampled_from(["id", "title", "kind", "tags", "created", "session", "x", "a-b", "Key_2"])


def _prose() -> SearchStrategy[str]:
    """Text for a section: no headings, no fences, no NUL, no blank space around it."""
    clean = st.text(st.characters(codec="utf-8", exclude_characters="\0\r#`~<"), max_size=60)
    fenced = st.just("```python\n# no heading\n```")
    return st.lists(clean | fenced, max_size=3).map("\n\n".join).map(lambda text: text.strip())


NOTES = st.builds(
    Note,
    id=IDS,
    title=LINE,
    file=st.just(FILE),
    kind=st.sampled_from(Kind),
    level=st.sampled_from(Level),
    status=st.sampled_from(Status),
    strength=st.sampled_from(Strength),
    scope=st.sampled_from(Scope),
    audience=st.sampled_from(Audience),
    portability=st.sampled_from(Portability),
    timing=st.sampled_from(Timing),
    source=st.sampled_from(sorted(SOURCES)) | st.just("starter-kit@1.2.0"),
    origin=st.sampled_from(Origin),
    confirmed=st.just("") | TIMES.map(lambda time: f"terminal {time}"),
    tags=st.lists(LINE, max_size=4).map(tuple),
    supersedes=st.lists(IDS, max_size=3).map(tuple),
    created=st.just("") | TIMES,
    updated=st.just("") | TIMES,
    session=st.just("") | LINE,
    when_to_load=st.lists(LINE, min_size=1, max_size=3).map(tuple),
    one_liner=LINE.filter(lambda text: text[0] not in "#`~"),
    decision=_prose(),
    signals=_prose(),
    alternatives=_prose(),
    counter_signals=_prose(),
    fact=_prose(),
    principle=_prose(),
    evidence=_prose(),
    pointers=_prose(),
)

_FRONT_LINE = st.one_of(
    st.tuples(KEY, st.sampled_from([": ", ":", ":  "]), SEASONED_TEXT).map("".join),
    st.tuples(st.sampled_from(["  - ", "- ", "    - ", "  "]), SEASONED_TEXT).map("".join),
    st.sampled_from(
        ["", "# a comment", "  # indented", "tags:", "id: MEM-abc", "title: A title", "x: |", "x: >-", "  y"]
    ),
    SEASONED_TEXT,
)
FRONT_MATTER = st.lists(_FRONT_LINE, max_size=8).map(lambda lines: "".join(f"{line}\n" for line in lines))
# Front matter whose lines are mostly of the ordinary kinds, so that the quick way takes them.
_WORD = st.text(st.sampled_from("ab :#-'\"\\[],{}?&*!%@|>é记🧠\xa0~="), min_size=1, max_size=8)
_TOKEN = st.one_of(_WORD, _WORD.map(lambda word: f'"{word}"'), _WORD.map(lambda word: f"'{word}'"))
_FLOW = st.lists(_TOKEN, max_size=4).map(lambda items: f"[{', '.join(items)}]")
_NEARLY_ORDINARY_LINE = st.one_of(
    st.tuples(KEY, st.just(": "), _TOKEN | _FLOW, st.sampled_from(["", " ", " # c", "#c"])).map("".join),
    st.tuples(st.sampled_from(["  - ", "  - ", "- "]), _TOKEN).map("".join),
    st.sampled_from(["", "# c", "   # c", "tags:", "supersedes:  # c"]),
)
_LEGAL_LINE = st.sampled_from(
    [
        *["id: MEM-abc", "title: A title", "kind: tech", "tags:\n  - a\n  - b", "supersedes:\n  - MEM-x"],
        *["created: 2026-11-15T21:00:00Z", "session: a#b:c", "source: 'user'", "confirmed: terminal 2026-11-15"],
    ]
)
_DOUBTFUL_LINE = st.sampled_from(
    [
        *["title: 'A title'", "title: A: title", "title: A title ", "kind: opinion", "kind: tech", " kind: tech"],
        *["status:", "tags:", "tags:\n- a", "tags: [a, b]", "  - c", "- c", "supersedes:", "created: 2026-02-30"],
        *["session: a #b", "session: a:", "session: a\tb", "session: a\xa0b", "x: y", "# c", "  # c", ""],
    ]
)


@st.composite
def nearly_legal(draw: st.DrawFn) -> str:
    """Front matter of legal lines, mostly with one or two among them that are not, or that change what they mean."""
    lines = draw(st.lists(_LEGAL_LINE, unique=True)) + draw(st.lists(_DOUBTFUL_LINE, max_size=2))
    return "".join(f"{line}\n" for line in draw(st.permutations(lines)))


NEARLY_ORDINARY = st.lists(_NEARLY_ORDINARY_LINE, max_size=6).map(lambda lines: "".join(f"{line}\n" for line in lines))

_BODY_LINE = st.one_of(
    st.sampled_from(
        ["## When to load", "### one liner ##", "## Decision (why)", "# Title", "## Unknown", "```", "~~~~", "", " "]
    ),
    SEASONED_TEXT,
)
BODY = st.lists(_BODY_LINE, max_size=10).map("\n".join)
LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r"])
HEAD = "id: MEM-abc\ntitle: A title\n"
TAIL = "\n## When to load\nNow\n\n## One-liner\nDo it.\n"


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Files that are nearly notes."""
    front = draw(st.sampled_from([HEAD, ""])) + draw(FRONT_MATTER | NEARLY_ORDINARY | nearly_legal())
    body = draw(st.sampled_from([TAIL, ""])) + draw(BODY)
    text = f"---\n{front}---\n{body}"
    end = draw(LINE_ENDS)
    bom = draw(st.sampled_from(["", "", "\ufeff"]))
    return (bom + text.replace("\n", end)).encode("utf-8", errors="ignore")


# Parts of notes as people write them; any of them may stand in any order.
_FRONT_PARTS = [
    "kind: decision\n",
    "tags:\n  - a\n  # not yet\n  - b\n",
    "created: 2026-11-15T21:00:00Z # when\n",
    "session: 's''1'\n",
    'supersedes: [MEM-x, "MEM-y"]\n',
    "x: |\n  text\n\n",
    "a-b: >+\n  folded\n  text\n\n\n",
    "nested:\n  deep:\n    - [1, {two: 3}]\n  # inside\n  last: ''\n",
    "flow: [a,\n  b]\n",
    "plain: runs on\n  to the next line\n",
    '"quoted key": "\\t"\n',
    "# a comment\n",
    "   # an indented one\n",
    "\n",
]
_BODY_PARTS = [
    "words\n",
    "\n",
    "# Title\n",
    "## Decision (why) ##\n\nBecause.\n",
    "### Steps\n1. one\n",
    "## counter signals\n",
    "## Unknown\n\n  - kept\n\n",
    "#### Too deep\n",
    "```\n## Fact\n~~~\n```\n",
    "  ~~~ text\n# no title\n  ~~~~\n",
    "## Evidence\n\n\nHere.\n",
    "## Pointers\n\n``` open\n## Fact\n",
]


@st.composite
def notes_by_hand(draw: st.DrawFn) -> bytes:
    """Legal notes with everything a person may leave in them; each line has an end of its own."""
    parts = draw(st.lists(st.sampled_from(_FRONT_PARTS), unique=True))
    front = draw(st.permutations(["id: MEM-abc\n", "title: A title\n", *parts]))
    body = draw(st.lists(st.sampled_from(_BODY_PARTS[:-1]), unique=True))
    last = draw(st.sampled_from(["", _BODY_PARTS[-1]]))
    required = draw(st.sampled_from([TAIL, "## one-liner\nDo it.\n## WHEN TO LOAD\n* Now\n"]))
    pieces = ["---\n", *front, "---\n", *body, "\n", required, "\n", last]
    lines = "".join(pieces).split("\n")
    # Not all three in one file: a lone \r that comes to stand before a \n makes one line end with it.
    mixed = st.lists(st.sampled_from(["\n", "\r\n"]), min_size=len(lines), max_size=len(lines))
    ends = draw(mixed | LINE_ENDS.map(lambda end: [end] * len(lines)))
    text = "".join(line + end for line, end in zip(lines, ends, strict=True))
    text = draw(st.sampled_from(["", "\ufeff"])) + draw(st.sampled_from([text, text.rstrip("\r\n")]))
    return text.encode()


def refused_or_same(content: bytes) -> None:
    """The promise of `parse`: an error of ours, or a document that gives the bytes back."""
    try:
        assert native.parse(content, FILE).render() == content
    except TacitError as error:
        refusal = error.message
    else:
        return
    assert FILE in refusal


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@given(st.binary(max_size=400))
def test_any_bytes_are_refused_or_given_back(content: bytes) -> None:
    """N-04, N-05: whatever a file holds, reading it ends in an error of ours or loses nothing."""
    refused_or_same(content)


@given(files())
def test_any_near_note_is_refused_or_given_back(content: bytes) -> None:
    """N-04, N-05: files that look like notes are refused with a reason or given back byte for byte."""
    refused_or_same(content)


def told(read: Callable[[bytes, str], Summary], content: bytes) -> object:
    """What reading gives: the values of the summary, or the error with its details."""
    try:
        summary = read(content, FILE)
    except TacitError as error:
        return type(error), error.details
    return [getattr(summary, member.name) for member in fields(Summary)]


def same_in_short(content: bytes) -> None:
    """The promise of `summarise`: what `parse` says, whether a note or an error."""
    assert told(native.summarise, content) == told(lambda *given: native.parse(*given).note, content)


@given(st.binary(max_size=400) | files() | notes_by_hand())
def test_a_summary_says_what_the_note_says(content: bytes) -> None:
    """N-05: listing judges every file as reading it would: the same values, or the same error."""
    same_in_short(content)


@given(NOTES, LINE_ENDS)
def test_a_summary_of_a_composed_note_is_that_of_the_note(note: Note, end: str) -> None:
    """N-01: nothing that Tacit writes reads otherwise in a listing."""
    same_in_short(native.compose(note).replace(b"\n", end.encode()))


@given(nearly_legal() | NEARLY_ORDINARY | FRONT_MATTER)
def test_entries_read_alone_as_among_others(text: str) -> None:
    """What is read entry by entry, from memory, is what the front matter says as a whole."""
    alone = _read_known(text)
    if alone is not None:
        entries = front_matter.read_any(text, file=FILE, first_line=2)
        assert alone == {entry.key: CHECKS[entry.key](entry.key, entry.value) for entry in entries}


@given(notes_by_hand())
def test_a_body_and_its_sections_are_what_the_file_says(content: bytes) -> None:
    """N-04: the body is the end of the file, and each section is named at its own line."""
    document = native.parse(content, FILE)
    assert document.render() == content
    text = content.decode().removeprefix("\ufeff")
    assert text.endswith(document.body)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for section in document.sections:
        assert lines[section.start_line - 1].lstrip().startswith("##")
        assert section.text in "\n".join(lines[section.start_line :])


@pytest.mark.parametrize("loader", LOADERS)
@given(text=NEARLY_ORDINARY | FRONT_MATTER)
def test_the_quick_way_agrees_with_yaml(loader: str, text: str) -> None:
    """What is read without PyYAML reads the same with it."""
    quick = front_matter.read_ordinary(text)
    if quick is not None:
        loaded = yaml.load(text, Loader=getattr(yaml, loader))  # noqa: S506 - BaseLoader makes strings only
        assert quick == (loaded or {})


@given(NEARLY_ORDINARY | FRONT_MATTER)
def test_both_ways_find_the_same_lines(text: str) -> None:
    """An entry stands on the same lines, whichever way it was read."""
    if front_matter.read_ordinary(text) is not None:
        quick = front_matter.parse(text, file=FILE, first_line=2)
        assert quick == front_matter.read_any(text, file=FILE, first_line=2)


@given(FRONT_MATTER | NEARLY_ORDINARY)
def test_the_lines_of_an_entry_are_the_entry(text: str) -> None:
    """Each entry's lines alone read as that entry, and what stands between entries is comment or blank."""
    try:
        entries = front_matter.parse(text, file=FILE, first_line=2)
    except NoteSyntaxError:
        return
    lines = text.split("\n")
    between = set(range(len(lines)))
    for entry in entries:
        alone = "".join(f"{line}\n" for line in lines[entry.start : entry.end])
        assert front_matter.values(alone, file=FILE, first_line=2) == {entry.key: entry.value}
        between -= set(range(entry.start, entry.end))
    assert all(lines[number].strip() == "" or lines[number].lstrip().startswith("#") for number in between)


# ── Writing ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("loader", LOADERS)
@given(value=TEXT | st.lists(TEXT, max_size=4), newline=LINE_ENDS)
def test_any_text_is_quoted_so_that_it_reads_back(loader: str, value: str | list[str], newline: str) -> None:
    """A value set in front matter is the value read from it, by us and by any YAML reader."""
    try:
        lines = front_matter.render_entry("key", value, newline)
    except FieldRefused:
        assert "\0" in "".join(value)
        return
    assert all(line.endswith(newline) for line in lines)
    text = "".join(lines).replace(newline, "\n")
    assert front_matter.values(text, file=FILE, first_line=2) == {"key": value}
    assert yaml.load(text, Loader=getattr(yaml, loader)) == {"key": value}  # noqa: S506 - strings only


@given(NOTES)
def test_a_composed_note_reads_back_as_itself(note: Note) -> None:
    """N-01: what is written as a new file is the note that was meant."""
    assert native.parse(native.compose(note), FILE).note == note


@given(NOTES, st.sampled_from(["title", "session", "tags", "zz"]), LINE, LINE_ENDS)
def test_setting_one_field_leaves_the_other_lines_alone(note: Note, key: str, value: str, end: str) -> None:
    """N-04: a changed field changes its own lines and no others, whatever the line ends."""
    content = native.compose(replace(note, tags=("one", "two"))).replace(b"\n", end.encode())
    document = native.parse(content, FILE)
    changed = document.with_fields(**{key: [value] if key == "tags" else value})
    assert _outside(changed.render(), key) == _outside(content, key)
    kept = replace(changed.note, title=note.title, session=note.session, tags=("one", "two"))
    assert kept == document.note
    assert changed.with_fields(**{key: [value] if key == "tags" else value}) is changed


@given(notes_by_hand(), st.sampled_from(["title", "kind", "tags", "created", "x", "a-b", "nested", "flow", "plain"]))
def test_setting_a_field_keeps_every_comment(content: bytes, key: str) -> None:
    """N-04: in a note written by hand, what is no part of the field that is set stays byte for byte."""
    document = native.parse(content, FILE)
    changed = document.with_fields(**{key: "2026-11-15" if key == "created" else "pattern"})
    assert _outside(changed.render(), key) == _outside(content, key)
    assert changed.render() != content
    if key != "title":
        assert _outside(changed.with_fields(**{key: None}).render(), key) == _outside(content, key)


def _outside(content: bytes, key: str) -> list[str]:
    """The lines of the file, with their ends, that are not those of `key`."""
    lines = split_lines(content.decode())
    plain = [line.rstrip("\r\n") for line in lines]
    front = "".join(f"{line}\n" for line in plain[1 : plain.index("---", 1)])
    for entry in front_matter.parse(front, file=FILE, first_line=2):
        if entry.key == key:
            del lines[1 + entry.start : 1 + entry.end]
    return lines


@given(notes_by_hand(), st.sampled_from([*native.SECTIONS, "Unknown", "New one"]), _prose())
def test_setting_a_section_leaves_the_others_alone(content: bytes, name: str, text: str) -> None:
    """N-04: a changed section reads as it was set, and all others read as before."""
    document = native.parse(content, FILE)
    try:
        changed = document.with_section(name, text or "x")
    except FieldRefused:
        assert b"``` open" in content
        return
    before = [(section.name, section.text) for section in document.sections if section.name != name]
    assert [(section.name, section.text) for section in changed.sections if section.name != name] == before
    assert changed.render().partition(b"title")[0] == content.partition(b"title")[0]
    assert changed.with_section(name, text or "x") is changed
    if name not in ("When to load", "One-liner"):
        removed = changed.with_section(name, None)
        assert [(section.name, section.text) for section in removed.sections] == before
