"""Many candidates against the notes of a bank and against each other, fast enough to take in thousands at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.bank import documents
from tacit.bank.wiring import open_index
from tacit.errors import TacitError
from tacit.formats import native
from tacit.govern import decision, relation
from tacit.govern.decision import Case, Verdict
from tacit.govern.evidence import Evidence
from tacit.govern.scorecard import Allowed, Scorecard, Scores
from tacit.index.contract import Filter
from tacit.note.payload import Payload, Relation, Source
from tacit.recall import distil
from tacit.store.layout import NOTE_LAYERS

if TYPE_CHECKING:
    from tacit.bank.recalling import Recaller
    from tacit.formats.native import Document
    from tacit.govern.decision import Decision
    from tacit.govern.relation import Judgement
    from tacit.index.contract import Index
    from tacit.note.model import Note
    from tacit.store.store import Store

_MOST = 5
_PER_INDEX = 10
_FOLDERS = frozenset(layer.folder for layer in NOTE_LAYERS)
# What a candidate is looked for by; a long text says in its first lines what it is about.
_MAX_CHARS = 400
_WORDS = re.compile(r"\w+")
# A foreign bank judged the worth of its notes itself; here they are compared, not scored again.
_CARD = Scorecard(Scores(2, 2, 2, 2, 2), (), Allowed.PRINCIPLE, "brought", brought=True)


class Comparer:
    """The notes of one bank, and the candidates that were taken in so far."""

    def __init__(self, store: Store, recaller: Recaller) -> None:
        recaller.reindexer.catch_up(force=True)
        self._store = store
        self._index = recaller.reindexer.index
        self._taken = open_index(None)
        self._documents: dict[str, Document | None] = {}
        self._words: dict[str, str] = {}

    def close(self) -> None:
        """Give back what the comparison held."""
        self._taken.close()

    def take(self, note: Note, content: bytes) -> None:
        """Let later candidates be compared with this one."""
        self._documents[note.file] = native.parse(content, note.file)
        self._taken.update([documents.of_note(note, "")], [])

    def decide(self, note: Note, content: bytes, *, among_themselves: bool) -> tuple[Decision, dict[str, Document]]:
        """Return what should happen with a candidate, and the notes near it by id.

        Where candidates come from a bank that kept them apart they are not compared `among_themselves`.
        """
        words = distil.distil("\n".join((*note.when_to_load, note.decision or note.one_liner))[:_MAX_CHARS]).keywords
        files = self._near(self._index, words)
        if among_themselves:
            files += self._near(self._taken, words)
        near = {each.note.id: each for file in files if (each := self._document(file)) is not None}
        judged = [relation.judge(note, each.note) for each in near.values()]
        judged.sort(key=lambda each: (-relation.STRICTNESS.index(each.relation), -each.score))
        made = decision.decide(Case(_payload(note), _CARD, Evidence(), judged[:_MOST], by_hand=True))
        return self._careful(made, content, near, judged), near

    def _careful(
        self, made: Decision, content: bytes, near: dict[str, Document], judged: list[Judgement]
    ) -> Decision:
        """Return the decision, but let nothing go as a duplicate of which a single line would be lost."""
        if made.verdict is not Verdict.DEDUPE:
            return made
        same = [each.note_id for each in judged if each.relation is Relation.SAME]
        whole = next((each for each in same if self._says_all(content, near[each])), "")
        if whole:
            return decision.Decision(Verdict.DEDUPE, ask=False, reasons=made.reasons, target=whole)
        return decision.Decision(
            Verdict.MERGE, ask=True, reasons=made.reasons, target=made.target, superseded=(made.target,)
        )

    def _says_all(self, content: bytes, other: Document) -> bool:
        """Whether every line of a note's body stands in another one."""
        there = self._words.setdefault(other.note.file, _plain(other.render().decode("utf-8", "replace")))
        body = content.decode().partition("\n---\n")[2]
        return all(f" {plain} " in there for line in body.splitlines() if (plain := _plain(line).strip()))

    def _near(self, index: Index, words: tuple[str, ...] | list[str]) -> list[str]:
        found = index.by_keywords(words, _PER_INDEX, Filter(archived=True))
        kept = index.find(found)
        files = [kept[key].file for key in found if key in kept]
        return [file for file in files if file.partition("/")[0] in _FOLDERS][:_MOST]

    def _document(self, file: str) -> Document | None:
        if file not in self._documents:
            try:
                self._documents[file] = native.parse(self._store.read(file) or b"", file)
            except TacitError:
                self._documents[file] = None  # broken or just removed: `check` reports it
        return self._documents[file]


def _payload(note: Note) -> Payload:
    choice = relation.texts(note)[1]
    return Payload(scene=note.when_to_load[0], principles=(choice,), choice=choice, source=Source.IMPORT)


def _plain(text: str) -> str:
    return f" {' '.join(_WORDS.findall(text.casefold()))} "
