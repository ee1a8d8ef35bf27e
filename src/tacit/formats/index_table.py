"""INDEX.md: the one list of notes, a pure function of the notes themselves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.note.model import Layer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tacit.note.model import Summary

__all__ = ["COLUMNS", "assemble", "escaped", "is_ours", "page", "parse", "render", "row"]

COLUMNS = (
    "Id",
    "Kind",
    "Title",
    "When to load",
    "Status",
    "Strength",
    "Scope",
    "Supersedes",
    "CreatedAt",
    "UpdatedAt",
    "Source",
    "Session",
    "File",
)
_HEAD = f"| {' | '.join(COLUMNS)} |"
# No time stamp and no count: two branches must not differ in any line that is not about a note.
_PREFACE = f"""\
# Index of notes

<!-- Tacit makes this file from the notes; what is changed here by hand is replaced. -->

{_HEAD}
|{" --- |" * len(COLUMNS)}
"""

# What means something in a table, what no line can carry, and what turns the direction of reading.
_SPECIAL = re.compile("[\\\\|<`\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
_BLANK = r"\x20"
_BREAK = "<br>"
_ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))|<br>")
_CELL = re.compile(r"([^\\|]*(?:\\.[^\\|]*)*)\|")
_ROW = re.compile(rf"\|(?:{_CELL.pattern}){{{len(COLUMNS)}}}")
_LAST_SHORT = 0xFF


def render(notes: Iterable[Summary]) -> bytes:
    """Return INDEX.md for these notes: one row each, sorted by id."""
    return assemble([page(line for _, line in sorted((note.id, row(note)) for note in notes))])


def assemble(pages: Iterable[bytes]) -> bytes:
    """Return INDEX.md made of what `page` returned for notes in the order of their ids."""
    return b"".join((_PREFACE.encode(), *pages))


def page(rows: Iterable[str]) -> bytes:
    """Return a part of the table: what `row` returned for some notes."""
    return "".join(f"{line}\n" for line in rows).encode()


def row(note: Summary) -> str:
    """Return the row of one note, without line end; `parse` gives back every cell exactly."""
    texts = filter(None, (note.id, note.title, *note.when_to_load, note.source, note.session, note.file))
    # One look at all the texts is enough for nearly every note. Outer blanks stand beside those put between here.
    joined = f" {' '.join(texts)} "
    odd = "  " in joined or _SPECIAL.search(joined) is not None
    when_to_load = ("\n" if odd else _BREAK).join(note.when_to_load)
    cells = (note.id, note.title, when_to_load, note.source, note.session, note.file)
    note_id, title, when_to_load, source, session, file = map(escaped, cells) if odd else cells
    kind = "core" if note.layer is Layer.CORE else note.kind
    return (
        f"| {note_id} | {kind} | {title} | {when_to_load}"
        f" | {note.status} | {note.strength} | {note.scope} | {', '.join(note.supersedes)}"
        f" | {note.created} | {note.updated} | {source} | {session} | {file} |"
    )


def parse(content: bytes) -> list[dict[str, str]]:
    """Return each row as column → text; lines that are no rows are passed over, such as those of a bad merge."""
    found: list[dict[str, str]] = []
    for line in content.decode(errors="replace").split("\n"):
        text = line.strip(" \r")
        if _ROW.fullmatch(text) and text != _HEAD and not text.startswith(("| -", "|-", "|:", "| :")):
            cells = _CELL.findall(text, 1)
            found.append({name: _unescaped(cell) for name, cell in zip(COLUMNS, cells, strict=True)})
    return found


def is_ours(content: bytes) -> bool:
    """Whether a file called INDEX.md is one that Tacit made, however old, badly merged or torn by a power cut."""
    return _HEAD.encode() in content or _PREFACE.encode().startswith(content.rstrip(b"\0"))


def escaped(text: str) -> str:
    """Return a text as the cell of a table can carry it."""
    text = _SPECIAL.sub(_escape, text)
    if text.startswith(" "):
        text = _BLANK + text[1:]
    return text[:-1] + _BLANK if text.endswith(" ") else text


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    if char in "\\|<`":
        return f"\\{char}"
    if char == "\n":
        return _BREAK
    return f"\\x{ord(char):02x}" if ord(char) <= _LAST_SHORT else f"\\u{ord(char):04x}"


def _unescaped(cell: str) -> str:
    return _ESCAPE.sub(_unescape, cell.strip(" "))


def _unescape(match: re.Match[str]) -> str:
    short, long, other = match.groups()
    if short or long:
        return chr(int(short or long, 16))
    return other or "\n"
