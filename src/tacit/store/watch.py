"""Which files of a bank have changed since an earlier look, told by Linux, for a process that stays."""

from __future__ import annotations

import os
import stat
import struct
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Where locks and renames are not what they are on a local disk.
_REMOTE = frozenset({"nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "afs", "ceph"})
# Where every change passes this very kernel.
_LOCAL = frozenset({"ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "zfs", "bcachefs", "tmpfs", "overlay"})


def kind_of(place: Path) -> str:
    """Return the kind of file system that a place is on, as Linux tells it; empty elsewhere."""
    try:
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    best = ("", "")
    for _, point, kind, *_ in (line.split(" ") for line in mounts):
        where = point.replace("\\040", " ")
        if (str(place) == where or str(place).startswith(where.rstrip("/") + "/")) and len(where) >= len(best[0]):
            best = (where, kind)
    return best[1]


def is_remote(kind: str) -> bool:
    """Whether a kind of file system is known to belong to another machine."""
    return kind in _REMOTE


def is_local(kind: str) -> bool:
    """Whether a kind of file system is known to belong to this machine alone, so that its kernel sees every change."""
    return kind in _LOCAL


# Modified, attributes, moved from and to, created, deleted; the folder itself deleted or moved; folders, no links.
_WANTED = 0x2 | 0x4 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800 | 0x01000000 | 0x02000000
# The folder itself deleted, moved or unmounted, the queue too long, the watch gone, a folder inside.
_DOUBT = 0x400 | 0x800 | 0x2000 | 0x4000 | 0x8000 | 0x40000000
_EVENT = struct.Struct("iIII")
_READ_BYTES = 1 << 16
_MOST_FOLDERS = 64
_MOST_NEWS = 4_000


class Kernel(NamedTuple):
    """The calls of Linux that Python has no name for; each answers with a number below nought where it fails."""

    init: Callable[[int], int]
    add: Callable[[int, bytes, int], int]


class Watch:
    """Follows the files of some folders of a bank, and of all folders below them.

    It answers with certainty or not at all. The kernel tells whatever a system call did before this one, but not of a
    file that is changed by another of its names or through memory: whoever asks here looks at every file now and then.
    """

    def __init__(self, root: Path, folders: Sequence[str]) -> None:
        self._root = root
        self._folders = folders
        self._end: weakref.finalize[..., Watch] | None = None
        self._descriptor = -1
        self._names: dict[int, str] = {}
        self._identities: list[tuple[int, int]] = []
        self._is_sure = False
        # What has changed, in the order of the events, and how many events came before the first one here.
        self._news: list[str] = []
        self._earlier = 0

    def position(self) -> int:
        """Return a place from which `since` can tell what has changed; to be taken before the files are looked at."""
        identities = [_identity(self._root / folder) for folder in self._folders]
        if not self._is_sure or identities != self._identities or not self._take_news():
            # Nothing that was told so far is certain any more.
            self._earlier += len(self._news) + 1
            self._news.clear()
            self._identities = identities
            self._is_sure = self._begin()
        return self._earlier + len(self._news)

    def since(self, position: int) -> set[str] | None:
        """Return the files that changed between two positions, a former one and the last; None if it is not known."""
        if not self._is_sure or position < self._earlier:
            return None
        return set(self._news[position - self._earlier :])

    def _begin(self) -> bool:
        """Watch all folders that there are; return whether they are watched indeed."""
        if self._end is not None:
            self._end()
            self._end = None
        kernel = _kernel()
        present = [folder for folder, each in zip(self._folders, self._identities, strict=True) if each != _NOTHING]
        if kernel is None or not all(is_local(kind_of((self._root / each).resolve())) for each in present):
            return False
        self._descriptor = kernel.init(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._descriptor < 0:
            return False
        self._end = weakref.finalize(self, os.close, self._descriptor)
        self._names.clear()
        while present:
            folder = present.pop()
            number = kernel.add(self._descriptor, os.fsencode(self._root / folder), _WANTED)
            if number < 0 or len(self._names) == _MOST_FOLDERS:
                return False
            self._names[number] = folder
            # In this order: a folder that is made from now on is told.
            try:
                present += _inside(self._root, folder)
            except OSError:
                return False
        return True

    def _take_news(self) -> bool:
        """Take what the kernel has to tell; return whether it leaves no doubt."""
        while True:
            try:
                told = os.read(self._descriptor, _READ_BYTES)
            except BlockingIOError:
                return True
            place = 0
            while place < len(told):
                number, what, _, length = _EVENT.unpack_from(told, place)
                place += _EVENT.size + length
                if what & _DOUBT or number not in self._names:
                    return False
                name = os.fsdecode(told[place - length : place].rstrip(b"\0"))
                self._news.append(f"{self._names[number]}/{name}")
            if len(self._news) > _MOST_NEWS:
                self._earlier += len(self._news) // 2
                del self._news[: len(self._news) // 2]


_NOTHING = (0, 0)


def _identity(path: Path) -> tuple[int, int]:
    """Return what tells a folder from any other that takes its place."""
    try:
        status = path.lstat()
    except OSError:
        return _NOTHING
    return (status.st_dev, status.st_ino) if stat.S_ISDIR(status.st_mode) else _NOTHING


def _inside(root: Path, folder: str) -> list[str]:
    with os.scandir(root / folder) as entries:
        return [f"{folder}/{entry.name}" for entry in entries if entry.is_dir(follow_symlinks=False)]


def _kernel() -> Kernel | None:
    import ctypes  # dear to load, and most processes never need it

    library = ctypes.CDLL(None)
    if not hasattr(library, "inotify_init1"):
        return None
    return Kernel(library.inotify_init1, library.inotify_add_watch)
