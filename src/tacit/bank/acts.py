"""Acts on notes that wait for the user: what a delete, archive, undo or restore would change, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.bank import library, proposals, reversal
from tacit.bank.values import By
from tacit.errors import FieldRefused, NoteNotFound, TacitError, TerminalNeeded
from tacit.formats import native
from tacit.govern.proposal import FileChange
from tacit.note import blob
from tacit.note.model import Layer, Status
from tacit.store import trash

if TYPE_CHECKING:
    from tacit.bank.governing import Governor
    from tacit.govern.proposal import Proposal
    from tacit.store.store import Store

_ACTS = ("delete", "archive", "undo", "restore")


def propose(store: Store, governor: Governor, operation: str, what: str, by: By) -> Proposal:
    """Keep an act as a proposal; `what` names the note, its file or, for undo, the operation.

    Asked for again while it waits, it is the same proposal.
    """
    if operation not in _ACTS:
        raise FieldRefused(field="operation", reason=f"{operation!r} is not one of {', '.join(_ACTS)}")
    try:
        changes, titles, undoes = _changes(store, operation, what)
    except UnicodeDecodeError:  # a proposal is text
        raise TerminalNeeded(act=operation) from None
    for waiting in proposals.waiting(store):
        main = waiting.main
        if waiting.payload is None and (main.operation, main.files, main.undoes) == (operation, tuple(changes), undoes):
            return waiting
    return governor.propose_act(operation, changes, titles, by, undoes=undoes)


def is_act(proposal: Proposal) -> bool:
    """Whether a proposal is an act that somebody asked for by itself, not a finding with its reasons."""
    is_plain = proposal.payload is None and not proposal.reasons
    return is_plain and proposal.decision == proposal.main.operation and proposal.decision in _ACTS


def holds(store: Store, proposal: Proposal) -> bool:
    """Whether an act that waits would change today what it would have changed when it was proposed."""
    try:
        changes, _, _ = _changes(store, proposal.decision, _about(store, proposal))
    except (TacitError, UnicodeDecodeError):
        return False
    return tuple(changes) == proposal.main.files


def propose_again(store: Store, governor: Governor, proposal: Proposal, by: By) -> Proposal:
    """Keep an act as a proposal of what it would change today; raise what keeps it from being done at all."""
    named = By(by.channel, proposal.conversation_id, proposal.generation_id)
    return propose(store, governor, proposal.decision, _about(store, proposal), named)


def _about(store: Store, proposal: Proposal) -> str:
    """Return what an act is about: an operation, the file of a note, or its id where it stands elsewhere by now."""
    main = proposal.main
    if main.undoes:
        return main.undoes
    file = main.files[0].file
    return file if main.operation != "restore" and file in store.look().seen else proposal.target


def _changes(store: Store, operation: str, what: str) -> tuple[list[FileChange], dict[str, str], str]:
    """Return what an act would change, the titles of what it is about, and the operation that it undoes."""
    undoes = ""
    if operation == "undo":
        kept = reversal.undoable(store, what)
        undoes = kept.journal.operation_id
        changes = [
            FileChange(
                change.path,
                change.new,
                None if change.old is None else kept.old_content(change).decode(),
                change.note_id,
            )
            for change in kept.journal.changes
            if not change.derived and not change.path.startswith(blob.FOLDER)  # as in undo itself
        ]
        titles = {undoes: kept.journal.operation}
    elif operation == "restore":
        changes, titles = _restored(store, what)
    else:
        notes = store.look()
        file = notes.winners().get(what, what)
        if file.startswith(Layer.CORE.folder):
            raise FieldRefused(field=file, reason="core documents are written by people, in their editor")
        if file not in notes.seen:
            raise NoteNotFound(id=what, nearest="")
        document = native.parse(store.read(file) or b"", file)
        note = document.note
        changes = [
            FileChange.removal(document)
            if operation == "delete"
            else FileChange.edit(document, document.with_fields(status=Status.ARCHIVE))
        ]
        titles = {note.id: note.title}
    return changes, titles, undoes


def _restored(store: Store, what: str) -> tuple[list[FileChange], dict[str, str]]:
    """Return what bringing back a removed note over the one in its place would change."""
    for removed in trash.removed(store.layout):
        change = removed.change
        if what in (change.note_id, change.path, removed.kept.journal.operation_id):
            standing = reversal.in_the_way(store, store.look(), change)
            content = removed.kept.old_content(change)
            changes = [
                FileChange(file, library.digest(store, file), None, change.note_id)
                for file in standing
                if file != change.path
            ]
            base = library.digest(store, change.path)
            changes.append(FileChange(change.path, base, content.decode(), change.note_id))
            return changes, {change.note_id: native.parse(content, change.path).note.title}
    raise NoteNotFound(id=f"{what} in the trash", nearest="")
