"""Reading with evidence: a question to files or a context pack, and where documents and project drift apart."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tacit.bank import library
from tacit.entry import drift as drifting
from tacit.entry import pack as packs
from tacit.entry import routing
from tacit.entry.drift import Source
from tacit.messages import say
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


@dataclass(frozen=True, slots=True)
class Read:
    """What was read for a question: how, why a pack was needed, each file with its number of lines, and the text."""

    mode: str
    why: str
    files: tuple[tuple[str, int], ...]
    text: str
    pack: Pack | None = None


def read(store: Store, project: Path, question: str) -> Read:
    """Return the documents that a question is about, or a context pack exactly where the rules demand one."""
    there = library.page(store, ENTRY) if (store.layout.root / ENTRY).exists() else None
    entries = [there] if there else []
    entry = there.text if there else ""
    chosen = routing.choose(question, entry, library.pages(store)) or entries
    lacking = _lacking(store)
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


def _lacking(store: Store) -> list[str]:
    """Return what the reader must know of documents that are not handed over: in a git conflict, or not there."""
    told = [say("read.conflicted", **error.details) for error in library.conflicted(store)]
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
