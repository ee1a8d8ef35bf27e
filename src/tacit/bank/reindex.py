"""Keep a bank's index in step with its files; it can be deleted at any time and is made again."""

from __future__ import annotations

import math
import sqlite3
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.bank import documents, guarding, models, mounting
from tacit.bank.meanings import LoadedModels
from tacit.bank.wiring import is_busy, open_index
from tacit.errors import TacitError
from tacit.formats import native
from tacit.index.contract import QUARANTINED
from tacit.note.model import Layer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tacit.index.contract import Document, Index
    from tacit.store.scan import Scan
    from tacit.store.store import Store

    Progress = Callable[[int, int], None]

_BATCH = 200
# Between two full looks at the files at least this many times passes that the last look took.
_REST = 50.0
_DETAILS = "details"
_MAX_DETAIL_BYTES = 512 * 1024


class Reindexer:
    """The index of one bank with the models of this machine, caught up when it is asked."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._path: Path = store.layout.search_index
        self._inode = 0
        self._index: Index | None = None
        self._due = 0.0
        self._seen: tuple[object, ...] = ()
        self._background: threading.Thread | None = None
        self.models = LoadedModels(models.installed())

    @property
    def index(self) -> Index:
        """The index, opened when first needed."""
        if self._index is None:
            self._index = open_index(self._path)
            self._inode = _inode(self._path)
        return self._index

    def catch_up(self, *, force: bool = False, progress: Progress | None = None) -> None:
        """Bring the words of all changed files into the index; a damaged index is made anew.

        In a long-lived process the files are looked at only when something points at a change, or after a while: a
        look costs time in a large bank. `force` looks in any case.
        """
        if self._index is not None and self._inode != _inode(self._path):
            self._index.close()  # somebody deleted the file: what is open is not what others see
            self._index = None
            self._seen = ()
        signs = self._signs()
        if not force and signs == self._seen and time.monotonic() < self._due:
            return
        began = time.monotonic()
        try:
            self._catch_up(progress)
        except sqlite3.DatabaseError as error:
            if is_busy(error):
                return  # another process brings it up to date; what it holds already can be asked
            self.discard()
            self._catch_up_anew(progress)
        self._seen = signs
        self._due = time.monotonic() + _REST * (time.monotonic() - began)

    def discard(self) -> None:
        """Delete the index; it is made again when next needed."""
        if self._index is not None:
            self._index.close()
            self._index = None
        self._seen = ()
        try:
            for ending in ("", "-wal", "-shm"):
                fsio.remove(self._path.with_name(self._path.name + ending))
        except OSError:
            return

    def embed(self, limit: int, *, budget_s: float = math.inf, progress: Progress | None = None) -> int:
        """Make vectors that are missing, of at most `limit` documents and for about so long; return how many."""
        made = 0
        end = time.monotonic() + budget_s
        batch_size = 1 if budget_s < math.inf else 8
        for model, latin in self.models.tasks().items():
            identity = self.models.identity(model)
            while made < limit and time.monotonic() < end:
                batch = self.index.without_vectors(identity, min(batch_size, limit - made), latin=latin)
                if not batch:
                    break
                self.index.put_vectors(identity, {key: self.models.vectors(model, texts) for key, texts in batch})
                made += len(batch)
                if progress is not None:
                    progress(made, limit)
        return made

    def embed_in_background(self) -> None:
        """Let the missing vectors follow while the process goes on; one thread at a time, ending when all are there."""
        if self._background is not None and self._background.is_alive():
            return
        self._background = threading.Thread(target=self._follow, daemon=True, name="tacit-vectors")
        self._background.start()

    def _follow(self) -> None:
        helper = Reindexer(self._store)
        helper.models = self.models
        try:
            while helper.embed(16):
                time.sleep(0)
        except (sqlite3.DatabaseError, TacitError, OSError):
            return  # whoever asks next begins again
        finally:
            if helper._index is not None:
                helper._index.close()

    def _signs(self) -> tuple[object, ...]:
        """Return what a change of files nearly always changes, and what costs nothing to look at."""
        marks: list[object] = [self._store.log.position()]
        for folder in (Layer.DECLARATIVE.folder, Layer.PROCEDURAL.folder, _DETAILS):
            try:
                marks.append((self._store.layout.root / folder).stat().st_mtime_ns)
            except OSError:
                marks.append(0)
        return (*marks, *mounting.signs(self._store))

    def _catch_up_anew(self, progress: Progress | None) -> None:
        """Make the index again, in memory if the disk does not take it."""
        try:
            self._catch_up(progress)
        except sqlite3.DatabaseError:
            self.discard()
            self._index = open_index(None)
            self._catch_up(progress)

    def _catch_up(self, progress: Progress | None) -> None:
        everything = self.index.known()
        now = self._store.look()
        foreign, stale_foreign = mounting.changes(self._store, everything, now.winners())
        if foreign or stale_foreign:
            self.index.update(foreign, stale_foreign)
        known = {key: digest for key, digest in everything.items() if not mounting.is_foreign(key)}
        wanted = {file: seen.digest for file, seen in now.seen.items() if not file.startswith(Layer.CORE.folder)}
        details = self._details()
        wanted_details = {file: digest for file, (digest, _) in details.items()}
        have = {_file_of(key): digest for key, digest in known.items()}
        changed = [file for file, digest in wanted.items() if have.get(file) != digest]
        changed_details = [file for file, digest in wanted_details.items() if have.get(file) != digest]
        files = {*wanted, *wanted_details}
        gone = [key for key in known if _file_of(key) not in files]
        changed_sections = set(changed_details)
        stale = [key for key in known if _file_of(key) in changed_sections]
        made: list[Document] = [
            document for file in changed_details for document in self._sections(file, *details[file])
        ]
        if gone or stale or made:
            self.index.update(made, [*gone, *stale])
        for start in range(0, len(changed), _BATCH):
            self.index.update(self._notes(changed[start : start + _BATCH], now), [])
            if progress is not None:
                progress(min(start + _BATCH, len(changed)), len(changed))
        self.index.drop_vectors(self.models.identities())

    def _notes(self, files: Iterable[str], now: Scan) -> list[Document]:
        found = []
        for file in files:
            try:
                content = self._store.read(file) or b""
                note, text = native.parse(content, file).note, content.decode("utf-8", "replace")
            except TacitError:
                continue  # it changed since the look; the next one sees it
            document = documents.of_note(note, now.seen[file].digest)
            found.append(_set_apart(document) if guarding.objections(text) else document)
        return found

    @staticmethod
    def _sections(file: str, digest: str, text: str) -> list[Document]:
        made = documents.of_detail(text, file, digest)
        return list(map(_set_apart, made)) if guarding.objections(text) else made

    def _details(self) -> dict[str, tuple[str, str]]:
        """Return file → digest and text of every document in details/."""
        found: dict[str, tuple[str, str]] = {}
        root = self._store.layout.root
        for path in sorted((root / _DETAILS).rglob("*.md")):
            try:
                content = fsio.read(path, limit=_MAX_DETAIL_BYTES)
            except (TacitError, OSError):
                continue
            if content and len(content) <= _MAX_DETAIL_BYTES:
                file = path.relative_to(root).as_posix()
                found[file] = (fsio.digest(content), content.decode("utf-8", "replace"))
        return found


def _set_apart(document: Document) -> Document:
    """Return a document that a guard objects to, marked so that recall passes over it."""
    return document if document.status == "archive" else replace(document, status=QUARANTINED)


def _file_of(key: str) -> str:
    """Return the file that a document was made of; only sections of details have more than it in their key."""
    return key.rpartition("#")[0] if key.startswith(f"{_DETAILS}/") else key


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0
