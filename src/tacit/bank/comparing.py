"""Many candidates against the notes of a bank and against each other, fast enough to take in thousands at once."""

from __future__ import annotations

import heapq
import math
import re
from typing import TYPE_CHECKING

from tacit.errors import TacitError
from tacit.formats import native
from tacit.govern import decision, relation
from tacit.govern.decision import Case, Verdict
from tacit.govern.evidence import Evidence
from tacit.govern.scorecard import Allowed, Scorecard, Scores
from tacit.note.model import Layer
from tacit.note.payload import Payload, Relation, Source
from tacit.text.tokens import search_tokens

if TYPE_CHECKING:
    from tacit.formats.native import Document
    from tacit.govern.decision import Decision
    from tacit.govern.relation import Judgement
    from tacit.govern.side import Side
    from tacit.note.model import Note
    from tacit.store.store import Store

_MOST = 5
# What a candidate is looked for by; a long text says in its first lines what it is about.
_MAX_CHARS = 400
# How many notes the words of a candidate may point to, the rarest words first: what stands everywhere tells nothing.
_MAX_POINTS = 2_000
# Of the weight of those words a note must have this share to be looked at more closely.
_LEAST_SHARE = 0.05
_HEADINGS = frozenset(f"## {name}" for name in native.SECTIONS)
_WORDS = re.compile(r"\w+")
# A foreign bank judged the worth of its notes itself; here they are compared, not scored again.
_CARD = Scorecard(Scores(2, 2, 2, 2, 2), (), Allowed.PRINCIPLE, "brought", brought=True)


class Comparer:
    """The notes of one bank, and the candidates that were taken in so far."""

    def __init__(self, store: Store) -> None:
        self._documents: list[Document] = []
        self._holders: dict[str, list[int]] = {}
        self._sides: dict[str, Side] = {}
        # The ids of candidates, not of the bank's own notes.
        self._taken: set[str] = set()
        for file in store.look().seen:
            if not file.startswith(Layer.CORE.folder):
                try:
                    self.take(native.parse(store.read(file) or b"", file))
                except TacitError:
                    continue  # broken or just removed: `check` reports it
        self._own = len(self._documents)
        self._taken.clear()

    def take(self, document: Document) -> None:
        """Let later candidates be compared with this note."""
        number = len(self._documents)
        self._documents.append(document)
        note = document.note
        self._taken.add(note.id)
        texts = (note.title, *note.when_to_load, note.one_liner, note.decision[:_MAX_CHARS])
        for token in set(search_tokens("\n".join(texts))):
            self._holders.setdefault(token, []).append(number)

    def decide(self, note: Note, content: bytes, *, among_themselves: bool) -> tuple[Decision, dict[str, Document]]:
        """Return what should happen with a candidate, and the notes near it by id.

        Where candidates come from a bank that kept them apart they are not compared `among_themselves`.
        """
        most = len(self._documents) if among_themselves else self._own
        near = {each.note.id: each for each in self._near(note, most)}
        mine = relation.side(note)
        judged = [relation.compare(mine, self._side(each), each.note.id) for each in near.values()]
        judged.sort(key=lambda each: (-relation.STRICTNESS.index(each.relation), -each.score))
        made = decision.decide(Case(_payload(note), _CARD, Evidence(), judged[:_MOST], by_hand=True))
        made = self._careful(made, content, near, judged)
        if made.verdict is Verdict.MERGE and made.target in self._taken:
            # Their source kept the two apart, and govern tells of them later: meanwhile both are to be found.
            made = decision.Decision(Verdict.NEW, ask=False, reasons=made.reasons)
        return made, near

    @staticmethod
    def _careful(made: Decision, content: bytes, near: dict[str, Document], judged: list[Judgement]) -> Decision:
        """Return the decision, but let nothing go as a duplicate of which a single line would be lost."""
        if made.verdict is not Verdict.DEDUPE:
            return made
        same = [each.note_id for each in judged if each.relation is Relation.SAME]
        whole = next((each for each in same if _says_all(content, near[each])), "")
        if whole:
            return decision.Decision(Verdict.DEDUPE, ask=False, reasons=made.reasons, target=whole)
        return decision.Decision(
            Verdict.MERGE, ask=True, reasons=made.reasons, target=made.target, superseded=(made.target,)
        )

    def _side(self, document: Document) -> Side:
        """Return a note read for comparison; in an import the same ones come up again and again."""
        file = document.note.file
        if file not in self._sides:
            self._sides[file] = relation.side(document.note)
        return self._sides[file]

    def _near(self, note: Note, most: int) -> list[Document]:
        """Return the notes that share the most of a candidate's rare words, among the first `most`."""
        said = "\n".join((*note.when_to_load, note.decision or note.one_liner))[:_MAX_CHARS]
        holders = sorted((self._holders.get(token, ()) for token in set(search_tokens(said))), key=len)
        scores: dict[int, float] = {}
        total = points = 0.0
        for numbers in holders:
            weight = math.log(1 + len(self._documents) / (len(numbers) + 0.5))
            total += weight
            points += len(numbers)
            if points > _MAX_POINTS:
                break
            for number in numbers:
                scores[number] = scores.get(number, 0.0) + weight
        likely = (pair for pair in scores.items() if pair[0] < most and pair[1] >= _LEAST_SHARE * total)
        return [self._documents[number] for number, _ in heapq.nlargest(_MOST, likely, key=lambda pair: pair[1])]


def _payload(note: Note) -> Payload:
    choice = relation.texts(note)[1]
    return Payload(scene=note.when_to_load[0], principles=(choice,), choice=choice, source=Source.IMPORT)


def _says_all(content: bytes, other: Document) -> bool:
    """Whether every line of a note's body stands in another one."""
    there = _plain(other.render().decode("utf-8", "replace"))
    body = content.decode().partition("\n---\n")[2]
    lines = [line for line in body.splitlines() if line not in _HEADINGS]
    return all(f" {plain} " in there for line in lines if (plain := _plain(line).strip()))


def _plain(text: str) -> str:
    return f" {' '.join(_WORDS.findall(text.casefold()))} "
