"""Writing a bank out in another format: what it carries, what it cannot, and never over a file unasked."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.bank import layered as layers
from tacit.bank import library
from tacit.errors import ForeignRefused, SymlinkRefused, TacitError, unwritable
from tacit.formats import episode, found, layered, lingxi, memory_bank, native
from tacit.formats.core_document import find_headings
from tacit.messages import say
from tacit.note.model import Audience, Layer, Status
from tacit.store.layout import DETAILS, ENTRY

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tacit.bank.part import Whole
    from tacit.formats.native import Document
    from tacit.store.store import Store

FORMATS = (lingxi.NAME, layered.NAME, memory_bank.NAME)


_QUOTED = re.compile(r""""[^"\n]*"|'[^'\n]*'""")
_COMMENT = re.compile(r"(?m)(?:^|[ \t])#")


@dataclass(slots=True)
class Export:
    """The files of an export and where they go; what the format cannot carry, what is left out, and what differs."""

    format: str
    folder: Path
    files: Mapping[str, bytes] = field(default_factory=dict)
    notes: int = 0
    lost: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)


class Exporter:
    """Writes one bank out; the bank itself is only read."""

    def __init__(self, bank: Whole, store: Store) -> None:
        self._bank = bank
        self._store = store

    def plan(self, name: str, folder: Path, *, personal: bool = False, local: bool = False) -> Export:
        """Return what exporting to `folder` would write; personal notes and those marked `local` only if so said."""
        export = Export(name, folder.absolute())
        if self._store.layout.root in (export.folder, *export.folder.parents):
            raise ForeignRefused(path=str(folder), reason=say("foreign.itself"), fix=say("foreign.itself.fix"))
        self._bank.notes()  # refuses where the state is OFF
        documents = self._notes(export, personal=personal, local=local)
        export.notes = len(documents)
        seen = [file for file in self._store.look().seen if file.startswith(Layer.CORE.folder)]
        core = {file.rpartition("/")[2]: self._store.read(file) or b"" for file in sorted(seen)}
        named = library.files(self._store)
        pages = {file: content for file in (ENTRY, *named) if (content := self._store.read(file))}
        episodes = self._episodes()
        carried = [(each.note, *found.split(each)) for each in documents]
        if name == lingxi.NAME:
            export.files = lingxi.write(carried)
            self._tell(export, core=len(core), documents=len(pages), episodes=len(episodes))
        elif name == layered.NAME:
            export.files = layered.write(carried, core, episodes)
            self._tell(export, documents=len(pages))
        else:
            export.files = memory_bank.write(documents, pages)
            self._tell(export, core=len(core), episodes=len(episodes))
        if name != memory_bank.NAME:
            self._tell(export, preface=sum(map(_has_more, documents)), comments=sum(map(_has_comments, documents)))
        details = (self._store.layout.root / DETAILS).rglob("[!.]*")
        files = sum(path.is_file() for path in details) - len(named)
        long = sum(b"mem://blobs/" in each.render() for each in documents)
        self._tell(export, files=files, long=long)
        export.lost.append(say("export.lost.confirmed"))
        export.differing = [file for file, content in export.files.items() if _differs(export.folder / file, content)]
        return export

    def write(self, export: Export, *, overwrite: bool = False) -> Export:
        """Write an export; raise ForeignRefused if files would be replaced and nobody said that they may be."""
        if export.differing and not overwrite:
            files = ", ".join(export.differing[:5])
            reason, fix = say("export.taken", files=files), say("export.taken.fix")
            raise ForeignRefused(path=str(export.folder), reason=reason, fix=fix)
        for file in export.files:
            _refuse_links(export.folder, export.folder / file)
        try:
            for file, content in sorted(export.files.items()):
                path = export.folder / file
                fsio.make_directory(path.parent)
                if path.is_symlink() or fsio.read(path) != content:
                    fsio.replace(path, content, sync=False)
                    export.written.append(file)
        except OSError as error:
            raise unwritable(error) from error
        return export

    def _notes(self, export: Export, *, personal: bool, local: bool) -> list[Document]:
        """Return the notes that may leave the bank, their long pieces in place."""
        now = self._store.look()
        kept: list[Document] = []
        hidden = {"personal": 0, "local": 0, "broken": len(now.broken)}
        for file in sorted(now.winners().values()):
            if file.startswith(Layer.CORE.folder):
                continue
            try:
                document = native.parse(self._store.read(file) or b"", file)
            except TacitError:
                hidden["broken"] += 1
                continue
            if document.note.audience is Audience.PERSONAL and not personal:
                hidden["personal"] += 1
            elif document.note.status is Status.LOCAL and not local:
                hidden["local"] += 1
            else:
                kept.append(layers.expanded(self._store, document))
        export.left_out += [say(f"export.left.{name}", count=count) for name, count in hidden.items() if count]
        return kept

    def _episodes(self) -> list[episode.Episode]:
        kept = []
        for path in sorted((self._store.layout.root / Layer.EPISODIC.folder).glob("EP-*.md")):
            file = f"{Layer.EPISODIC.folder}/{path.name}"
            try:
                self._store.layout.place(file)
                kept.append(episode.parse(self._store.read(file) or b"", file))
            except TacitError:
                continue  # `check` reports it
        return kept

    @staticmethod
    def _tell(export: Export, **counts: int) -> None:
        export.lost += [say(f"export.lost.{name}", count=count) for name, count in counts.items() if count]


def _has_more(document: Document) -> bool:
    """Whether something stands in a note outside of its sections: before them, or below a heading of level 1."""
    body = document.body.lstrip()
    headings, _ = find_headings(f"\n{body}")
    return not body.startswith("## ") or any(heading.level == 1 for heading in headings)


def _has_comments(document: Document) -> bool:
    return bool(_COMMENT.search(_QUOTED.sub("", document.front)))


def _differs(path: Path, content: bytes) -> bool:
    """Whether something else stands where a file would be written; a link counts as something else."""
    try:
        there = fsio.read(path)
    except (TacitError, OSError):
        return True
    return there is not None and there != content


def _refuse_links(folder: Path, path: Path) -> None:
    """Raise SymlinkRefused if a folder on the way from the export's folder to a file is a link that leads elsewhere."""
    for parent in path.parents:
        if parent == folder:
            return
        if parent.is_symlink():
            raise SymlinkRefused(file=str(parent))
