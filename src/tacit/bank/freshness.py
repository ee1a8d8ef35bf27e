"""Which files of a bank are not as they were when the index read them, told by their stamps alone."""

from __future__ import annotations

import os
import stat
import time
from typing import TYPE_CHECKING

from tacit.store.layout import DETAILS, NOTE_FOLDERS, SHARE
from tacit.text import is_writable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

FOLDERS = (*NOTE_FOLDERS, DETAILS, *(f"{SHARE}/{folder}" for folder in NOTE_FOLDERS))
# What stands for all mounts among the stamps: they are no files of the bank.
MOUNTS = "mount:"
# The stamp of a file that must be read again: no file has it.
UNSETTLED = 0
# A file saved this shortly before it is read may be saved again with the same time; some systems count whole seconds.
_RACY_NS = 50_000_000
_RACY_COARSE_NS = 2_000_000_000
_SECOND_NS = 1_000_000_000


class Differences:
    """The files that changed, with their stamps now, and those that are gone."""

    def __init__(self) -> None:
        self.changed: dict[str, int] = {}
        self.gone: list[str] = []


def differences(root: Path, known: Mapping[str, int]) -> Differences:
    """Compare every file that can be found by recall with the stamps that the index knows."""
    found = Differences()
    now_ns = time.time_ns()
    present = 0
    for file, status in _files(root):
        known_stamp = known.get(file)
        present += known_stamp is not None
        stamp = _stamp(status, now_ns)
        if stamp != known_stamp or stamp == UNSETTLED:
            found.changed[file] = stamp
    if present < len(known) - (MOUNTS in known):
        here = {MOUNTS, *(file for file, _ in _files(root))}
        found.gone = [file for file in known if file not in here]
    return found


def differences_of(root: Path, files: Iterable[str]) -> Differences:
    """Return the same for some files that are known to have changed."""
    found = Differences()
    now_ns = time.time_ns()
    for file in findable(files):
        try:
            found.changed[file] = _stamp((root / file).lstat(), now_ns)
        except OSError:
            found.gone.append(file)
    return found


def findable(files: Iterable[str]) -> list[str]:
    """Return those of some files of a bank that recall may find: notes of L1 and L2, the team's too, and details."""
    return [file for file in files if _is_found_by_recall(file)]


def file_of(key: str) -> str:
    """Return the file that a document was made of; only sections of details have more than it in their key."""
    return key.rpartition("#")[0] if key.startswith(f"{DETAILS}/") else key


def _files(root: Path) -> Iterator[tuple[str, os.stat_result]]:
    folders = [folder for folder in FOLDERS if _is_directory(root / folder)]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(root / folder) as entries:
                is_detail = folder.startswith(DETAILS)
                for entry in entries:
                    name = entry.name
                    if not is_writable(name):
                        continue  # the index could not carry it
                    if name.endswith(".md"):
                        if is_detail or _is_note(name):
                            yield f"{folder}/{name}", entry.stat(follow_symlinks=False)
                    elif is_detail and entry.is_dir(follow_symlinks=False):
                        folders.append(f"{folder}/{name}")
        except FileNotFoundError:
            continue  # it went while we looked


def _is_found_by_recall(file: str) -> bool:
    if not file.endswith(".md") or not is_writable(file):
        return False
    folder, _, name = file.removeprefix(f"{SHARE}/").partition("/")
    return file.startswith(f"{DETAILS}/") or (folder in NOTE_FOLDERS and "/" not in name and _is_note(name))


def _is_note(name: str) -> bool:
    return not name.startswith(".") and name != "README.md"


def _is_directory(path: Path) -> bool:
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False


def _stamp(status: os.stat_result, now_ns: int) -> int:
    """Return a number that changes with a file, or that of one which may be changing at this very moment."""
    saved_ns = max(status.st_mtime_ns, status.st_ctime_ns)
    racy_ns = _RACY_NS if saved_ns % _SECOND_NS else _RACY_COARSE_NS
    if saved_ns + racy_ns >= now_ns:
        return UNSETTLED
    # Python's hash of whole numbers is the same in every process.
    return hash((status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)) or 1
