"""One import in the making: each item of a foreign memory is guarded, compared and given its place, or told why not."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tacit import fsio, guards
from tacit.audit.record import Channel
from tacit.bank import guarding, layered, ledger, library
from tacit.bank.skeleton import ENTRY_STUB
from tacit.errors import GuardRefused
from tacit.formats import found as formats
from tacit.formats import native
from tacit.formats.decoding import decode
from tacit.formats.fields import MAX_SUPERSEDED
from tacit.govern import merging
from tacit.govern.decision import Verdict
from tacit.govern.proposal import BOTH, CANCEL, CONFIRM, KEEP_OLD, NEW_INSTEAD, TAKE_NEW, Change, FileChange
from tacit.messages import say
from tacit.note import blob
from tacit.note.model import Layer, Note, Origin
from tacit.store.layout import ENTRY, is_portable, note_path

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.bank.comparing import Comparer
    from tacit.bank.ledger import Ledger
    from tacit.bank.values import By
    from tacit.formats.found import Found, FoundDocument, FoundNote
    from tacit.formats.native import Document
    from tacit.govern.decision import Decision
    from tacit.store.store import Store

# What must not be kept even where a guard is not sure: nobody can be asked about each doubt of an import.
_DOUBTED = frozenset({"secret", "personal"})


@dataclass(frozen=True, slots=True)
class Ready:
    """A note or document that will be written: where it is from, its file and its bytes, and its long pieces.

    `path` is relative to the source, `source` names the source as well.
    """

    path: str
    source: str
    digest: str
    file: str
    content: bytes
    note: Note | None = None
    blobs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Asked:
    """An item that meets what is here: the decision and what each answer would do."""

    path: str
    source: str
    digest: str
    decision: str
    title: str
    target: str
    reasons: tuple[str, ...]
    options: Mapping[str, Change | None]
    titles: Mapping[str, str]


@dataclass(slots=True)
class Plan:
    """What an import would do. `moment` is the fingerprint of the notes that it was made for."""

    format: str
    name: str
    found: int = 0
    notes: list[Ready] = field(default_factory=list)
    documents: list[Ready] = field(default_factory=list)
    questions: list[Asked] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    quarantined: list[str] = field(default_factory=list)
    moment: str = ""


class Intake:
    """One import in the making: each item is guarded, compared and given its place."""

    def __init__(self, store: Store, plan: Plan, known: Ledger, by: By) -> None:
        self._store = store
        self._plan = plan
        self._name = plan.name
        self._known = known
        self._here = store.look().winners()
        self._ids = set(self._here)
        self._files: set[str] = set()
        self._by = by
        self._ts = store.clock()
        self._new: set[str] = set()

    def note(self, item: FoundNote, found: Found, comparer: Comparer) -> None:
        """Take a note in, ask about it, or tell why not."""
        digest = fsio.digest(item.content.encode())
        if self._is_known(item.path, digest):
            return
        self._guard(item.path, item.content)
        note = self._completed(item.note, found)
        if self._is_the_same(note):
            self._plan.skipped.append((item.path, say("import.same", id=note.id)))
            return
        named = replace(note, id=self._free(note.id), file="")
        named = replace(named, file=note_path(named.layer, named.id))
        shorter, blobs = blob.taken_out(named)
        source = f"{self._name}/{item.path}"
        content = formats.composed(item, shorter, ledger.stamp(source, digest))
        ready = Ready(item.path, source, digest, named.file, content, named, blobs)
        if note.id in self._here:
            self._ask_which(ready, note.id)
            return
        made, near = comparer.decide(named, content, among_themselves=not found.dated)
        if made.verdict is Verdict.NEW:
            self._ids.add(named.id)
            self._new.add(digest)
            self._plan.notes.append(ready)
            comparer.take(native.parse(content, named.file))
        elif made.verdict is Verdict.DEDUPE:
            self._plan.skipped.append((item.path, say("import.duplicate", id=made.target)))
        else:
            self._ask(ready, made, near)

    def document(self, item: FoundDocument) -> None:
        """Take a document in at its place, or at a free one where another stands there."""
        text = decode(item.content) or ""
        digest = fsio.digest(text.encode())
        if self._is_known(item.path, digest):
            return
        same = self._known.documents.get(fsio.digest(item.content), "")
        if not same and is_portable(item.target) and self._store.read(item.target) == item.content:
            same = item.target
        if same:
            self._plan.skipped.append((item.path, say("import.same", id=same)))
            return
        target = self._place(item)
        if not target:
            return
        self._guard(item.path, text)
        ready = Ready(item.path, f"{self._name}/{item.path}", digest, target, item.content)
        earlier = self._known.origins.get(ready.source, "")
        if earlier and self._is_version(earlier, text):
            self._ask_update(ready, earlier)
            return
        self._new.add(digest)
        self._files.add(target)
        self._plan.documents.append(ready)

    def _is_known(self, path: str, digest: str) -> bool:
        there = self._known.items.get(digest)
        if there:
            self._plan.skipped.append((path, say("import.known", id=there)))
        elif digest in self._new:
            self._plan.skipped.append((path, say("import.twice")))
        return bool(there) or digest in self._new

    def _is_the_same(self, note: Note) -> bool:
        """Whether the bank has this very note, under the same id."""
        if note.id not in self._here:
            return False
        old = layered.expanded(self._store, self._read(note.id)).note
        return _bare(old) == _bare(note)

    def _read(self, note_id: str) -> Document:
        file = self._here[note_id]
        return native.parse(self._store.read(file) or b"", file)

    def _completed(self, note: Note, found: Found) -> Note:
        """Return a note as an import may bring it: nobody here has confirmed it, whatever it says of itself."""
        ready = replace(note, origin=Origin.IMPORT, confirmed="")
        if found.dated:
            return ready
        return replace(ready, created=note.created or self._ts, updated=note.updated or self._ts)

    def _free(self, note_id: str) -> str:
        while not note_id or note_id in self._ids:
            note_id = f"MEM-{self._store.new_id()}"
        return note_id

    def _guard(self, path: str, text: str) -> None:
        """Raise GuardRefused for an item, its name included, of which nothing may be written; note what instructs."""
        for start, piece in ((0, path), *library.pieces(text)):
            for finding in guards.inspect({"": piece}):
                if guarding.is_refused(finding) or finding.guard in _DOUBTED:
                    raise GuardRefused(place=f"line {finding.line + start}", kind=guarding.kind(finding))
                if path not in self._plan.quarantined:
                    self._plan.quarantined.append(path)

    def _place(self, item: FoundDocument) -> str:
        """Return the file that a document becomes; nothing if it cannot be taken, which is told."""
        target = item.target
        if target.startswith(f"{Layer.CORE.folder}/") and self._by.channel not in (Channel.TERMINAL, Channel.WEB):
            self._plan.refused.append((item.path, say("import.core")))
            return ""
        if not is_portable(target) or (
            target.startswith(blob.FOLDER) and target != blob.file_of(fsio.digest(item.content))
        ):
            self._plan.refused.append((item.path, say("import.place")))
            return ""
        if self._is_free(target):
            return target
        if not target.startswith(("details/", ENTRY, formats.REFERENCES)):
            self._plan.refused.append((item.path, say("import.taken", file=target)))
            return ""
        inside = target.removeprefix("details/").removeprefix(f"{formats.REFERENCES}/")
        number = 1
        folder = "details/archive" if not target.startswith(formats.REFERENCES) else formats.REFERENCES
        while True:
            target = f"{folder}/{self._name}{f'-{number}' if number > 1 else ''}/{inside}"
            if self._is_free(target):
                return target
            number += 1

    def _is_free(self, file: str) -> bool:
        return file not in self._files and is_free(file, self._store.read(file))

    def _is_version(self, file: str, text: str) -> bool:
        """Whether a document of the bank and a text are one document at two times: most lines are the same."""
        there = set((decode(self._store.read(file) or b"") or "").splitlines())
        lines = [line for line in text.splitlines() if line.strip()]
        return sum(line in there for line in lines) * 2 > len(lines)

    def _ask_which(self, ready: Ready, note_id: str) -> None:
        """Ask about a note whose id another version in the bank bears."""
        near = {note_id: self._read(note_id)}
        self._plan.questions.append(_about(ready, Verdict.VETO, ("import.same_id",), near, (note_id,)))

    def _ask(self, ready: Ready, made: Decision, near: Mapping[str, Document]) -> None:
        superseded = made.superseded or (made.target,)
        self._plan.questions.append(_about(ready, made.verdict, made.reasons, near, superseded))

    def _ask_update(self, ready: Ready, file: str) -> None:
        """Ask whether a document that changed in its source replaces what it became here."""
        base = fsio.digest(self._store.read(file) or b"")
        change = Change("detail", (FileChange(file, base, (decode(ready.content) or ""), ""),))
        options: dict[str, Change | None] = {CONFIRM: change, CANCEL: None}
        about = (ready.path, ready.source, ready.digest, "detail", file)
        self._plan.questions.append(Asked(*about, "", ("import.changed",), options, {"": file}))


def is_free(file: str, content: bytes | None) -> bool:
    """Whether a document may be written where `content` stands: nothing does, or an entry document nobody wrote."""
    return content is None or (file == ENTRY and content.strip() in (b"", ENTRY_STUB.strip().encode()))


def _about(
    ready: Ready, decision: Verdict, reasons: tuple[str, ...], near: Mapping[str, Document], superseded: tuple[str, ...]
) -> Asked:
    """Return what is asked about a note: to merge it, or which of two to keep."""
    note = ready.note
    assert note is not None  # noqa: S101  only notes are compared
    put = FileChange(ready.file, None, ready.content.decode(), note.id)
    blobs = FileChange.blobs(ready.blobs)
    new = Change("new", (put, *blobs), note.id)
    olds = [near[each] for each in superseded]
    gone = tuple(map(FileChange.removal, olds))
    candidate = native.parse(ready.content, ready.file)
    options: dict[str, Change | None]
    if decision is Verdict.MERGE:
        grown = merging.merged(olds[0], candidate.note, ts=note.updated or note.created)
        supersedes = (*olds[0].note.supersedes, olds[0].note.id)[-MAX_SUPERSEDED:]
        stamp = {formats.IMPORTED: ledger.stamp(ready.source, ready.digest)}
        merged = native.parse(
            grown.with_fields(id=note.id, supersedes=supersedes, **stamp).render(),
            ready.file,
        )
        lost = merging.lost(olds[0].note, merged.note) + merging.lost(candidate.note, merged.note)
        whole = FileChange(ready.file, None, merged.render().decode(), note.id)
        options = {
            CONFIRM: Change("merge", (whole, *gone, *blobs), note.id, (olds[0].note.id,), lost),
            CANCEL: None,
            NEW_INSTEAD: new,
        }
    else:
        replacing = candidate.with_fields(supersedes=(*note.supersedes, *superseded)[-MAX_SUPERSEDED:])
        put_over = FileChange(ready.file, None, replacing.render().decode(), note.id)
        lost = tuple(f"{old.note.id} {each}" for old in olds for each in merging.lost(old.note, note))
        options = {
            TAKE_NEW: Change("replace", (put_over, *gone, *blobs), note.id, superseded, lost),
            KEEP_OLD: None,
            BOTH: new,
            CANCEL: None,
        }
    titles = {"": note.title, **{old.note.id: old.note.title for old in olds}}
    about = (ready.path, ready.source, ready.digest, str(decision), note.title)
    return Asked(*about, olds[0].note.id, reasons, options, titles)


def _bare(note: Note) -> Note:
    """Return a note without what says where it is and how it came here."""
    return replace(note, file="", layer=Layer.DECLARATIVE, origin=Origin.IMPORT, confirmed="")
