"""Changes of notes, each one transaction."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.audit.record import Event, Record
from tacit.bank import guarding
from tacit.bank.values import Committed
from tacit.errors import ChangedMeanwhile, DuplicateId, FieldRefused, NoteNotFound, TacitError
from tacit.formats import native
from tacit.note import blob
from tacit.note.model import Layer, check_id
from tacit.store import episodes
from tacit.store.layout import INDEX, NOTE_LAYERS, SETTINGS, STATE, note_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tacit.bank.values import By
    from tacit.formats.native import Document
    from tacit.note.model import Note
    from tacit.store.store import Store
    from tacit.store.transaction import Transaction

    FieldValue = str | Sequence[str] | None


# From so many new notes on, looking at them once more right away is cheaper than leaving it to the next command.
_MANY_NOTES = 100


def add(store: Store, notes: Iterable[Note], by: By) -> Committed:
    """Write new notes, all or none; nothing of a note that a guard refuses reaches the disk."""
    notes = list(notes)
    if not notes:
        return Committed("", ())
    with store.writing("new") as transaction:
        taken = set(store.notes_in(transaction).winners())
        files = []
        ids = []
        for number, note in enumerate(notes, 1):
            ready = _completed(note, store, transaction.ts, taken)
            taken.add(ready.id)
            files.append(ready.file)
            ids.append(ready.id)
            if transaction.read(ready.file) is not None:
                raise DuplicateId(id=ready.id, files=ready.file, winner=ready.file)
            content = native.compose(ready)  # as it is given: what is too long for a note is refused, not hidden away
            guarding.insist(guarding.texts_of(ready), item=f"note {number}" if len(notes) > 1 else "")
            shorter, blobs = blob.taken_out(ready)
            put_blobs(transaction, blobs)
            transaction.put(ready.file, native.compose(shorter) if blobs else content, note_id=ready.id)
            told = by.record(Event.NOTE_CREATED, "create", note_id=ready.id, file=ready.file, source=ready.source)
            transaction.record(told)
        transaction.commit()
    if len(notes) >= _MANY_NOTES:
        store.look()  # keeps what was seen, so that the next process need not read them all again
    return Committed(transaction.operation_id, tuple(files), tuple(ids))


def put_blobs(transaction: Transaction, blobs: Mapping[str, str]) -> None:
    """Keep the long pieces of a note in its own transaction, each once; refuse what a guard finds in them."""
    for digest, text in blobs.items():
        check_blob(text)
        if transaction.read(blob.file_of(digest)) is None:
            transaction.put(blob.file_of(digest), text.encode())


def check_blob(text: str) -> None:
    """Raise GuardRefused for a long piece that must not be kept."""
    guarding.refuse({"long text": text})


def heal(store: Store) -> bool:
    """Bring stale lists in line with notes and episodes, audited; return whether one was. Never waits for a writer."""
    now = store.look()
    try:
        if fsio.read(store.layout.root / INDEX) == now.index() and not episodes.is_stale(store.layout):
            return False
        with store.writing("heal", wait=False) as transaction:
            store.derive_index(transaction)
            if not transaction.pending:
                return False
            stale = " and ".join(transaction.pending)
            transaction.record(
                Record(event=Event.INDEX_UPDATED, operation="heal", file=INDEX, reason=f"{stale} was stale")
            )
            transaction.commit()
    except (TacitError, OSError):  # whatever it is, `check` reports it; a reader goes on
        return False
    return True


def is_stale(store: Store) -> bool:
    """Whether INDEX.md does not say what the notes say; what cannot be read is told by `check`."""
    try:
        return fsio.read(store.layout.root / INDEX) != store.look().index()
    except (TacitError, OSError):
        return False


def rewrite(store: Store, file: str, content: bytes, base: str, by: By) -> Committed:
    """Save a whole new text of the note at `file`, which was read when its digest was `base`."""
    with store.writing("edit") as transaction:
        before = _read(transaction, file)
        if fsio.digest(before.render()) != base:
            raise ChangedMeanwhile(file=file, kept="")
        after = native.parse(content, file)
        if after.note.id != before.note.id:
            raise FieldRefused(field="id", reason=f"a note keeps its id; {before.note.id} became {after.note.id}")
        if after.render() == before.render():
            return Committed("", ())
        guarding.insist({file: content.decode("utf-8", "replace")})
        after = after.with_fields(updated=transaction.ts)
        return _save(transaction, file, after, "update", by)


def set_fields(store: Store, file: str, operation: str, fields: Mapping[str, FieldValue], by: By) -> Committed:
    """Set front matter fields of the note at `file`; its id is none of them."""
    if "id" in fields:
        raise FieldRefused(field="id", reason="a note keeps its id")
    if not re.fullmatch("[a-z_]+", operation):  # it is printed as a line of the log
        raise FieldRefused(field="operation", reason="it is one word of small letters, such as edit")
    given = [(name, [value] if isinstance(value, str) else value or ()) for name, value in fields.items()]
    guarding.insist([(name, each) for name, values in given for each in values])
    with store.writing(operation) as transaction:
        before = _read(transaction, file)
        after = before.with_fields(**fields)
        if after.render() == before.render():
            return Committed("", ())
        return _save(transaction, file, after.with_fields(updated=transaction.ts), operation, by)


def tag(store: Store, file: str, add: Sequence[str], remove: Sequence[str], by: By) -> Committed:
    """Add and remove tags of the note at `file`; those that somebody else set meanwhile stay."""
    guarding.insist([("tags", each) for each in add])
    with store.writing("tag") as transaction:
        before = _read(transaction, file)
        kept = [each for each in before.note.tags if each not in remove]
        after = before.with_fields(tags=tuple(dict.fromkeys((*kept, *add))))
        if after.render() == before.render():
            return Committed("", ())
        return _save(transaction, file, after.with_fields(updated=transaction.ts), "tag", by)


def move(store: Store, file: str, layer: Layer, by: By) -> Committed:
    """Move the note at `file` to another layer."""
    layer = _layer(layer)
    with store.writing("move") as transaction:
        document = _read(transaction, file)
        note_id = document.note.id
        target = f"{layer.folder}/{file.partition('/')[2]}"
        if target == file:
            return Committed("", ())
        if transaction.read(target) is not None:
            raise DuplicateId(id=note_id, files=f"{file} and {target}", winner=file)
        transaction.remove(file, note_id=note_id)
        transaction.put(target, document.with_fields(updated=transaction.ts).render(), note_id=note_id)
        reason = f"moved from {file}"
        transaction.record(by.record(Event.NOTE_UPDATED, "move", note_id=note_id, file=target, reason=reason))
        transaction.commit()
    return Committed(transaction.operation_id, (file, target), (note_id,))


def delete(store: Store, file: str, by: By) -> Committed:
    """Move the note at `file` to the trash."""
    with store.writing("delete") as transaction:
        note_id = _read(transaction, file).note.id
        transaction.remove(file, note_id=note_id)
        transaction.record(by.record(Event.NOTE_DELETED, "delete", note_id=note_id, file=file))
        transaction.commit()
    return Committed(transaction.operation_id, (file,), (note_id,))


def put_file(
    store: Store, file: str, make: Callable[[bytes | None], bytes], operation: str, *, reason: str, by: By
) -> Committed:
    """Write what `make` makes of the bank's state or its settings."""
    event = {STATE: Event.STATE_CHANGED, SETTINGS: Event.SETTINGS_CHANGED}[file]
    with store.writing(operation) as transaction:
        before = transaction.read(file)
        content = make(before)
        if content == before:
            return Committed("", ())
        transaction.put(file, content)
        transaction.record(by.record(event, operation, file=file, reason=reason))
        transaction.commit()
    return Committed(transaction.operation_id, (file,))


def _completed(note: Note, store: Store, ts: str, taken: set[str]) -> Note:
    note_id = note.id
    if not note_id:
        note_id = f"MEM-{store.new_id()}"
        while note_id in taken:
            note_id = f"MEM-{store.new_id()}"
    check_id(note_id)
    layer = _layer(note.layer)
    if note_id in taken:
        raise DuplicateId(id=note_id, files="a note of the bank and the new one", winner="the one of the bank")
    return replace(
        note,
        id=note_id,
        layer=layer,
        file=note_path(layer, note_id),
        created=note.created or ts,
        updated=note.updated or ts,
    )


def _layer(given: str) -> Layer:
    """Return a layer that notes stand in; raise FieldRefused for any other."""
    if given not in NOTE_LAYERS:
        raise FieldRefused(field="layer", reason="a note stands in L1 or L2")
    return Layer(given)


def _read(transaction: Transaction, file: str) -> Document:
    """Return the note at `file` as this transaction finds it; the core documents are not for writing."""
    if file.startswith(Layer.CORE.folder):
        raise FieldRefused(field=file, reason="core documents are written by people, in their editor")
    content = transaction.read(file)
    if content is None:
        raise NoteNotFound(id=file, nearest="")
    return native.parse(content, file)


def _save(transaction: Transaction, file: str, document: Document, operation: str, by: By) -> Committed:
    note_id = document.note.id
    transaction.put(file, document.render(), note_id=note_id)
    transaction.record(by.record(Event.NOTE_UPDATED, operation, note_id=note_id, file=file))
    transaction.commit()
    return Committed(transaction.operation_id, (file,), (note_id,))
