"""Reading with evidence: a question to files or a context pack, and where documents and project drift apart."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.bank import guarding, library
from tacit.entry import context, routing
from tacit.entry import drift as drifting
from tacit.entry import pack as packs
from tacit.entry.drift import Source
from tacit.errors import NoteConflicted
from tacit.messages import language, say
from tacit.note.model import Status
from tacit.project import survey
from tacit.store.layout import ENTRY

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tacit.entry.drift import Finding
    from tacit.entry.pack import Pack
    from tacit.entry.routing import Page
    from tacit.project.values import Survey
    from tacit.store.store import Store

DIRECT, PACK = "direct", "pack"
# Digest of a text → whether a guard objects to it; a process that stays is asked about the same documents again.
_JUDGED: dict[str, bool] = {}
_MOST_JUDGED = 10_000


@dataclass(frozen=True, slots=True)
class Read:
    """What was read for a question: how, why a pack was needed, each file with its number of lines, and the text."""

    mode: str
    why: str
    files: tuple[tuple[str, int], ...]
    text: str
    pack: Pack | None = None


def read(store: Store, project: Path, question: str) -> Read:
    """Return the documents that a question is about, or a context pack exactly where the rules demand one.

    A document that a guard objects to, the entry document too, is named and left out.
    """
    there = library.page(store, ENTRY) if (store.layout.root / ENTRY).exists() else None
    pages = [*([there] if there else []), *library.pages(store)]
    held = [page for page in pages if is_held(page.text)]
    entries = [page for page in pages if page.file == ENTRY and page not in held]
    entry = entries[0].text if entries else ""
    details = [page for page in pages if page.file != ENTRY and page not in held]
    chosen = routing.choose(question, entry, details) or entries
    lacking = _lacking(store, held)
    why = routing.escalates(question, chosen)
    if not why:
        found = packs.direct(chosen)
        text = "\n\n".join([*(f"# {page.file}\n\n{said.rstrip()}" for page, said, _ in found), *lacking])
        return Read(DIRECT, "", tuple((page.file, count) for page, _, count in found), text)
    taken = packs.read_within(chosen) or [(page, 0) for page in entries]
    conflicts = _conflicts(store, project, [*entries, *(page for page, _ in taken)])
    made = packs.build(question, entry, taken, conflicts)
    text = "\n\n".join([packs.render(made, store.layout.root.name), *lacking])
    return Read(PACK, why, made.files, text, made)


def is_held(text: str) -> bool:
    """Whether a guard objects to a text, however long it is, so that no agent may be handed it without a word."""
    digest = fsio.digest(text.encode("utf-8", "surrogatepass"))
    known = _JUDGED.get(digest)
    if known is None:
        known = any(guarding.objections(piece) for _, piece in library.pieces(text))
        if len(_JUDGED) >= _MOST_JUDGED:
            _JUDGED.clear()
        _JUDGED[digest] = known
    return known


def drift(store: Store, project: Path) -> list[Finding]:
    """Return every disagreement of entry document, details and notes with the project, and among the documents."""
    entry = library.page(store, ENTRY)
    pages = [*([entry] if entry else []), *library.pages(store)]
    now = store.look()
    for summary in now.summaries():
        found = library.page(store, summary.file) if summary.status is not Status.ARCHIVE else None
        if found is not None:
            pages.append(found)
    return drifting.find([Source(page.file, page.text, page.mtime) for page in pages], _survey(store, project), say)


def _lacking(store: Store, held: Sequence[Page]) -> list[str]:
    """Return what the reader must know of documents not handed over: in a git conflict, held back, or not there."""
    told = [
        say("read.conflicted", **error.details)
        if isinstance(error, NoteConflicted)
        else context.held(file, language(), "unread")
        for file, error in library.unread(store)
    ]
    told += [context.held(page.file, language()) for page in held]
    return told if (store.layout.root / ENTRY).exists() else [*told, say("read.no_entry")]


def _conflicts(store: Store, project: Path, pages: Sequence[Page]) -> list[Finding]:
    sources = [Source(page.file, page.text, page.mtime) for page in dict.fromkeys(pages)]
    return drifting.find(sources, _survey(store, project), say)


def _survey(store: Store, project: Path) -> Survey:
    """Return the project with what its documents may point to in the bank."""
    root = store.layout.root
    own = (path for path in root.rglob("*") if not path.is_relative_to(store.layout.local))
    inside = frozenset(path.relative_to(project).as_posix() for path in own)
    seen = survey.look(project, leave_out=root)
    return replace(seen, bank=root.name, bank_files=inside)
