"""From the files of a bank to the documents of its index."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.formats import core_document
from tacit.index.contract import QUARANTINED, Document
from tacit.store.layout import DETAILS
from tacit.text import clip, one_line
from tacit.text.tokens import is_latin, search_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tacit.note.model import Note

# A model tells what a paragraph is about better than what a page is about. A long text speaks of many things, each in a
# few sentences, so it is cut finer.
_STRETCH_CHARS = 500
_LONG_CHARS = 1_000
_STRETCH_CHARS_OF_LONG = 250
_MAX_STRETCHES = 40
_DEEPEST = 3
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*|\n{2,}")
# What begins an item of a list, a heading below those of sections, or a block of code.
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)]|#{4,6}|`{3,}\w*)(?:\s+|\Z)", re.MULTILINE)
_COMMENT = re.compile(r"<!--[^<>]*-->\s*")
_MAX_ONE_LINER_COLUMNS = 200
MAX_DETAIL_BYTES = 512 * 1024


def of_note(note: Note, digest: str, *, origin: str = "project", whole: Callable[[str], str] = str) -> Document:
    """Return the document of a note: its summary first, its other sections after it.

    `whole` puts back what the note keeps outside of itself: a long text is found by what it says, not by its pointer.
    """
    name = f"{note.title}. {'; '.join(note.when_to_load)}"
    rest = (
        note.decision,
        note.signals,
        note.alternatives,
        note.counter_signals,
        note.fact,
        note.principle,
        note.evidence,
        " ".join(note.tags),
    )
    body = whole("\n".join(text for text in rest if text))
    text = f"{name}. {note.one_liner} {body}"
    return Document(
        key=note.file,
        digest=digest,
        note_id=note.id,
        file=note.file,
        layer=str(note.layer),
        status=str(note.status),
        timing=str(note.timing),
        origin=origin,
        title=note.title,
        one_liner=note.one_liner,
        is_latin=is_latin(text),
        words=" ".join((*search_tokens(text), *note.id.lower().split())),
        passages=(name, f"{name}. {note.one_liner}", *_stretches(text)),
    )


def of_detail(text: str, file: str, digest: str) -> list[Document]:
    """Return one document for each section of a detail file; the reference is its path."""
    text = core_document.unify_line_ends(text.removeprefix("\ufeff"))
    text = "\n" + text[core_document.end_of_front_matter(text) :]
    parts = core_document.find_parts(text, 0, _DEEPEST)
    before = text[: parts[0][0].start] if parts else text
    sections = [(file, before), *((one_line(head.title) or file, text[head.end : end]) for head, end in parts)]
    found = []
    for number, (title, whole) in enumerate(sections):
        section = _COMMENT.sub("", whole).strip()
        if not section:
            continue
        # Of a list it may be any item that a prompt is about: as many as there is room for are said.
        plain = _ITEM.sub("", section[:_LONG_CHARS])
        said = plain if _ITEM.match(section) else _SENTENCE.split(plain, maxsplit=1)[0]
        first = clip(one_line(said), _MAX_ONE_LINER_COLUMNS)
        found.append(
            Document(
                key=f"{file}#{number}",
                digest=digest,
                note_id="",
                file=file,
                layer=DETAILS,
                status="active",
                timing="both",
                origin=DETAILS,
                title=title,
                one_liner=first,
                is_latin=is_latin(section),
                words=" ".join(search_tokens(f"{title}\n{section}")),
                passages=(title, f"{title}. {first}", *_stretches(f"{title}. {section}")),
            )
        )
    return found


def set_apart(document: Document) -> Document:
    """Return a document that a guard objects to, marked so that recall passes over it."""
    return document if document.status == "archive" else document._replace(status=QUARANTINED)


def _stretches(text: str) -> tuple[str, ...]:
    """Return the text cut into stretches of about a paragraph, at line ends where there are any."""
    most = _STRETCH_CHARS if len(text) <= _LONG_CHARS else _STRETCH_CHARS_OF_LONG
    stretches = [""]
    for line in text.splitlines(keepends=True):
        for piece in _pieces(line, most):
            if stretches[-1] and len(stretches[-1]) + len(piece) > most:
                stretches.append("")
            stretches[-1] += piece
    return tuple(stretch.strip() for stretch in stretches[:_MAX_STRETCHES] if stretch.strip())


def _pieces(line: str, most: int) -> Iterator[str]:
    """Yield a line in pieces that are short enough, cut after a blank or the end of a sentence if one is near."""
    while len(line) > most:
        near = max(line.rfind(mark, most // 2, most) for mark in (" ", "。", "！", "？"))
        end = near + 1 or most
        yield line[:end]
        line = line[end:]
    yield line
