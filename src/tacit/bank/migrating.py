"""Bringing an older memory bank over: its files copied in one transaction, then taken away as `git mv` would."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.audit.record import Event, Record
from tacit.bank import library
from tacit.bank.skeleton import ENTRY_STUB
from tacit.errors import TacitError, UndoBlocked
from tacit.formats.memory_bank import OLD_FOLDER, is_memory_bank
from tacit.messages import explain
from tacit.project import git
from tacit.project.survey import is_secret
from tacit.store.layout import ENTRY

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from tacit.bank.values import By
    from tacit.store.store import Store
    from tacit.store.transaction import Transaction

_MAX_BYTES = 4 * 1024 * 1024
# What the log says of a file that came from the old bank; for an entry document that grew, how long it was.
_MOVED = "moved from "
_GREW = re.compile(r"(.+) \((\d+) bytes\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Move:
    """One file: its path in the old bank and in the new one."""

    old: str
    new: str


def moves(files: Sequence[str], taken: Collection[str], *, entry_is_free: bool) -> list[Move]:
    """Return where each file goes; what is taken there moves to the archive below its old name.

    The old entry document becomes the new one where nobody has written one yet.
    """
    used = set(taken)
    found = []
    for file in sorted(files):
        if file == ENTRY and entry_is_free:
            new = ENTRY
        else:
            inside = file if file.startswith("details/") else f"details/{file}"
            new = inside if inside not in used and file != ENTRY else f"details/archive/{OLD_FOLDER}/{file}"
        number = 1
        while new in used:
            number += 1
            new = f"details/archive/{OLD_FOLDER}-{number}/{file}"
        used.add(new)
        found.append(Move(file, new))
    return found


@dataclass(frozen=True, slots=True)
class MovedFile:
    """One file of the old bank: its path in the project, its path in the bank, its bytes."""

    old: str
    new: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Moving:
    """What is to be moved, what cannot be and why, and the old entry document where it becomes the new one."""

    files: tuple[MovedFile, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    entry: str | None = None


def beside(place: Path) -> str:
    """Return the folder of an older bank in the project around a place; nothing if there is none."""
    project = next((each for each in (place, *place.parents) if (each / ".git").exists()), place)
    folder = project / OLD_FOLDER
    if folder.is_symlink() or not folder.is_dir():
        return ""
    names = [f"{each.name}/" if each.is_dir() else each.name for each in folder.iterdir()]
    return OLD_FOLDER if is_memory_bank(names) else ""


def find(store: Store, project: Path) -> Moving:
    """Return what an older bank beside this one holds; nothing if there is none."""
    folder = project / OLD_FOLDER
    if folder.is_symlink() or not folder.is_dir() or folder == store.layout.root:
        return Moving()
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())
    # A bank with a history of its own keeps it: in details/ it would be a repository inside of the project's.
    names = [name for name in names if not name.startswith(".git/") and name != ".git"]
    if not is_memory_bank(names):
        return Moving()
    kept: dict[str, bytes] = {}
    refused: list[tuple[str, str]] = []
    for name in names:
        try:
            kept[name] = _read(store, folder, name)
        except TacitError as error:
            refused.append((f"{OLD_FOLDER}/{name}", explain(error)[0]))
    current = library.text(store, ENTRY)
    root = store.layout.root
    there = {path.relative_to(root).as_posix() for path in (root / "details").rglob("*") if path.is_file()}
    # What a run that was interrupted has brought over already is not brought over again.
    taken = {file for file in there if store.read(file) != kept.get(file.removeprefix("details/"), kept.get(file))}
    is_here = ENTRY in kept and current.encode().startswith(kept[ENTRY])
    free = not current.strip() or current == ENTRY_STUB or is_here
    moved = tuple(
        MovedFile(f"{OLD_FOLDER}/{each.old}", each.new, kept[each.old])
        for each in moves(list(kept), taken, entry_is_free=free)
    )
    entry = current if is_here else next((each.content.decode() for each in moved if each.new == ENTRY), None)
    return Moving(moved, tuple(refused), entry)


def put(transaction: Transaction, moving: Moving, by: By) -> None:
    """Add the files of the old bank to a transaction; the old entry document is put by who upgrades it."""
    for file in moving.files:
        if file.new != ENTRY and transaction.read(file.new) != file.content:
            transaction.put(file.new, file.content)
            transaction.record(written(file.new, by, _MOVED + file.old))


def reason(moving: Moving, text: str, otherwise: str) -> str:
    """Return what the log says of an entry document with this text: where it came from, if it came over."""
    came = next((file for file in moving.files if file.new == ENTRY), None)
    if came is None:
        return otherwise
    grew = f" ({len(came.content)} bytes)" if text.encode().startswith(came.content) else ""
    return f"{_MOVED}{came.old}{grew}"


def take_away(store: Store, project: Path, moving: Moving) -> None:
    """Remove from the old bank what now stands in this one, and tell git's index that it was moved.

    A file that somebody changed since it was read stays where it is.
    """
    gone = []
    for file in moving.files:
        if fsio.read(project / file.old) == file.content:
            fsio.remove(project / file.old)
            gone.append(file)
    folder = project / OLD_FOLDER
    for place in (*sorted(folder.rglob("*"), reverse=True), folder) if gone else ():
        if place.is_dir():
            fsio.remove_empty_directory(place)
    tracked = [file for file in gone if git.run(project, "ls-files", "--error-unmatch", "--", file.old) is not None]
    for file in tracked:
        git.run(project, "rm", "-q", "--cached", "--", file.old)
        git.run(project, "add", "--", str(store.layout.root / file.new))


def put_back(store: Store, operation_id: str) -> None:
    """Put the files that an operation moved here back into the old bank, before its undoing takes them away.

    Raises UndoBlocked, and puts none back, if one of them cannot be: something else stands there, or what was an entry
    document cannot be told from what was added to it.
    """
    project, bank = store.layout.root.parent, store.layout.root.name
    back: dict[str, tuple[str, bytes]] = {}
    for line in store.log.entries(mention=operation_id.encode()):
        file, said = str(line["file"]), str(line["reason"])
        is_move = (line["operation_id"], line["operation"]) == (operation_id, "refresh") and said.startswith(_MOVED)
        content = store.read(file) if is_move else None
        if content is None:
            continue
        old = said.removeprefix(_MOVED)
        grew = _GREW.fullmatch(old) if file == ENTRY else None
        old, content = (grew[1], content[: int(grew[2])]) if grew else (old, content)
        is_known = file != ENTRY or grew is not None
        if not is_known or not _is_inside(project, old) or fsio.read(project / old) not in (None, content):
            reason = f"{old}, now {bank}/{file}, cannot be put back; `git mv` brings the documents back one by one"
            raise UndoBlocked(id=operation_id, reason=reason)
        back[old] = file, content
    for old, (file, content) in back.items():
        fsio.make_directory((project / old).parent)
        fsio.replace(project / old, content)
        if git.run(project, "ls-files", "--error-unmatch", "--", str(store.layout.root / file)) is not None:
            git.run(project, "add", "--", old)
            if file != ENTRY:
                git.run(project, "rm", "-q", "--cached", "--", str(store.layout.root / file))


def _is_inside(project: Path, old: str) -> bool:
    """Whether a path is one below the old bank, and no link leads out of it."""
    return (project / old).resolve().is_relative_to(project.resolve() / OLD_FOLDER)


def written(file: str, by: By, reason: str) -> Record:
    """Return the line in the log that a refresh wrote a document."""
    return Record(event=Event.DOCUMENT_WRITTEN, operation="refresh", file=file, reason=reason, channel=by.channel)


def _read(store: Store, folder: Path, name: str) -> bytes:
    """Return a file that may move; raise the TacitError that says why it may not."""
    store.layout.place(f"details/{name}")
    if is_secret(name) or library.is_secret_detail(f"details/{name.lower()}"):
        raise TacitError(reason=f"{name}: by its name it holds secrets")
    content = fsio.read(folder / name, limit=_MAX_BYTES) or b""
    if len(content) > _MAX_BYTES:
        raise TacitError(reason=f"{name}: it is too large")
    try:
        library.insist(name, content.decode())
    except UnicodeDecodeError:
        if name.endswith(".md"):
            library.decoded(content, name)
    return content
