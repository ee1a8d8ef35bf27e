"""Taking back: undo, restore, and the emptying of the trash."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.audit.record import Event, Record
from tacit.bank import proposals
from tacit.bank.values import Committed, TrashItem
from tacit.errors import NoteNotFound, OperationNotFound, TacitError, UndoBlocked
from tacit.formats import native
from tacit.note import blob
from tacit.store import trash
from tacit.store.layout import SETTINGS, STATE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.bank.values import By
    from tacit.govern.proposal import Proposal
    from tacit.store.journal import Change
    from tacit.store.scan import Scan
    from tacit.store.store import Store
    from tacit.store.trash import Kept

# Undoing these would leave no bank, or bring back what must not come back.
_FINAL = {
    "init": "it made the bank; remove the directory yourself if you want it gone",
    "upgrade": "it brought the bank to the present format",
    "purge": "a purge is final",
    "trash empty": "emptying the trash is final",
    "heal": "INDEX.md follows from the notes",
}


def items(store: Store) -> list[TrashItem]:
    """Return the removed notes that can be brought back."""
    now = store.look()
    found = []
    for removed in trash.removed(store.layout):
        change = removed.change
        if not change.note_id:
            continue
        standing = tuple(in_the_way(store, now, change))
        journal = removed.kept.journal
        title = _title(removed.kept, change)
        found.append(
            TrashItem(change.note_id, title, change.path, journal.operation_id, journal.ts, bool(standing), standing)
        )
    return found


def in_the_way(store: Store, now: Scan, change: Change) -> list[str]:
    """Return the files that go when a removed note comes back: all that bear its id, and what stands in its place."""
    files = {file for file, seen in now.seen.items() if seen.id == change.note_id}
    if (store.layout.root / change.path).exists():
        files.add(change.path)
    return sorted(files)


def restore(store: Store, what: str, by: By, *, over: bool) -> Committed:
    """Bring back the newest removed version of a note, named by id, path or operation."""
    with store.writing("restore") as transaction:
        chosen = next(
            (
                removed
                for removed in trash.removed(store.layout)
                if what in (removed.change.note_id, removed.change.path, removed.kept.journal.operation_id)
            ),
            None,
        )
        if chosen is None:
            raise NoteNotFound(id=f"{what} in the trash", nearest="")
        change = chosen.change
        content = chosen.kept.old_content(change)
        standing = in_the_way(store, store.notes_in(transaction), change)
        if standing and not over:
            raise UndoBlocked(id=what, reason=f"{', '.join(standing)} stands in its place")
        for file in standing:
            if file != change.path:
                transaction.remove(file, note_id=change.note_id)
        transaction.put(change.path, content, note_id=change.note_id)
        event = Event.NOTE_UPDATED if standing else Event.NOTE_CREATED
        reason = f"from {chosen.kept.journal.operation_id}"
        transaction.record(
            Record(
                event=event,
                operation="restore",
                note_id=change.note_id,
                file=change.path,
                reason=reason,
                channel=by.channel,
            )
        )
        transaction.commit()
    return Committed(transaction.operation_id, (change.path,), (change.note_id,))


def undoable(store: Store, operation_id: str) -> Kept:
    """Return the named operation, or the last one in effect, if it can be undone as things are."""
    kept = _chosen(store, operation_id)
    _insist(store, kept, store.look(), store.read)
    return kept


def _chosen(store: Store, operation_id: str) -> Kept:
    if not operation_id:
        kept = next((each for each in trash.undoable(store.layout) if _has_effect(each)), None)
    else:
        kept = next((k for k in trash.newest_first(store.layout) if k.journal.operation_id == operation_id), None)
    if kept is None:
        known = {str(line["operation_id"]) for line in store.log.entries()}
        if operation_id in known:
            raise UndoBlocked(id=operation_id, reason="the trash that kept its parts was emptied")
        raise OperationNotFound(id=operation_id, left="" if operation_id else "left")
    if kept.journal.operation in _FINAL:
        raise UndoBlocked(id=kept.journal.operation_id, reason=_FINAL[kept.journal.operation])
    return kept


def _has_effect(kept: Kept) -> bool:
    """Whether there is anything to take back: a proposal that was made or a refusal changed no file.

    An import is one act of the user's, even where all that came of it is questions. A state is taken back by `tacit
    state`; undone, it might forbid to undo anything else.
    """
    changed = any(not change.derived and change.path != STATE for change in kept.journal.changes)
    return kept.journal.operation not in _FINAL and (changed or kept.journal.operation == "import")


def _insist(
    store: Store, kept: Kept, now: Scan, read: Callable[[str], bytes | None]
) -> tuple[list[Change], list[Proposal]]:
    """Return the changes and the open questions that undoing takes back; raise UndoBlocked if something is in the way.

    That is a later change of a file, by whomever, and a note that has been given its id in another file meanwhile.
    """
    undone = kept.journal.operation_id
    # A blob stays, for another note may point to it by now; `check` tells of those that nobody points to.
    changes = [each for each in kept.journal.changes if not each.derived and not each.path.startswith(blob.FOLDER)]
    left = proposals.left_by(store, undone)
    if not changes and not left:
        raise UndoBlocked(id=undone, reason="it changed no file, and no question of it waits")
    for change in changes:
        content = read(change.path)
        there = None if content is None else fsio.digest(content)
        if there != change.new:
            reason = f"{change.path} was changed since, {_by_whom(store, kept, change.path, there)}"
            raise UndoBlocked(id=undone, reason=reason)
    paths = {change.path for change in changes}
    back = {change.note_id for change in changes if change.new is None and change.note_id}
    for file, seen in sorted(now.seen.items()):
        if seen.id in back and file not in paths:
            raise UndoBlocked(id=undone, reason=f"{file} bears the id {seen.id} by now")
    return changes, left


def _by_whom(store: Store, kept: Kept, path: str, there: str | None) -> str:
    """Return who made a file what it is: a later operation, or somebody past Tacit, of whom the log knows nothing."""
    for later in trash.newest_first(store.layout):
        if later.journal.operation_id == kept.journal.operation_id:
            break
        changes = later.journal.changes
        if path in later.journal.destroyed or any(each.path == path and each.new == there for each in changes):
            return f"by {later.journal.operation_id} ({later.journal.operation})"
    return "past Tacit"


def undo(store: Store, operation_id: str, by: By) -> Committed:
    """Bring every file of an operation back to what it was before, as a new operation; its questions wait no more."""
    with store.writing("undo") as transaction:
        kept = _chosen(store, operation_id)
        undone = transaction.undoes = kept.journal.operation_id
        changes, left = _insist(store, kept, store.notes_in(transaction), transaction.read)
        for change in changes:
            if change.old is None:
                transaction.remove(change.path, note_id=change.note_id)
            else:
                transaction.put(change.path, kept.old_content(change), note_id=change.note_id)
            transaction.record(
                Record(
                    event=_event(change),
                    operation="undo",
                    note_id=change.note_id,
                    file=change.path,
                    reason=f"undoes {undone}",
                    channel=by.channel,
                )
            )
        for each in left:
            proposals.settle(transaction, each, by, event=Event.PROPOSAL_EXPIRED, reason=f"undoes {undone}")
        if kept.journal.operation == "refresh":
            put_back(store, undone)
        transaction.commit()
    for each in left:
        proposals.drop(store, each.id)
    files = tuple(change.path for change in changes)
    ids = tuple(dict.fromkeys(change.note_id for change in changes if change.note_id))
    return Committed(transaction.operation_id, files, ids, undone, tuple(each.id for each in left))


def put_back(store: Store, operation_id: str) -> None:
    """Put back outside of the bank what a refresh took from there; raise UndoBlocked if that cannot be.

    It is done before the commit, so that a crash between the two leaves two copies and never none.
    """
    from tacit.bank import migrating  # brings the guards along, which undo does not need

    migrating.put_back(store, operation_id)


def expired(store: Store, keep_days: int) -> list[Kept]:
    """Return the finished operations that are older than `keep_days`."""
    limit = _moment(store.clock()) - timedelta(days=keep_days)
    return [kept for kept in trash.newest_first(store.layout) if _moment(kept.journal.ts) <= limit]


def empty(store: Store, victims: list[Kept], by: By) -> int:
    """Destroy finished operations with all that they kept."""
    if not victims:
        return 0
    with store.writing("trash empty") as transaction:
        for kept in victims:
            transaction.destroy(f".trash/{kept.directory.name}")
        transaction.record(
            Record(
                event=Event.TRASH_EMPTIED,
                operation="trash empty",
                reason=f"{len(victims)} operations up to {victims[0].journal.operation_id}",
                channel=by.channel,
            )
        )
        transaction.commit()
    return len(victims)


def _event(change: Change) -> Event:
    if change.path == STATE:
        return Event.STATE_CHANGED
    if change.path == SETTINGS:
        return Event.SETTINGS_CHANGED
    if change.old is None:
        return Event.NOTE_DELETED
    return Event.NOTE_CREATED if change.new is None else Event.NOTE_UPDATED


def _title(kept: Kept, change: Change) -> str:
    try:
        return native.parse(kept.old_content(change), change.path).note.title
    except TacitError:
        return ""


def _moment(ts: str) -> datetime:
    return datetime.fromisoformat(ts).astimezone(UTC)
