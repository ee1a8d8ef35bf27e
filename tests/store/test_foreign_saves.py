"""Somebody else saves at the worst moment: theirs stays in place, ours is kept aside, and no byte is lost."""

from __future__ import annotations

import errno
import os
from itertools import product
from typing import TYPE_CHECKING

import pytest

from tacit import fsio
from tacit.audit.log import Addition, AuditLog
from tacit.errors import ChangedMeanwhile, ConflictKept
from tacit.note.model import Layer
from tacit.store import apply
from tacit.store.journal import Change, Journal
from tacit.store.layout import Layout
from tests.store.banks import Killed, ids, note, path_of, reopen

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.bank import Bank

PATH = "L1_declarative/MEM-a.md"
OLD, OURS, THEIRS = b"old", b"ours", b"theirs"


def theirs_of(bank: Bank, name: str = "a") -> bytes:
    """The note as another program saves it: valid, and with another title."""
    return path_of(bank, name).read_bytes().replace(b"About", b"All about")


def kept_aside(bank: Bank) -> list[bytes]:
    """What lies in the folder of conflicts."""
    return [path.read_bytes() for path in sorted((bank.root / "conflicts").glob("[!.]*"))]


def save(path: Path, content: bytes) -> None:
    """Save as careful editors do: a new file, renamed over the old one."""
    path.with_suffix(".new").write_bytes(content)
    path.with_suffix(".new").rename(path)


def before(monkeypatch: pytest.MonkeyPatch, primitive: str, act: Callable[[], None], *, times: int = 1) -> None:
    """Let somebody act right before fsio's next call of `primitive` for a note."""
    real = getattr(fsio, primitive)
    left = [times]

    def interrupted(first: Path, second: Path) -> None:
        if left[0] and any(path.suffix == ".md" and path.name != "INDEX.md" for path in (first, second)):
            left[0] -= 1
            act()
        real(first, second)

    monkeypatch.setattr(fsio, primitive, interrupted)


# ── Every combination of what stands where ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("old", "new", "there", "staged"),
    [
        pytest.param(*case, id="-".join("none" if part is None else part.decode() for part in case))
        for case in product((None, OLD), (None, OURS), (None, OLD, OURS, THEIRS), (None, OLD, OURS, THEIRS))
    ],
)
def test_each_state_of_a_change_ends_well(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    old: bytes | None,
    new: bytes | None,
    there: bytes | None,
    staged: bytes | None,
) -> None:
    """T-01, T-03: from any state a change may be found in, theirs survives, and ours stands in place or aside."""
    journal, directory = prepared(tmp_path, old, new)
    target = tmp_path / PATH
    put(target, there)
    put(directory / "0", staged)
    if there == THEIRS:
        before(monkeypatch, "exchange", lambda: pytest.fail("somebody else's save was touched"))

    kept = apply.roll_forward(Layout(tmp_path), log_of(tmp_path), directory, journal)

    outcome = fsio.read(target)
    everywhere = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    conflicts = [fsio.read(tmp_path / name) for name in kept if name.startswith("conflicts/")]
    if THEIRS in (there, staged):
        assert THEIRS in everywhere, "a save of somebody else was lost"
    if there == old and staged == new:
        assert outcome == new, "the change was not carried out"
    if there == THEIRS:
        assert outcome == THEIRS, "somebody else's save was replaced"
    if new is not None and staged == new and outcome != new:
        assert conflicts == [new], "our version was dropped"
    assert not list((tmp_path / "staging").glob("[!.]*"))
    assert log_of(tmp_path).has(journal.audit)


@pytest.mark.parametrize("kind", ["link", "folder", "fifo"])
def test_what_is_no_file_is_left_alone(tmp_path: Path, kind: str) -> None:
    """T-03: a link, folder or fifo that appears at the target is somebody else's too."""
    journal, directory = prepared(tmp_path, OLD, OURS)
    put(directory / "0", OURS)
    target = tmp_path / PATH
    if kind == "link":
        target.symlink_to("elsewhere")
    elif kind == "folder":
        target.mkdir()
    else:
        os.mkfifo(target)

    kept = apply.roll_forward(Layout(tmp_path), log_of(tmp_path), directory, journal)

    assert [fsio.read(tmp_path / name) for name in kept] == [OURS]
    assert not target.is_file()


@pytest.mark.parametrize("staged", [None, OURS])
def test_derived_file_makes_no_conflict(tmp_path: Path, staged: bytes | None) -> None:
    """I-02: INDEX.md can be made again, so nobody is bothered with versions of it."""
    journal, directory = prepared(tmp_path, OLD, OURS, derived=True)
    put(tmp_path / PATH, THEIRS)
    put(directory / "0", staged)

    assert apply.roll_forward(Layout(tmp_path), log_of(tmp_path), directory, journal) == []
    assert (tmp_path / PATH).read_bytes() == THEIRS


def prepared(root: Path, old: bytes | None, new: bytes | None, *, derived: bool = False) -> tuple[Journal, Path]:
    """A committed transaction with one change, and its directory."""
    change = Change(PATH, digest_of(old), digest_of(new), "0", "MEM-a", derived)
    journal = Journal("OP-x", "test", 1, "2026-01-01T00:00:00Z", (change,), (), Addition(1, 0, "line\n"))
    directory = root / "staging" / journal.directory_name
    directory.mkdir(parents=True)
    (root / PATH).parent.mkdir()
    return journal, directory


def digest_of(content: bytes | None) -> str | None:
    """The fingerprint of a content, None for no file."""
    return None if content is None else fsio.digest(content)


def put(path: Path, content: bytes | None) -> None:
    """Let `content` stand at `path`."""
    if content is not None:
        path.write_bytes(content)


def log_of(root: Path) -> AuditLog:
    """The log of the bank at `root`."""
    return AuditLog(root / ".local" / "audit", segment_bytes=4096)


# ── The same, with a bank and an editor ───────────────────────────────────────────────────────────────────────────────


def test_save_between_reading_and_committing_wins(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: an edit made outside between read and commit is detected, never overwritten; nothing is written."""
    bank.add([note("a")])
    theirs = theirs_of(bank)
    real = fsio.sync_files

    def sync_files(paths: list[Path]) -> None:
        real(paths)
        save(path_of(bank, "a"), theirs)

    monkeypatch.setattr(fsio, "sync_files", sync_files)
    with pytest.raises(ChangedMeanwhile) as caught:
        bank.archive("MEM-a")

    assert caught.value.details["file"] == PATH
    assert path_of(bank, "a").read_bytes() == theirs
    assert list((bank.root / "staging").glob("[!.]*")) == []
    assert reopen(bank).get("MEM-a").title == "All about a"


@pytest.mark.parametrize("how", ["renamed", "in place"])
def test_save_at_the_very_moment_keeps_both(bank: Bank, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """T-03: a save after the last check comes out of the exchange and goes back; ours waits in conflicts/."""
    bank.add([note("a")])
    theirs = theirs_of(bank)
    path = path_of(bank, "a")
    act = (lambda: save(path, theirs)) if how == "renamed" else (lambda: put(path, theirs))
    before(monkeypatch, "exchange", act)

    with pytest.raises(ConflictKept) as caught:
        bank.archive("MEM-a")

    assert path.read_bytes() == theirs
    [ours] = kept_aside(bank)
    assert b"status: archive" in ours
    assert str(caught.value.details["kept"]).startswith("conflicts/OP-")
    count, problems = reopen(bank).check()
    assert (count, [problem.code for problem in problems]) == (1, ["store.conflict"])


@pytest.fixture(params=["no exchange", "neither exchange nor links"])
def poor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that lacks what Tacit would like to use."""
    monkeypatch.setattr(fsio, "_swap", lambda: None)
    if request.param == "neither exchange nor links":

        def refuse(*_: object, **__: object) -> None:
            raise OSError(errno.EPERM, "Operation not permitted")

        monkeypatch.setattr(os, "link", refuse)


@pytest.mark.usefixtures("poor")
def test_poor_file_system_holds_a_bank(bank: Bank) -> None:
    """T-01, A-03: every operation works where files can be neither exchanged nor linked, and can be taken back."""
    bank.add([note("a"), note("b")])
    bank.archive("MEM-a")
    bank.move("MEM-a", Layer.PROCEDURAL)
    bank.delete("MEM-b")
    bank.restore("MEM-b")
    assert [bank.undo().note_ids[0] for _ in range(4)] == ["MEM-b", "MEM-b", "MEM-a", "MEM-a"]

    again = reopen(bank)

    assert [(each.id, each.status) for each in again.notes()] == [("MEM-a", "active"), ("MEM-b", "active")]
    assert again.check() == (2, [])
    again.purge("MEM-a")
    assert ids(reopen(again)) == ["MEM-b"]


@pytest.mark.usefixtures("poor")
def test_poor_file_system_keeps_both_versions_too(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: a save right before the exchange is seen without the one-step call as well."""
    bank.add([note("a")])
    theirs = theirs_of(bank)
    before(monkeypatch, "exchange", lambda: save(path_of(bank, "a"), theirs))

    with pytest.raises(ConflictKept):
        bank.archive("MEM-a")

    assert path_of(bank, "a").read_bytes() == theirs
    assert b"status: archive" in kept_aside(bank)[0]


def test_two_saves_at_the_very_moment_are_both_there(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: an editor that saves again while its first save goes back loses neither."""
    bank.add([note("a")])
    path = path_of(bank, "a")
    versions = [theirs_of(bank), path.read_bytes().replace(b"About", b"Even more about")]
    left = versions.copy()
    before(monkeypatch, "exchange", lambda: save(path, left.pop(0)), times=2)

    with pytest.raises(ConflictKept):
        bank.archive("MEM-a")

    assert {path.read_bytes(), *kept_aside(bank)} == set(versions)


def test_file_deleted_at_the_very_moment_stays_deleted(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: who removes a note while we change it finds it removed, and our version aside."""
    bank.add([note("a")])
    before(monkeypatch, "exchange", path_of(bank, "a").unlink)

    with pytest.raises(ConflictKept):
        bank.archive("MEM-a")

    assert ids(bank) == []
    assert b"status: archive" in kept_aside(bank)[0]


def test_file_made_at_the_very_moment_stays(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: a new note never replaces a file that appeared under its name."""
    bank.add([note("b")])
    theirs = theirs_of(bank, "b").replace(b"MEM-b", b"MEM-a")
    before(monkeypatch, "link_new", lambda: put(path_of(bank, "a"), theirs))

    with pytest.raises(ConflictKept):
        bank.add([note("a")])

    assert bank.get("MEM-a").title == "All about b"
    assert b"About a" in kept_aside(bank)[0]


def test_save_beats_a_removal(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: a note that somebody saves while it is removed goes back to its place."""
    bank.add([note("a")])
    theirs = theirs_of(bank)
    before(monkeypatch, "rename", lambda: save(path_of(bank, "a"), theirs))

    with pytest.raises(ConflictKept) as caught:
        bank.delete("MEM-a")

    assert caught.value.details["kept"] == PATH
    assert path_of(bank, "a").read_bytes() == theirs
    assert reopen(bank).check() == (1, [])


def test_second_save_beats_a_removal_too(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: if the editor saves once more while its first save goes back, the newest stands."""
    bank.add([note("a")])
    first, second = theirs_of(bank), path_of(bank, "a").read_bytes().replace(b"About", b"Even more about")
    before(monkeypatch, "rename", lambda: save(path_of(bank, "a"), first))
    before(monkeypatch, "link_new", lambda: save(path_of(bank, "a"), second))

    with pytest.raises(ConflictKept):
        bank.delete("MEM-a")

    assert path_of(bank, "a").read_bytes() == second
    assert any(path.read_bytes() == first for path in (bank.root / ".trash").rglob("*") if path.is_file())


def test_note_removed_by_both_is_removed(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where both want the note gone there is no conflict."""
    bank.add([note("a")])
    before(monkeypatch, "rename", path_of(bank, "a").unlink)

    bank.delete("MEM-a")

    assert reopen(bank).check() == (0, [])


@pytest.mark.parametrize("operation", ["archive", "delete"])
def test_somebody_who_never_stops_wins(bank: Bank, monkeypatch: pytest.MonkeyPatch, operation: str) -> None:
    """T-03: after ten tries the other one has it, and we say so instead of calling it done."""
    bank.add([note("a")])
    primitive = "exchange" if operation == "archive" else "rename"
    real = getattr(fsio, primitive)

    def never(first: Path, second: Path) -> None:
        if PATH in (path := str(first) + str(second)) and "conflicts" not in path:
            raise FileNotFoundError
        real(first, second)

    monkeypatch.setattr(fsio, primitive, never)
    with pytest.raises(ConflictKept):
        getattr(bank, operation)("MEM-a")

    assert ids(reopen(bank)) == ["MEM-a"]


@pytest.mark.parametrize("times", [1, 2])
def test_index_saved_at_the_very_moment_is_healed(bank: Bank, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """I-02: a hand in INDEX.md during a commit is no conflict; the next open brings it in line."""
    index = bank.root / "INDEX.md"
    saves = [b"mine\n", b"mine again\n"][:times]
    real = fsio.exchange

    def exchange(first: Path, second: Path) -> None:
        if second == index and saves:
            index.write_bytes(saves.pop(0))
        real(first, second)

    with monkeypatch.context() as patch:
        patch.setattr(fsio, "exchange", exchange)
        bank.add([note("a")])
    assert index.read_bytes().startswith(b"mine")

    assert reopen(bank).check() == (1, [])


def test_edit_after_the_change_was_in_place_is_kept(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-01: recovery sees that ours had been in place and that somebody went on from there."""
    bank.add([note("a")])
    with monkeypatch.context() as patch:
        patch.setattr(AuditLog, "add", kill)
        with pytest.raises(Killed):
            bank.archive("MEM-a")
    later = path_of(bank, "a").read_bytes().replace(b"About", b"All about")
    assert b"status: archive" in later
    save(path_of(bank, "a"), later)

    again = reopen(bank)

    assert path_of(bank, "a").read_bytes() == later
    assert again.kept_aside == []
    assert again.check() == (1, [])


def test_edit_before_recovery_keeps_both_and_says_so(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-01, T-03: a save between a crash and the next open is a conflict too, and the opener learns of it."""
    bank.add([note("a")])
    with monkeypatch.context() as patch:
        patch.setattr(apply, "roll_forward", kill)
        with pytest.raises(Killed):
            bank.archive("MEM-a")
    theirs = theirs_of(bank)
    save(path_of(bank, "a"), theirs)

    again = reopen(bank)

    assert [name.startswith("conflicts/") for name in again.kept_aside] == [True]
    assert path_of(bank, "a").read_bytes() == theirs
    assert b"status: archive" in kept_aside(bank)[0]


def kill(*_: object, **__: object) -> None:
    """End here."""
    raise Killed
