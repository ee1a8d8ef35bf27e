"""The fingerprints of derived files, known by their stamps: a large INDEX.md is not read for every look at it."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.errors import InputRefused

if TYPE_CHECKING:
    from pathlib import Path

# What stands at a path that is no regular file; equal to no fingerprint.
ODD = "not a regular file"
# A transaction looks at an old and a new file; a process may serve some banks.
_MOST = 16

# Device and inode → size and time of the bytes, time of any change, and the fingerprint.
_known: dict[tuple[int, int], tuple[int, int, int, str | None]] = {}
_ONE_AT_A_TIME = Lock()  # a process may write in several banks at once


def fingerprint(path: Path) -> str | None:
    """Return the fingerprint of what stands at `path`, None if nothing does."""
    try:
        content = fsio.read(path)
    except InputRefused:
        return ODD
    return None if content is None else fsio.digest(content)


def of_derived(path: Path) -> str | None:
    """Return the same for a derived file, without reading one that bears the stamp it had when it was last read.

    A save that leaves inode, size and times alone falls into the same tick of the clock as what is remembered. Nothing
    is lost by taking it for that: what somebody writes into a derived file is replaced, whenever they do so.
    """
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return ODD
    size, saved_ns, changed_ns, found = _known.get((status.st_dev, status.st_ino), (-1, 0, 0, None))
    if (size, saved_ns, changed_ns) == (status.st_size, status.st_mtime_ns, status.st_ctime_ns):
        return found
    # In this order: a file that is saved after the look at its stamp will bear another one.
    there = fingerprint(path)
    _keep(status, there)
    return there


def remember(path: Path, digest: str) -> None:
    """Take note of the fingerprint of a derived file that was written here a moment ago, where nobody else writes."""
    _keep(os.lstat(path), digest)


def moved(*paths: Path) -> None:
    """Take note that these files were renamed here: that is a change of theirs, and none of their bytes."""
    with suppress(FileNotFoundError):  # whoever took one away is met by the next look at it
        for status in map(os.lstat, paths):
            size, saved_ns, _, found = _known.get((status.st_dev, status.st_ino), (-1, 0, 0, None))
            if (size, saved_ns) == (status.st_size, status.st_mtime_ns):
                _keep(status, found)


def _keep(status: os.stat_result, digest: str | None) -> None:
    key = (status.st_dev, status.st_ino)
    with _ONE_AT_A_TIME:
        _known.pop(key, None)
        _known[key] = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, digest)
        while len(_known) > _MOST:
            del _known[next(iter(_known))]
