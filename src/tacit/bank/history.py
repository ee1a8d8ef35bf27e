"""What happened to a bank and to each of its notes, as the log and the trash tell it."""

from __future__ import annotations

from dataclasses import fields, replace
from difflib import unified_diff
from typing import TYPE_CHECKING

from tacit.bank.values import LogEntry
from tacit.errors import TrashPartGone
from tacit.store import trash

if TYPE_CHECKING:
    from tacit.note.model import Summary
    from tacit.store.store import Store

_NAMES = tuple(field.name for field in fields(LogEntry) if field.name != "diff")


def entries(store: Store, note_id: str, *, diffs: bool) -> list[LogEntry]:
    """Return the operations, oldest first; those of one note if an id is given."""
    found = [
        LogEntry(*(str(line.get(name) or "") for name in _NAMES))
        for line in store.log.entries(mention=note_id.encode("utf-8", "replace"))
        if not note_id or line.get("note_id") == note_id
    ]
    return _with_diffs(store, found) if diffs else found


def as_fields(note: Summary) -> dict[str, str | list[str]]:
    """Return the members of a note as JSON knows them."""
    members: dict[str, str | list[str]] = {}
    for field in fields(note):
        value = getattr(note, field.name)
        members[field.name] = list(value) if isinstance(value, tuple) else str(value)
    return members


def diff(before: bytes | None, after: bytes | None) -> str:
    """Return a unified diff of two versions of a file."""
    old, new = ((side or b"").decode("utf-8", "replace").splitlines() for side in (before, after))
    return "\n".join(list(unified_diff(old, new, lineterm="", n=1))[2:])


def _with_diffs(store: Store, found: list[LogEntry]) -> list[LogEntry]:
    """Add to each operation what it changed, going back from the present through what the trash kept."""
    kept_by_id = {kept.journal.operation_id: kept for kept in trash.newest_first(store.layout)}
    later: dict[str, bytes | None] = {}
    told = []
    for entry in reversed(found):
        text = ""
        kept = kept_by_id.get(entry.operation_id)
        if kept is None:
            told.append(replace(entry, diff="(no longer kept)" if entry.note_id else ""))
            continue
        for change in kept.journal.changes:
            if change.derived or change.note_id != entry.note_id or not entry.note_id:
                continue
            if change.path not in later:
                later[change.path] = store.read(change.path)
            try:
                before = None if change.old is None else kept.old_content(change)
            except TrashPartGone:
                text = "(no longer kept)"
                continue
            text += diff(before, later[change.path] if change.new is not None else None)
            later[change.path] = before
        told.append(replace(entry, diff=text))
    return told[::-1]
