"""The notes nearest to a candidate: by words always, by meaning where a model is loaded anyway."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.errors import TacitError
from tacit.formats import native
from tacit.govern import relation
from tacit.govern.relation import Meaning
from tacit.index.contract import Filter
from tacit.recall import distil, paths
from tacit.store.layout import NOTE_LAYERS

if TYPE_CHECKING:
    from tacit.bank.meanings import LoadedModels
    from tacit.bank.recalling import Recaller
    from tacit.formats.native import Document
    from tacit.note.model import Note
    from tacit.store.store import Store

MOST = 5
_PER_PATH = 10


def near(store: Store, recaller: Recaller, candidate: Note) -> list[tuple[Document, Meaning | None]]:
    """Return up to five notes of L1 and L2 near a candidate, nearest first, each with its likeness by meaning.

    No model is loaded for it: a write never waits for one.
    """
    reindexer = recaller.reindexer
    reindexer.catch_up(force=True)
    wish = distil.distil("\n".join((*candidate.when_to_load, candidate.decision or candidate.one_liner)))
    meanings = reindexer.models if reindexer.models.ready else None
    ranked = paths.candidates(reindexer.index, wish, meanings, Filter(), recaller.rules, per_path=_PER_PATH)
    found = reindexer.index.find([each.key for each in ranked])
    near_by: list[tuple[Document, Meaning | None]] = []
    for each in ranked:
        file = found[each.key].file if each.key in found else ""
        if file.partition("/")[0] not in {layer.folder for layer in NOTE_LAYERS}:
            continue
        try:
            document = native.parse(store.read(file) or b"", file)
        except TacitError:
            continue  # broken or just removed: `check` reports it
        near_by.append((document, _meaning(reindexer.models, candidate, document.note) if meanings else None))
        if len(near_by) == MOST:
            break
    return near_by


def _meaning(models: LoadedModels, one: Note, other: Note) -> Meaning | None:
    """Return how alike a model finds two notes; None if none can say it for all languages."""
    texts = [relation.texts(note) for note in (one, other)]
    topic = models.likeness(*("\n".join(each) for each in texts))
    choice = models.likeness(*(each[1] for each in texts))
    return None if topic is None or choice is None else Meaning(topic, choice)
