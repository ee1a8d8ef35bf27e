"""A disk that is full, broken or read-only: before the commit point nothing changed, after it nothing is lost."""

from __future__ import annotations

import errno
import shutil
from typing import TYPE_CHECKING

import pytest

from tacit import fsio
from tacit.bank import Bank, State
from tacit.errors import CommittedCompleting, StoreUnwritable
from tacit.note.model import Layer
from tacit.store import apply
from tests.store.banks import Ticks, ids, make, note, path_of, reopen, tree
from tests.store.faults import Disk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def edit(bank: Bank) -> None:
    """Save a new text of a note, as an editor's user would."""
    content = path_of(bank, "a").read_bytes()
    bank.rewrite("MEM-a", content.replace(b"Look twice.", b"Look three times."), base=fsio.digest(content))


OPERATIONS: dict[str, Callable[[Bank], object]] = {
    "add": lambda bank: bank.add([note("x"), note("y", layer=Layer.PROCEDURAL)]),
    "edit": edit,
    "move": lambda bank: bank.move("MEM-a", Layer.PROCEDURAL),
    "delete": lambda bank: bank.delete("MEM-a"),
    "restore": lambda bank: bank.restore("MEM-gone"),
    "purge": lambda bank: bank.purge("MEM-gone"),
    "state": lambda bank: bank.set_state(State.PAUSED),
}
CODES = [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EACCES, errno.EDQUOT]


@pytest.fixture(scope="module")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank with two notes and one that was removed, to be copied."""
    bank = make(tmp_path_factory.mktemp("refusing") / "bank")
    bank.add([note("a"), note("b"), note("gone")])
    bank.delete("MEM-gone")
    return bank.root


def opened(root: Path) -> Bank:
    """Open a copy of the pattern; every copy goes on with the same time and the same ids."""
    ticks = Ticks()
    ticks.moments = ticks.names = 1000
    return Bank.open(root, clock=ticks.clock, new_id=ticks.new_id)


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_failure_at_any_step_is_all_or_nothing(
    tmp_path: Path, pattern: Path, monkeypatch: pytest.MonkeyPatch, operation: str, *, lasting: bool
) -> None:
    """T-01, T-03: an error before the commit point leaves every byte, one after it completes at the next open."""
    act = OPERATIONS[operation]
    before = tree(pattern)
    shutil.copytree(pattern, tmp_path / "smooth")
    with monkeypatch.context() as patch:
        bank = opened(tmp_path / "smooth")
        changes = Disk().use(patch)
        act(bank)
    after = tree(tmp_path / "smooth")
    outcomes = []

    for step in range(1, changes.changes + 1):
        root = tmp_path / str(step)
        shutil.copytree(pattern, root)
        bank = opened(root)
        with monkeypatch.context() as patch:
            Disk(step, CODES[step % len(CODES)], lasting=lasting).use(patch)
            try:
                act(bank)
                outcomes.append("done")
            except StoreUnwritable:
                outcomes.append("refused")
            except CommittedCompleting:
                outcomes.append("completing")
        if outcomes[-1] != "refused" or lasting:
            reopen(bank)
        assert tree(root) == (before if outcomes[-1] == "refused" else after), f"step {step}: {outcomes[-1]}"

    assert {"refused", "completing"} <= set(outcomes)
    first_after = outcomes.index("completing")
    assert "refused" not in outcomes[first_after:], "what is committed was called refused"


def test_completing_says_so_and_is_visible_at_once(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-01: after the commit point an error reads "committed, completing", and every reader sees the change already."""
    with monkeypatch.context() as patch:
        patch.setattr(fsio, "link_new", refuse)
        with pytest.raises(CommittedCompleting) as caught:
            bank.add([note("a")])
        assert caught.value.message.startswith("Committed, completing")
        assert not path_of(bank, "a").exists()
        assert ids(bank) == ids(reopen(bank)) == ["MEM-a"]
        assert bank.get("MEM-a").one_liner == "Look twice."

    reopen(bank)

    assert path_of(bank, "a").exists()
    assert list((bank.root / "staging").glob("[!.]*")) == []
    assert bank.check() == (1, [])


def test_interrupt_after_the_commit_is_no_failure(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-01: nor is Ctrl-C."""
    with monkeypatch.context() as patch:
        patch.setattr(fsio, "link_new", interrupt)
        with pytest.raises(CommittedCompleting, match="Ctrl-C interrupted"):
            bank.add([note("a")])

    assert ids(reopen(bank)) == ["MEM-a"]
    assert bank.check() == (1, [])


def test_next_writer_completes_first(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-01: whoever writes next finishes what was committed, in order, before anything else."""
    with monkeypatch.context() as patch:
        patch.setattr(apply, "roll_forward", refuse)
        with pytest.raises(CommittedCompleting):
            bank.add([note("a")])

    bank.archive("MEM-a")

    assert [entry.operation for entry in bank.log()][-2:] == ["create", "archive"]
    assert bank.check() == (1, [])


def test_writer_that_cannot_complete_refuses(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: as long as the disk refuses, a writer says so and an opener reads on."""
    with monkeypatch.context() as patch:
        patch.setattr(apply, "roll_forward", refuse)
        with pytest.raises(CommittedCompleting):
            bank.add([note("a")])
        with pytest.raises(StoreUnwritable):
            bank.archive("MEM-a")
        assert ids(reopen(bank)) == ["MEM-a"]

    assert reopen(bank).check() == (1, [])


def test_journal_that_appeared_in_spite_of_an_error_counts(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-01: if the rename is done although the system called it failed, the change is committed, not discarded."""
    real = fsio.rename

    def rename(source: Path, target: Path) -> None:
        real(source, target)
        if target.name == "journal.json":
            refuse()

    monkeypatch.setattr(fsio, "rename", rename)

    bank.add([note("a")])

    assert ids(bank) == ["MEM-a"]


def test_staging_that_cannot_be_removed_is_removed_later(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: where even tidying up fails, the bytes without a journal count for nothing."""
    before = tree(bank.root)
    with monkeypatch.context() as patch:
        patch.setattr(fsio, "sync_files", refuse)
        patch.setattr(fsio, "remove_tree", refuse)
        with pytest.raises(StoreUnwritable):
            bank.add([note("a")])
    assert len(list((bank.root / "staging").glob("[!.]*"))) == 1

    reopen(bank)

    assert tree(bank.root) == before


def test_full_disk_does_not_keep_the_lock(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-02: the name in the lock file is a courtesy; if there is no room for it the lock works all the same."""
    with monkeypatch.context() as patch:
        patch.setattr(fsio, "overwrite_locked", refuse)
        bank.add([note("a")])

    bank.add([note("b")])

    assert ids(bank) == ["MEM-a", "MEM-b"]


def test_unreadable_file_is_refused_in_a_sentence(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: a disk that cannot even be read ends in the same clear error, for writers and for readers."""
    bank.add([note("a")])
    monkeypatch.setattr(fsio, "read", refuse)

    with pytest.raises(StoreUnwritable, match="Input/output error"):
        bank._store.read("L1_declarative/MEM-a.md")
    with pytest.raises(StoreUnwritable, match="Input/output error"), bank._store.writing("test") as transaction:
        transaction.read("L1_declarative/MEM-a.md")


def test_lock_that_cannot_be_made_is_refused_in_a_sentence(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: a place where no lock can be taken is a place where nothing is written."""
    monkeypatch.setattr(fsio, "open_lock", refuse)

    with pytest.raises(StoreUnwritable):
        bank.add([note("a")])


def refuse(*_: object, **__: object) -> None:
    """What a broken disk answers."""
    raise OSError(errno.EIO, "Input/output error")


def interrupt(*_: object, **__: object) -> None:
    """What Ctrl-C does, wherever a command is."""
    raise KeyboardInterrupt
