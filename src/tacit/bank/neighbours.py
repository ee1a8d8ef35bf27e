"""The notes nearest to a candidate: by words always, by meaning where a model is loaded anyway."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from tacit.errors import TacitError
from tacit.formats import native
from tacit.govern import relation
from tacit.govern.relation import Meaning
from tacit.index.contract import Filter
from tacit.recall import distil, paths
from tacit.store.layout import SHARE, is_note

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tacit.bank.meanings import LoadedModels
    from tacit.bank.recalling import Recaller
    from tacit.formats.native import Document
    from tacit.index.contract import Found
    from tacit.note.model import Note
    from tacit.recall.distil import Distilled
    from tacit.recall.rank import Candidate
    from tacit.store.store import Store

MOST = 5
_PER_PATH = 10


def near(store: Store, recaller: Recaller, candidate: Note) -> list[tuple[Document, Meaning | None]]:
    """Return up to five notes of L1, L2 and share near a candidate, nearest first, each with its likeness by meaning.

    No model is loaded for it: a write never waits for one.
    """
    wish = distil.sought("\n".join((*candidate.when_to_load, candidate.decision or candidate.one_liner)))
    try:
        ranked, found = _ranked(recaller, wish)
    except sqlite3.DatabaseError:
        recaller.reindexer.discard()
        ranked, found = _ranked(recaller, wish)
    near_by: list[tuple[Document, Meaning | None]] = []
    for each in ranked:
        document = _read(store, found[each.key].file if each.key in found else "")
        if document is None or _is_overridden(store, document.note):
            continue
        near_by.append((document, _meaning(recaller.reindexer.models, candidate, document.note)))
        if len(near_by) == MOST:
            break
    return near_by


def named(store: Store, note_ids: Sequence[str], known: Collection[str]) -> list[tuple[Document, Meaning | None]]:
    """Return notes that a caller names as settling the same and that were not found near, five at most."""
    missing = [each for each in note_ids if each not in known][:MOST]
    notes = store.look().listed() if missing else None
    files = [notes.file_of(each) for each in missing] if notes else []
    return [(document, None) for file in files if (document := _read(store, file))]


def _is_overridden(store: Store, note: Note) -> bool:
    """Whether a note is the team's, and the project has its own under the same id."""
    return note.file.startswith(f"{SHARE}/") and bool(store.look().listed().file_of(note.id))


def _read(store: Store, file: str) -> Document | None:
    """Return a note of L1, L2 or share; None if it is none, is broken (`check` reports it) or was just removed."""
    if not is_note(file.removeprefix(f"{SHARE}/")):
        return None
    try:
        return native.parse(store.read(file) or b"", file)
    except TacitError:
        return None


def _meaning(models: LoadedModels, one: Note, other: Note) -> Meaning | None:
    """Return how alike a model finds two notes; None if none is loaded that can say it, or it fails."""
    if not models.ready:
        return None
    texts = [relation.texts(note) for note in (one, other)]
    try:
        topic = models.likeness(*("\n".join(each) for each in texts))
        choice = models.likeness(*(each[1] for each in texts))
    except Exception:  # noqa: BLE001  whatever goes wrong in a model, words judge alone
        return None
    return None if topic is None or choice is None else Meaning(topic, choice)


def _ranked(recaller: Recaller, wish: Distilled) -> tuple[list[Candidate], dict[str, Found]]:
    """Return candidates of an index that is up to date; by words alone where no model is loaded or it fails."""
    reindexer = recaller.reindexer
    reindexer.catch_up(force=True)
    ranked: list[Candidate] | None = None
    if reindexer.models.ready:
        try:
            ranked = paths.candidates(
                reindexer.index, wish, reindexer.models, Filter(), recaller.rules, per_path=_PER_PATH
            )
        except sqlite3.Error:
            raise
        except Exception:  # noqa: BLE001  whatever goes wrong in a model, words find neighbours too
            ranked = None
    if ranked is None:
        ranked = paths.candidates(reindexer.index, wish, None, Filter(), recaller.rules, per_path=_PER_PATH)
    return ranked, dict(reindexer.index.find([each.key for each in ranked]))
