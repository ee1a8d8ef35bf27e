"""The entry document of one bank, and the way to its details: refresh, focus, session start, reading, drift."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tacit import messages
from tacit.bank import consulting, detailing, guarding, library, migrating
from tacit.bank.skeleton import ENTRY_STUB
from tacit.bank.trust import LetPass
from tacit.bank.values import By, Committed
from tacit.entry import blocks, context, details, focus, refresh, template
from tacit.entry.refresh import Case, Step
from tacit.errors import MarkersBroken, NoteConflicted, TacitError
from tacit.messages import say
from tacit.note.model import Kind, Layer, Status, Strength
from tacit.project import survey
from tacit.store.layout import ENTRY
from tacit.text import is_writable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.bank.consulting import Read
    from tacit.bank.detailing import Proposed
    from tacit.bank.part import Whole
    from tacit.entry.context import Start
    from tacit.entry.drift import Finding
    from tacit.entry.focus import Seen, Wish
    from tacit.entry.refresh import Choice, Plan
    from tacit.guards import Finding as GuardFinding
    from tacit.project.values import Survey
    from tacit.store.store import Store
    from tacit.store.transaction import Transaction

_BINDING = (Strength.ENFORCED, Strength.VALIDATED)


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh would do or did: the case, each step as a sentence, and the blocks that a person changed."""

    case: str
    plan: tuple[str, ...]
    asked: tuple[str, ...]
    applied: bool
    operation_id: str = ""
    files: tuple[str, ...] = ()


class Entry:
    """The entry document and the details of one bank."""

    def __init__(self, bank: Whole, store: Store) -> None:
        self._bank = bank
        self._store = store
        self.project = bank.root.parent

    # The entry document

    def plan(self, choices: Mapping[str, Choice] | None = None) -> Refreshed:
        """Return what `refresh` would do, without doing it; raise MarkersBroken if markers do not pair up."""
        self._bank.may_read("refresh")
        moving = migrating.find(self._store, self.project)
        plan = self._plan(library.text(self._store, ENTRY), moving, choices or {})
        return Refreshed(str(plan.case), _told(plan, moving), plan.asked, applied=False)

    def refresh(self, choices: Mapping[str, Choice] | None = None, *, by: By | None = None) -> Refreshed:
        """Bring the entry document up to date: make it, add what is missing, move an old bank over, or refresh it.

        `choices` say what becomes of blocks that a person changed; without one theirs is kept.
        """
        self._bank.must_be_writable("refresh")
        who = by or By()
        moving = migrating.find(self._store, self.project)
        with self._store.writing("refresh") as transaction:
            current = library.decoded(transaction.read(ENTRY), ENTRY)
            plan = self._plan(current, moving, choices or {})
            self._guard(plan, current)
            migrating.put(transaction, moving, who)
            library.put(transaction, self._routers(), who, operation="refresh")
            if plan.text != current:
                reason = migrating.reason(moving, plan.text, str(plan.case))
                _put_entry(transaction, plan.text, who, reason)
            changed = tuple(transaction.pending)
            if changed:
                transaction.commit()
        migrating.take_away(self._store, self.project, moving)
        done = transaction.operation_id if changed else ""
        applied = bool(changed or moving.files)
        return Refreshed(str(plan.case), _told(plan, moving), plan.asked, applied, done, changed)

    def needs_repair(self) -> MarkersBroken | None:
        """Return what is wrong with the markers of the entry document, None if nothing is."""
        try:
            blocks.parse(library.text(self._store, ENTRY), ENTRY)
        except MarkersBroken as error:
            return error
        return None

    def repair(self, *, by: By | None = None) -> Refreshed:
        """Mend broken markers: new machine blocks, and below them every line of the old text in one user block."""
        self._bank.must_be_writable("refresh")
        seen, wanted = self._wanted()
        with self._store.writing("refresh") as transaction:
            current = library.decoded(transaction.read(ENTRY), ENTRY)
            new = refresh.repaired(current, title=template.title(seen), wanted=wanted)
            _put_entry(transaction, new, by or By(), "repair")
            transaction.commit()
        told = (say("refresh.repair", subject=ENTRY, detail=""),)
        return Refreshed(
            str(Case.UPGRADE), told, (), applied=True, operation_id=transaction.operation_id, files=(ENTRY,)
        )

    def focus(self) -> Seen:
        """Return the current focus, the next steps and the blockers."""
        self._bank.may_read("focus")
        return focus.read(library.text(self._store, ENTRY))

    def set_focus(self, wish: Wish, *, by: By | None = None) -> Committed:
        """Change the focus; once more than twenty items are finished, they move to details/archive/."""
        self._bank.must_be_writable("focus")
        guarding.settle(guarding.insist(wish.texts()), (by or By()).channel)
        if self.plan().case == Case.INIT:
            self.refresh(by=by)
        with self._store.writing("focus") as transaction:
            current = library.decoded(transaction.read(ENTRY), ENTRY)
            document = blocks.parse(current, ENTRY)
            newline = "\r\n" if "\r\n" in current else "\n"
            block = document.machine("focus")
            said, finished = focus.change(block.text.replace("\r\n", "\n") if block else focus.EMPTY, wish)
            new = blocks.machine_block("focus", said, version=template.VERSION, newline=newline)
            texts = {ENTRY: document.with_block(new, after=("snapshot",)).render()}
            if finished:
                archive = f"details/archive/focus-{transaction.ts[:7]}.md"
                before = library.decoded(transaction.read(archive), archive) or f"# Finished, {transaction.ts[:7]}\n\n"
                texts[archive] = f"{before}{'' if before.endswith(chr(10)) else chr(10)}" + "\n".join([*finished, ""])
            library.insist(ENTRY, said)
            library.put(transaction, texts, by or By(), operation="focus")
            changed = tuple(transaction.pending)
            if changed:
                transaction.commit()
        return Committed(transaction.operation_id if changed else "", changed)

    def context(self, *, language: str = "", conversation_id: str = "", limit: int | None = None) -> Start:
        """Return what an agent is told at the start of a session, with the id of its conversation if it has one.

        A document that a guard objects to, whoever changed it, or that git left with conflicts is named and left out.
        `limit` is the most that a host takes.
        """
        state = str(self._bank.state)
        tongue = language or messages.language(self._bank.settings.text("language"))
        place = self._bank.root.name
        if not self._bank.state.may_read:
            return context.build(state, "", (), place=place, language=tongue)
        core = [
            (file := f"{Layer.CORE.folder}/{path.name}", self.told(file, tongue))
            for path in sorted((self._bank.root / Layer.CORE.folder).glob("*.md"))
            if is_writable(path.name)
        ]
        return context.build(
            state,
            self.told(ENTRY, tongue),
            core,
            place=place,
            language=tongue,
            conversation_id=conversation_id,
            limit=limit,
            is_set=self._bank.has_state,
        )

    def told(self, file: str, language: str = "") -> str:
        """Return a document as it may be told to an agent: itself or why it is left out; empty if there is none."""
        tongue = language or messages.language(self._bank.settings.text("language"))
        try:
            text = library.text(self._store, file)
        except NoteConflicted as error:
            return context.conflicted(file, int(str(error.details["line"])), tongue)
        except (OSError, TacitError):
            return context.held(file, tongue, "unread")
        return context.held(file, tongue) if LetPass(self._store).objections(text.encode()) else text

    # Details

    def add_detail(self, kind: str, title: str, parts: Mapping[str, str], *, by: By | None = None) -> Committed:
        """Write a decision, learning, requirement or design; raise DetailIncomplete naming what is missing."""
        self._bank.must_be_writable("detail")
        return detailing.add(self._store, kind, title, parts, by or By())

    def doubts(self, file: str, said: str) -> list[GuardFinding]:
        """Return what a person should be asked about before a text, however long, goes into a document.

        Raises GuardRefused for what must not be written at all.
        """
        return library.insist(file, said)

    def propose_detail(self, target: str, draft: str, *, replace: bool = False, by: By | None = None) -> Proposed:
        """Keep a draft for a detail or the entry document as a proposal that the user confirms later."""
        self._bank.must_be_writable("detail propose")
        return detailing.propose(self._store, self._bank.governor, target, draft, by or By(), replace=replace)

    def set_status(self, target: str, status: str, *, why: str = "", by: By | None = None) -> Committed:
        """Change the status of a requirement, with a line in its history."""
        self._bank.must_be_writable("detail")
        return detailing.set_status(self._store, target, status, why, by or By())

    # Reading

    def read(self, question: str) -> Read:
        """Return what the details say to a question: one to three files, or a context pack with evidence."""
        self._bank.may_read("read")
        return consulting.read(self._store, self.project, question)

    def drift(self) -> list[Finding]:
        """Return where entry document, details and notes disagree with the project or with each other."""
        self._bank.may_read("drift")
        return consulting.drift(self._store, self.project)

    def propose_fixes(self, *, by: By | None = None) -> list[Proposed]:
        """Keep the fixes of disagreements as proposals, one a file, where exchanging words is all that is needed."""
        self._bank.must_be_writable("drift")
        found = consulting.drift(self._store, self.project)
        return detailing.propose_fixes(self._store, self._bank.governor, found, by or By())

    def _plan(self, current: str, moving: migrating.Moving, choices: Mapping[str, Choice]) -> Plan:
        seen, wanted = self._wanted(moving)
        before = moving.entry if moving.entry is not None else current
        plan = refresh.plan(before, wanted, choices, title=template.title(seen), stub=ENTRY_STUB, file=ENTRY)
        steps = (*plan.steps, *(Step("route", file) for file in self._routers()))
        if not moving.files:
            return replace(plan, steps=steps)
        steps = (*(Step("move", file.old, file.new) for file in moving.files), *steps)
        return refresh.Plan(Case.MIGRATE, steps, plan.text, plan.asked)

    def _routers(self) -> dict[str, str]:
        """Return the routers that are to be written, but for those that a guard objects to."""
        made = library.routers(self._store, dict.fromkeys(library.files(self._store), ""))
        return {file: said for file, said in made.items() if not guarding.objections(said)}

    def _wanted(self, moving: migrating.Moving | None = None) -> tuple[Survey, dict[str, str]]:
        """Return the project as it is seen, and what each machine block should say."""
        seen = survey.glance(self.project, leave_out=self._bank.root)
        kept = {page.file: details.heading(page.text, page.file) for page in library.pages(self._store)}
        for file in moving.files if moving else ():
            if file.new.endswith(".md") and not file.new.startswith(("details/archive/", ENTRY)):
                kept[file.new] = details.heading(file.content.decode("utf-8", "replace"), file.new)
        kept.update((file, details.heading(said, file)) for file, said in self._routers().items())
        crowded = {file.rpartition("/")[0] for file in kept if file.endswith("/index.md")}
        listed = [
            template.Page(file, title)
            for file, title in sorted(kept.items(), key=lambda item: (item[0].count("/"), item[0]))
            if file.endswith("/index.md") or file.rpartition("/")[0] not in crowded
        ]
        binding = [
            note
            for note in self._bank.notes()
            if note.kind is Kind.DECISION and note.status is Status.ACTIVE and note.strength in _BINDING
        ]
        binding.sort(key=lambda note: (_BINDING.index(note.strength), note.id))
        rulings = [template.Ruling(note.one_liner or note.title, note.id) for note in binding]
        rulings += detailing.rulings(self._store)
        blocks_wanted = template.wanted(seen, listed, rulings)
        return seen, {name: _without_orders(text) for name, text in blocks_wanted.items()}

    def _guard(self, plan: Plan, current: str) -> None:
        """Look at what Tacit itself would write; what a person wrote is theirs."""
        for part in blocks.parse(plan.text, ENTRY).parts:
            if part.kind == blocks.MACHINE and part.text not in current:
                library.insist(ENTRY, part.text)


def _without_orders(text: str) -> str:
    """Return a machine block without its orders to an agent: one line of them would keep the document from all."""
    orders = {found.line for found in guarding.objections(text) if found.guard == "instruction"}
    return "\n".join(line for number, line in enumerate(text.split("\n"), 1) if number not in orders)


def _put_entry(transaction: Transaction, text: str, by: By, reason: str) -> None:
    """Put the entry document; its new parts were looked at, the rest is what people wrote."""
    transaction.put(ENTRY, text.encode())
    transaction.record(migrating.written(ENTRY, by, reason))


def _told(plan: Plan, moving: migrating.Moving) -> tuple[str, ...]:
    steps = (*plan.steps, *(Step("refused", file, why) for file, why in moving.refused))
    return tuple(say(f"refresh.{step.name}", subject=step.subject, detail=step.detail) for step in steps)
