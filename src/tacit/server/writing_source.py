"""The files of a bank at the commit that was pushed: from its clone, or as the database keeps them."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from tacit import fsio
from tacit.bank import guarding, hosted
from tacit.errors import TacitError
from tacit.server.visit import Refused
from tacit.server.writing_bank import held
from tacit.server.writing_git import clone_of
from tacit.store.layout import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path
    from uuid import UUID

    from tacit.bank.wiring import Hosting
    from tacit.server.visit import Visit
    from tacit.server.writing_git import Clone


_MOST_KEPT = 8


class Files(NamedTuple):
    """What is in a bank; `inside` is its folder in the clone, where there is one."""

    contents: Mapping[str, bytes]
    clone: Clone | None
    inside: str = ""


class Source:
    """The files of all banks; `clones` is the folder with their clones, if there is one.

    Those of the banks that were asked for last are kept, each as they are at one commit or, without a clone, at one
    state of the database: neither is ever another's.
    """

    def __init__(self, hosting: Hosting, clones: Path | None) -> None:
        self._hosting = hosting
        self._clones = clones
        self._lock = Lock()
        self._kept: dict[UUID, tuple[str | UUID, Files]] = {}

    def clone(self, visit: Visit) -> Clone | None:
        """Return the clone of a bank, if one is configured."""
        return clone_of(self._clones, visit.organisation, visit.name)

    def files(self, visit: Visit) -> Files:
        """Return the files of a bank at the commit that was pushed; raise Refused if they are not all here."""
        bank, clone = visit.found(), self.clone(visit)
        now = visit.commit if clone else visit.seen.state if visit.seen else None
        with self._lock:
            revision, files = self._kept.pop(bank, ("", None))
            if files is not None and revision == now:
                self._kept[bank] = (revision, files)  # the last one now
                return files
        if clone is not None:
            inside, found = clone.files(visit.commit)
            return self._keep(bank, visit.commit, Files(found, clone, inside))
        return self._pushed(bank)

    def _pushed(self, bank: UUID) -> Files:
        state, contents = self._hosting.contents(bank).all()
        known = self._indexed(bank)
        if any({fsio.digest(contents.get(file, b""))} != digests for file, digests in known.items()):
            raise Refused(409, "notes.incomplete", "The notes of this bank are not all here; push them once more.")
        return self._keep(
            bank, state, Files({file: contents[file] for file in contents if file in known or file == SETTINGS}, None)
        )

    def _keep(self, bank: UUID, revision: str | UUID | None, files: Files) -> Files:
        with self._lock:
            if revision:
                self._kept[bank] = (revision, files)
            for oldest in list(self._kept)[:-_MOST_KEPT]:
                del self._kept[oldest]
        return files

    def _indexed(self, bank: UUID) -> dict[str, set[str]]:
        """Return file → the digests that the index knows it by: more than one where a bank is damaged."""
        found = hosted.by_file(self._hosting.index(bank).known())
        return {file: set(digests.values()) for file, digests in found.items()}

    def known(self, bank: UUID) -> dict[str, str]:
        """Return file → digest of what was pushed; an empty one where index and contents differ.

        Whoever pushes sends such a file anew, or drops it: either way both agree again.
        """
        kept, indexed = self._hosting.contents(bank).digests(), self._indexed(bank)
        return {
            file: kept[file] if file == SETTINGS or indexed.get(file) == {kept.get(file)} else ""
            for file in kept | indexed
        }

    def keep(
        self, bank: UUID, put: Mapping[str, bytes], drop: Iterable[str], refused: Mapping[str, str]
    ) -> Mapping[str, str]:
        """Keep what was pushed, and return what was refused, with the settings if they hold a secret or are broken.

        Of what was refused nothing is kept, nor what stood there before.
        """
        if SETTINGS in put and (why := _objection(put[SETTINGS])):
            refused = {**refused, SETTINGS: why}
        kept = {file: content for file, content in put.items() if file not in refused}
        self._hosting.contents(bank).keep(kept, [*drop, *refused])
        return refused


def _objection(content: bytes) -> str:
    """Return why settings are not kept; nothing if they are."""
    if any(map(guarding.is_refused, guarding.objections(content.decode("utf-8", "replace")))):
        return "it holds what must not be kept anywhere"
    try:
        held({SETTINGS: content})
    except TacitError as error:
        return error.message
    return ""
