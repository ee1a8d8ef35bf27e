"""The files of a bank at the commit that was pushed: from its clone, or as the database keeps them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tacit import fsio
from tacit.bank import freshness, guarding
from tacit.server.visit import Refused
from tacit.server.writing_git import clone_of
from tacit.store.layout import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path
    from uuid import UUID

    from tacit.bank.wiring import Hosting
    from tacit.server.visit import Visit
    from tacit.server.writing_git import Clone


class Files(NamedTuple):
    """What is in a bank; `inside` is its folder in the clone, where there is one."""

    contents: Mapping[str, bytes]
    clone: Clone | None
    inside: str = ""


class Source:
    """The files of all banks; `clones` is the folder with their clones, if there is one."""

    def __init__(self, hosting: Hosting, clones: Path | None) -> None:
        self._hosting = hosting
        self._clones = clones

    def clone(self, visit: Visit) -> Clone | None:
        """Return the clone of a bank, if one is configured."""
        return clone_of(self._clones, visit.organisation, visit.name)

    def files(self, visit: Visit) -> Files:
        """Return the files of a bank at the commit that was pushed; raise Refused if they are not all here."""
        bank = visit.found()
        clone = self.clone(visit)
        if clone is not None:
            inside, contents = clone.files(visit.commit)
            return Files(contents, clone, inside)
        contents = self._hosting.contents(bank).all()
        known = {freshness.file_of(key): digest for key, digest in self._hosting.index(bank).known().items()}
        if any(fsio.digest(contents.get(file, b"")) != digest for file, digest in known.items()):
            raise Refused(409, "notes.incomplete", "The notes of this bank are not all here; push them once more.")
        return Files({file: contents[file] for file in contents if file in known or file == SETTINGS}, None)

    def keep(
        self, bank: UUID, put: Mapping[str, bytes], drop: Iterable[str], refused: Mapping[str, str]
    ) -> Mapping[str, str]:
        """Keep what was pushed, and return what was refused, with the settings if they hold a secret.

        Of what was refused nothing is kept, nor what stood there before.
        """
        objections = guarding.objections(put.get(SETTINGS, b"").decode("utf-8", "replace"))
        if any(map(guarding.is_refused, objections)):
            refused = {**refused, SETTINGS: "it holds what must not be kept anywhere"}
        kept = {file: content for file, content in put.items() if file not in refused}
        self._hosting.contents(bank).keep(kept, [*drop, *refused])
        return refused
