"""Purging: a note destroyed for a leak, with every private copy of what it said."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple, cast

from tacit import fsio
from tacit.audit.record import Event, Record
from tacit.bank import proposals, sessions, wiring
from tacit.errors import NoteNotFound, TacitError
from tacit.formats import native
from tacit.formats.tacit_bank import PRIVATE
from tacit.note import blob
from tacit.note.model import Layer, check_id
from tacit.store import episodes, journal, trash
from tacit.store.layout import ENTRY, INDEX, READ_FOLDERS
from tacit.text import width

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.bank.values import By
    from tacit.store.journal import Change
    from tacit.store.scan import Scan
    from tacit.store.store import Store

# A sentence counts as quoted from so many columns on; shorter ones stand in many texts. A character of CJK takes two.
_LEAST_COLUMNS = 12
# Code is written alike in many notes: of a blob only longer lines are known again.
_LEAST_CODE_COLUMNS = 40
_SECTION = re.compile(rf" {{0,3}}#{{1,3}}[ \t]+(?:{'|'.join(native.SECTIONS)})\b", re.IGNORECASE)
_FIELD = re.compile(rf"(?:{'|'.join(native.KEYS)}):")
_POINTER = re.compile(r"mem://\S+|\bMEM-[A-Za-z0-9_-]+")
# A word that could be a password: for one of them a conversation goes, which is kept for days alone.
_TELLING = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])\S{6,}")
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])")
_EDGES = " \t-*>#|`\"'“”‘’.。…!！?？,，;；:："
# White space beside a letter of CJK comes and goes with line breaks.
_LOOSE = re.compile(r"(?<=[^\x00-\x7f])\s+|\s+(?=[^\x00-\x7f])")
_JSON_ESCAPES = re.compile(r'(?:\\u[0-9a-fA-F]{4})+|\\["\\/bfnrt]')
# Where documents stand that people read and change.
_READ = (*READ_FOLDERS, Layer.EPISODIC.folder)
_INDEX_ENDINGS = ("", "-wal", "-shm", "-journal")


class Traces(NamedTuple):
    """What a purge is about.

    `file` and `parts` go: the note's file and every private copy of its content. Of `others`, ids or files, a removed
    or earlier version is among them. `paths` are those under which git may have what goes, the lists of titles too;
    the files in `left` stay and quote the note.
    """

    file: str
    parts: list[str]
    others: list[str]
    paths: list[str]
    left: list[str]


class _Found(NamedTuple):
    """What goes: `parts` whole, `copies` among them of something else, and running tasks as they are without it."""

    leak: _Leak
    parts: list[str]
    copies: list[str]
    tasks: dict[str, bytes]


class _Leak(NamedTuple):
    """What a note is known by: its id, its file, and the sentences and telling words of all its versions."""

    note_id: str
    file: str
    named: re.Pattern[bytes]
    sentences: set[str]
    telling: set[str]

    def quoted(self, text: str) -> set[str]:
        """Return the sentences of the note that stand in a plain text."""
        return {each for each in self.sentences if _says(text, each)}


def traces(store: Store, note_id: str) -> Traces:
    """Return what a purge of a note, present or removed, would destroy, and what it would leave."""
    leak, parts, copies, _ = _find(store, note_id)
    others = _changes(store, copies)
    names = [change.note_id or change.path for change in others]
    paths = _paths(store, leak, parts, others)
    return Traces(leak.file, parts, list(dict.fromkeys(names)), paths, _left(store, leak, parts))


def purge(store: Store, note_id: str, by: By) -> tuple[str, list[str]]:
    """Destroy a note with every private copy; the audit line says that it happened, not what it said.

    A task that is running loses what it has loaded and noted of the note, and goes on with the rest.
    """
    with store.writing("purge") as transaction:
        leak, parts, _, tasks = _find(store, note_id)
        file = leak.file
        cache = store.layout.scan_cache
        index = store.layout.search_index
        derived = [cache, *cache.parent.glob(f".{cache.name}.*.tmp")]  # and what a kill left of its making
        for path in (*derived, *(index.with_name(index.name + ending) for ending in _INDEX_ENDINGS)):
            transaction.destroy(path.relative_to(store.layout.root).as_posix())
        shared = wiring.shared_index(store.layout, to_forget=True)
        if shared is not None:
            shared.clear()
        for name in parts:
            transaction.destroy(name)
        for name, content in tasks.items():
            transaction.put(name, content, keep=False)
        if file:
            transaction.read(file)
            transaction.destroy(file)
        transaction.record(
            Record(event=Event.NOTE_PURGED, operation="purge", note_id=note_id, file=file, channel=by.channel)
        )
        transaction.commit()
        store.forget()
    return file, parts


def _find(store: Store, note_id: str) -> _Found:
    from tacit.bank import layered  # brings the guards along, which undo does not need

    check_id(note_id)
    now = store.look()
    file = now.winners().get(note_id, "")
    if not file:
        # A note that cannot be read may still leak: its file is known by its name.
        file = next((broken for broken in now.broken if broken.endswith(f"/{note_id}.md")), "")
    parts = trash.parts_of(store.layout, note_id, file)
    parts += [other for other, seen in now.seen.items() if seen.id == note_id and other != file]
    versions = _versions(store, file, parts)
    leak = _Leak(note_id, file, trash.mention_of(note_id), _sentences(store, versions), _telling(versions))
    parts += _drafts(store, leak)
    parts += proposals.mentioning(store, leak.named)
    parts += _sessions(store, leak)
    parts += layered.traces(store, note_id, file)
    parts += _blobs(store, now, leak, versions)
    copies = _copies(store, now, leak, parts)
    tasks = layered.cleaned(
        store, note_id, lambda text: bool(leak.named.search(text.encode()) or leak.quoted(_plain(text)))
    )
    if not file and not parts and not copies and not tasks:
        raise NoteNotFound(id=note_id, nearest="")
    return _Found(leak, list(dict.fromkeys((*parts, *copies))), copies, tasks)


# ── What the note said ────────────────────────────────────────────────────────────────────────────────────────────────


def _versions(store: Store, file: str, parts: list[str]) -> list[str]:
    """Return what each version of a note says: the present one, its doubles, those in the trash and in conflicts."""
    # A part of a damaged transaction may be another note, which only names this one.
    names = [part for part in parts if not part.startswith("conflicts/damaged-")]
    contents = [fsio.read(store.layout.root / name) for name in names]
    contents.append(store.read(file) if file else None)
    return [_words(content) for content in contents if content]


def _words(content: bytes) -> str:
    """Return the title and the body of a note, without names of sections and pointers; the body if it is damaged."""
    try:
        document = native.parse(content)
        title, body, left_out = document.note.title, document.body, document.note.pointers.splitlines()
    except TacitError:
        text = content.decode("utf-8", "replace")
        title, body = "", text.partition("\n---")[2] or text
        left_out = [line for line in body.splitlines() if _FIELD.match(line)]
    lines = [line for line in body.splitlines() if line not in left_out and not _SECTION.match(line)]
    return "\n".join((title, *lines))


def _sentences(store: Store, versions: list[str]) -> set[str]:
    """Return the sentences that a note says in any of its versions, and the longer lines of its blobs."""
    from tacit.bank import layered

    found: set[str] = set()
    for words in versions:
        found |= _long_enough(words, _LEAST_COLUMNS)
        for digest in blob.mentioned(words):
            found |= _long_enough(layered.read_blob(store, digest) or "", _LEAST_CODE_COLUMNS)
    return found


def _telling(versions: list[str]) -> set[str]:
    """Return the words with letters and digits that a note says in any of its versions, in plain spelling."""
    found = (word.strip(_EDGES) for words in versions for word in _TELLING.findall(_POINTER.sub(" ", words)))
    return {_plain(word) for word in found if _TELLING.fullmatch(word)}


def _long_enough(text: str, least: int) -> set[str]:
    """Return the sentences of a text that can be known again, in plain spelling; of a line of short ones the line."""
    found: set[str] = set()
    for stretch in (each for line in text.splitlines() for each in _POINTER.split(line)):
        for pieces in (_SENTENCE_END.split(stretch), [stretch]):
            if long := [piece for piece in (each.strip(_EDGES) for each in pieces) if width(piece) >= least]:
                found.update(map(_plain, long))
                break
    return found


# ── The same words in another text ────────────────────────────────────────────────────────────────────────────────────


def _plain(text: str) -> str:
    """Return a text without what differs between two that say the same: its case and how its lines are broken."""
    return " ".join(_LOOSE.sub("", text).casefold().split())


def _said(content: bytes) -> str:
    """Return what a file says in plain spelling: as it stands there, and as JSON if it is some, whole or damaged."""
    text = content.decode("utf-8", "replace")
    read = _JSON_ESCAPES.sub(lambda match: str(json.loads(f'"{match[0]}"')), text)
    return _plain(text) if read == text else f"{_plain(text)}\n{_plain(read)}"


def _says(text: str, sentence: str) -> bool:
    """Whether a plain text holds a plain sentence, and not only within longer words or numbers."""
    start = text.find(sentence)
    while start >= 0:
        end = start + len(sentence)
        if not _runs_on(text[max(start - 1, 0) : start + 1]) and not _runs_on(text[end - 1 : end + 1]):
            return True
        start = text.find(sentence, start + 1)
    return False


def _runs_on(pair: str) -> bool:
    """Whether two neighbouring characters belong to one word of Latin letters or to one number."""
    return len(pair) > 1 and pair.isascii() and pair.isalnum()


# ── Where else it stands ──────────────────────────────────────────────────────────────────────────────────────────────


def _drafts(store: Store, leak: _Leak) -> list[str]:
    """Return the texts that were kept because an edit of the note could not be saved."""
    draft = re.compile(rf"{leak.note_id}(-\d+)?\.\w+")
    return [
        _name(store, path)
        for path in _files(store.layout.local / "edit")
        if draft.fullmatch(path.name) or leak.named.search(fsio.read(path) or b"")
    ]


def _sessions(store: Store, leak: _Leak) -> list[str]:
    """Return what is kept of conversations that named the note, quote a sentence of it or hold a telling word."""
    found = []
    for path in sessions.files(store):
        content = fsio.read(path) or b""
        said = _said(content)
        if leak.named.search(content) or leak.quoted(said) or any(_says(said, each) for each in leak.telling):
            found.append(_name(store, path))
    return found


def _blobs(store: Store, now: Scan, leak: _Leak, versions: list[str]) -> list[str]:
    """Return the long pieces of any version of the note that no other note points to."""
    digests = {digest for words in versions for digest in blob.mentioned(words)}
    there = {each for each in digests if (store.layout.root / blob.file_of(each)).exists()}
    for text in _others(store, now, leak) if there else ():
        there -= {each for each in there if each in text}
    return [blob.file_of(digest) for digest in sorted(there)]


def _copies(store: Store, now: Scan, leak: _Leak, going: list[str]) -> list[str]:
    """Return the private texts about something else that quote the note: questions, drafts, what was taken out.

    What a note that stays says too is no sign of this one: for such a sentence alone nothing goes.
    """
    quoted: dict[str, set[str]] = {}
    for path in _private(store):
        name = _name(store, path)
        if name not in going and (found := leak.quoted(_said(fsio.read(path) or b""))):
            quoted[name] = found
    telling: set[str] = set().union(*quoted.values())
    for text in _others(store, now, leak) if telling else ():
        telling -= {each for each in telling if _says(text, each)}
    return [name for name, found in quoted.items() if found & telling]


def _private(store: Store) -> list[Path]:
    """Return the files in which the words of notes are kept out of sight, whatever they are about."""
    layout = store.layout
    found = [path for folder in (layout.trash, layout.conflicts) for path in _files(folder)]
    found += [
        path for path in _files(layout.staging) if not path.relative_to(layout.staging).parts[0].startswith("tx-")
    ]
    found += _files(layout.local / "edit")
    found += [path for path in sorted(layout.local.glob("*failures.log*")) if path.is_file()]
    return [path for path in found if path.name != journal.NAME]


def _left(store: Store, leak: _Leak, going: list[str]) -> list[str]:
    """Return the documents of the bank that stay and quote the note: they are for people to change."""
    root = store.layout.root
    paths = [root / ENTRY, *(path for folder in _READ for path in _files(root / folder) if path.suffix == ".md")]
    names = [_name(store, path) for path in paths if path.name != INDEX]
    staying = [name for name in names if name not in (leak.file, *going)]
    return [name for name in staying if leak.quoted(_said(fsio.read(root / name) or b""))]


# ── What git may have ─────────────────────────────────────────────────────────────────────────────────────────────────


def _changes(store: Store, copies: list[str]) -> list[Change]:
    """Return the changes that took out what stands among these files of the trash."""
    return [
        change
        for kept in trash.newest_first(store.layout)
        for change in kept.journal.changes
        if f".trash/{kept.directory.name}/{change.staged}" in copies
    ]


def _paths(store: Store, leak: _Leak, parts: list[str], others: list[Change]) -> list[str]:
    """Return every path under which git may have what goes, without those where something else stands by now."""
    ids = dict.fromkeys((leak.note_id, *(change.note_id for change in others if change.note_id)))
    names = [leak.file, *(name for each in ids for name in _logged(store, each)), *parts]
    names += [change.path for change in others]
    shared = [name for name in dict.fromkeys(names) if name and not name.startswith((".", *PRIVATE))]
    gone = [n for n in shared if n in (leak.file, *parts) or not (store.layout.root / n).exists()]
    lists = [INDEX, *([episodes.INDEX] if any(name.startswith(episodes.FOLDER) for name in gone) else [])]
    return [*gone, *lists]


def _logged(store: Store, note_id: str) -> Iterator[str]:
    """Yield the paths that a note has had, as the log tells."""
    for line in store.log.entries(mention=note_id.encode()):
        if line.get("note_id") == note_id:
            yield str(line.get("file", ""))
            if line.get("operation") == "move":
                yield from map(str, cast("list[object]", line.get("also", [])))


def _others(store: Store, now: Scan, leak: _Leak) -> Iterator[str]:
    """Yield in plain spelling what the notes that stay say."""
    for file, seen in now.seen.items():
        if file != leak.file and seen.id != leak.note_id:
            yield _said(store.read(file) or b"")


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]


def _name(store: Store, path: Path) -> str:
    return path.relative_to(store.layout.root).as_posix()
