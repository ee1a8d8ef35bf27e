"""A process that stays is told what changes: what it then knows is what a look at every file would have found."""

from __future__ import annotations

import gc
import os
import struct
import sys
from itertools import count
from typing import TYPE_CHECKING

import pytest

from tacit.store import store as stores
from tacit.store import watch
from tacit.store.layout import READ_FOLDERS
from tacit.store.scan import scan
from tacit.store.watch import Kernel, Watch
from tests.store.banks import note, path_of, reopen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tacit.bank import Bank

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of changes in this way")

L1 = "L1_declarative"


@pytest.fixture(autouse=True)
def _local(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the tests run on counts as a disk of this machine."""
    monkeypatch.setattr(watch, "is_local", lambda _: True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folders of a bank, with one note and one document."""
    for folder in ("L0_core", L1, "L2_procedural", "details/learnings"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / L1 / "MEM-a.md").write_bytes(b"one")
    (tmp_path / "details/learnings/deploy.md").write_bytes(b"one")
    return tmp_path


@pytest.fixture
def watched(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> Bank:
    """A bank in a process that stays, which has looked at all its files once and need not for a long time."""
    monkeypatch.setattr(stores, "REST", 10.0**9)
    bank.add([note("a"), note("b")])
    bank._store.stay()
    bank._store.look()
    return bank


def write_in_place(root: Path) -> None:
    """Save as some editors do."""
    with (root / L1 / "MEM-a.md").open("r+b") as file:
        file.write(b"two")


def save_by_rename(root: Path) -> None:
    """Save as others do."""
    (root / "staging").mkdir()
    (root / "staging/new").write_bytes(b"two")
    (root / "staging/new").rename(root / L1 / "MEM-a.md")


def put_another_in_its_place(root: Path) -> None:
    """Move a folder away and make one of its name."""
    (root / L1).rename(root / "away")
    (root / L1).mkdir()


# ── What is told ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (lambda _: None, set()),
        (write_in_place, {f"{L1}/MEM-a.md"}),
        (save_by_rename, {f"{L1}/MEM-a.md"}),
        (lambda root: (root / L1 / "MEM-a.md").unlink(), {f"{L1}/MEM-a.md"}),
        (lambda root: (root / L1 / "MEM-a.md").chmod(0), {f"{L1}/MEM-a.md"}),
        (lambda root: os.utime(root / L1 / "MEM-a.md"), {f"{L1}/MEM-a.md"}),
        (lambda root: (root / L1 / "MEM-b.md").symlink_to("MEM-a.md"), {f"{L1}/MEM-b.md"}),
        (lambda root: os.link(root / L1 / "MEM-a.md", root / "L0_core/b.md"), {"L0_core/b.md"}),
        (lambda root: (root / "details/learnings/deploy.md").write_bytes(b"2"), {"details/learnings/deploy.md"}),
        (lambda root: (root / L1 / os.fsdecode(b"\xff.md")).write_bytes(b""), {f"{L1}/{os.fsdecode(bytes([255]))}.md"}),
        (lambda root: (root / "INDEX.md").write_bytes(b""), set()),
    ],
    ids=["nothing", "written", "renamed", "removed", "mode", "time", "link", "name", "below", "bytes", "elsewhere"],
)
def test_every_change_of_a_file_is_told_at_once(root: Path, act: Callable[[Path], None], told: set[str]) -> None:
    """T-03: what a system call has done before we ask, we know when we ask."""
    following = Watch(root, READ_FOLDERS)
    before = following.position()
    act(root)
    after = following.position()

    assert following.since(before) == told
    assert following.since(after) == set()


@pytest.mark.parametrize(
    "act",
    [
        lambda root: (root / "details/more").mkdir(),
        lambda root: (root / "share" / L1).mkdir(parents=True),
        put_another_in_its_place,
        lambda root: (root / L1).rename(root / "away"),
        lambda root: (root / "details/learnings").rename(root / "away"),
        lambda root: (root / "L2_procedural").rmdir(),
    ],
    ids=["folder below", "folder comes", "another in its place", "moved", "moved below", "removed"],
)
def test_what_happens_to_folders_is_a_doubt(root: Path, act: Callable[[Path], None]) -> None:
    """After it nothing earlier is certain, and what comes then is told again."""
    following = Watch(root, READ_FOLDERS)
    before = following.position()
    act(root)
    after = following.position()

    assert following.since(before) is None
    (root / "L0_core/new.md").write_bytes(b"")
    following.position()
    assert following.since(after) == {"L0_core/new.md"}


def test_nothing_is_known_of_the_time_before(root: Path) -> None:
    """A position that was never given is none to answer from."""
    following = Watch(root, READ_FOLDERS)
    assert following.since(0) is None
    following.position()
    assert following.since(-1) is None


def test_old_news_are_forgotten(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has not asked for long is told that nobody knows."""
    monkeypatch.setattr(watch, "_MOST_NEWS", 5)
    following = Watch(root, READ_FOLDERS)
    before = following.position()
    for name in "bcdefghij":
        (root / L1 / f"{name}.md").touch()
    late = following.position()
    (root / L1 / "MEM-a.md").unlink()
    following.position()

    assert following.since(before) is None
    assert following.since(late) == {f"{L1}/MEM-a.md"}


def test_watch_that_is_dropped_gives_its_descriptor_back(root: Path) -> None:
    """A user has few of them, and a daemon drops banks."""
    following = Watch(root, READ_FOLDERS)
    following.position()
    descriptor = following._descriptor
    os.fstat(descriptor)

    del following
    gc.collect()

    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)


# ── Where nobody can tell ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A kernel of our own; what is written here it tells."""
    there, here = os.pipe2(os.O_NONBLOCK)
    numbers = count(1)
    monkeypatch.setattr(watch, "_kernel", lambda: Kernel(lambda _: os.dup(there), lambda *_: next(numbers)))
    yield here
    os.close(there)
    os.close(here)


@pytest.mark.parametrize(("number", "what"), [(-1, 0x4000), (1, 0x8000), (1, 0x2000), (99, 0x2)])
def test_lost_events_are_a_doubt(root: Path, queue: int, number: int, what: int) -> None:
    """The queue was too long, the watch or the disk is gone, or it is a folder that we do not know."""
    following = Watch(root, READ_FOLDERS)
    before = following.position()
    os.write(queue, struct.pack("iIII", number, what, 0, 0))
    following.position()
    assert following.since(before) is None


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("_kernel", lambda: None),
        ("_kernel", lambda: Kernel(lambda _: -1, lambda *_: 1)),
        ("_kernel", lambda: Kernel(lambda _: os.dup(0), lambda *_: -1)),
        ("_MOST_FOLDERS", 2),
    ],
    ids=["not Linux", "no more watches", "folder refused", "too many folders"],
)
def test_without_the_kernel_nobody_can_tell(
    root: Path, monkeypatch: pytest.MonkeyPatch, name: str, instead: object
) -> None:
    """Then every file is looked at, as in a process that does not stay."""
    monkeypatch.setattr(watch, name, instead)
    following = Watch(root, READ_FOLDERS)
    assert following.since(following.position()) is None
    assert following.since(following.position()) is None


def test_system_without_such_a_call_has_no_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is none of that name on macOS."""
    monkeypatch.setattr("ctypes.CDLL", lambda _: object())
    assert watch._kernel() is None


def test_folder_that_cannot_be_listed_is_a_doubt(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in it cannot be followed."""

    def refuse(*_: object) -> list[str]:
        raise PermissionError

    monkeypatch.setattr(watch, "_inside", refuse)
    following = Watch(root, READ_FOLDERS)
    assert following.since(following.position()) is None


def test_disk_of_another_machine_is_not_believed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others change files there without this kernel."""
    monkeypatch.setattr(watch, "is_local", lambda _: False)
    following = Watch(root, READ_FOLDERS)
    assert following.since(following.position()) is None


# ── What a bank makes of it ───────────────────────────────────────────────────────────────────────────────────────────


def break_it(bank: Bank) -> None:
    """Leave the marks of a merge in a note."""
    path = path_of(bank, "a")
    path.write_bytes(path.read_bytes() + b"<<<<<<< HEAD\n")


def copy_it(bank: Bank) -> None:
    """Let two files claim one id."""
    path_of(bank, "a").with_name("copy.md").write_bytes(path_of(bank, "a").read_bytes())


def put_a_folder_there(bank: Bank) -> None:
    """Put a folder where a note was."""
    path_of(bank, "a").unlink()
    path_of(bank, "a").mkdir()


@pytest.mark.parametrize(
    "act",
    [
        lambda bank: path_of(bank, "a").write_bytes(path_of(bank, "a").read_bytes().replace(b"About", b"Above")),
        break_it,
        copy_it,
        lambda bank: path_of(bank, "a").unlink(),
        lambda bank: path_of(bank, "a").rename(path_of(bank, "a").with_name("MEM-0.md")),
        lambda bank: bank.add([note("c")]),
        lambda bank: bank.delete("MEM-a"),
        lambda bank: reopen(bank).tag("MEM-a", add=["seen"]),
        lambda bank: (bank.root / "L0_core/who.md").write_bytes(b"# Who we are\n"),
        lambda bank: (bank.root / L1 / "notes.txt").write_bytes(b""),
        put_a_folder_there,
    ],
    ids=[
        "edited",
        "broken",
        "copied",
        "removed",
        "renamed",
        "added",
        "deleted",
        "exchanged",
        "core",
        "no note",
        "folder",
    ],
)
def test_bank_that_is_told_knows_what_a_look_at_all_files_finds(watched: Bank, act: Callable[[Bank], None]) -> None:
    """T-03, I-02: notes, what is broken, who has an id and INDEX.md are the same, and again once it is undone."""
    store = watched._store
    store.look().index()
    kept = {path: path.read_bytes() for path in (watched.root / L1).iterdir()}
    act(watched)
    for _ in range(2):
        told, looked = store.look(), scan(store.layout)
        assert told.seen.keys() == looked.seen.keys()
        assert {file: each.digest for file, each in told.seen.items()} == {
            file: each.digest for file, each in looked.seen.items()
        }
        assert {file: each.code for file, each in told.broken.items()} == {
            file: each.code for file, each in looked.broken.items()
        }
        assert (told.winners(), told.index(), told.summaries()) == (
            looked.winners(),
            looked.index(),
            looked.summaries(),
        )
        for path in kept:
            if path.is_dir():
                path.rmdir()
        for path, content in kept.items():
            path.write_bytes(content)


def test_only_what_is_told_is_looked_at(watched: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cost of a write grows with the bank no more than its list does."""
    monkeypatch.setattr(stores, "scan", None)
    path_of(watched, "b").unlink()
    watched.add([note("c")])
    assert [each.id for each in watched.notes()] == ["MEM-a", "MEM-c"]


def test_all_files_are_looked_at_now_and_then(watched: Bank) -> None:
    """A file that is changed by another of its names is not told; the next look at all files finds it."""
    other = watched.root.parent / "other.md"
    os.link(path_of(watched, "a"), other)
    watched.notes()
    other.write_bytes(other.read_bytes().replace(b"About", b"Above"))

    watched._store._due = 0.0

    assert watched.notes()[0].title == "Above a"


def test_what_was_dropped_is_looked_at_anew(watched: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """After `forget` what the cache has may be older than any position."""
    watched._store.forget()
    monkeypatch.setattr(stores, "scan_again", None)
    assert [each.id for each in watched.notes()] == ["MEM-a", "MEM-b"]


def test_failed_look_loses_no_news(watched: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was told before a look that failed is told again to the next."""
    path_of(watched, "b").unlink()
    with monkeypatch.context() as broken:
        broken.setattr(stores, "scan_again", lambda *_: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            watched.notes()
    assert [each.id for each in watched.notes()] == ["MEM-a"]
