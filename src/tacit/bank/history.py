"""What happened to a bank and to each of its notes, as the log and the trash tell it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields, replace
from difflib import unified_diff
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.bank.values import LogEntry
from tacit.errors import TrashPartGone
from tacit.store import trash

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tacit.note.model import Summary
    from tacit.store.journal import Change
    from tacit.store.store import Store
    from tacit.store.trash import Kept

_NAMES = tuple(field.name for field in fields(LogEntry) if field.name != "diff")
_GONE = "(no longer kept)"
_EDITED = "(the file was edited past Tacit afterwards; both changes together)"


def entries(store: Store, note_id: str, *, diffs: bool) -> list[LogEntry]:
    """Return the operations, oldest first; those of one note, or the one of that id, if an id is given."""
    found = [
        LogEntry(*(str(line.get(name) or "") for name in _NAMES))
        for line in store.log.entries(mention=note_id.encode("utf-8", "replace"))
        if not note_id or note_id in (line.get("note_id"), line.get("operation_id"))
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
    about = {entry.note_id for entry in found} - {""}
    contents = _Contents(store, kept_by_id.values(), about)
    texts: dict[int, str] = {}
    named: dict[str, list[int]] = {}
    for place, entry in enumerate(found):
        named.setdefault(entry.operation_id, []).append(place)
    for operation_id, places in reversed(named.items()):
        kept = kept_by_id.get(operation_id)
        if kept is None:
            texts |= {place: _GONE for place in places if found[place].note_id}
            continue
        parts: dict[int, list[tuple[Change, str]]] = {}
        for change in _changes(kept, about):
            # The line that names the file; else the first about its note, as for the place that a move leaves.
            own = [place for place in places if found[place].note_id == change.note_id]
            own = [place for place in own if found[place].file == change.path] or own
            if own:
                parts.setdefault(own[0], []).append((change, contents.told(change)))
        texts |= {place: _joined(part) for place, part in parts.items()}
    return [replace(entry, diff=texts.get(place, "")) for place, entry in enumerate(found)]


class _Contents:
    """The versions of notes that are still there, known by their fingerprints; asked from the newest change back."""

    def __init__(self, store: Store, operations: Iterable[Kept], about: set[str]) -> None:
        self._versions: dict[str, bytes] = {}
        # Path → fingerprint of what stood there right before what was told last: at first of what stands there now.
        self._later: dict[str, str | None] = {}
        for kept in operations:
            for change in _changes(kept, about):
                if change.path not in self._later:
                    self._later[change.path] = self._keep(store.read(change.path))
                if change.old is not None:
                    with suppress(TrashPartGone):
                        self._keep(kept.old_content(change))

    def told(self, change: Change) -> str:
        """Return what a change did; where its outcome was edited past Tacit and is lost, both together, and that."""
        later, self._later[change.path] = self._later[change.path], change.old
        if not self._has(change.old):
            return _GONE
        before = self._versions.get(change.old or "")
        if self._has(change.new):
            return diff(before, self._versions.get(change.new or ""))
        if later == change.new or not self._has(later):
            return _GONE
        return f"{_EDITED}\n{diff(before, self._versions.get(later or ''))}"

    def _keep(self, content: bytes | None) -> str | None:
        if content is None:
            return None
        digest = fsio.digest(content)
        self._versions[digest] = content
        return digest

    def _has(self, digest: str | None) -> bool:
        return digest is None or digest in self._versions


def _changes(kept: Kept, about: set[str]) -> list[Change]:
    return [change for change in kept.journal.changes if not change.derived and change.note_id in about]


def _joined(parts: list[tuple[Change, str]]) -> str:
    """Return one text; of several files each under its name."""
    if len(parts) == 1 or any(text.startswith("(") for _, text in parts):
        return "\n".join(dict.fromkeys(text for _, text in parts))
    return "\n".join(
        f"--- {change.path if change.old else '/dev/null'}\n+++ {change.path if change.new else '/dev/null'}\n{text}"
        for change, text in parts
    )
