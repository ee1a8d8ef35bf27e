"""Writing details: complete ones at once by a person, drafts and fixes as proposals that wait for one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import PurePath
from typing import TYPE_CHECKING

from tacit.bank import guarding, library, proposals, questions
from tacit.entry import blocks, details, template
from tacit.errors import FieldRefused, NoteNotFound
from tacit.formats import native
from tacit.govern.proposal import FileChange
from tacit.note.model import Layer
from tacit.store.layout import DETAILS, ENTRY, is_note

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tacit.bank.governing import Governor
    from tacit.bank.values import By, Committed, Question
    from tacit.entry.drift import Finding
    from tacit.store.store import Store


@dataclass(frozen=True, slots=True)
class Proposed:
    """A change of a document that waits for the user."""

    proposal_id: str
    target: str
    question: Question
    diff: str


def add(store: Store, kind: str, title: str, parts: Mapping[str, str], by: By) -> Committed:
    """Write a new detail; decisions are added to the file that they share."""
    guarding.settle(guarding.insist({"title": title, **parts}), by.channel)
    said = details.render(kind, title, parts, store.clock())

    def made(read: Callable[[str], str]) -> dict[str, str]:
        file = details.target(kind, title, library.files(store))
        before = (read(file) or "# Patterns and decisions\n") if kind == "decision" else ""
        return {file: f"{before.rstrip()}\n\n{said}" if before else said}

    return library.write(store, made, by, operation="detail", reason=kind)


def set_status(store: Store, target: str, status: str, why: str, by: By) -> Committed:
    """Change the status of a requirement."""
    guarding.settle(guarding.insist({"why": why}), by.channel)
    file = _named(store, target)

    def made(read: Callable[[str], str]) -> dict[str, str]:
        return {file: details.with_status(read(file), status, why, store.clock(), file)}

    return library.write(store, made, by, operation="detail", reason=f"status {status}")


def propose(store: Store, governor: Governor, target: str, draft: str, by: By, *, replace: bool) -> Proposed:
    """Keep a draft as a proposal: a new document, a section more of one that is there, or its whole new text."""
    file = _place(store, target)
    if not draft.strip():
        raise FieldRefused(field="draft", reason="it is empty")
    if replace and file == ENTRY:
        raise FieldRefused(field="target", reason="to the entry document a draft can be added, not put in its place")
    kind = details.kind_of(file, draft)
    # Before the texts: what changes between the two looks makes the proposal void, and is not overwritten.
    router = f"{file.rpartition('/')[0] or DETAILS}/index.md"
    bases = {name: library.digest(store, name) for name in (file, router)}
    before = library.text(store, file)
    if kind and (not before or replace or kind == "decision"):
        details.insist(kind, details.lacking(kind, draft), in_draft=True)
    guarding.settle(library.insist(file, draft), by.channel)
    ending = "" if draft.endswith("\n") else "\n"
    said = f"{draft}{ending}" if replace or not before.strip() else f"{before.rstrip()}\n\n{draft.strip()}\n"
    if file == ENTRY:
        _insist_on_blocks(before, said)
    texts = {file: said, **library.routers(store, {file: said})}
    changes = [FileChange(name, bases[name], text, "") for name, text in texts.items()]
    return _kept(store, governor, changes, file, by)


def propose_fixes(store: Store, governor: Governor, findings: Sequence[Finding], by: By) -> list[Proposed]:
    """Keep the fixes of each file as one proposal, so that none takes away the ground of another.

    Left out are machine blocks, which a refresh makes anew, and the core, which people alone write.
    """
    made = []
    for file in dict.fromkeys(each.file for each in findings):
        if file.startswith(Layer.CORE.folder):
            continue
        base = library.digest(store, file)
        before = library.text(store, file)
        said = _exchanged(before, [each for each in findings if each.file == file and each.new])
        if file == ENTRY:
            said = _outside_machine(before, said)
        if said == before:
            continue
        note_id = ""
        if is_note(file):
            document = native.parse(said.encode(), file).with_fields(updated=store.clock())
            said, note_id = document.render().decode(), document.note.id
        made.append(_kept(store, governor, [FileChange(file, base, said, note_id)], file, by))
    return made


def rulings(store: Store) -> list[template.Ruling]:
    """Return the decisions that the details hold."""
    found = []
    for file in library.files(store):
        if file == details.DECISIONS or file.startswith("details/decisions/"):
            titles = re.findall(
                r"^#{1,3} (?:Decision|决策|决定)[:：][ \t]*(.+)$", library.text(store, file), re.MULTILINE
            )
            found += [template.Ruling(title, file) for title in titles]
    return found


def _kept(store: Store, governor: Governor, changes: list[FileChange], file: str, by: By) -> Proposed:
    waiting = [each for each in proposals.waiting(store) if each.decision == "detail"]
    same = next((each for each in waiting if each.main.files == tuple(changes)), None)
    proposal = same or governor.propose_act("detail", changes, {"": file}, by)
    return Proposed(proposal.id, file, questions.question(proposal), questions.diff(store, proposal.main))


def _named(store: Store, target: str) -> str:
    known = library.files(store)
    tries = (target, f"details/{target}", f"details/requirements/{target}", f"details/requirements/{target}.md")
    found = next((name for name in tries if name in known), None)
    if found is None:
        there = [PurePath(file).stem for file in known if file.startswith("details/requirements/REQ-")]
        close = get_close_matches(PurePath(target).stem, there, n=1, cutoff=0.3)
        told = f"the nearest is {close[0]}" if close else "`tacit detail add requirement TITLE` writes one"
        raise NoteNotFound(id=f"{target} in details/requirements/", nearest=f"; {told}")
    return found


def _place(store: Store, target: str) -> str:
    """Return a target as a path inside the bank; raise FieldRefused unless a draft can be for it.

    Raise PathRefused if it leads out of the bank.
    """
    file = target.removeprefix("./").removeprefix(f"{store.layout.root.name}/")
    if file != ENTRY and not (file.startswith("details/") and file.endswith(".md")):
        raise FieldRefused(field="target", reason=f"a draft is for details/….md or {ENTRY}, not for {target}")
    store.layout.place(file)
    return file


def _insist_on_blocks(before: str, after: str) -> None:
    """Raise MarkersBroken or FieldRefused if a draft for the entry document brings markers of its own."""
    old = blocks.parse(before, ENTRY)
    new = blocks.parse(after, ENTRY)
    if len([part for part in old.parts if part.kind]) != len([part for part in new.parts if part.kind]):
        raise FieldRefused(field="draft", reason="it holds block markers, which are Tacit's to set")


def _exchanged(said: str, findings: Sequence[Finding]) -> str:
    lines = said.splitlines(keepends=True)
    for each in findings:
        words = rf"(?<![\w.-]){re.escape(each.old)}(?![\w-])"
        lines[each.line - 1] = re.sub(words, lambda _, each=each: each.new, lines[each.line - 1], count=1)  # type: ignore[misc]
    return "".join(lines)


def _outside_machine(before: str, after: str) -> str:
    """Return the entry document with only those changes that lie outside the machine blocks and user blocks."""
    old, new = blocks.parse(before, ENTRY).parts, blocks.parse(after, ENTRY).parts
    return "".join((was if was.kind else now).render() for was, now in zip(old, new, strict=True))
