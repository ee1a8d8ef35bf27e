"""The answers to a question about two notes of the bank: which of them holds, or one note of both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.formats.fields import MAX_SUPERSEDED
from tacit.govern import merging
from tacit.govern.proposal import BOTH, CANCEL, CONFIRM, KEEP_OLD, TAKE_NEW, Change, FileChange
from tacit.note.model import Strength

if TYPE_CHECKING:
    from tacit.formats.native import Document

_STRENGTHS = tuple(Strength)


def in_order(one: Document, other: Document) -> tuple[Document, Document]:
    """Return two notes, the older first."""
    first, second = sorted((one, other), key=lambda each: (each.note.created, each.note.id))
    return first, second


def which(older: Document, newer: Document, ts: str) -> dict[str, Change | None]:
    """Return the answers for two notes that contradict each other."""
    return {TAKE_NEW: _instead(newer, older, ts), KEEP_OLD: _instead(older, newer, ts), BOTH: None, CANCEL: None}


def one_of(older: Document, newer: Document, ts: str) -> dict[str, Change | None]:
    """Return the answers for two notes that say the same; kept is the one that holds more firmly, else the older."""
    kept, gone = sorted((older, newer), key=lambda each: -_STRENGTHS.index(each.note.strength))
    grown = merging.merged(kept, gone.note, ts=ts).with_fields(supersedes=_superseded(kept, gone))
    return {CONFIRM: _put(kept, grown, gone, "merge"), CANCEL: None}


def _instead(kept: Document, gone: Document, ts: str) -> Change:
    return _put(kept, kept.with_fields(supersedes=_superseded(kept, gone), updated=ts), gone, "replace")


def _put(kept: Document, grown: Document, gone: Document, operation: str) -> Change:
    lost = merging.lost(gone.note, grown.note)
    return Change(
        operation, (FileChange.edit(kept, grown), FileChange.removal(gone)), kept.note.id, (gone.note.id,), lost
    )


def _superseded(kept: Document, gone: Document) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*kept.note.supersedes, *gone.note.supersedes, gone.note.id)))[-MAX_SUPERSEDED:]
