"""A bank whose notes were pushed: asked through the database alone, by the same rules as a bank of files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tacit import fsio
from tacit.bank import documents, freshness, guarding
from tacit.errors import GuardRefused, PathRefused, TacitError
from tacit.formats import native
from tacit.index.contract import QUARANTINED, Filter
from tacit.recall import distil, inject, paths, rank
from tacit.recall.rank import Rules
from tacit.store.layout import SHARE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tacit.bank.meanings import LoadedModels
    from tacit.index.contract import Document, Found, Index
    from tacit.recall.distil import Distilled
    from tacit.recall.rank import Candidate

_TIMINGS = {"pre": ("pre", "both"), "post": ("post", "both")}
_MAX_CHARS = 200_000
_RULES = Rules()


class Taken(NamedTuple):
    """What a push changed: files whose notes are new, files that are gone, and files that were not taken, with why."""

    changed: tuple[str, ...]
    dropped: tuple[str, ...]
    refused: Mapping[str, str]


class Heard(NamedTuple):
    """A note that was found, how well it fits, and the bank it stands in; `file` begins with the name of another's."""

    candidate: Candidate
    found: Found
    bank: str
    file: str


class Said(NamedTuple):
    """What is worth saying for a prompt, and the lines that say it."""

    notes: tuple[Heard, ...]
    injection: str


class HostedBank:
    """One bank's index with the models of this machine, or without any; `name` is how its notes are told.

    Notes of the banks in `beside` are heard too, nearest first: on the same id its own note wins, then the nearest.
    """

    def __init__(self, index: Index, name: str, models: LoadedModels | None) -> None:
        self.index = index
        self.name = name
        self._models = models
        self.beside: Sequence[HostedBank] = ()

    def digests(self) -> dict[str, str]:
        """Return file → digest of the content that its notes were made of."""
        return {found.file: found.digest for found in self.index.find(self.index.known()).values()}

    def take(self, put: Mapping[str, bytes], drop: Iterable[str]) -> Taken:
        """Take in the notes of files and forget those of files that are gone; the same content changes nothing."""
        known = self.index.known()
        made: list[Document] = []
        refused: dict[str, str] = {}
        for file, content in put.items():
            digest = fsio.digest(content)
            if known.get(file) == digest:
                continue
            try:
                made.append(_document(file, content, digest))
            except TacitError as error:
                refused[file] = error.message
        gone = [file for file in drop if file in known]
        # What cannot be understood is not answered by what stood there before.
        self.index.update(made, [*gone, *(file for file in refused if file in known)])
        return Taken(tuple(document.file for document in made), tuple(gone), refused)

    def embed(self) -> None:
        """Make the vectors that are missing."""
        if self._models is None:
            return
        for model, latin in self._models.tasks().items():
            identity = self._models.identity(model)
            while batch := self.index.without_vectors(identity, 8, latin=latin):
                self.index.put_vectors(identity, {key: self._models.vectors(model, texts) for key, texts in batch})

    def recall(self, prompt: str, phase: str = "pre", turns: Sequence[str] = ()) -> Said:
        """Return the nought to two notes worth saying for a prompt."""
        wish = distil.distil(prompt[:_MAX_CHARS], turns)
        if wish.skipped or not (wish.keywords or wish.meaning.strip()):
            return Said((), "")
        heard = self._everywhere(wish, Filter(_TIMINGS[phase], quarantined=False), _RULES.per_path)
        by_key = {each.candidate.key: each for each in heard}
        in_order = [each.candidate for each in heard]
        chosen = [by_key[each.key] for each in rank.chosen(in_order, _RULES)] if in_order else []
        return Said(tuple(chosen), inject.inject([(each.found, each.bank) for each in chosen]))

    def search(self, query: str, limit: int) -> list[Heard]:
        """Return the best notes for a query, best first."""
        return self._everywhere(distil.distil(query[:_MAX_CHARS]), Filter(), max(limit, _RULES.per_path))[:limit]

    def _everywhere(self, wish: Distilled, wanted: Filter, per_path: int) -> list[Heard]:
        """Return the candidates of this bank and of those beside it, best first."""
        heard = [Heard(each, found, self.name, found.file) for each, found in self.ranked(wish, wanted, per_path)]
        nearer: list[Index] = [self.index]
        for other in self.beside:
            more = other.ranked(wish, wanted, per_path)
            ids = [found.note_id for _, found in more if found.note_id]
            taken = {note_id for index in nearer for note_id, origins in index.origins(ids).items() if origins}
            heard += [
                Heard(each._replace(key=f"{other.name}:{each.key}"), found, other.name, f"{other.name}/{found.file}")
                for each, found in more
                if found.note_id not in taken
            ]
            nearer.append(other.index)
        return sorted(heard, key=lambda each: (-each.candidate.score, each.candidate.key))

    def ranked(self, wish: Distilled, wanted: Filter, per_path: int) -> list[tuple[Candidate, Found]]:
        """Return this bank's own candidates, best first."""
        candidates = paths.candidates(self.index, wish, self._models, wanted, _RULES, per_path=per_path)
        found = self.index.find([candidate.key for candidate in candidates])
        own = self.index.origins(each.note_id for each in found.values() if each.origin == SHARE)
        lowered = [
            rank.lowered(each, found[each.key].status, _RULES)
            for each in candidates
            if each.key in found and not (found[each.key].origin == SHARE and "project" in own[found[each.key].note_id])
        ]
        return [(each, found[each.key]) for each in rank.ranked(lowered)]


def pushed(files: Iterable[str]) -> list[str]:
    """Return those of a bank's files that are pushed: the notes that recall may find, not the details."""
    return [file for file in freshness.findable(files) if not file.startswith(freshness.DETAILS)]


def _document(file: str, content: bytes, digest: str) -> Document:
    """Return the document of a pushed file; raise if it is no note, or holds what must not be kept anywhere."""
    if not pushed([file]) or not file.isprintable():
        raise PathRefused(path=file)
    origin = SHARE if file.startswith(f"{SHARE}/") else "project"
    made = documents.of_note(native.parse(content, file).note, digest, origin=origin)
    findings = guarding.objections(content.decode("utf-8", "replace"))
    for finding in findings:
        if guarding.is_refused(finding):
            raise GuardRefused(place=f"{file}: {guarding.place(finding)}", kind=guarding.kind(finding))
    return made._replace(status=QUARANTINED) if findings and made.status != "archive" else made
