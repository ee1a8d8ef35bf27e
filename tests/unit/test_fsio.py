"""The one door to the disk: what each primitive does, and what it does where the system cannot do it in one step."""

from __future__ import annotations

import errno
import hashlib
import os
import socket
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tacit import fsio
from tacit.errors import NotARegularFile, SymlinkRefused

if TYPE_CHECKING:
    from collections.abc import Callable


def refusing(code: int) -> Callable[..., None]:
    """A system call that always answers with this error."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    return refuse


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Two files with different content."""
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_bytes(b"one")
    second.write_bytes(b"two")
    return first, second


@pytest.fixture
def without_swap(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that cannot exchange two files in one step."""
    monkeypatch.setattr(fsio, "_swap", lambda: None)


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("size", [0, 1, 256, 257, 70_000, 1_000_000])
def test_fingerprint_is_the_same_whoever_makes_it(size: int) -> None:
    """Few bytes are digested by Python itself, many by OpenSSL; it is SHA-256 in both cases."""
    content = bytes(number % 251 for number in range(size))
    assert fsio.digest(content) == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("size", [0, 1, 5, 6, 3_000_000])
def test_reading_gives_all_bytes_or_one_more_than_the_limit(tmp_path: Path, size: int) -> None:
    """A file over the limit is recognised without reading it to its end."""
    (tmp_path / "file").write_bytes(b"x" * size)

    assert len(fsio.read(tmp_path / "file") or b"") == size
    assert len(fsio.read(tmp_path / "file", limit=5) or b"") == min(size, 6)


def test_file_that_grows_or_shrinks_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: the size is a hint alone; what is read ends where the file does."""
    (tmp_path / "file").write_bytes(b"12345")
    real = os.fstat

    for told in (0, 3, 4, 5, 6, 100):

        def fstat(descriptor: int, size: int = told) -> os.stat_result:
            status = list(real(descriptor))
            status[stat.ST_SIZE] = size
            return os.stat_result(status)

        with monkeypatch.context() as patch:
            patch.setattr(os, "fstat", fstat)
            assert fsio.read(tmp_path / "file") == b"12345"
            assert fsio.read(tmp_path / "file", limit=2) == b"123"


def test_missing_file_reads_as_none(tmp_path: Path) -> None:
    """No file is an answer, not an error; so is a path that goes through a file."""
    (tmp_path / "file").write_bytes(b"")

    assert fsio.read(tmp_path / "missing") is None
    assert fsio.read(tmp_path / "file" / "below") is None


def test_other_refusals_of_the_system_are_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: a lost permission is not mistaken for a missing file."""
    monkeypatch.setattr(os, "open", refusing(errno.EACCES))

    with pytest.raises(PermissionError):
        fsio.read(tmp_path / "file")


def test_symbolic_link_is_not_followed(tmp_path: Path) -> None:
    """A link could lead anywhere, so it is refused even where its target is harmless."""
    (tmp_path / "target").write_bytes(b"secret")
    (tmp_path / "link").symlink_to("target")

    with pytest.raises(SymlinkRefused):
        fsio.read(tmp_path / "link")


def test_special_files_are_refused_at_once(tmp_path: Path) -> None:
    """N-05: a fifo, socket or directory in place of a file neither blocks nor is read."""
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))

        for name, what in (("fifo", "fifo"), ("folder", "directory"), ("socket", "socket")):
            with pytest.raises(NotARegularFile, match=what):
                fsio.read(tmp_path / name)


def test_device_is_refused() -> None:
    """N-05: a device is not read, however harmless."""
    with pytest.raises(NotARegularFile, match="device"):
        fsio.read(Path("/dev/null"))


# ── Writing ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_creating_takes_no_existing_name(tmp_path: Path) -> None:
    """A new file never replaces another one."""
    fsio.create(tmp_path / "file", b"mine")

    with pytest.raises(FileExistsError):
        fsio.create(tmp_path / "file", b"yours")
    assert (tmp_path / "file").read_bytes() == b"mine"


def test_given_mode_holds_against_the_umask(tmp_path: Path) -> None:
    """A note keeps the permissions it had; the umask is for new ones."""
    before = os.umask(0o077)
    try:
        fsio.create(tmp_path / "new", b"")
        fsio.create(tmp_path / "kept", b"", mode=0o664)
    finally:
        os.umask(before)

    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "kept").stat().st_mode) == 0o664


def test_replacing_changes_the_whole_content(tmp_path: Path) -> None:
    """After a replacement there is the new content and nothing beside it."""
    fsio.replace(tmp_path / "file", b"old")
    fsio.replace(tmp_path / "file", b"new", sync=False)

    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"file": b"new"}


@pytest.mark.parametrize("way", ["exchange", "no exchange", "refused", "not loaded"])
def test_replacement_that_need_not_last_leaves_the_new_content_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Whether the system exchanges files in one step or not, a cache is replaced as a whole, and stays private."""
    import ctypes  # noqa: F401  a process that stays has it

    fsio.replace(tmp_path / "file", b"old", sync=False)
    if way == "not loaded":
        monkeypatch.delitem(sys.modules, "ctypes")
    elif way != "exchange":
        monkeypatch.setattr(fsio, "_swap_call", [refusing(errno.EINVAL) if way == "refused" else None])
    fsio.replace(tmp_path / "file", b"new", sync=False, mode=0o600)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", b"new")]
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600


def test_folder_is_never_replaced_by_a_file(tmp_path: Path) -> None:
    """What stands there stays, and what was to be written goes."""
    import ctypes  # noqa: F401  as above

    (tmp_path / "file").mkdir()
    with pytest.raises(IsADirectoryError):
        fsio.replace(tmp_path / "file", b"new", sync=False)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_failed_replacement_leaves_the_old_content_and_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-03: an error on the way leaves the file as it was."""
    (tmp_path / "file").write_bytes(b"old")
    monkeypatch.setattr(os, "rename", refusing(errno.ENOSPC))

    with pytest.raises(OSError, match="No space"):
        fsio.replace(tmp_path / "file", b"new")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"file": b"old"}


def test_short_writes_are_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel may take fewer bytes than it was given; the rest follows."""
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, content: real(descriptor, bytes(content[:3])))

    fsio.create(tmp_path / "file", b"0123456789")

    assert (tmp_path / "file").read_bytes() == b"0123456789"


# ── A log that only grows ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("there", "outcome"),
    [
        (b"head|", b"head|line\n"),
        (b"head|li", b"head|line\n"),
        (b"head|li\0\0\0\0\0\0", b"head|line\n"),
        (b"head|\0\0\0\0\0\0\0\0", b"head|line\n"),
        (b"head|line\n", b"head|line\n"),
        (b"head|line\nnext", b"head|line\nnext"),
        (b"head|remark", b"head|remarkline\n"),
        (b"hea", b"healine\n"),
    ],
    ids=["nothing", "half", "half and zeros", "zeros", "all", "more", "foreign bytes", "cut before"],
)
def test_appending_ends_with_the_line_once(tmp_path: Path, there: bytes, outcome: bytes) -> None:
    """T-01: whatever a crash left of an append, the next try ends with the line there, once; foreign bytes stay."""
    log = tmp_path / "log"
    log.write_bytes(there)

    fsio.append(log, 5, b"line\n")

    assert log.read_bytes() == outcome


def test_first_line_makes_the_log(tmp_path: Path) -> None:
    """A log begins with its first line, readable for its owner alone."""
    fsio.append(tmp_path / "log", 0, b"line\n")

    assert fsio.stands_at(tmp_path / "log", 0, b"line\n")
    assert not fsio.stands_at(tmp_path / "log", 1, b"line\n")
    assert not fsio.stands_at(tmp_path / "missing", 0, b"")
    assert stat.S_IMODE((tmp_path / "log").stat().st_mode) == 0o600


# ── Names ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_linking_gives_a_free_name_and_keeps_the_old_one(pair: tuple[Path, Path]) -> None:
    """A new file gets its place without ever replacing another; its old name goes when the new one is durable."""
    first, second = pair

    with pytest.raises(FileExistsError):
        fsio.link_new(first, second)
    fsio.link_new(first, second.with_name("third"))

    found = {path.name: path.read_bytes() for path in second.parent.iterdir()}
    assert found == {"first": b"one", "second": b"two", "third": b"one"}


@pytest.mark.parametrize("code", [errno.EPERM, errno.ENOTSUP, errno.ENOSYS])
def test_without_hard_links_a_look_and_a_rename_do(
    pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """A file system that knows no hard links holds a bank too, and still nothing is replaced."""
    first, second = pair
    monkeypatch.setattr(os, "link", refusing(code))

    with pytest.raises(FileExistsError):
        fsio.link_new(first, second)
    fsio.link_new(first, second.with_name("third"))

    assert {path.name: path.read_bytes() for path in second.parent.iterdir()} == {"second": b"two", "third": b"one"}


def test_other_failures_of_a_link_are_passed_on(pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: a full disk is a full disk, whatever the primitive."""
    monkeypatch.setattr(os, "link", refusing(errno.ENOSPC))

    with pytest.raises(OSError, match="No space"):
        fsio.link_new(pair[0], pair[1].with_name("third"))


# ── Exchange ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def swapped(pair: tuple[Path, Path]) -> bool:
    """Whether the two files have changed places and nothing else stands beside them."""
    found = {path.name: path.read_bytes() for path in pair[0].parent.iterdir()}
    return found == {"first": b"two", "second": b"one"}


def test_exchange_swaps_two_files(pair: tuple[Path, Path]) -> None:
    """T-01: what stood at the target comes out, so that nothing is overwritten unseen."""
    fsio.exchange(*pair)

    assert swapped(pair)


@pytest.mark.usefixtures("without_swap")
def test_exchange_works_without_the_system_call(pair: tuple[Path, Path]) -> None:
    """A system without a one-step exchange gets there by a second name."""
    fsio.exchange(*pair)

    assert swapped(pair)


@pytest.mark.parametrize("code", [errno.EINVAL, errno.ENOSYS, errno.ENOTSUP])
def test_exchange_works_where_the_file_system_refuses_the_call(
    pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """A kernel may know the call and a file system not: then it is the second name as well."""
    monkeypatch.setattr(fsio, "_swap", lambda: refusing(code))

    fsio.exchange(*pair)

    assert swapped(pair)


@pytest.mark.usefixtures("without_swap")
def test_exchange_works_without_the_call_and_without_hard_links(
    pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a memory stick that knows neither, a copy takes the part of the second name."""
    monkeypatch.setattr(os, "link", refusing(errno.EPERM))

    fsio.exchange(*pair)

    assert swapped(pair)


@pytest.mark.usefixtures("without_swap")
@pytest.mark.parametrize("code", [errno.EPERM, errno.ENOENT])
def test_exchange_with_nothing_changes_nothing(
    pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """Where the second file is gone the first one stays in its place."""
    first, second = pair
    second.unlink()
    monkeypatch.setattr(os, "link", refusing(code))

    with pytest.raises(OSError, match=os.strerror(code)):
        fsio.exchange(first, second)
    assert [path.name for path in first.parent.iterdir()] == ["first"]


def test_other_failures_of_the_call_are_passed_on(pair: tuple[Path, Path]) -> None:
    """An exchange with a file that is not there fails and says so."""
    first, second = pair
    second.unlink()

    with pytest.raises(FileNotFoundError) as caught:
        fsio.exchange(first, second)
    assert caught.value.filename == str(second)


class Killed(BaseException):
    """The process ended here."""


@pytest.mark.usefixtures("without_swap")
@pytest.mark.parametrize("renames", [0, 1])
def test_interrupted_exchange_is_settled(
    pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, renames: int
) -> None:
    """T-01: a kill between the steps of an exchange leaves both contents, and settling ends with before or after."""
    first, second = pair
    real = os.rename
    done: list[Path] = []

    def rename(source: Path, target: Path) -> None:
        if len(done) == renames:
            raise Killed
        done.append(target)
        real(source, target)

    monkeypatch.setattr(os, "rename", rename)
    with pytest.raises(Killed):
        fsio.exchange(first, second)
    monkeypatch.setattr(os, "rename", real)

    fsio.settle_exchange(first, second)
    fsio.settle_exchange(first, second)

    found = {path.name: path.read_bytes() for path in first.parent.iterdir()}
    assert swapped(pair) if renames else found == {"first": b"one", "second": b"two"}


@pytest.mark.parametrize("call", ["renameat2", "renamex_np", ""])
def test_call_is_looked_up_by_name(pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    """Linux and macOS have the call under different names; elsewhere there is none."""

    class Library:
        """The system's library, with at most one of the two calls."""

        def __init__(self, *_: object, **__: object) -> None:
            if call:
                setattr(self, call, lambda *arguments: 0 if os.fsencode(pair[0]) in arguments else -1)

    monkeypatch.setattr("ctypes.CDLL", Library)
    swap = fsio._find_swap()

    assert (swap is None) == (call == "")
    if swap is not None:
        swap(os.fsencode(pair[0]), os.fsencode(pair[1]))
        with pytest.raises(OSError, match="second"):
            swap(b"elsewhere", os.fsencode(pair[1]))


# ── Directories and syncing ───────────────────────────────────────────────────────────────────────────────────────────


def test_tree_is_removed_without_following_links(tmp_path: Path) -> None:
    """T-04: destroying a directory never reaches outside it; a missing one is fine."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "kept").write_bytes(b"")
    (tmp_path / "tree" / "deep").mkdir(parents=True)
    (tmp_path / "tree" / "deep" / "file").write_bytes(b"")
    (tmp_path / "tree" / "link").symlink_to("../outside")

    fsio.remove_tree(tmp_path / "tree")
    fsio.remove_tree(tmp_path / "tree")
    fsio.remove_tree(tmp_path / "outside" / "kept")

    assert [path.name for path in tmp_path.rglob("*")] == ["outside"]


def test_directories_are_made_up_to_the_first_old_one(tmp_path: Path) -> None:
    """Making a directory twice is making it once, and the answer says which it was."""
    assert fsio.make_directory(tmp_path / "a" / "b" / "c")
    assert not fsio.make_directory(tmp_path / "a" / "b" / "c")
    assert (tmp_path / "a" / "b" / "c").is_dir()


def test_directory_that_somebody_else_makes_first_is_theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes may start in the same empty bank."""
    monkeypatch.setattr(os, "mkdir", refusing(errno.EEXIST))

    assert not fsio.make_directory(tmp_path / "a")


@pytest.mark.parametrize(("count", "expected"), [(3, ["fsync"] * 3), (64, ["sync"])])
def test_many_files_are_synced_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, expected: list[str]
) -> None:
    """T-01: few files are synced one by one, many by one sync of the system that waits."""
    calls: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda _: calls.append("fsync"))
    monkeypatch.setattr(os, "sync", lambda: calls.append("sync"))
    files = [tmp_path / str(number) for number in range(count)]
    for path in files:
        path.write_bytes(b"")

    fsio.sync_files(files)

    assert calls == expected


def test_macos_is_asked_for_a_full_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-01: there fsync leaves bytes in the drive's cache, so another call takes its place."""
    asked: list[int] = []
    real = os.uname()
    monkeypatch.setattr(os, "uname", lambda: type(real)(("Darwin", *tuple(real)[1:])))
    monkeypatch.setattr("fcntl.fcntl", lambda _, command: asked.append(command))

    fsio.create(tmp_path / "file", b"")

    assert asked == [51]


def test_process_without_a_terminal_has_none_to_ask_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody sits there is no terminal, and that is an answer."""
    monkeypatch.setattr(os, "open", refusing(errno.ENXIO))

    assert fsio.open_terminal() is None


def test_an_empty_directory_is_removed_and_another_is_not(tmp_path: Path) -> None:
    """Only what is empty goes; whether it went is told."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "full/inside").mkdir(parents=True)
    assert fsio.remove_empty_directory(tmp_path / "empty")
    assert not fsio.remove_empty_directory(tmp_path / "empty")
    assert not fsio.remove_empty_directory(tmp_path / "full")
    assert (tmp_path / "full/inside").is_dir()


def test_lines_are_added_behind_each_other(tmp_path: Path) -> None:
    """A-01: a log that may lose lines grows by whole ones, is private, and no link is followed to another file."""
    log = tmp_path / "log"

    assert fsio.add_line(log, b"one\n") == 4
    assert fsio.add_line(log, b"two\n") == 8
    assert log.read_bytes() == b"one\ntwo\n"
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    (tmp_path / "link").symlink_to(log)
    with pytest.raises(OSError, match=r"."):
        fsio.add_line(tmp_path / "link", b"three\n")
