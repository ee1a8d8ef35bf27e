"""Tacit's own note format, version 1: bytes to a note and back, without loss.

A document keeps the bytes it was read from; a change replaces the lines that it is about and no others.
NOTE-FORMAT.md describes the format.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from tacit.errors import FieldRefused, NoteConflicted, NoteEmpty, NoteNotUtf8, NoteSyntaxError, NoteTooLarge
from tacit.formats import front_matter
from tacit.note.model import (
    MAX_NOTE_BYTES,
    MAX_TAGS,
    MAX_TITLE_CHARS,
    SOURCES,
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
    is_note_id,
)
from tacit.text import clip, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from enum import StrEnum

__all__ = [
    "FORMAT_VERSION",
    "KEYS",
    "SECTIONS",
    "Document",
    "Heading",
    "Section",
    "compose",
    "decode",
    "find_headings",
    "parse",
    "skip_front_matter",
]

FORMAT_VERSION = 1
MAX_TAG_CHARS = 64
MAX_SESSION_CHARS = 200

# Section title → field of Note, in the order in which sections are written.
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
_LAYERS = {layer.folder: layer for layer in Layer}
_BOM = "\ufeff"

_OPENING = re.compile(r"---[ \t]*\n")
_CLOSING = re.compile(r"\n---[ \t]*(?=\n|\Z)")
_RAW_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_LEADING_BLANK_LINES = re.compile(r"\s*\n")
# A heading or the edge of a code fence. It begins with the line break before it, which is quick to search for.
_MARK = re.compile(r"\n {0,3}(?:(#{1,6})(?=[ \t\n]|\Z)([^\n]*)|(`{3,}(?![^`\n]*`)|~{3,})([^\n]*))")
_CLOSING_HASHES = re.compile(r"(?:^|[ \t])#+$")
_SUFFIX = re.compile(r"\s*[(（][^()（）]*[)）]$")
_BREAK = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_TIME = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?Z)?")
_CHANNEL = re.compile(r"\S{1,64}")
_NAME_AT_VERSION = re.compile(r"@?[^\s@]{1,100}@[^\s@]{1,60}")


# ── From bytes to text ────────────────────────────────────────────────────────────────────────────────────


def decode(content: bytes, file: str) -> str:
    r"""Return `content` as text without BOM and with `\n` line ends.

    Raise NoteTooLarge, NoteEmpty, NoteNotUtf8 or NoteConflicted, in this order, for what cannot be taken.
    """
    if len(content) > MAX_NOTE_BYTES:
        raise NoteTooLarge(file=file, size=len(content), limit=MAX_NOTE_BYTES)
    if b"\0" in content or not content.strip(b"\xef\xbb\xbf \t\r\n"):
        raise NoteEmpty(file=file)
    try:
        text = _unified(content.decode())
    except UnicodeDecodeError as error:
        line = _unified(content[: error.start].decode()).count("\n") + 1
        raise NoteNotUtf8(file=file, line=line, offset=error.start) from None
    text = text.removeprefix(_BOM)
    if "<<<<<<< " in text:
        _refuse_conflict(text, file)
    return text


def _unified(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _refuse_conflict(text: str, file: str) -> None:
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.startswith("<<<<<<< ")), len(lines))
    middle = next((number for number in range(first + 1, len(lines)) if lines[number] == "======="), len(lines))
    if any(line.startswith(">>>>>>> ") for line in lines[middle + 1 :]):
        raise NoteConflicted(file=file, line=first + 1)


# ── Headings and sections ─────────────────────────────────────────────────────────────────────────────────


class Heading(NamedTuple):
    """An ATX heading: its level, its words, and the offsets of the line break before it and of its line's end."""

    level: int
    title: str
    start: int
    end: int


class Section(NamedTuple):
    """A part of a note's body: its name, the line of its heading (from 1), and its text."""

    name: str
    start_line: int
    text: str


def find_headings(text: str, start: int = 0) -> tuple[list[Heading], bool]:
    """Return the headings after the line break at `start`, none from code fences, and whether a fence stays open."""
    headings: list[Heading] = []
    fence = ""
    for match in _MARK.finditer(text, start):
        hashes, title, ticks, rest = match.groups()
        if fence:
            if ticks and ticks.startswith(fence) and not rest.strip():
                fence = ""
        elif ticks:
            fence = ticks
        else:
            title = title.strip()
            if title.endswith("#"):
                title = _CLOSING_HASHES.sub("", title).rstrip()
            headings.append(Heading(len(hashes), title, match.start(), match.end()))
    return headings, fence != ""


def _loose(name: str) -> str:
    return " ".join(_SUFFIX.sub("", name).replace("-", " ").replace("_", " ").casefold().split())


_NAMES = {name: name for name in SECTIONS} | {_loose(name): name for name in SECTIONS}


def _section_name(title: str) -> str:
    return _NAMES.get(title) or _NAMES.get(_loose(title)) or title


def _trimmed(text: str) -> str:
    text = text.rstrip()
    blank = _LEADING_BLANK_LINES.match(text)
    return text[blank.end() :] if blank else text


def _joined(text: str) -> str:
    text = text.strip()
    return " ".join(line.strip() for line in text.split("\n") if line.strip()) if "\n" in text else text


def _bullets(text: str) -> tuple[str, ...]:
    lines = [line.strip() for line in text.split("\n")]
    return tuple(item for line in lines if (item := _without_bullet(line)))


def _without_bullet(line: str) -> str:
    return line[2:].lstrip() if line.startswith(("- ", "* ")) else "" if line in ("-", "*") else line


_READ_SECTION: dict[str, Callable[[str], object]] = {"When to load": _bullets, "One-liner": _joined}


# ── Field values ──────────────────────────────────────────────────────────────────────────────────────────


def _refuse(key: str, reason: str) -> NoReturn:
    raise FieldRefused(field=key, reason=reason)


def _shown(value: object) -> str:
    return f"'{clip(printable(value), 60)}'" if isinstance(value, str) else "a list or mapping"


def _check_id(key: str, value: object) -> str:
    if isinstance(value, str) and is_note_id(value):
        return value
    _refuse(key, f"{_shown(value)} is no note id (MEM- and up to 60 letters, digits, - or _)")


def _line(key: str, value: object, limit: int) -> str:
    if not isinstance(value, str):
        _refuse(key, "must be text, not a list or mapping")
    if not 0 < len(value) <= limit or value.isspace() or _BREAK.search(value):
        _refuse(key, f"must be one line of 1 to {limit} characters")
    return value


def _check_title(key: str, value: object) -> str:
    return _line(key, value, MAX_TITLE_CHARS)


def _check_session(key: str, value: object) -> str:
    return _line(key, value, MAX_SESSION_CHARS)


def _check_source(key: str, value: object) -> str:
    if isinstance(value, str) and (value in SOURCES or _NAME_AT_VERSION.fullmatch(value)):
        return value
    _refuse(key, f"{_shown(value)} is neither name@version nor one of {', '.join(sorted(SOURCES))}")


def _is_time(value: str) -> bool:
    match = _TIME.fullmatch(value)
    try:
        return match is not None and date.fromisoformat(match[1]) is not None
    except ValueError:
        return False


def _check_time(key: str, value: object) -> str:
    if isinstance(value, str) and _is_time(value):
        return value
    _refuse(key, f"{_shown(value)} is no time in UTC such as 2026-11-15T21:00:00Z")


def _check_confirmed(key: str, value: object) -> str:
    if isinstance(value, str):
        channel, _, time = value.partition(" ")
        if _CHANNEL.fullmatch(channel) and _is_time(time):
            return value
    _refuse(key, f"{_shown(value)} is not a channel and a time such as 'terminal 2026-11-15T21:00:00Z'")


def _items(key: str, value: object) -> Sequence[object]:
    if isinstance(value, list | tuple):
        return value
    if isinstance(value, str) and "," not in value:
        return (value,)
    _refuse(key, "must be a list, one `- item` a line")


def _check_tags(key: str, value: object) -> tuple[str, ...]:
    tags = tuple(_line(key, item, MAX_TAG_CHARS) for item in _items(key, value))
    if len(tags) > MAX_TAGS:
        _refuse(key, f"there are {len(tags)}, more than the {MAX_TAGS} allowed")
    return tags


def _check_ids(key: str, value: object) -> tuple[str, ...]:
    return tuple(_check_id(key, item) for item in _items(key, value))


def _one_of(choices: type[StrEnum]) -> Callable[[str, object], object]:
    members: dict[object, object] = {member.value: member for member in choices}

    def check(key: str, value: object) -> object:
        member = members.get(value) if isinstance(value, str) else None
        if member is None:
            _refuse(key, f"{_shown(value)} is not one of {', '.join(choices)}")
        return member

    return check


# The keys that Tacit knows, in the order in which they are written, and what makes a value of each.
_CHECKS: dict[str, Callable[[str, object], object]] = {
    "id": _check_id,
    "title": _check_title,
    "kind": _one_of(Kind),
    "level": _one_of(Level),
    "status": _one_of(Status),
    "strength": _one_of(Strength),
    "scope": _one_of(Scope),
    "audience": _one_of(Audience),
    "portability": _one_of(Portability),
    "timing": _one_of(Timing),
    "source": _check_source,
    "origin": _one_of(Origin),
    "confirmed": _check_confirmed,
    "tags": _check_tags,
    "supersedes": _check_ids,
    "created": _check_time,
    "updated": _check_time,
    "session": _check_session,
}
KEYS = tuple(_CHECKS)
# The name comes along because the call of Note is slow for names that are equal to its own but not the same object.
_KNOWN = {key: (key, check) for key, check in _CHECKS.items()}
_RANK = {key: rank for rank, key in enumerate(KEYS)}


# ── Documents ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Document:
    """A note together with the bytes it was read from; a change makes a new document."""

    note: Note
    _content: bytes = field(repr=False)

    def render(self) -> bytes:
        """Return the file's content, byte for byte as it was read wherever nothing was changed."""
        return self._content

    @property
    def body(self) -> str:
        """The text after the front matter, with the line ends of the file."""
        front, _ = _divide(decode(self._content, self.note.file), self.note.file)
        return "".join(self._lines()[front.count("\n") + 2 :])

    @property
    def sections(self) -> tuple[Section, ...]:
        """All sections in the order of the file, unknown ones too."""
        return tuple(section for section, _ in self._located_sections())

    def with_fields(self, **fields: str | Sequence[str] | None) -> Document:
        """Return the document with these front matter keys set, or removed where the value is None.

        Known keys are checked, other keys kept as they are given. A key that has the value already keeps its
        lines, as do all keys not named. FieldRefused if the outcome would be no legal note.
        """
        front, _ = _divide(decode(self._content, self.note.file), self.note.file)
        entries = {entry.key: entry for entry in front_matter.parse(front, file=self.note.file, first_line=2)}
        lines = self._lines()
        newline = _dominant_line_end(lines)
        changes: list[tuple[int, int, int, list[str]]] = []
        for key, given in fields.items():
            entry = entries.get(key)
            if self._has_already(key, given, entry):
                continue
            new = front_matter.render_entry(key, given, newline) if given is not None and _is_set(key, given) else []
            start, end = (entry.start, entry.end) if entry else (_place_for(key, entries.values(), front),) * 2
            changes.append((start + 1, end + 1, _RANK.get(key, len(KEYS)), new))
        # From the last line to the first, so that a change does not move the lines of the next one.
        for start, end, _, new in sorted(changes, reverse=True):
            lines[start:end] = new
        return _accept("".join(lines).encode(), self.note.file) if changes else self

    def with_section(self, name: str, text: str | None) -> Document:
        """Return the document with the text of a section replaced, or the section added or, for None, removed.

        A new section goes where the canonical order has it, an unknown one to the end. FieldRefused if the text
        holds headings of level 1 to 3 or an open code fence, or if the outcome would be no legal note.
        """
        name = _section_name(name)
        lines = self._lines()
        wanted = _section_lines(name, text or "", _dominant_line_end(lines))
        located = [(section, place) for section, place in self._located_sections() if _same(section.name, name)]
        if len(located) > 1:
            _refuse(name, "the section stands twice")
        if located and _section_lines(name, located[0][0].text, "", trusted=True) == [line.rstrip("\r\n") for line in wanted]:
            return self
        ...
