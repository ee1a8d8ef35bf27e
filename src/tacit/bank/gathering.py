"""Reading a foreign memory from the disk: what belongs to it, and what cannot be read for which reason."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.bank import library
from tacit.errors import FieldRefused, ForeignRefused, TacitError
from tacit.formats import recognise
from tacit.formats.found import DETAILS, layer_of
from tacit.formats.prose import portable
from tacit.guards import redact
from tacit.messages import say
from tacit.project.survey import is_secret
from tacit.text import is_writable, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.formats.found import Found

MAX_FILE_BYTES = 4 * 1024 * 1024
_MAX_FILES = 100_000
_LEAD = 3
# What is never a memory, and can be large.
_SKIPPED = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache"})


@dataclass(slots=True)
class Gathered:
    """A foreign memory as it was read: its name, what it holds, and what was refused, by item and reason."""

    name: str
    formats: list[str] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)

    @property
    def format(self) -> str:
        """The name of the format, several joined by +."""
        return "+".join(self.formats)


def gather(path: Path, bank: Path, wish: str = "") -> Gathered:
    """Return what the foreign memory at `path`, a file or folder, holds; `bank` is left out of it.

    Links that lead out of it, files that are too large, that hold secrets by their names or cannot be read are refused
    one by one. Raises ForeignRefused if there is nothing to read at all.
    """
    place = path.absolute()
    if not place.exists():
        raise ForeignRefused(path=str(path), reason=say("foreign.missing"), fix=say("foreign.missing.fix"))
    if place.resolve() == bank or bank in place.resolve().parents:
        raise ForeignRefused(path=str(path), reason=say("foreign.itself"), fix=say("foreign.itself.fix"))
    root = place if place.is_dir() else place.parent
    lead = "/".join(root.parts[-_LEAD:])
    refused: dict[str, str] = {}
    files = sorted(_listed(root, bank, refused)) if place.is_dir() else [place.name]
    contents: dict[str, bytes] = {}

    def content(file: str) -> bytes:
        if file not in contents and file not in refused:
            try:
                contents[file] = _read(root, file)
            except TacitError as error:
                refused[file] = error.message
            except OSError as error:
                refused[file] = error.strerror or str(error)
        return contents.get(file, b"")

    parts = [recognise.Part(wish, "", tuple(files))] if wish else recognise.parts(files, lead, content)
    if not parts:
        raise ForeignRefused(path=str(path), reason=say("foreign.nothing"), fix=say("foreign.nothing.fix"))
    gathered = Gathered(portable(place.name, ending="") if place.is_dir() else "imported")
    for part in parts:
        for file in part.files:
            content(file)
        found = recognise.read(part, contents, gathered.name)
        refused |= _taken_out(found)
        gathered.formats.append(part.format)
        gathered.found.append(found)
    roots = tuple(part.root for part in parts)
    gathered.refused = sorted((file, why) for file, why in refused.items() if file.startswith(roots))
    return gathered


def _listed(root: Path, bank: Path, refused: dict[str, str]) -> Iterator[str]:
    """Yield the files below a folder; links that lead elsewhere are refused, those inside it stay unread."""
    inside = root.resolve()
    count = 0
    for folder, names, files in os.walk(root):
        here = Path(folder)
        names[:] = sorted(name for name in names if name not in _SKIPPED and (here / name).resolve() != bank)
        for name in (*files, *(name for name in names if (here / name).is_symlink())):
            if name in _SKIPPED:  # of a submodule it is a file
                continue
            path = here / name
            file = path.relative_to(root).as_posix()
            if path.is_symlink():
                if inside not in path.resolve().parents or not path.exists():
                    refused[file] = say("foreign.link")
                continue
            if not is_writable(file):
                refused[printable(file)] = say("foreign.name")
                continue
            count += 1
            if count > _MAX_FILES:
                raise ForeignRefused(path=str(root), reason=say("foreign.many"), fix=say("foreign.nothing.fix"))
            yield file


def _read(root: Path, file: str) -> bytes:
    """Return a file of the source; raise the TacitError that says why it is not taken."""
    if _is_secret(file):
        raise TacitError(reason=say("foreign.secret_name"))
    found = fsio.read(root / file, limit=MAX_FILE_BYTES)
    if found is None or len(found) > MAX_FILE_BYTES:
        raise TacitError(reason=say("foreign.huge" if found else "foreign.missing"))
    return found


def _is_secret(file: str) -> bool:
    """Whether a file of a source holds secrets by its name, with `.md` behind it too; a note's name says nothing."""
    return is_secret(file) or (layer_of(file) is None and library.is_secret_detail(f"{DETAILS}/{file.lower()}"))


def _taken_out(found: Found) -> dict[str, str]:
    """Take out the documents that a bank would keep and never read, for it would call them like secrets; return why."""
    reason = "by this name a bank would hold it for a secret, and never read it"
    secret = [each for each in found.documents if library.is_secret_detail(each.target)]
    found.documents = [each for each in found.documents if each not in secret]
    # A name may be the title of an item, and hold anything.
    return {redact(each.path): FieldRefused(field=redact(each.target), reason=reason).message for each in secret}
