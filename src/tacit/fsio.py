"""The only code that writes, renames, syncs or removes files.

Each primitive says what survives. *Kill*: the process dies (SIGKILL); what system calls did so far stays.
*Power cut*: the machine dies; only what was synced stays, and un-synced operations may arrive in any order.
Errors are plain OSError here; the store turns them into sentences.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.errors import NotARegularFile, SymlinkRefused

try:
    from _sha2 import sha256 as _sha256  # type: ignore[import-not-found]
except ImportError:  # before Python 3.12
    try:
        from _sha256 import sha256 as _sha256  # type: ignore[import-not-found]
    except ImportError:  # a Python that leaves it all to OpenSSL
        from hashlib import sha256 as _sha256

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# From this many files on, one sync of the whole system is cheaper than one fsync each.
_MANY_FILES = 64
DEFAULT_MODE = 0o644
_AT_ONCE_BYTES = 1 << 24
_PIECE_BYTES = 1 << 20
_SIGNATURE_BYTES = 160
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
# What a file system without hard links answers.
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS)

# What Python itself brings to digest so few bytes; beyond, OpenSSL is quicker, but it takes long to load.
_FEW_BYTES = 256

_KINDS = {
    stat.S_IFDIR: "directory",
    stat.S_IFIFO: "fifo",
    stat.S_IFCHR: "device",
    stat.S_IFBLK: "device",
    stat.S_IFSOCK: "socket",
}


def digest(content: bytes) -> str:
    """Return the fingerprint by which Tacit compares file contents."""
    if len(content) <= _FEW_BYTES:
        return str(_sha256(content).hexdigest())
    from hashlib import sha256

    return sha256(content).hexdigest()


def read(path: str | os.PathLike[str], *, limit: int | None = None, start: int = 0) -> bytes | None:
    """Return the bytes of a regular file from `start` on, or None if there is none; at most `limit` + 1 of them.

    Never follows a symbolic link, never blocks on a fifo or device: those raise SymlinkRefused or NotARegularFile.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise SymlinkRefused(file=str(path)) from None
        if error.errno == errno.ENXIO:  # what opening a socket answers
            raise NotARegularFile(file=str(path), what="socket") from None
        raise
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise NotARegularFile(file=str(path), what=_KINDS.get(stat.S_IFMT(status.st_mode), "special file"))
        if start:
            os.lseek(descriptor, start, os.SEEK_SET)
        most = sys.maxsize if limit is None else limit + 1
        there = max(0, status.st_size - start)
        asked = min(there + 1, most, _AT_ONCE_BYTES)
        pieces = [os.read(descriptor, asked)]
        # As many bytes as the file has, though one more was asked for: this is all of it, and the usual case.
        if len(pieces[0]) == there < asked:
            return pieces[0]
        left = most - len(pieces[0])
        while left and (piece := os.read(descriptor, min(left, _PIECE_BYTES))):
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces)
    finally:
        os.close(descriptor)


def create(path: Path, content: bytes, *, sync: bool = True, mode: int = DEFAULT_MODE) -> None:
    """Write a file that must not exist yet. The umask applies to the default mode alone.

    Kill: may leave a part. Power cut: with `sync` the bytes stay; the name stays only once its directory is synced.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    try:
        if mode != DEFAULT_MODE:
            os.fchmod(descriptor, mode)
        _write_all(descriptor, content)
        if sync:
            _flush(descriptor)
    finally:
        os.close(descriptor)


def replace(path: Path, content: bytes, *, sync: bool = True, mode: int = DEFAULT_MODE) -> None:
    """Put new content at `path` in one step: readers see the old bytes or the new ones.

    Kill: old or new. Power cut: with `sync` old or new, and new for certain once this has returned; without, anything.
    For single files outside a transaction (a cache, a git hook); a bank's files change in transactions.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}.tmp")
    try:
        create(temporary, content, sync=sync, mode=mode)
        if sync or not _swapped(temporary, path):
            os.rename(temporary, path)
    except BaseException:
        remove(temporary)
        raise
    if sync:
        sync_directory(path.parent)


def _swapped(temporary: Path, path: Path) -> bool:
    """Put a file in the place of another one, which goes; return whether that could be done.

    A rename over a file makes ext4 write the new bytes out there and then, and whoever asked for it waits for the disk.
    """
    # What an exchange needs is dear to load: a process that has it not by now ends before that pays.
    swap = _swap() if "ctypes" in sys.modules else None
    try:
        if swap is None or not stat.S_ISREG(os.lstat(path).st_mode):
            return False
        swap(os.fsencode(temporary), os.fsencode(path))
    except OSError:
        return False
    os.unlink(temporary)
    return True


def append(path: Path, offset: int, content: bytes) -> None:
    """Make `content` stand at `offset` of a log that only grows; doing it twice is doing it once.

    A torn earlier try (a part of `content`, or zeros) is cut off and written again. Foreign bytes at that place are
    kept and `content` goes to the end. Kill: a part may stand there, which the next try mends. Power cut: as kill,
    and all of it for certain once this has returned.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        size = os.fstat(descriptor).st_size
        there = os.pread(descriptor, size - offset, offset) if size > offset else b""
        if not there.startswith(content):
            if size > offset and content.startswith(there.rstrip(b"\0")):
                os.ftruncate(descriptor, offset)
            os.lseek(descriptor, 0, os.SEEK_END)
            _write_all(descriptor, content)
        _flush(descriptor)
    finally:
        os.close(descriptor)
    if offset == 0:
        sync_directory(path.parent)


def add_line(path: Path, line: bytes) -> int:
    """Add a line to a log that may lose lines, in one write behind whatever others add; return how long it is then.

    Kill: all of it or nothing, on a local file system. Power cut: anything.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(path, flags, 0o600)
    try:
        os.write(descriptor, line)
        return os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)


def stands_at(path: Path, offset: int, content: bytes) -> bool:
    """Whether `content` stands at `offset` of the file."""
    try:
        return read(path, limit=len(content) - 1, start=offset) == content
    except (OSError, NotARegularFile, SymlinkRefused):
        return False


def rename(source: Path, target: Path) -> None:
    """Rename in one step. Kill: before or after. Power cut: certain once a directory of the two is synced."""
    os.rename(source, target)


def link_new(source: Path, target: Path) -> None:
    """Give `source` the further name `target`, which must be free (else FileExistsError).

    Both names stay: a power cut could keep the removal of one and lose the other, so whoever calls this drops the old
    name only after the target's directory is synced. Kill: before or after. Power cut: certain once it is synced.
    A file system without hard links gets a look and a rename, between which somebody else's save could slip.
    """
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), os.fspath(target)) from None
        os.rename(source, target)


def exchange(first: Path, second: Path) -> None:
    """Let two files swap their places.

    Where the system can (Linux, macOS) it is one step. Elsewhere the old file gets a second name beside `first`,
    `first` is renamed over `second`, and the second name becomes `first`: a kill in between leaves that second name,
    which `settle_exchange` finishes. A file system without hard links gets a copy instead of the second name.
    """
    swap = _swap()
    if swap is not None:
        try:
            swap(os.fsencode(first), os.fsencode(second))
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP):
                raise
        else:
            return
    aside = _aside(first)
    try:
        os.link(second, aside, follow_symlinks=False)
    except OSError as error:
        content = read(second) if error.errno in _NO_LINKS else None
        if content is None:
            raise
        create(aside, content)
    # Each name must be durable before the next step takes away the one that its bytes had before.
    sync_directory(first.parent)
    os.rename(first, second)
    _finish_exchange(first, second)


def settle_exchange(first: Path, second: Path) -> None:
    """Finish an exchange that a kill interrupted on a system without a one-step exchange."""
    aside = _aside(first)
    if not aside.exists():
        return
    if first.exists():
        os.unlink(aside)
    else:
        _finish_exchange(first, second)


def _finish_exchange(first: Path, second: Path) -> None:
    sync_directory(second.parent)
    os.rename(_aside(first), first)
    sync_directory(first.parent)


def remove(path: Path) -> None:
    """Remove a file's name; a missing one is fine. Power cut: certain once its directory is synced."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


def remove_tree(path: Path) -> None:
    """Remove a file, or a directory with all that is in it, without following links; a missing one is fine.

    Kill and power cut: may leave a part, which the next call removes.
    """
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(mode):
        os.unlink(path)
        return
    for entry in list(os.scandir(path)):
        remove_tree(path / entry.name)
    os.rmdir(path)


def remove_empty_directory(path: Path) -> bool:
    """Remove a directory if nothing is in it; return whether it went. Power cut: may be there again."""
    try:
        os.rmdir(path)
    except OSError:
        return False
    return True


def refuse_read_only(directory: Path) -> None:
    """Raise the OSError that making or removing names in a directory would meet, as far as permissions foretell it.

    For a directory that does not exist yet the nearest one above it counts.
    """
    while not directory.exists():
        directory = directory.parent
    effective = os.access in os.supports_effective_ids
    if not os.access(directory, os.W_OK | os.X_OK, effective_ids=effective):
        code = errno.EROFS if os.statvfs(directory).f_flag & os.ST_RDONLY else errno.EACCES
        raise OSError(code, os.strerror(code), os.fspath(directory))


def make_directory(path: Path, *, mode: int = 0o755) -> bool:
    """Make a directory and what is missing above it; return whether it was missing. Synced up to the first old one."""
    if path.is_dir():
        return False
    if not path.parent.exists():
        make_directory(path.parent, mode=mode)
    try:
        os.mkdir(path, mode)
    except FileExistsError:
        return False
    sync_directory(path.parent)
    return True


def make_private_directory() -> Path:
    """Make an empty directory outside of every bank that this user alone can read, in memory where there is a place.

    Kill and power cut: may leave it behind, with what is in it.
    """
    from tempfile import mkdtemp  # dear to load, and hooks never need it

    place = os.environ.get("XDG_RUNTIME_DIR") or None
    try:
        return Path(mkdtemp(prefix="tacit-", dir=place))
    except OSError:
        return Path(mkdtemp(prefix="tacit-"))


def sync_directory(path: Path) -> None:
    """Make the names in a directory durable: until then a power cut may undo creations, renames and removals."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_files(paths: Iterable[Path]) -> None:
    """Make the bytes of many files durable, with one sync of the system where that is cheaper and waits."""
    files = list(paths)
    if len(files) >= _MANY_FILES and os.uname().sysname == "Linux":
        os.sync()
        return
    for path in files:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            _flush(descriptor)
        finally:
            os.close(descriptor)


def open_lock(path: Path) -> int:
    """Open a lock file, made if missing, never removed; the descriptor is not inherited by children."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def overwrite_locked(descriptor: int, content: bytes) -> None:
    """Write who holds the lock into an open lock file: information for people, never relied on.

    Padded to a fixed length, because truncating a file costs milliseconds on some file systems.
    """
    os.pwrite(descriptor, content.ljust(_SIGNATURE_BYTES), 0)


def _write_all(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _flush(descriptor: int) -> None:
    # macOS: fsync leaves the bytes in the drive's cache; F_FULLFSYNC (51) does not.
    if os.uname().sysname == "Darwin":
        import fcntl

        fcntl.fcntl(descriptor, 51)
        return
    os.fsync(descriptor)


def _aside(path: Path) -> Path:
    return path.with_name(path.name + ".aside")


_swap_call: list[Callable[[bytes, bytes], None] | None] = []


def _swap() -> Callable[[bytes, bytes], None] | None:
    if not _swap_call:
        _swap_call.append(_find_swap())
    return _swap_call[0]


def _find_swap() -> Callable[[bytes, bytes], None] | None:
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    if hasattr(library, "renameat2"):

        def call(first: bytes, second: bytes) -> int:
            result: int = library.renameat2(_AT_FDCWD, first, _AT_FDCWD, second, _RENAME_EXCHANGE)
            return result

    elif hasattr(library, "renamex_np"):

        def call(first: bytes, second: bytes) -> int:
            result: int = library.renamex_np(first, second, _RENAME_EXCHANGE)
            return result

    else:
        return None

    def swap(first: bytes, second: bytes) -> None:
        if call(first, second) != 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code), os.fsdecode(second))

    return swap


def open_terminal() -> int | None:
    """Open the controlling terminal for a question and its answer; None if the process has none."""
    try:
        return os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return None
