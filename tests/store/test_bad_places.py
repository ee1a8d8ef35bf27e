"""Places where a bank cannot be written: one clear error, every byte as it was, and reading goes on."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tacit import fsio
from tacit.bank import Bank
from tacit.errors import NotARegularFile, PathTaken, StoreUnwritable, SymlinkRefused, TacitError
from tacit.note.model import Layer
from tests.store.banks import ids, make, note, path_of, reopen, tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOBODY = 65534

# ── Permissions ───────────────────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def without_privileges() -> Iterator[None]:
    """Be an ordinary user for a while; root may do everything, so root would prove nothing."""
    if os.geteuid() != 0:
        yield
        return
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


@pytest.fixture
def shared() -> Iterator[Bank]:
    """A bank of an ordinary user's, with two notes, where an ordinary user can reach it."""
    folder = Path(tempfile.mkdtemp(prefix="tacit-test-"))
    try:
        folder.chmod(0o755)
        bank = make(folder / "bank")
        bank.add([note("a"), note("b")])
        bank.delete("MEM-b")
        bank.check()  # what is imported on demand is imported while we may read everything
        if os.geteuid() == 0:
            for path in (folder, *folder.rglob("*")):
                os.chown(path, NOBODY, NOBODY)
        yield bank
    finally:
        for path in (folder, *folder.rglob("*")):
            if path.is_dir():
                path.chmod(0o755)
        shutil.rmtree(folder)


CHANGES: dict[str, Callable[[Bank], object]] = {
    "add": lambda bank: bank.add([note("c")]),
    "archive": lambda bank: bank.archive("MEM-a"),
    "move": lambda bank: bank.move("MEM-a", Layer.PROCEDURAL),
    "delete": lambda bank: bank.delete("MEM-a"),
    "purge": lambda bank: bank.purge("MEM-b"),
}


@pytest.mark.parametrize(
    ("folder", "change"),
    [
        *((folder, change) for folder in ("staging", ".trash", ".local/audit") for change in CHANGES),
        *((folder, change) for folder in (".", "L1_declarative") for change in CHANGES if change != "purge"),
        (".local", "purge"),
    ],
)
def test_folder_closed_for_writing_refuses_before_the_commit(shared: Bank, folder: str, change: str) -> None:
    """T-03: a lost permission ends in one clear error and an unchanged bank; with it back the change goes through."""
    before = tree(shared.root)
    mode = (shared.root / folder).stat().st_mode
    (shared.root / folder).chmod(0o555)

    with without_privileges():
        with pytest.raises(StoreUnwritable, match="denied"):
            CHANGES[change](shared)
        assert ids(reopen(shared)) == ["MEM-a"]

    (shared.root / folder).chmod(mode)
    assert tree(shared.root) == before
    with without_privileges():
        CHANGES[change](shared)
    assert reopen(shared).check()[1] == []


def test_lock_that_is_not_ours_refuses(shared: Bank) -> None:
    """T-03: who may not take the lock does not write, and reads."""
    (shared.root / ".local" / "lock").chmod(0o000)
    before = tree(shared.root)

    with without_privileges(), pytest.raises(StoreUnwritable, match="denied"):
        shared.add([note("c")])

    assert tree(shared.root) == before


@pytest.mark.parametrize("folder", ["L1_declarative", "staging", ".local/audit"])
def test_folder_closed_for_reading_is_told(shared: Bank, folder: str) -> None:
    """T-03: what cannot be listed is an error in a sentence, never an empty folder, and INDEX.md stays."""
    (shared.root / "INDEX.md").write_bytes(b"stale\n")
    before = tree(shared.root)
    mode = (shared.root / folder).stat().st_mode
    (shared.root / folder).chmod(0o000)

    with without_privileges():
        for act in (lambda: reopen(shared).notes(), lambda: reopen(shared, heal=False).notes(), shared.check):
            with pytest.raises(StoreUnwritable, match="denied"):
                act()

    (shared.root / folder).chmod(mode)
    assert tree(shared.root) == before


def test_trash_closed_for_reading_is_told(shared: Bank) -> None:
    """T-03, T-04: what was removed is not called gone because nobody may look; notes are read all the same."""
    (shared.root / ".trash").chmod(0o000)

    with without_privileges():
        assert ids(reopen(shared)) == ["MEM-a"]
        for act in (shared.trash, shared.undo):
            with pytest.raises(StoreUnwritable, match="denied"):
                act()
        problems = shared.check()[1]

    assert [(problem.code, problem.file) for problem in problems] == [("trash.unreadable", ".trash")]


def test_file_closed_for_reading_is_a_problem_of_that_file(shared: Bank) -> None:
    """N-05, T-03: one note that cannot be read is reported; the others are there."""
    with without_privileges():
        shared.add([note("c")])
        path_of(shared, "a").chmod(0o000)
        again = reopen(shared)
        problems = again.check()[1]

        assert ids(again) == ["MEM-c"]
        assert [(problem.code, problem.file) for problem in problems] == [("store.io", "L1_declarative/MEM-a.md")]
        with pytest.raises(StoreUnwritable):
            again.get("MEM-a")
        path_of(shared, "a").chmod(0o644)
        assert ids(reopen(shared)) == ["MEM-a", "MEM-c"]


def test_log_closed_for_reading_is_told(shared: Bank) -> None:
    """T-03, N-05: somebody else's log is an error in a sentence; a check says so and looks at the rest."""
    (shared.root / ".local" / "audit" / "audit-000001.ndjson").chmod(0o000)

    with without_privileges():
        for act in (shared.log, lambda: shared.add([note("c")])):
            with pytest.raises(StoreUnwritable, match="denied"):
                act()
        count, problems = shared.check()

    assert count == 1
    assert [(problem.code, problem.file) for problem in problems] == [("audit.unreadable", ".local/audit")]
    assert "denied" in problems[0].message


# ── A read-only file system ───────────────────────────────────────────────────────────────────────────────────────────

READ_ONLY = """
import json, sys
from tacit.bank import Bank
from tacit.errors import StoreUnwritable
from tacit.note.model import Note

bank = Bank.open(sys.argv[1])
answers = {"notes": [note.id for note in bank.notes()], "text": bank.text("MEM-a")}
answers["codes"] = [problem.code for problem in bank.check()[1]]
try:
    bank.add([Note(id="", title="t", when_to_load=("w",), one_liner="l")])
except StoreUnwritable as error:
    answers["refusal"] = error.message
try:
    Bank.init(sys.argv[1])
except StoreUnwritable as error:
    answers["init"] = error.message
print(json.dumps(answers))
"""
MOUNT = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'


def test_read_only_file_system_is_read(bank: Bank) -> None:
    """T-03: on a read-only disk everything is read, and everything else is refused with the disk's own reason."""
    bank.add([note("a"), note("b")])
    index = bank.root / "INDEX.md"
    index.write_bytes(index.read_bytes() + b"a line of a bad merge\n")
    (bank.root / "references" / "note-template.md").unlink()
    before = tree(bank.root)
    command = ["unshare", "--mount", "sh", "-c", MOUNT, "sh", str(bank.root)]
    if os.geteuid() or shutil.which("unshare") is None or subprocess.run([*command, "true"], check=False).returncode:
        pytest.skip("mounting needs more rights")

    done = subprocess.run(
        [*command, sys.executable, "-c", READ_ONLY, str(bank.root)], capture_output=True, encoding="utf-8", check=False
    )

    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    assert answers["notes"] == ["MEM-a", "MEM-b"]
    assert answers["text"] == path_of(bank, "a").read_text(encoding="utf-8")
    assert answers["codes"] == ["index.stale"]
    assert "Read-only file system; nothing was changed" in answers["refusal"]
    assert "Read-only file system; nothing was changed" in answers["init"]
    assert tree(bank.root) == before


def test_refusal_names_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: closed by permission and closed by the disk are told apart; a folder to come is judged by the one above."""
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    monkeypatch.setattr(os, "supports_effective_ids", {os.access})
    with pytest.raises(PermissionError) as caught:
        fsio.refuse_read_only(tmp_path / "not" / "yet")
    assert caught.value.filename == str(tmp_path)

    flags = type("Status", (), {"f_flag": os.ST_RDONLY})
    monkeypatch.setattr(os, "statvfs", lambda _: flags)
    with pytest.raises(OSError, match="Read-only file system"):
        fsio.refuse_read_only(tmp_path)


# ── Other things in place of folders ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("folder", ["L1_declarative", "staging", ".trash", ".local", ".local/audit", "details"])
@pytest.mark.parametrize("kind", ["link", "file", "fifo"])
def test_folder_replaced_by_something_else_changes_nothing(bank: Bank, tmp_path: Path, folder: str, kind: str) -> None:
    """T-03: a link, a file or a fifo where a folder should be is never written to, through or over."""
    bank.add([note("a")])
    bank.set_state(bank.state.ON)
    outside = tmp_path / "outside"
    (bank.root / folder).rename(outside)
    if kind == "link":
        (bank.root / folder).symlink_to(outside)
    elif kind == "file":
        (bank.root / folder).write_bytes(b"mine")
    else:
        os.mkfifo(bank.root / folder)
    before = tree(tmp_path)

    for act in (lambda: reopen(bank).notes(), lambda: reopen(bank).check(), lambda: Bank.init(bank.root)):
        try:
            act()
        except TacitError:
            continue
    with pytest.raises((SymlinkRefused, PathTaken)):
        bank.add([note("b")])

    assert tree(tmp_path) == before


def test_log_replaced_by_a_fifo_makes_nobody_wait(bank: Bank) -> None:
    """T-02, T-03: a writer that waited for it would hold its lock for ever."""
    bank.add([note("a")])
    segment = bank.root / ".local/audit/audit-000001.ndjson"
    segment.unlink()
    os.mkfifo(segment)

    with pytest.raises(NotARegularFile):
        bank.add([note("b")])
    assert not fsio.stands_at(segment, 0, b"x")
    with pytest.raises(OSError, match="No such device"):
        fsio.add_line(segment, b"x\n")
    assert ids(bank) == ["MEM-a"]
