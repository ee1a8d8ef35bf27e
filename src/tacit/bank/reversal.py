"""Taking back: undo, restore, and the two acts that destroy for good."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.audit.record import Event, Record
from tacit.bank import proposals, sessions, wiring
from tacit.bank.values import Committed, TrashItem
from tacit.errors import NoteNotFound, OperationNotFound, TacitError, UndoBlocked
from tacit.formats import native
from tacit.note import blob
from tacit.note.model import check_id
from tacit.store import trash
from tacit.store.layout import SETTINGS, STATE
from tacit.store.trash import Kept

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.bank.values import By
    from tacit.govern.proposal import Proposal
    from tacit.store.journal import Change
    from tacit.store.scan import Scan
    from tacit.store.store import Store

__all__ = [
    "Kept",
    "empty",
    "expired",
    "in_the_way",
    "items",
    "purge",
    "put_back",
    "restore",
    "traces",
    "undo",
    "undoable",
]

# Undoing these would leave no bank, or bring back what must not come back.
_FINAL = {
    "init": "it made the bank; remove the directory yourself if you want it gone",
    "upgrade": "it brought the bank to the present format",
    "purge": "a purge is final",
    "trash empty": "emptying the trash is final",
    "heal": "INDEX.md follows from the notes",
}


# A line of a note counts as quoted from this length on; shorter ones stand in many texts.
_QUOTE_CHARS = 12


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
        raise OperationNotFound(id=operation_id or "left")
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
        if any(change.path == path and change.new == there for change in later.journal.changes):
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


def traces(store: Store, note_id: str) -> tuple[str, list[str]]:
    """Return the file of a note, present or removed, and every private copy of its content that goes whole."""
    file, parts, _ = _traces(store, note_id)
    return file, parts


def _traces(store: Store, note_id: str) -> tuple[str, list[str], dict[str, bytes]]:
    """Return what `traces` returns, and the running tasks without the note, by their files."""
    from tacit.bank import layered  # brings the guards along, which undo does not need

    check_id(note_id)
    now = store.look()
    file = now.winners().get(note_id, "")
    if not file:
        # A note that cannot be read may still leak: its file is known by its name.
        file = next((broken for broken in now.broken if broken.endswith(f"/{note_id}.md")), "")
    quotes, named = _quotes(store, file), trash.mention_of(note_id)
    parts = trash.parts_of(store.layout, note_id, file)
    parts += [other for other, seen in now.seen.items() if seen.id == note_id and other != file]
    parts += _drafts(store, note_id)
    parts += proposals.mentioning(store, named)
    parts += _sessions(store, named, quotes)
    parts += layered.traces(store, note_id, file)
    tasks = layered.cleaned(
        store, note_id, lambda text: bool(named.search(text.encode())) or any(quote in text for quote in quotes)
    )
    if not file and not parts and not tasks:
        raise NoteNotFound(id=note_id, nearest="")
    return file, parts, tasks


def purge(store: Store, note_id: str, by: By) -> tuple[str, list[str]]:
    """Destroy a note with every private copy; the audit line says that it happened, not what it said.

    A task that is running loses what it has loaded and noted of the note, and goes on with the rest.
    """
    with store.writing("purge") as transaction:
        file, parts, tasks = _traces(store, note_id)
        cache = store.layout.scan_cache
        index = store.layout.search_index
        derived = [cache, *cache.parent.glob(f".{cache.name}.*.tmp")]  # and what a kill left of its making
        for path in (*derived, *(index.with_name(index.name + ending) for ending in ("", "-wal", "-shm"))):
            transaction.destroy(path.relative_to(store.layout.root).as_posix())
        shared = wiring.shared_index(store.layout)
        if shared is not None:
            shared.clear()
        for name in parts:
            transaction.destroy(name)
        for name, content in tasks.items():
            transaction.put(name, content, keep=False)
        if file:
            transaction.read(file)
            transaction.destroy(file)
        transaction.record(
            Record(event=Event.NOTE_PURGED, operation="purge", note_id=note_id, file=file, channel=by.channel)
        )
        transaction.commit()
        store.forget()
    return file, parts


def _drafts(store: Store, note_id: str) -> list[str]:
    """Return the texts that were kept because an edit of the note could not be saved."""
    folder = store.layout.local / "edit"
    texts = sorted(folder.iterdir()) if folder.is_dir() else []
    draft, named = re.compile(rf"{note_id}(-\d+)?\.\w+"), trash.mention_of(note_id)
    return [
        path.relative_to(store.layout.root).as_posix()
        for path in texts
        if draft.fullmatch(path.name) or named.search(fsio.read(path) or b"")
    ]


def _quotes(store: Store, file: str) -> list[str]:
    """Return the lines of a note that are long enough to be known again in another text."""
    text = (store.read(file) or b"").decode("utf-8", "replace") if file else ""
    body = text.partition("\n---")[2] or text
    lines = {line.strip(" -*>#") for line in body.splitlines()}
    return [line for line in lines if len(line) >= _QUOTE_CHARS]


def _sessions(store: Store, named: re.Pattern[bytes], quotes: list[str]) -> list[str]:
    """Return what is kept of conversations that named the note or quote a line of it."""
    encoded = [json.dumps(line, ensure_ascii=False)[1:-1].encode() for line in quotes]
    found = []
    for path in sessions.files(store):
        content = fsio.read(path) or b""
        if named.search(content) or any(quote in content for quote in encoded):
            found.append(path.relative_to(store.layout.root).as_posix())
    return found


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
