"""A bank whose notes were pushed: asked and read through the database alone, by the same rules as a bank of files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tacit import fsio
from tacit.bank import addresses, consulting, documents, freshness, guarding, library
from tacit.bank.consulting import DIRECT, PACK, Read
from tacit.entry import context, routing
from tacit.entry import pack as packs
from tacit.errors import (
    FieldRefused,
    GuardRefused,
    NoteNotFound,
    NoteTooLarge,
    PathRefused,
    PointerDangling,
    TacitError,
)
from tacit.formats import native
from tacit.index.contract import QUARANTINED, Filter
from tacit.messages import language
from tacit.note.model import Status
from tacit.note.pointer import Pointer
from tacit.recall import distil, inject, paths, rank
from tacit.recall.rank import Rules
from tacit.store.layout import DETAILS, SETTINGS, SHARE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tacit.bank.meanings import LoadedModels
    from tacit.bank.wiring import Contents
    from tacit.index.contract import Document, Found, Index
    from tacit.recall.distil import Distilled
    from tacit.recall.rank import Candidate

_TIMINGS = {"pre": ("pre", "both"), "post": ("post", "both")}
_MAX_CHARS = 200_000
_RULES = Rules()
_BY_NAME = "by its name it holds secrets, and is not pushed"


class Taken(NamedTuple):
    """What a push changed: files whose notes are new, files that are gone, and files that were not taken, with why."""

    changed: tuple[str, ...]
    dropped: tuple[str, ...]
    refused: Mapping[str, str]


class Heard(NamedTuple):
    """A note that was found, how well it fits, and the bank it stands in; `file` begins with the name of another's.

    `verdict` is told by search alone: what a recall of the same words would do with it.
    """

    candidate: Candidate
    found: Found
    bank: str
    file: str
    verdict: str = ""


class Said(NamedTuple):
    """What is worth saying for a prompt, the lines that say it, and why these or none."""

    notes: tuple[Heard, ...]
    injection: str
    reason: str


class HostedBank:
    """One bank's index with the models of this machine, or without any; `name` is how its notes are told.

    Notes of the banks in `beside` are heard too, nearest first: on the same id its own note wins, then the nearest.
    """

    def __init__(self, index: Index, name: str, models: LoadedModels | None) -> None:
        self.index = index
        self.name = name
        self._models = models
        self.beside: Sequence[HostedBank] = ()

    def take(self, put: Mapping[str, bytes], drop: Iterable[str]) -> Taken:
        """Take in the notes of files and forget those of files that are gone; the same content changes nothing."""
        known = by_file(self.index.known())
        made: dict[str, list[Document]] = {}
        refused: dict[str, str] = {}
        for file, content in put.items():
            digest = fsio.digest(content)
            if set(known.get(file, {}).values()) == {digest}:
                continue
            try:
                made[file] = _documents(file, content, digest)
            except TacitError as error:
                refused[file] = error.message
        gone = [file for file in drop if file in known and file not in put]
        # What cannot be understood is not answered by what stood there before, nor is a section that is gone.
        stale = [key for file in (*gone, *refused, *made) for key in known.get(file, ())]
        self.index.update([each for those in made.values() for each in those], stale)
        changed = (file for file, those in made.items() if those or file in known)  # an empty one has no notes
        return Taken(tuple(changed), tuple(gone), refused)

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
            return Said((), "", "nothing to look for")
        heard = self._everywhere(wish, Filter(_TIMINGS[phase], quarantined=False), _RULES.per_path)
        chosen = rank.chosen(heard, _RULES)
        reason = "found" if chosen else "nothing fits well enough"
        return Said(tuple(chosen), inject.inject([(each.found, each.bank) for each in chosen]), reason)

    def search(self, query: str, limit: int) -> list[Heard]:
        """Return the best notes for a query, best first, whether they would be said or not."""
        heard = self._everywhere(distil.sought(query[:_MAX_CHARS]), Filter(), max(limit, _RULES.per_path))
        free = [each for each in heard if each.found.status != QUARANTINED]
        said = {each.candidate.key for each in rank.chosen(free, _RULES)}
        return [each._replace(verdict=_verdict(each, said)) for each in heard[:limit]]

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


def by_file(known: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return file → key → digest of the documents that an index knows."""
    found: dict[str, dict[str, str]] = {}
    for key, digest in known.items():
        found.setdefault(freshness.file_of(key), {})[key] = digest
    return found


def pushed(contents: Mapping[str, bytes]) -> list[str]:
    """Return those of a bank's files that are pushed: what recall may find, but for notes marked `local`."""
    left = left_out(contents)
    return [file for file in freshness.findable(contents) if file not in left and not _is_local(file, contents[file])]


def left_out(files: Iterable[str]) -> dict[str, str]:
    """Return those of a bank's files that are not pushed though recall looks where they are, with why."""
    return {file: _BY_NAME for file in freshness.findable(files) if library.is_secret_detail(file)}


def _verdict(heard: Heard, said: set[str]) -> str:
    """Return what recall would do with a note, in the words of a bank of files."""
    if heard.candidate.key in said:
        return "would be said"
    if heard.found.status == QUARANTINED:
        return QUARANTINED
    return "too little evidence" if heard.candidate.evidence < 1.0 else "behind the others"


def _is_local(file: str, content: bytes) -> bool:
    try:
        return native.summarise(content, file).status is Status.LOCAL
    except TacitError:
        return False  # a detail, or what the server will refuse


def _documents(file: str, content: bytes, digest: str) -> list[Document]:
    """Return the documents of a pushed file; raise if it is neither note nor detail, or must not be kept anywhere."""
    if not freshness.findable([file]) or not file.isprintable() or ".." in file.split("/"):
        raise PathRefused(path=file)
    if library.is_secret_detail(file):
        raise FieldRefused(field=file, reason=_BY_NAME)
    if file.startswith(f"{DETAILS}/"):
        if len(content) > documents.MAX_DETAIL_BYTES:
            raise NoteTooLarge(file=file, size=len(content), limit=documents.MAX_DETAIL_BYTES)
        made = documents.of_detail(content.decode("utf-8", "replace"), file, digest)
    else:
        origin = SHARE if file.startswith(f"{SHARE}/") else "project"
        note = native.parse(content, file).note
        if note.status is Status.LOCAL:
            raise FieldRefused(field=f"{file}: status", reason="a local note stays where it is")
        made = [documents.of_note(note, digest, origin=origin)]
    pieces = library.pieces(content.decode("utf-8", "replace"))
    findings = [finding for _, piece in pieces for finding in guarding.objections(piece)]
    for finding in findings:
        if guarding.is_refused(finding):
            raise GuardRefused(place=f"{file}: {guarding.place(finding)}", kind=guarding.kind(finding))
    return [documents.set_apart(each) for each in made] if findings else made


class HostedReader:
    """Reads one bank, the first of `banks`, and those beside it; files of these begin with their names."""

    def __init__(self, banks: Mapping[str, Contents]) -> None:
        self._banks = banks

    def find(self, what: str) -> tuple[str, str]:
        """Return file and text of a note by its id, or of a file by its path; raise NoteNotFound."""
        for place, (bank, reading) in enumerate(self._banks.items()):
            beginning = f"{bank}/"
            names = [reading.file_of(what), *([] if place else [what])]
            if what.startswith(beginning):
                names.append(what.removeprefix(beginning))
            for file in (each for each in names if each and _is_shown(each)):
                text = reading.text(file)
                if text is not None:
                    return f"{beginning}{file}" if place else file, text
        raise NoteNotFound(id=what, nearest="")

    def resolve(self, pointer: str) -> str:
        """Return what a pointer to a note leads to, or to one of its sections or fields; raise PointerDangling."""
        parsed = Pointer.parse(pointer)
        try:
            file, text = self.find(parsed.id)
        except NoteNotFound:
            raise PointerDangling(pointer=pointer, nearest="") from None
        if parsed.layer.folder not in file.split("/"):
            raise PointerDangling(pointer=pointer, nearest="")
        return addresses.part(text.encode(), file, parsed) if parsed.path else text

    def read(self, question: str) -> Read:
        """Return the details of the bank that a question is about, or a pack of what they say to it.

        A document that a guard objects to is named and left out.
        """
        own = next(iter(self._banks.values()))
        pages = [routing.Page(file, text) for file, text in own.below(DETAILS).items() if _is_read(file)]
        held = {page.file for page in pages if consulting.is_held(page.text)}
        lacking = [context.held(file, language()) for file in sorted(held)]
        chosen = routing.choose(question, "", [page for page in pages if page.file not in held])
        why = routing.escalates(question, chosen)
        if not why:
            found = packs.direct(chosen)
            said = "\n\n".join([*(f"# {page.file}\n\n{text.rstrip()}" for page, text, _ in found), *lacking])
            return Read(DIRECT, "", tuple((page.file, count) for page, _, count in found), said)
        # Which claims the project bears out only its own machine can tell.
        made = packs.build(question, "", packs.read_within(chosen), [])
        said = "\n\n".join([packs.render(made, next(iter(self._banks))), *lacking])
        return Read(PACK, why, made.files, said, made)


def _is_shown(file: str) -> bool:
    """Whether a file is a note or a detail, and by its name no secret: settings are not for readers."""
    return file != SETTINGS and not library.is_secret_detail(file)


def _is_read(file: str) -> bool:
    """Whether a detail answers questions: it is neither in the archive nor, by its name, a secret."""
    return not file.startswith(f"{DETAILS}/archive/") and not library.is_secret_detail(file)
