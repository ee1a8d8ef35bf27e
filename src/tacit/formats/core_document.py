r"""Plain Markdown as the files of a bank hold it, and the core documents (L0), which are nothing more.

Text is what `decode` returns: no byte order mark, line ends `\n`. Lines are those of the file, with their ends.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tacit.errors import NoteConflicted, NoteEmpty, NoteNotUtf8, NoteSyntaxError, NoteTooLarge
from tacit.note.model import MAX_NOTE_BYTES, MAX_TITLE_CHARS, Layer, Note, Summary, is_core_id

if TYPE_CHECKING:
    from collections.abc import Iterable

_OPENING = re.compile(r"---[ \t]*\n")
_CLOSING = re.compile(r"\n---[ \t]*(?=\n|\Z)")
# A heading or the edge of a code fence. It begins with the line break before it, which is quick to search for.
_MARK = re.compile(r"\n {0,3}(?:(#{1,6})(?=[ \t\n]|\Z)([^\n]*)|(`{3,}(?![^`\n]*`)|~{3,})([^\n]*))")
_CLOSING_HASHES = re.compile(r"(?:^|[ \t])#+$")
_LEADING_BLANK_LINES = re.compile(r"\s*\n")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


class Heading(NamedTuple):
    """An ATX heading: its level, its words, and the offsets of the line break before it and of its line's end."""

    level: int
    title: str
    start: int
    end: int


def parse(content: bytes, file: str) -> Note:
    """Return the core document as a note; raise what `summarise` raises."""
    summary = summarise(content, file)
    return Note(id=summary.id, title=summary.title, layer=summary.layer, file=file)


def summarise(content: bytes, file: str) -> Summary:
    """Return the core document in short: `CORE-<file stem>`, titled by its first heading, or by the stem.

    Raise what `decode` raises, or NoteSyntaxError if the file's name makes no id.
    """
    text = decode(content, file)
    stem = file.rpartition("/")[2].removesuffix(".md")
    if not is_core_id(f"CORE-{stem}"):
        reason = "the name of a core document must have 1 to 60 characters and no blanks, | or \\"
        raise NoteSyntaxError(file=file, line=1, reason=reason)
    headings, _ = find_headings("\n" + text[end_of_front_matter(text) :])
    title = next((heading.title for heading in headings if heading.title), stem)
    return Summary(id=f"CORE-{stem}", title=title[:MAX_TITLE_CHARS], layer=Layer.CORE, file=file)


def decode(content: bytes, file: str) -> str:
    r"""Return `content` as text without byte order mark and with `\n` line ends.

    Raise NoteTooLarge, NoteEmpty, NoteNotUtf8 or NoteConflicted, in this order, for what cannot be taken.
    """
    if len(content) > MAX_NOTE_BYTES:
        raise NoteTooLarge(file=file, size=len(content), limit=MAX_NOTE_BYTES)
    if b"\0" in content or not content.strip(b"\xef\xbb\xbf \t\r\n"):
        raise NoteEmpty(file=file)
    try:
        text = unify_line_ends(content.decode()).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = unify_line_ends(content[: error.start].decode()).count("\n") + 1
        raise NoteNotUtf8(file=file, line=line, offset=error.start) from None
    refuse_conflict(text, file)
    return text


def unify_line_ends(text: str) -> str:
    r"""Return `text` with every `\r\n` and lone `\r` as `\n`."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def refuse_conflict(text: str, file: str) -> None:
    r"""Raise NoteConflicted if a `text` with `\n` line ends holds the markers of an unfinished git merge."""
    if "<" not in text or "<<<<<<< " not in text:  # the first question is quicker, and settles nearly every note
        return
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.startswith("<<<<<<< ")), len(lines))
    middle = next((number for number in range(first + 1, len(lines)) if lines[number] == "======="), len(lines))
    if any(line.startswith(">>>>>>> ") for line in lines[middle + 1 :]):
        raise NoteConflicted(file=file, line=first + 1)


def end_of_front_matter(text: str) -> int:
    """Return the offset just after the second line `---` of a `text` that begins with one, 0 without front matter."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end() - 1) if opening else None
    return closing.end() if closing else 0


def find_headings(text: str, start: int = 0) -> tuple[list[Heading], bool]:
    """Return the headings from the line break at `start` on, and whether a code fence stays open at the end.

    What stands inside a code fence is no heading.
    """
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
            headings.append(Heading(len(hashes), clean_title(title), match.start(), match.end()))
    return headings, fence != ""


def find_parts(text: str, start: int, deepest: int) -> list[tuple[Heading, int]]:
    """Return the headings down to level `deepest`, each with the offset where the next one begins or the text ends."""
    headings = [heading for heading in find_headings(text, start)[0] if heading.level <= deepest]
    ends = [*(heading.start for heading in headings), len(text)][1:]
    return list(zip(headings, ends, strict=True))


def clean_title(title: str) -> str:
    """Return the words of a heading without the blanks around them and without closing `#`s."""
    title = title.strip()
    return _CLOSING_HASHES.sub("", title).rstrip() if title.endswith("#") else title


def trim(text: str) -> str:
    """Return `text` without the blank lines and blank space around it; the first line keeps its indentation."""
    text = text.rstrip()
    blank = _LEADING_BLANK_LINES.match(text)
    return text[blank.end() :] if blank else text


def join(text: str) -> str:
    """Return `text` on one line: its lines without the blank space around them, joined by single blanks."""
    text = text.strip()
    return " ".join(line.strip() for line in text.split("\n") if line.strip()) if "\n" in text else text


def list_items(text: str) -> tuple[str, ...]:
    """Return the lines of `text` that say something, without list bullets."""
    items: list[str] = []
    for line in text.strip().split("\n"):
        item = line.strip()
        if item.startswith(("- ", "* ")):
            items.append(item[2:].lstrip())
        elif item not in ("", "-", "*"):
            items.append(item)
    return tuple(items)


def split_lines(text: str) -> list[str]:
    """Return the lines of a file's text as it is on disk, each with its end; they join to `text` again."""
    return _LINE.findall(text)


def dominant_line_end(lines: Iterable[str]) -> str:
    r"""Return the line end that most of `lines` have, `\n` in doubt."""
    ends = [line[len(line.rstrip("\r\n")) :] for line in lines]
    return max(("\n", "\r\n", "\r"), key=ends.count)


def insert_lines(lines: list[str], at: int, new: list[str], newline: str) -> None:
    """Put `new` before line `at` of `lines`, with a blank line on either side."""
    if not lines[at - 1].endswith(("\n", "\r")):
        lines[at - 1] += newline
    before = [newline] if lines[at - 1].strip() else []
    lines[at:at] = [*before, *new, *([newline] if at < len(lines) else [])]
