"""Keep a bank's index in step with its files; it can be deleted at any time and is made again."""

from __future__ import annotations

import atexit
import math
import sqlite3
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from tacit import fsio
from tacit.bank import documents, freshness, models, mounting
from tacit.bank.meanings import LoadedModels
from tacit.bank.trust import LetPass
from tacit.bank.wiring import is_busy, open_index, shared_index
from tacit.errors import NoteConflicted, TacitError, unwritable
from tacit.formats import core_document, native
from tacit.index.contract import QUARANTINED
from tacit.note import blob
from tacit.note.model import MAX_NOTE_BYTES
from tacit.store.layout import DETAILS, SHARE
from tacit.store.store import REST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tacit.audit.log import Position
    from tacit.bank.freshness import Differences
    from tacit.index.contract import Document, Index
    from tacit.store.store import Store

    Progress = Callable[[int, int], None]

_BATCH = 200
# Of the time of a new index with its vectors, reading the words takes about one part of so many.
_WORDS_SHARE = 20
_ALL = 1_000_000_000
# About how long one note may take in the background.
_EMBED_S = 1.0
# Between two full looks at the files at least this many times passes that the last look took.
_REST = 50.0
# Where a look takes longer, it is put off as long as the log says which files have changed.
_QUICK_S = 0.02


class _Signs(NamedTuple):
    """Where the log ends, when each folder was last changed, and what is mounted."""

    log: Position
    times: tuple[int, ...]
    mounts: tuple[object, ...]


class Reindexer:
    """The index of one bank with the models of this machine, caught up when it is asked."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._let_pass = LetPass(store)
        # How many contents that was when it was last looked at.
        self._passing = 0
        self._path: Path = store.layout.search_index
        self._folders = [store.layout.root / folder for folder in freshness.FOLDERS]
        self._inode = 0
        self._index: Index | None = None
        self._due = 0.0
        self._took_s = 0.0
        self._seen: _Signs | None = None
        # Where the store's own record of changes stood, and the stamp of what is mounted, at the last look.
        self._position = -1
        self._mounts = 0
        self._background: threading.Thread | None = None
        self._ending = False
        self._models_stamp = models.stamp()
        self.models = LoadedModels(models.installed())

    @property
    def index(self) -> Index:
        """The index, opened when first needed."""
        if self._index is None:
            self._index = shared_index(self._store.layout) or open_index(self._path)
            self._inode = _inode(self._path)
        return self._index

    def catch_up(self, *, force: bool = False, progress: Progress | None = None) -> None:
        """Bring the words of all changed files into the index; a damaged index is made anew.

        In a long-lived process the files are looked at only when something points at a change, or after a while: a
        look costs time in a large bank. `force` looks in any case, unless the kernel tells what has changed.
        """
        if self._index is not None and self._inode != _inode(self._path):
            self._index.close()  # somebody deleted the file: what is open is not what others see
            self._index = None
            self._forget()
        if self._models_stamp != models.stamp():
            self._models_stamp = models.stamp()
            self.models = LoadedModels(models.installed())
        signs = self._signs()
        if not force and signs == self._seen and time.monotonic() < self._due:
            return
        began = time.monotonic()
        position, changed = self._store.changes(self._position)
        told = None
        if began < self._due and changed is not None:
            told = freshness.differences_of(self._store.layout.root, changed)
        elif began < self._due and not force:
            told = self._told_by_the_log(signs)
        try:
            self._catch_up(progress, told)
        except sqlite3.DatabaseError as error:
            if is_busy(error):
                return  # another process brings it up to date; what it holds already can be asked
            self.discard()
            self._catch_up_anew(progress)
        self._seen, self._position = signs, position
        if told is None:
            self._took_s = time.monotonic() - began
            self._due = time.monotonic() + (_REST if changed is None else REST) * self._took_s

    def _forget(self) -> None:
        self._seen, self._position = None, -1

    def is_stale(self, file: str, digest: str) -> bool:
        """Whether a file is not what the index says it was made of."""
        try:
            content = self._store.read(file)
        except TacitError:
            return True
        return content is None or fsio.digest(content) != digest

    def discard(self) -> None:
        """Delete the index; it is made again when next needed."""
        if self._index is not None:
            self._index.close()
            self._index = None
        self._forget()
        shared = shared_index(self._store.layout)
        if shared is not None:
            shared.clear()
        try:
            for ending in ("", "-wal", "-shm"):
                fsio.remove(self._path.with_name(self._path.name + ending))
        except OSError:
            return

    def embed(
        self, limit: int, *, budget_s: float = math.inf, quickly: bool = False, progress: Progress | None = None
    ) -> int:
        """Make vectors that are missing, by each model of at most `limit` documents; return how many.

        It goes on for about so long, and loading the models takes nothing of that; the newest document gets its
        vectors in any case. With `quickly` only by models that nobody has to wait for.
        """
        made = 0
        batch_size = 1 if budget_s < math.inf else 8
        tasks = self.models.tasks().items()
        end = time.monotonic() + budget_s
        for model, latin in tasks:
            if quickly and not self.models.is_quick(model):
                continue
            identity = self.models.identity(model)
            read = 0
            while read < limit and (not read or time.monotonic() < end):
                batch = self.index.without_vectors(identity, min(batch_size, limit - read), latin=latin)
                if not batch:
                    break
                self.index.put_vectors(identity, {key: self.models.vectors(model, texts) for key, texts in batch})
                read += len(batch)
                made += len(batch)
                if progress is not None:
                    progress(made, limit)
        return made

    def complete(self, progress: Progress | None = None) -> None:
        """Bring the words of all files into the index and then all vectors; `progress` hears of both as one work."""
        tell = progress or (lambda _done, _total: None)
        share = _WORDS_SHARE if self.models.identities() else 1
        self.catch_up(force=True, progress=lambda done, total: tell(done, share * total))
        missing = sum(self.missing().values())
        self.embed(_ALL, progress=lambda made, _: tell(missing + (share - 1) * min(made, missing), share * missing))
        tell(1, 1)  # others may have made the rest

    def rebuild(self, progress: Progress | None = None) -> None:
        """Make the whole index anew; raise StoreUnwritable where its file cannot be written."""
        if shared_index(self._store.layout) is None:
            try:
                fsio.refuse_read_only(self._path.parent)
            except OSError as error:
                raise unwritable(error) from error
        self.discard()
        self.complete(progress)

    def missing(self) -> dict[str, int]:
        """Return how many vectors of each model are still to come; a model that has all of them is left out."""
        found = {
            self.models.identity(model): self.index.missing_vectors(self.models.identity(model), latin=latin)
            for model, latin in self.models.tasks().items()
        }
        return {identity: count for identity, count in found.items() if count}

    @property
    def backend(self) -> str:
        """What keeps the index: `sqlite`, a file; `postgres`, a database; `memory` where no file can be written."""
        if shared_index(self._store.layout) is not None:
            return "postgres"
        return "sqlite" if self._path.exists() else "memory"

    def lacks_vectors(self) -> bool:
        """Whether a document waits for a vector of any model."""
        tasks = self.models.tasks().items()
        return any(self.index.without_vectors(self.models.identity(model), 1, latin=latin) for model, latin in tasks)

    def embed_in_background(self) -> None:
        """Let the missing vectors follow while the process goes on; one thread at a time, ending when all are there."""
        if self._background is not None and self._background.is_alive():
            return
        if self._background is None:
            atexit.register(self._end_background)
        self._background = threading.Thread(target=self._follow, daemon=True, name="tacit-vectors")
        self._background.start()

    def _end_background(self) -> None:
        """Wait for the thread, which ends after the note it reads: a model must not be at work while Python ends."""
        self._ending = True
        if self._background is not None:
            self._background.join()

    def _follow(self) -> None:
        helper = Reindexer(self._store)
        helper.models = self.models
        try:
            while not self._ending and helper.embed(1, budget_s=_EMBED_S):
                time.sleep(0)
        except (sqlite3.DatabaseError, TacitError, OSError):
            return  # whoever asks next begins again
        finally:
            if helper._index is not None:
                helper._index.close()

    def _signs(self) -> _Signs:
        """Return what a change of files nearly always changes, and what costs nothing to look at."""
        times = []
        for folder in self._folders:
            try:
                times.append(folder.stat().st_mtime_ns)
            except OSError:
                times.append(0)
        return _Signs(self._store.log.position(), tuple(times), mounting.signs(self._store))

    def _told_by_the_log(self, signs: _Signs) -> Differences | None:
        """Return what the log says of changes in a bank where a look takes long; None if it does not explain them."""
        if self._seen is None or self._took_s < _QUICK_S:
            return None
        files = self._store.log.files_since(self._seen.log)
        explained = {file.rpartition("/")[0] for file in files}
        moved = zip(freshness.FOLDERS, self._seen.times, signs.times, strict=True)
        if any(before != now and folder not in explained for folder, before, now in moved):
            return None
        return freshness.differences_of(self._store.layout.root, files)

    def _catch_up_anew(self, progress: Progress | None) -> None:
        """Make the index again, in memory if the disk does not take it."""
        try:
            self._catch_up(progress, None)
        except sqlite3.DatabaseError:
            self.discard()
            self._index = open_index(None)
            self._catch_up(progress, None)

    def _catch_up(self, progress: Progress | None, told: Differences | None) -> None:
        root = self._store.layout.root
        if self._forget_let_pass() or told is None:
            stamps = self.index.stamps()
            self._mounts = stamps.get(freshness.MOUNTS, 0)
            found = freshness.differences(root, stamps)
        else:
            found = told
        self._take_in_mounts()
        # What is committed and not yet in place has no stamp of its own.
        for journal in self._store.unfinished():
            found.changed |= dict.fromkeys((change.path for change in journal.changes), freshness.UNSETTLED)
        found.changed = {file: found.changed[file] for file in freshness.findable(found.changed)}
        if found.gone:
            self.index.update([], self._keys_of(found.gone), dict.fromkeys(found.gone))
        files = list(found.changed)
        for start in range(0, len(files), _BATCH):
            self._take_in({file: found.changed[file] for file in files[start : start + _BATCH]})
            if progress is not None:
                progress(min(start + _BATCH, len(files)), len(files))
        self.index.drop_older(self.models.identities())

    def _forget_let_pass(self) -> bool:
        """Forget the documents that were set apart and that a person has let pass since, so that they are made anew."""
        files = self._let_pass.files()
        if len(files) == self._passing:
            return False
        found = self.index.find(set(files.values()))
        stale = [key for key, each in found.items() if each.status == QUARANTINED and each.digest in files]
        self.index.update([], stale, dict.fromkeys(stale))
        self._passing = len(files)
        return bool(stale)

    def _take_in_mounts(self) -> None:
        """Bring what is mounted into the index, if it is not as it was."""
        now = mounting.stamp(self._store)
        if now != self._mounts:
            made, stale = mounting.changes(self._store, self.index.known())
            self.index.update(made, stale, {freshness.MOUNTS: now or None})
            self._mounts = now

    def _take_in(self, stamps: dict[str, int]) -> None:
        """Bring the words of some files into the index, those that have changed indeed."""
        from tacit.bank import library  # dear to load, and needed where something has changed

        known = self._digests(stamps)
        made: list[Document] = []
        stale: list[str] = []
        for file in stamps:
            is_secret = library.is_secret_detail(file)
            content = None if is_secret else self._content(file)
            digest = "" if content is None else fsio.digest(content)
            if known.get(file) == digest:
                continue
            those = [] if content is None else self._documents(file, content, digest)
            if not those and not is_secret:
                # Broken, or gone in this moment: read again at the next look.
                stamps[file] = freshness.UNSETTLED
            if not those or file.startswith(DETAILS):
                stale += self._keys_of([file])
            made += those
        if made or stale or any(stamps.values()):  # otherwise all is as it was, and read again at the next look
            self.index.update(made, stale, stamps)

    def _content(self, file: str) -> bytes | None:
        """Return what a file holds that recall can use; None if it is broken, too large or gone."""
        path = self._store.layout.root / file
        is_detail = file.startswith(DETAILS)
        limit = documents.MAX_DETAIL_BYTES if is_detail else MAX_NOTE_BYTES
        try:
            if _size(path) > limit:
                return None
            return (fsio.read(path, limit=limit) if is_detail else self._store.read(file)) or None
        except (TacitError, OSError):
            return None

    def _documents(self, file: str, content: bytes, digest: str) -> list[Document]:
        text = content.decode("utf-8", "replace")
        if file.startswith(DETAILS):
            try:
                core_document.refuse_conflict(core_document.unify_line_ends(text), file)
            except NoteConflicted:
                return []
            made = documents.of_detail(text, file, digest)
        else:
            try:
                origin = SHARE if file.startswith(f"{SHARE}/") else "project"
                note = native.parse(content, file).note
                made = [documents.of_note(note, digest, origin=origin, whole=self._whole)]
            except TacitError:
                return []
        return list(map(documents.set_apart, made)) if made and self._let_pass.objections(content) else made

    def _whole(self, text: str) -> str:
        """Return a text with its blobs put back; one that cannot be read stays a pointer."""
        from tacit.bank.layered import read_blob

        try:
            return blob.put_back(text, partial(read_blob, self._store))
        except (TacitError, OSError):
            return text

    def _digests(self, files: Iterable[str]) -> dict[str, str]:
        """Return file → of which content its documents were made."""
        wanted = set(files)
        if not any(file.startswith(DETAILS) for file in wanted):
            return {key: found.digest for key, found in self.index.find(wanted).items()}
        return {
            freshness.file_of(key): digest
            for key, digest in self.index.known().items()
            if freshness.file_of(key) in wanted
        }

    def _keys_of(self, files: Iterable[str]) -> list[str]:
        """Return the documents made of these files; only details are more than one, so only for them all are read."""
        wanted = set(files)
        if not any(file.startswith(DETAILS) for file in wanted):
            return list(wanted)
        return [key for key in self.index.known() if freshness.file_of(key) in wanted]


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except FileNotFoundError:
        return 0  # committed and not yet in place


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0
