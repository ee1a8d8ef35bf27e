"""Looking after the whole bank: INDEX.md and notes brought together, and proposals for what could be better."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.audit.record import Channel, Event
from tacit.bank import guarding, proposals, questions, sharing, usage, weaknesses, wiring, writing
from tacit.bank.values import By
from tacit.errors import TacitError
from tacit.formats import index_table, native
from tacit.govern import merging
from tacit.govern.proposal import BOTH, CANCEL, CONFIRM, Change, FileChange
from tacit.note.model import Layer
from tacit.project import targets
from tacit.store.layout import INDEX
from tacit.store.scan import no_collecting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tacit.bank.governing import Governor
    from tacit.bank.weaknesses import Weakness
    from tacit.formats.native import Document
    from tacit.store.scan import Scan
    from tacit.store.store import Store

MOST = 100
_MOST_UNASKED = 5
_HOUR_S = 3600

_CONVERSATION = "govern"  # under which the log keeps what was proposed here, with a key for each
# What is proposed first where there is more than a person can answer.
_ORDER = ("conflict", "same", "superseded", "stale", "strength", "scope", "title", "when", "unused")
_DECISIONS = {"conflict": "conflict", "same": "join", "superseded": "archive", "unused": "archive"}


@dataclass(frozen=True, slots=True)
class Double:
    """An id that several files claim, and the file that wins."""

    id: str
    files: str
    winner: str


@dataclass(frozen=True, slots=True)
class Advice:
    """One proposal, made or to be made: what it is about and how it is asked; without an id it was not made."""

    problem: str
    decision: str
    notes: tuple[str, ...]
    reasons: tuple[str, ...]
    question: str
    proposal_id: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What was found and done: rows without notes, notes without rows, double ids, proposals and how many more."""

    orphan_rows: tuple[str, ...]
    unindexed: tuple[str, ...]
    duplicate_ids: tuple[Double, ...]
    healed: bool
    proposals: tuple[Advice, ...] = ()
    more: int = 0


def govern(
    store: Store,
    governor: Governor,
    by: By | None,
    *,
    dry_run: bool = False,
    propose: bool = True,
    most: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Sync INDEX.md with the notes, then propose what would make the bank better; nothing of that is done unasked.

    With `dry_run` nothing is written. What waits already, or was declined, is not proposed again. At most `most`
    proposals are made (a hundred by default); `more` says how many were left.
    """
    now = store.look(keep=not dry_run)
    orphans, unindexed = _compared(store, now)
    doubles = tuple(
        Double(str(each.details["id"]), str(each.details["files"]), str(each.details["winner"]))
        for each in now.duplicates()
    )
    healed = not dry_run and writing.heal(store)
    if not dry_run:
        _sweep(store)
    report = Report(orphans, unindexed, doubles, healed)
    if not propose:
        return report
    documents = _documents(store, now)
    found = _found(store, documents, governor, progress or (lambda _done, _total: None))
    told = _told_before(store)
    fresh = {key: each for each in found if (key := _key(each, documents)) not in told}
    if dry_run:
        return replace(report, proposals=tuple(_advice(each, documents) for each in fresh.values()))
    chosen = dict(list(fresh.items())[: most or MOST])
    made = _propose(store, governor, chosen, documents, by or By())
    return replace(report, proposals=made, more=len(fresh) - len(chosen))


def beat(store: Store, governor: Governor) -> Report | None:
    """Govern the bank unasked, if its log has grown since the last time: low-risk repairs, and a few proposals."""
    place = store.layout.local / "upkeep.json"
    before = _position(store)
    with suppress(OSError, TacitError):
        if fsio.read(place) == before:
            return None
    report = govern(store, governor, By(Channel.NONE), most=_MOST_UNASKED)
    with suppress(OSError, TacitError):
        # As it is now: what was done here is no reason to look again.
        fsio.replace(place, _position(store), sync=False, mode=0o600)
    return report


def _sweep(store: Store) -> None:
    """Remove what a kill left of the making of private files; nobody takes an hour to make one."""
    with suppress(OSError):
        for path in store.layout.local.rglob(".*.tmp"):
            if time.time() - path.lstat().st_mtime > _HOUR_S:
                fsio.remove(path)


def _position(store: Store) -> bytes:
    return json.dumps(asdict(store.log.position())).encode()


def _compared(store: Store, now: Scan) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of rows of INDEX.md without a note, and of notes without a row."""
    try:
        listed = {row["Id"]: row["File"] for row in index_table.parse(store.read(INDEX) or b"")}
    except (TacitError, OSError):
        listed = {}
    notes = now.winners()
    return tuple(sorted(listed.keys() - notes.keys())), tuple(sorted(notes.keys() - listed.keys()))


def _documents(store: Store, now: Scan) -> dict[str, Document]:
    """Return the notes of L1 and L2 by id; what a guard objects to, or cannot be read, is `check`'s business."""
    found = {}
    for file, note_id in sorted((file, note_id) for note_id, file in now.winners().items()):
        if file.startswith(Layer.CORE.folder):
            continue
        try:
            found[note_id] = native.parse(store.read(file) or b"", file)
        except TacitError:
            continue
    return found


@no_collecting()
def _found(
    store: Store, documents: Mapping[str, Document], governor: Governor, progress: Callable[[int, int], None]
) -> list[Weakness]:
    """Return what could be better, the weightiest first, each note in one proposal of a pair at most."""
    notes = [each.note for each in documents.values()]
    found = [*weaknesses.superseded(notes), *weaknesses.vague(notes), *weaknesses.inconsistent(notes)]
    found += _stale(store, documents)
    found += _unused(store, documents, governor.policy.number("upkeep.unused_days"))
    over = {each.notes[0] for each in found if each.problem == "superseded"}
    busy: set[str] = set()
    for each in weaknesses.pairs(notes, progress=progress):
        # Joining two notes changes what a third is compared with: that waits for the next run.
        if not busy & {*each.notes} and not over & {*each.notes}:
            busy |= {*each.notes}
            found.append(each)
    progress(1, 1)
    archived = {each.notes[0] for each in found if each.problem == "superseded"} | busy
    kept = [each for each in found if each.problem != "unused" or each.notes[0] not in archived]
    return sorted(kept, key=lambda each: (_ORDER.index(each.problem), each.notes))


def _stale(store: Store, documents: Mapping[str, Document]) -> Iterator[Weakness]:
    root = store.layout.root
    project = targets.Project(root.parent, without=root.name) if root.name == wiring.BANK_DIRECTORY else None
    own = {note_id: each.note.layer for note_id, each in documents.items()}
    around = cache(lambda: sharing.around(root) | own)
    heirs = {old: each.note.id for each in documents.values() for old in each.note.supersedes}
    for each in documents.values():
        text = each.render().decode()
        if "mem://" in text or each.note.pointers:
            known = around() if "mem://" in text else own
            found = weaknesses.stale(each.note, text, known, heirs, project)
            if found is not None:
                yield found


def _unused(store: Store, documents: Mapping[str, Document], days: int) -> Iterator[Weakness]:
    """Yield what was long not recalled; nothing as long as the log of recalls is younger than that."""
    limit = wiring.days_after(store.clock(), -days)
    lines = list(usage.entries(store))
    if not lines or lines[0]["ts"] >= limit:
        return
    last = {note_id: line["ts"] for line in lines for note_id in line["notes"]}
    yield from weaknesses.unused([each.note for each in documents.values()], last, limit, days)


def _key(each: Weakness, documents: Mapping[str, Document]) -> str:
    """Return what tells one finding from another, as long as the notes say what they said."""
    said = [each.problem]
    for note_id in sorted(each.notes):
        note = documents[note_id].note
        said += [note_id, note.title, *note.when_to_load, note.one_liner, note.decision]
    return fsio.digest("\n".join(said).encode())[:32]


def _told_before(store: Store) -> set[str]:
    """Return the keys of what waits for an answer, and of what was answered with no."""
    made: dict[str, str] = {}
    over: dict[str, str] = {}
    for line in store.log.entries(mention=b'"memory_proposal_'):
        if line.get("event") == Event.PROPOSAL_MADE and line.get("conversation_id") == _CONVERSATION:
            made[str(line.get("file"))] = str(line.get("generation_id"))
        elif line.get("event") in (Event.PROPOSAL_ANSWERED, Event.PROPOSAL_EXPIRED):
            over[str(line.get("file"))] = str(line.get("reason"))
    waiting = {proposals.file_of(each.id) for each in proposals.waiting(store)}
    declined = (CANCEL, BOTH)
    return {key for file, key in made.items() if file in waiting or over.get(file) in declined}


def _advice(each: Weakness, documents: Mapping[str, Document]) -> Advice:
    titles = {note_id: documents[note_id].note.title for note_id in each.notes}
    reasons = questions.sentences((f"upkeep.{each.problem}:{each.detail}",))
    decision = _DECISIONS.get(each.problem, "mend")
    return Advice(each.problem, decision, each.notes, reasons, questions.asked(decision, titles))


def _propose(
    store: Store, governor: Governor, found: Mapping[str, Weakness], documents: Mapping[str, Document], by: By
) -> tuple[Advice, ...]:
    """Keep each finding as a proposal, all in one transaction; one that cannot be offered is left out."""
    if not found:
        return ()
    made = []
    with store.writing("govern") as transaction:
        for number, (key, each) in enumerate(found.items()):
            told = _advice(each, documents)
            try:
                options = _options(each, documents, transaction.ts)
            except TacitError:
                continue  # the repair would be no legal note: `check` and a person's eyes are better there
            proposal = replace(
                governor.bare(told.decision, options, transaction),
                reasons=(f"upkeep.{each.problem}:{each.detail}",),
                target=each.notes[0],
                titles={note_id: documents[note_id].note.title for note_id in each.notes},
                conversation_id=_CONVERSATION,
                generation_id=key,
            )
            named = By(by.channel, _CONVERSATION, key)
            proposals.make(store, transaction, proposal, named, sweep=number == 0)
            made.append(replace(told, proposal_id=proposal.id, question=questions.question(proposal).question))
        if made:
            transaction.commit()
    return tuple(made)


def _options(each: Weakness, documents: Mapping[str, Document], ts: str) -> dict[str, Change | None]:
    first = documents[each.notes[0]]
    if each.problem in ("conflict", "same"):
        answers = merging.which if each.problem == "conflict" else merging.one_of
        return answers(first, documents[each.notes[1]], ts)
    if each.mended:
        mended = native.parse(each.mended.encode(), first.note.file)
        return {
            CONFIRM: Change("detail", (FileChange.edit(first, mended.with_fields(updated=ts)),), first.note.id),
            CANCEL: None,
        }
    changed = first
    for name, value in each.fields:
        changed = changed.with_section(name, value) if name[0].isupper() else changed.with_fields(**{name: value})
    archives = _DECISIONS.get(each.problem) == "archive"
    changed = changed if archives else changed.with_fields(updated=ts)
    guarding.insist(guarding.texts_of(changed.note))
    operation = "archive" if archives else "detail"
    return {CONFIRM: Change(operation, (FileChange.edit(first, changed),), first.note.id), CANCEL: None}
