"""What the note files say now: only what changed is read again, and whatever stands there, the scan ends well."""

from __future__ import annotations

import gc
import json
import os
import shutil
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Self

import pytest

from tacit import fsio
from tacit.bank import Bank
from tacit.errors import NoteNotFound, PathRefused, StoreUnwritable
from tacit.note.model import MAX_NOTE_BYTES, Layer
from tacit.store import scan as scans
from tests.store.banks import ids, note, path_of, reopen, tree

if TYPE_CHECKING:
    from collections.abc import Callable

MANY = 60


@pytest.fixture
def many(bank: Bank) -> Bank:
    """A bank with enough notes for the cache to be worth writing, read once by the process before."""
    bank.add([note(f"{number:03d}") for number in range(MANY)])
    assert len(ids(reopen(bank))) == MANY
    return reopen(bank)


@pytest.fixture
def _just_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    """All files count as saved a moment before they were read."""
    monkeypatch.setattr(scans, "_RACY_NS", 10**15)


@pytest.fixture
def _settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """All files count as saved long before they were read."""
    monkeypatch.setattr(scans, "_RACY_NS", -(10**12))


# ── The cache ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("_settled")
def test_next_process_reads_only_what_changed(many: Bank) -> None:
    """B-04: what the process before has seen is not read again; what changed since is."""
    path = path_of(many, "007")
    path.write_bytes(path.read_bytes().replace(b"About", b"Above"))

    now = reopen(many)._store.look()

    assert now.read_anew <= 1
    assert {each.id: each.title for each in now.summaries()}["MEM-007"] == "Above 007"


@pytest.mark.usefixtures("_settled")
def test_edit_of_the_same_size_and_time_is_noticed(many: Bank) -> None:
    """T-03: an editor or git may keep size and time; the kernel's own time stamp gives the edit away."""
    path = path_of(many, "007")
    status = path.stat()
    content = path.read_bytes().replace(b"About", b"Above")
    assert len(content) == status.st_size
    path.write_bytes(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    assert reopen(many).get("MEM-007").title == "Above 007"
    assert {each.id: each.title for each in reopen(many).notes()}["MEM-007"] == "Above 007"


@pytest.mark.usefixtures("_just_saved")
def test_file_saved_just_now_is_read_again(many: Bank) -> None:
    """T-03: two saves within one tick of the clock look the same, so a fresh file is not believed."""
    saved = scans.load(many._store.layout.scan_cache)
    assert saved is not None
    file = "L1_declarative/MEM-007.md"
    older = saved.seen[file]
    stale = scans.Seen(older.stamp, "another digest", older.id, "| another row |", older.kept)

    now = scans.scan(many._store.layout, scans.Scan(saved.taken_ns, {**saved.seen, file: stale}))

    assert now.seen[file].digest == older.digest
    assert now.read_anew == MANY


@pytest.mark.parametrize(
    ("saved_ns", "settled"),
    [(10**9 + 1, True), (4 * 10**9 + 1, True), (5 * 10**9 - 1, False), (4 * 10**9, False), (10**9, True)],
    ids=["long ago", "fine clock", "just now", "coarse clock", "long ago, coarse"],
)
def test_clock_of_the_file_system_decides_what_is_fresh(saved_ns: int, *, settled: bool) -> None:
    """T-03: where time stamps come in whole seconds, a file stays doubtful for longer."""
    assert scans._is_settled((1, saved_ns, saved_ns, 1), 5 * 10**9) is settled


@pytest.mark.parametrize(
    "harm",
    [
        lambda _: b"",
        lambda _: b"\0" * 100,
        lambda _: b"[]",
        lambda _: b"null",
        lambda content: content[: len(content) // 2],
        lambda content: changed(content, version=0),
        lambda content: changed(content, fields=["id"]),
        lambda content: changed(content, taken_ns="yesterday"),
        lambda content: changed(content, seen=[["file"]]),
        lambda content: changed(content, seen=[[["file"], [1], "d", "i", "r", []]]),
        lambda content: changed(content, seen=5),
    ],
    ids=["empty", "zeros", "list", "null", "half", "version", "fields", "time", "short row", "no path", "no rows"],
)
def test_damaged_cache_is_ignored(many: Bank, harm: Callable[[bytes], bytes]) -> None:
    """B-04: what is derived may be damaged or gone; the answer is the same."""
    cache = many._store.layout.scan_cache
    cache.write_bytes(harm(cache.read_bytes()))

    assert scans.load(cache) is None
    assert reopen(many).check() == (MANY, [])
    assert len(reopen(many).notes()) == MANY


def changed(content: bytes, **members: object) -> bytes:
    """A cache with other members."""
    return json.dumps({**json.loads(content), **members}).encode()


@pytest.mark.usefixtures("_settled")
def test_name_that_is_no_utf8_is_no_note(many: Bank) -> None:
    """N-05: a file whose name is no UTF-8 is reported; for the rest of the bank it is not there."""
    odd = os.fsdecode(b"MEM-\xff.md")
    path_of(many, "007").rename(path_of(many, "007").with_name(odd))
    many._store.layout.scan_cache.unlink()

    assert len(reopen(many).notes()) == MANY - 1
    assert reopen(many)._store.look().read_anew == 1
    assert [problem.code for problem in reopen(many).check()[1]] == ["layout.name"]
    with pytest.raises(NoteNotFound):
        reopen(many).get("MEM-007")
    with pytest.raises(NoteNotFound):
        many.archive("MEM-007")


@pytest.mark.parametrize("kind", ["link", "folder", "missing"])
def test_cache_that_is_no_file_is_ignored(many: Bank, kind: str) -> None:
    """B-04: nothing that stands in the cache's place stops a reader."""
    cache = many._store.layout.scan_cache
    cache.unlink()
    if kind == "link":
        cache.symlink_to("/dev/null")
    elif kind == "folder":
        cache.mkdir()

    assert len(reopen(many).notes()) == MANY


def test_reader_that_cannot_save_its_cache_reads_on(many: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: on a read-only disk there is no cache, and that is all."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError

    monkeypatch.setattr(fsio, "replace", refuse)

    assert len(reopen(many).notes()) == MANY


def test_clone_gets_no_local_part_from_reading(many: Bank) -> None:
    """B-06: reading a bank without local parts makes none."""
    shutil.rmtree(many.root / ".local")
    (many.root / "memory.lock").unlink()

    assert len(reopen(many).notes()) == MANY
    assert not (many.root / ".local").exists()


def test_private_parts_are_for_their_user_alone(many: Bank) -> None:
    """B-04: other users of the machine may read the notes, but neither the cache nor what was removed."""
    many.delete("MEM-007")

    private = [many._store.layout.scan_cache, many._store.layout.trash, *many._store.layout.audit.iterdir()]
    assert [path for path in private if path.stat().st_mode & 0o077] == []


def test_scan_leaves_the_collector_as_it_was(bank: Bank) -> None:
    """Python's search for garbage rests while a bank is read, and goes on only where it was on."""
    bank.notes()
    assert gc.isenabled()
    gc.disable()
    try:
        bank.notes()
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_the_collector_rests_until_the_last_is_done() -> None:
    """Of two threads at work the one that began later does not leave it resting for good."""
    one, other = scans.no_collecting(), scans.no_collecting()
    one.__enter__()
    other.__enter__()
    one.__exit__(None, None, None)
    assert not gc.isenabled()
    other.__exit__(None, None, None)
    assert gc.isenabled()


def test_small_bank_writes_no_cache(bank: Bank) -> None:
    """A few notes are read faster than a cache is kept."""
    bank.add([note("a")])
    reopen(bank).notes()

    assert not bank._store.layout.scan_cache.exists()


def in_layers(act: Callable[[Path], object]) -> Callable[[Path], object]:
    """Listing a layer does `act`; other folders are listed as ever, which newer versions of pathlib do so too."""
    real = os.scandir
    return lambda folder: act(folder) if Path(folder).name.startswith("L") else real(folder)


def test_opened_bank_may_answer_one_question_from_its_own_scan(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that asks one thing does not read the bank twice; what it writes it sees."""
    bank.add([note("a")])
    asking = Bank.open(bank.root, one_question=True)
    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", in_layers(lambda _: pytest.fail("looked again")))
        assert ids(asking) == ["MEM-a"]

    asking.add([note("b")])

    assert ids(asking) == ["MEM-a", "MEM-b"]


# ── What may stand in a folder ────────────────────────────────────────────────────────────────────────────────────────


def make_odd(path: Path, kind: str) -> None:
    """Put something at `path` that is no note."""
    content = path.read_bytes()
    path.unlink()
    match kind:
        case "fifo":
            os.mkfifo(path)
        case "device":
            try:
                os.mknod(path, stat.S_IFCHR, os.makedev(1, 7))
            except PermissionError:
                pytest.skip("making a device needs more rights")
        case "link":
            path.with_suffix(".txt").write_bytes(content)
            path.symlink_to(path.with_suffix(".txt").name)
        case "folder":
            path.mkdir()
        case "huge":
            path.write_bytes(content + b"x" * MAX_NOTE_BYTES)
        case "empty":
            path.write_bytes(b"")
        case "no text":
            path.write_bytes(content + b"\xff")
        case "conflict":
            path.write_bytes(b"<<<<<<< HEAD\n" + content + b"=======\n" + content + b">>>>>>> branch\n")
        case _:
            path.write_bytes(b"just words\n")


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("fifo", "note.not_regular"),
        ("device", "note.not_regular"),
        ("folder", "note.not_regular"),
        ("link", "path.symlink"),
        ("huge", "note.too_large"),
        ("empty", "note.empty"),
        ("no text", "note.not_utf8"),
        ("conflict", "note.conflicted"),
        ("words", "note.syntax"),
    ],
)
def test_odd_file_is_reported_and_the_rest_goes_on(bank: Bank, kind: str, code: str) -> None:
    """N-05: a file that is no valid note is reported with its name, left as it is, and everything else works."""
    bank.add([note("a"), note("b")])
    make_odd(path_of(bank, "a"), kind)
    before = tree(bank.root / "L1_declarative")

    again = reopen(bank)

    assert ids(again) == ["MEM-b"]
    problems = [problem for problem in again.check()[1] if problem.code != "layout.stray"]
    assert [(problem.code, problem.file) for problem in problems] == [(code, "L1_declarative/MEM-a.md")]
    again.add([note("c", layer=Layer.PROCEDURAL)])
    assert b"MEM-a" not in (bank.root / "INDEX.md").read_bytes()
    assert tree(bank.root / "L1_declarative") == before


@pytest.mark.parametrize("folder", ["L0_core", "L1_declarative", "L2_procedural"])
@pytest.mark.parametrize("kind", ["link", "file"])
def test_folder_that_is_none_is_reported(bank: Bank, tmp_path: Path, folder: str, kind: str) -> None:
    """N-05: a link or a file in place of a layer's folder is a problem, not an empty layer."""
    shutil.rmtree(bank.root / folder)
    if kind == "link":
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside" / "data.csv").write_bytes(b"")
        (bank.root / folder).symlink_to(tmp_path / "outside")
    else:
        (bank.root / folder).write_bytes(b"")

    problems = reopen(bank).check()[1]

    code = "path.symlink" if kind == "link" else "path.taken"
    assert [(problem.code, problem.file) for problem in problems] == [(code, folder)]


def test_file_that_vanishes_during_a_scan_is_not_there(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-02: between listing a folder and reading a file the file may go, at two places."""
    bank.add([note("a"), note("b"), note("c")])
    real_scandir, real_read = os.scandir, fsio.read

    class Entries(list["os.DirEntry[str]"]):
        """A listing that is out of date as soon as it names the first note."""

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            if any(entry.name == "MEM-a.md" for entry in self):
                path_of(bank, "a").unlink()

    def read(path: str | Path, *, limit: int | None = None) -> bytes | None:
        if Path(path) == path_of(bank, "b"):
            Path(path).unlink(missing_ok=True)
        return real_read(path, limit=limit)

    def scandir(folder: Path) -> Entries:
        with real_scandir(folder) as entries:
            return Entries(entries)

    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(fsio, "read", read)

    assert ids(bank) == ["MEM-c"]


def test_file_that_cannot_be_read_is_reported(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: a note without permission to read is a problem, not a missing note."""
    bank.add([note("a"), note("b")])
    real = fsio.read

    def read(path: str | Path, *, limit: int | None = None) -> bytes | None:
        if Path(path) == path_of(bank, "a"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, limit=limit)

    monkeypatch.setattr(fsio, "read", read)

    now = bank._store.look()
    assert list(now.seen) == ["L1_declarative/MEM-b.md"]
    assert [(file, error.code) for file, error in now.broken.items()] == [("L1_declarative/MEM-a.md", "store.io")]


def test_folder_that_cannot_be_read_is_no_empty_layer(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: without permission to list a layer there is one clear error, and INDEX.md keeps its rows."""
    bank.add([note("a")])
    before = tree(bank.root)

    def refuse(folder: Path) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", in_layers(refuse))
        for act in (bank.notes, lambda: bank.add([note("b")]), lambda: reopen(bank)):
            with pytest.raises(StoreUnwritable, match="Permission denied"):
                act()

    assert tree(bank.root) == before


def test_missing_folder_is_an_empty_layer(bank: Bank) -> None:
    """B-06: git keeps no empty folders, so a clone may lack some."""
    for folder in ("L0_core", "L1_declarative", "L2_procedural"):
        shutil.rmtree(bank.root / folder)

    assert bank.check() == (0, [])


def test_names_decide_what_is_a_note(bank: Bank) -> None:
    """B-02: hidden files and README.md are none, other kinds are strays; L0 takes every Markdown file."""
    (bank.root / "L1_declarative" / "README.md").write_bytes(b"words")
    (bank.root / "L1_declarative" / ".hidden.md").write_bytes(b"words")
    (bank.root / "L1_declarative" / ".swp").write_bytes(b"words")
    (bank.root / "L2_procedural" / "picture.png").write_bytes(b"")
    (bank.root / "L2_procedural" / "folder").mkdir()
    (bank.root / "L0_core" / "README.md").write_bytes(b"# Who we are\n")
    (bank.root / "L0_core" / "notes.txt").write_bytes(b"")

    again = reopen(bank)

    assert ids(again) == ["CORE-README"]
    assert [(problem.code, problem.file) for problem in again.check()[1]] == [
        ("layout.stray", "L2_procedural/folder"),
        ("layout.stray", "L2_procedural/picture.png"),
    ]


@pytest.mark.parametrize(
    "name", ['what: "now"?.md', "a|b*<c>.md", f"{'long' * 40}.md", "back\\slash.md", "new\nline.md"]
)
def test_note_with_a_name_that_is_not_portable_can_be_read(bank: Bank, name: str) -> None:
    """N-05: what is listed can be shown; check says that the file should be renamed, and Tacit does not write to it."""
    bank.add([note("a"), note("b")])
    path_of(bank, "a").rename(path_of(bank, "a").with_name(name))

    again = reopen(bank)

    assert ids(again) == ["MEM-a", "MEM-b"]
    assert again.get("MEM-a").title == "About a"
    problems = again.check()[1]
    assert [(problem.code, problem.file) for problem in problems] == [("layout.name", f"L1_declarative/{name}")]
    with pytest.raises(PathRefused):
        again.archive("MEM-a")


def test_file_named_after_its_id_wins_over_a_copy(bank: Bank) -> None:
    """H-01: of two files with one id the one that bears its name is used, else the first; both are reported."""
    bank.add([note("b")])
    content = path_of(bank, "b").read_bytes()
    path_of(bank, "b").with_name("A-copy.md").write_bytes(content.replace(b"About", b"Copy of"))
    path_of(bank, "b").with_name("Z-copy.md").write_bytes(content.replace(b"About", b"Copy of"))

    now = reopen(bank)._store.look()

    assert now.winners() == {"MEM-b": "L1_declarative/MEM-b.md"}
    assert [(error.details["id"], error.details["winner"]) for error in now.duplicates()] == [
        ("MEM-b", "L1_declarative/MEM-b.md")
    ]
