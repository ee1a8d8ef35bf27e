"""Tacit's own note format, version 1: bytes to a note and back, without loss.

A document keeps the bytes it was read from; a change replaces the lines that it is about and no others.
NOTE-FORMAT.md describes the format.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from tacit.errors import FieldRefused, NoteSyntaxError
from tacit.formats import front_matter
from tacit.formats.core_document import (
    clean_title,
    decode,
    dominant_line_end,
    end_of_front_matter,
    find_headings,
    find_parts,
    insert_lines,
    join,
    list_items,
    split_lines,
    trim,
    unify_line_ends,
)
from tacit.formats.fields import CHECKS, KEYS, RANK, check_line, checked, read_fields, refuse
from tacit.note.model import Layer, Note, Summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["FORMAT_VERSION", "KEYS", "SECTIONS", "Document", "Section", "compose", "parse", "summarise"]

FORMAT_VERSION = 1

# Section → field of Note, in the order in which sections are written.
SECTIONS = {
    "When to load": "when_to_load",
    "One-liner": "one_liner",
    "Decision": "decision",
    "Signals": "signals",
    "Alternatives": "alternatives",
    "Counter-signals": "counter_signals",
    "Fact": "fact",
    "Principle": "principle",
    "Evidence": "evidence",
    "Pointers": "pointers",
}
_REQUIRED_SECTIONS = ("When to load", "One-liner")
_SECTION_RANK = {name: rank for rank, name in enumerate(SECTIONS)}
_DEEPEST_SECTION = 3
_LAYERS = {layer.folder: layer for layer in Layer}

_HEADING = re.compile(r"\n {0,3}(##?#?)(?!#)(?=[ \t\n]|\Z)([^\n]*)")
_SUFFIX = re.compile(r"[(（][^()（）]*[)）]$")
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")


class Section(NamedTuple):
    """A part of a note's body: its name, the line of its heading (from 1), and its text."""

    name: str
    start_line: int
    text: str


class _Place(NamedTuple):
    """A section, or what stands under a heading of level 1, with its lines (from 0, `end` excluded)."""

    section: Section
    level: int
    start: int
    end: int

    def holds(self, name: str) -> bool:
        return self.level > 1 and self.section.name.casefold() == name.casefold()


@dataclass(frozen=True, slots=True)
class Document:
    """A note together with the bytes it was read from; a change makes a new document."""

    note: Note
    _content: bytes = field(repr=False)

    def render(self) -> bytes:
        """Return the content of the file, byte for byte as it was read wherever nothing was changed."""
        return self._content

    @property
    def front(self) -> str:
        r"""The lines of the front matter, ending in `\n`."""
        return self._divided()[0]

    @property
    def body(self) -> str:
        """The text after the front matter, with the line ends of the file."""
        return "".join(self._lines()[self.front.count("\n") + 2 :])

    @property
    def sections(self) -> tuple[Section, ...]:
        """All sections in the order of the file, unknown ones too."""
        return tuple(place.section for place in self._places() if place.level > 1)

    def with_fields(self, **fields: str | Sequence[str] | None) -> Document:
        """Return the document with these front matter keys set, or removed where the value is None.

        Known keys are checked, others taken as they are given. A key that already has the value keeps its lines,
        as do all keys not named. FieldRefused if the outcome would be no legal note.
        """
        front = self.front
        entries = {entry.key: entry for entry in front_matter.parse(front, file=self.note.file, first_line=2)}
        lines = self._lines()
        newline = dominant_line_end(lines)
        changes: list[tuple[int, int, int, list[str]]] = []
        for key, given in fields.items():
            value = checked(key, given)
            entry = entries.get(key)
            current = getattr(self.note, key) if key in CHECKS else entry and entry.value
            if (entry is None) if value is None else (value == current):
                continue
            new = [] if value is None else front_matter.render_entry(key, value, newline)
            start, end = (entry.start, entry.end) if entry else (_line_for_key(key, entries.values(), front),) * 2
            if entry and value is not None:
                new = front_matter.with_comments(lines[start + 1 : end + 1], new, tuple(value))
            changes.append((start + 1, end + 1, RANK.get(key, len(KEYS)), new))
        # From the last line to the first, so that no change moves the lines of the next one.
        for start, end, _, new in sorted(changes, reverse=True):
            lines[start:end] = new
        return _read("".join(lines).encode(), self.note.file) if changes else self

    def with_section(self, name: str, text: str | None) -> Document:
        """Return the document with the text of a section replaced, or the section added or, for None, removed.

        A new section goes where the canonical order has it, an unknown one to the end. FieldRefused if the text
        holds headings of level 1 to 3 or an open code fence, or if the outcome would be no legal note.
        """
        name = check_line("section", _section_name(name))
        value = _read_section(name, unify_line_ends(text or ""))
        places = self._places()
        found = [place for place in places if place.holds(name)]
        if len(found) > 1:
            refuse(name, "the section stands twice")
        if (value == _read_section(name, found[0].section.text) and value) if found else not value:
            return self
        lines = self._lines()
        newline = dominant_line_end(lines)
        new = [line + newline for line in _written_section(name, value)]
        if not value:
            del lines[found[0].start : found[0].end]
        elif found:
            _replace_text(lines, found[0], new, newline)
        else:
            line = _line_for_section(name, places, len(lines))
            insert_lines(lines, line, [f"## {name}{newline}", newline, *new], newline)
        document = _read("".join(lines).encode(), self.note.file)
        written = [section.text for section in document.sections if section.name.casefold() == name.casefold()]
        if [_read_section(name, text) for text in written] != ([value] if value else []):
            refuse(name, "the section would not read back; is there an open code fence before it?")
        return document

    def _lines(self) -> list[str]:
        return split_lines(self._content.decode())

    def _divided(self) -> tuple[str, int]:
        return _divide(decode(self._content, self.note.file), self.note.file)

    def _places(self) -> list[_Place]:
        text = decode(self._content, self.note.file)
        places: list[_Place] = []
        line = position = 0
        for heading, end in find_parts(text, self._divided()[1], _DEEPEST_SECTION):
            start = line + text.count("\n", position, heading.start) + 1
            line, position = start - 1 + text.count("\n", heading.start, end), end
            section = Section(_section_name(heading.title), start + 1, trim(text[heading.end : end]))
            places.append(_Place(section, heading.level, start, line + 1 if end < len(text) else len(self._lines())))
        return places


def parse(content: bytes, file: str = "") -> Document:
    """Return the note that `content` is; `file` is its path inside the bank, whose first part names the layer.

    Raise NoteTooLarge, NoteEmpty, NoteNotUtf8, NoteConflicted or NoteSyntaxError, in this order, if it is none.
    """
    try:
        return _read(content, file)
    except FieldRefused as refusal:
        raise _with_its_line(refusal, content, file) from None


def summarise(content: bytes, file: str = "") -> Summary:
    """Return the summary of the note that `parse` would return, or raise what it would raise, in less time."""
    try:
        return Summary(**_members(content, file)[0])
    except FieldRefused as refusal:
        raise _with_its_line(refusal, content, file) from None


def compose(note: Note) -> bytes:
    """Return a new file that reads back as `note`, apart from blank space around the texts of its sections.

    FieldRefused if a value is not legal or the text of a section would not stay one section.
    """
    lines = ["---\n"]
    for key in KEYS:
        if value := getattr(note, key):
            lines += front_matter.render_entry(key, value)
    lines.append("---\n")
    for name, key in SECTIONS.items():
        text = getattr(note, key)
        if not isinstance(text, str):
            text = "\n".join(f"- {join(unify_line_ends(item))}" for item in text)
        if written := _written_section(name, _read_section(name, unify_line_ends(text))):
            lines += ["\n", f"## {name}\n", "\n", *(f"{line}\n" for line in written)]
    content = "".join(lines).encode()
    _read(content, note.file or f"{note.id}.md")
    return content


def _read(content: bytes, file: str) -> Document:
    """Return the note that `content` is; FieldRefused names the key or section that is not legal."""
    members, texts = _members(content, file)
    for name, text in texts.items():
        members[SECTIONS[name]] = _read_section(name, text)
    return Document(Note(**members), content)


def _members(content: bytes, file: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the members of the note's summary, and its other sections as they stand in the file."""
    text = decode(content, file)
    front, body = _divide(text, file)
    members: dict[str, Any] = read_fields(front, file=file, first_line=2)
    members["file"] = file
    members["layer"] = _LAYERS.get(file.removeprefix("share/").partition("/")[0], Layer.DECLARATIVE)
    texts: dict[str, str] = {}
    for title, inner in _section_texts(text, body):
        name = _section_name(title)
        if name in SECTIONS:
            if name in texts:
                refuse(name, "the section stands twice")
            texts[name] = inner
    for key in ("id", "title"):
        if key not in members:
            refuse(key, "is missing")
    for name in _REQUIRED_SECTIONS:
        value = _read_section(name, texts.pop(name, ""))
        if not value:
            refuse(name, "the section is missing or empty")
        members[SECTIONS[name]] = value
    return members, texts


def _divide(text: str, file: str) -> tuple[str, int]:
    """Return the lines between the two `---`, and the offset of the end of the second."""
    body = end_of_front_matter(text)
    if not body:
        opened = text.partition("\n")[0].rstrip(" \t") == "---"
        reason = "the front matter is not closed by a second line ---" if opened else "a note begins with a line ---"
        raise NoteSyntaxError(file=file, line=1, reason=reason)
    return text[text.index("\n") + 1 : text.rindex("\n", 0, body) + 1], body


def _with_its_line(refusal: FieldRefused, content: bytes, file: str) -> NoteSyntaxError:
    line = _line_of(str(refusal.details["field"]), content, file)
    return NoteSyntaxError(file=file, line=line, reason=refusal.message.removesuffix("."))


def _line_of(name: str, content: bytes, file: str) -> int:
    """Return the line, from 1, where the key or section called `name` stands or is missed."""
    text = decode(content, file)
    front, body = _divide(text, file)
    if name in CHECKS:
        entries = front_matter.parse(front, file=file, first_line=2)
        return next((entry.start + 2 for entry in entries if entry.key == name), 1)
    headings = [heading for heading, _ in find_parts(text, body, _DEEPEST_SECTION) if heading.level > 1]
    starts = [heading.start for heading in headings if _section_name(heading.title) == name]
    return text.count("\n", 0, starts[-1]) + 2 if starts else front.count("\n") + 2


# ── Sections ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _section_texts(text: str, body: int) -> list[tuple[str, str]]:
    """Return heading and text of each section after the line break at `body`."""
    rest = text[body:]
    # To ask for one character first is quicker, and settles nearly every note.
    if ("`" in rest and "```" in rest) or ("~" in rest and "~~~" in rest):
        parts = find_parts(rest, 0, _DEEPEST_SECTION)
        return [(heading.title, rest[heading.end : end]) for heading, end in parts if heading.level > 1]
    _, *pieces = _HEADING.split(rest)
    triples = zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True)
    return [(title, inner) for hashes, title, inner in triples if hashes != "#"]


def _loose(title: str) -> str:
    return " ".join(_SUFFIX.sub("", title).replace("-", " ").replace("_", " ").casefold().split())


# As a heading nearly always stands in a file, and as it may stand there as well.
_NAMES = {f" {name}": name for name in SECTIONS} | {_loose(name): name for name in SECTIONS}


def _section_name(title: str) -> str:
    """Return the canonical name of a section that Tacit knows, and the words of the heading of any other."""
    if name := _NAMES.get(title):
        return name
    title = clean_title(title)
    return _NAMES.get(_loose(title), title)


def _read_section(name: str, text: str) -> str | tuple[str, ...]:
    if name == "When to load":
        return list_items(text)
    return join(text) if name == "One-liner" else trim(text)


def _written_section(name: str, value: str | tuple[str, ...]) -> list[str]:
    """Return the lines, without ends, that a section of this value consists of; none for an empty value."""
    text = value if isinstance(value, str) else "\n".join(f"- {item}" for item in value)
    if _NO_TEXT.search(text):
        refuse(name, "the text holds NUL or half of a surrogate pair")
    headings, is_open = find_headings("\n" + text)
    if any(heading.level <= _DEEPEST_SECTION for heading in headings):
        refuse(name, "the text holds a heading of level 1 to 3, which would end the section")
    if is_open:
        refuse(name, "the text holds a code fence that is not closed")
    return text.split("\n") if text else []


# ── Lines ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _replace_text(lines: list[str], place: _Place, new: list[str], newline: str) -> None:
    """Put `new` where the text of the section at `place` stands; the blank lines around it stay."""
    filled = [number for number in range(place.start + 1, place.end) if lines[number].strip()]
    if not filled:
        del lines[place.start + 1 : place.end]
        insert_lines(lines, place.start + 1, new, newline)
        return
    if not lines[filled[-1]].endswith(("\n", "\r")):
        new[-1] = new[-1].removesuffix(newline)
    lines[filled[0] : filled[-1] + 1] = new


def _line_for_section(name: str, places: list[_Place], end: int) -> int:
    """Return the line before which a new section belongs; `end` is the end of the file."""
    if name not in SECTIONS:
        return end
    # There is always one above: a new section is never When to load, which every note has.
    ranks = [_SECTION_RANK.get(place.section.name, -1) if place.level > 1 else -1 for place in places]
    above = places[ranks.index(max(rank for rank in ranks if rank < _SECTION_RANK[name]))]
    # An unknown heading of level 3 is a part of the section above it.
    edges = (place for place, rank in zip(places, ranks, strict=True) if rank >= 0 or place.level < _DEEPEST_SECTION)
    return next((place.start for place in edges if place.start > above.start), end)


def _line_for_key(key: str, entries: Iterable[front_matter.Entry], front: str) -> int:
    """Return the line of the front matter before which a new key belongs."""
    rank = RANK.get(key)
    if rank is None:
        return front.count("\n")
    # There is always one above: a new key is never the id, which every note has.
    return max((RANK[entry.key], entry.end) for entry in entries if RANK.get(entry.key, rank) < rank)[1]
