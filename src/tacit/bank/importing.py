"""Bringing a foreign memory in: a plan that shows what would happen, then one transaction that does it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from tacit.audit.record import Event
from tacit.bank import gathering, ledger, proposals, writing
from tacit.bank.comparing import Comparer
from tacit.bank.intake import Intake, Plan, is_free
from tacit.entry import blocks
from tacit.errors import ChangedMeanwhile, TacitError
from tacit.formats.decoding import decode
from tacit.guards import redact
from tacit.messages import explain, say
from tacit.store.layout import ENTRY
from tacit.store.scan import no_collecting

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.bank.gathering import Gathered
    from tacit.bank.intake import Asked
    from tacit.bank.part import Whole
    from tacit.bank.values import By
    from tacit.formats.found import FoundDocument
    from tacit.store.store import Store
    from tacit.store.transaction import Transaction

    Progress = Callable[[int, int], None]

# Reasons for which a file is left out because nothing of it would be lost; all others are told as refusals.
_NO_LOSS = frozenset({"empty", "derived", "own", "private", "state"})


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: the plan, the operation (empty if nothing was written) and the ids of the questions."""

    plan: Plan
    operation_id: str = ""
    proposals: tuple[str, ...] = ()


class Importer:
    """Brings foreign memories into one bank."""

    def __init__(self, bank: Whole, store: Store) -> None:
        self._bank = bank
        self._store = store

    def plan(self, path: Path, wish: str = "", *, by: By, progress: Progress | None = None) -> Plan:
        """Return what importing `path` would do, changing nothing; `wish` names its format where it is not told."""
        self._bank.must_be_writable(ledger.OPERATION)
        return self._planned(gathering.gather(path, self._store.layout.root, wish), by, progress)

    def run(self, path: Path, wish: str = "", *, by: By, progress: Progress | None = None) -> Imported:
        """Import `path` in one transaction, which one undo takes back."""
        return self.carry_out(self.plan(path, wish, by=by, progress=progress), path, wish, by=by)

    def carry_out(self, plan: Plan, path: Path, wish: str = "", *, by: By) -> Imported:
        """Do what a plan says; if the notes changed since it was made, it is made anew first."""
        self._bank.must_be_writable(ledger.OPERATION)
        while True:
            with self._store.writing(ledger.OPERATION) as transaction:
                if self._bank.governor.fingerprint(transaction) == plan.moment:
                    return self._written(transaction, plan, by)
            plan = self.plan(path, wish, by=by)

    @no_collecting()
    def _planned(self, gathered: Gathered, by: By, progress: Progress | None) -> Plan:
        now = self._store.look()
        plan = Plan(gathered.format, gathered.name, moment=now.fingerprint())
        plan.refused = list(gathered.refused)
        for each in (each for found in gathered.found for each in found.passed):
            told = (each.path, say(f"passed.{each.reason}"))
            (plan.left_out if each.reason in _NO_LOSS else plan.refused).append(told)
        notes = [(note, found) for found in gathered.found for note in found.notes]
        documents = [document for found in gathered.found for document in found.documents]
        plan.found = len(notes) + len(documents) + len(plan.refused) + len(plan.left_out)
        intake = Intake(self._store, plan, ledger.read(self._store, now), by)
        comparer = Comparer(self._store)
        acts: list[tuple[str, Callable[[], None]]] = [
            *((note.path, partial(intake.note, note, found, comparer)) for note, found in notes),
            *((document.path, partial(_document, intake, document)) for document in documents),
        ]
        for number, (path, act) in enumerate(acts, 1):
            try:
                act()
            except TacitError as error:
                plan.refused.append((redact(path), explain(error)[0]))  # a path may end in a title
            if progress is not None:
                progress(number, len(acts))
        return plan

    def _written(self, transaction: Transaction, plan: Plan, by: By) -> Imported:
        for ready in (*plan.notes, *plan.documents):
            writing.put_blobs(transaction, ready.blobs)
            note_id = ready.note.id if ready.note else ""
            if not is_free(ready.file, transaction.read(ready.file)):
                raise ChangedMeanwhile(file=ready.file, kept="")
            transaction.put(ready.file, ready.content, note_id=note_id)
            event = Event.NOTE_CREATED if ready.note else Event.DOCUMENT_WRITTEN
            source = ready.note.source if ready.note else "import"
            reason = ledger.line(ready.source, ready.digest)
            told = by.record(event, ledger.OPERATION, note_id=note_id, file=ready.file, source=source, reason=reason)
            transaction.record(told)
        if not transaction.pending and not plan.questions:
            return Imported(plan)
        made = [self._asked(transaction, asked, by, first=not at) for at, asked in enumerate(plan.questions)]
        transaction.commit()
        return Imported(plan, transaction.operation_id, tuple(made))

    def _asked(self, transaction: Transaction, asked: Asked, by: By, *, first: bool) -> str:
        proposal = replace(
            self._bank.governor.bare(asked.decision, asked.options, transaction),
            reasons=asked.reasons,
            target=asked.target,
            titles=asked.titles,
            conversation_id=by.conversation_id,
        )
        proposals.make(self._store, transaction, proposal, by, sweep=first)
        reason = ledger.line(asked.source, asked.digest)
        told = by.record(Event.WRITE_SKIPPED, ledger.OPERATION, note_id=proposal.id, source="import", reason=reason)
        transaction.record(told)
        return proposal.id


def _document(intake: Intake, document: FoundDocument) -> None:
    """Take a document in; raise MarkersBroken for an entry document that no `refresh` or `check` could read."""
    if document.target == ENTRY:
        blocks.parse(decode(document.content) or "", document.path)
    intake.document(document)
