"""Which kind of file system a bank is on."""

from __future__ import annotations

from pathlib import Path

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
