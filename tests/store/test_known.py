"""INDEX.md is known by its stamp: not read for every write, and never taken for what it is no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit import fsio
from tacit.errors import ChangedMeanwhile, NotARegularFile, SymlinkRefused
from tacit.store import apply
from tacit.store.transaction import Transaction
from tests.store.banks import note

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.bank import Bank
    from tacit.store.journal import Journal


def saved_in_place(index: Path) -> None:
    """Save as an editor does that writes into the file."""
    with index.open("ab") as file:
        file.write(b"by hand\n")


def saved_as_another(index: Path) -> None:
    """Save as an editor does that renames a new file over the old one."""
    aside = index.with_name("aside")
    aside.write_bytes(index.read_bytes() + b"by hand\n")
    aside.rename(index)


def removed(index: Path) -> None:
    """Take the file away."""
    index.unlink()


CHANGES = pytest.mark.parametrize("change", [saved_in_place, saved_as_another, removed])


def is_right(bank: Bank) -> bool:
    """Whether INDEX.md says what the notes say."""
    return (bank.root / "INDEX.md").read_bytes() == bank._store.look(fresh=True).index()


def test_a_process_that_writes_on_does_not_read_the_list_again(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """I-02: the list is written with every note, and read by none of the writes that follow the first."""
    bank.add([note("a")])
    read: list[str] = []
    real = fsio.read

    def told(path: Path, **bounds: int) -> bytes | None:
        read.append(str(path))
        return real(path, **bounds)

    monkeypatch.setattr(fsio, "read", told)
    bank.add([note("b")])
    bank.add([note("c")])

    assert not [path for path in read if path.endswith("INDEX.md")]
    assert is_right(bank)


@CHANGES
def test_a_list_that_somebody_changed_is_made_right_by_the_next_write(
    bank: Bank, change: Callable[[Path], None]
) -> None:
    """I-02: what is remembered of the list does not outlive the list."""
    bank.add([note("a")])
    change(bank.root / "INDEX.md")

    bank.add([note("b")])

    assert is_right(bank)


@CHANGES
def test_a_list_that_is_changed_during_a_write_is_noticed(
    bank: Bank, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None]
) -> None:
    """T-03: a save between the look and the commit is one clear error, and nothing is overwritten."""
    bank.add([note("a")])
    stage = Transaction._stage
    index = bank.root / "INDEX.md"

    def meanwhile(transaction: Transaction, directory: Path, plan: Journal) -> None:
        stage(transaction, directory, plan)
        change(index)

    monkeypatch.setattr(Transaction, "_stage", meanwhile)
    with pytest.raises(ChangedMeanwhile):
        bank.add([note("b")])

    assert not index.exists() or index.read_bytes().endswith(b"by hand\n")
    assert [each.id for each in bank.notes()] == ["MEM-a"]


@pytest.mark.parametrize("after", [1, 2])
@CHANGES
def test_a_list_that_is_changed_around_the_exchange_stays_as_it_was_saved(
    bank: Bank, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None], after: int
) -> None:
    """T-03, I-02: whatever the moment, the write counts and the next one brings the list in line."""
    bank.add([note("a")])
    index = bank.root / "INDEX.md"
    exchange = fsio.exchange

    def around(first: Path, second: Path) -> None:
        if second == index and after == 1:
            monkeypatch.setattr(fsio, "exchange", exchange)
            change(index)
        exchange(first, second)
        if second == index and after == 2:
            monkeypatch.setattr(fsio, "exchange", exchange)
            change(index)

    monkeypatch.setattr(fsio, "exchange", around)
    bank.add([note("b")])

    assert not index.exists() or index.read_bytes().endswith(b"by hand\n")
    assert [each.id for each in bank.notes()] == ["MEM-a", "MEM-b"]
    bank.add([note("c")])
    assert is_right(bank)


@pytest.mark.parametrize(("kind", "error"), [("link", SymlinkRefused), ("folder", NotARegularFile)])
def test_what_is_no_file_is_refused(bank: Bank, kind: str, error: type[Exception]) -> None:
    """T-03: where a link or a folder stands in place of the list, nothing is written."""
    index = bank.root / "INDEX.md"
    index.unlink()
    if kind == "link":
        index.symlink_to("elsewhere.md")
    else:
        index.mkdir()

    with pytest.raises(error):
        bank.add([note("a")])

    assert index.is_symlink() or index.is_dir()
    assert not bank.notes()


def test_only_the_last_files_are_remembered(tmp_path: Path) -> None:
    """A process that serves many banks remembers a few files; of the others it knows no less, it reads them."""
    paths = [tmp_path / str(number) for number in range(40)]
    for path in paths:
        path.write_text(path.name, encoding="utf-8")
        assert apply.of_derived(path) == fsio.digest(path.name.encode())
    assert [apply.of_derived(path) for path in paths] == [fsio.digest(path.name.encode()) for path in paths]
    assert len(apply._known) < len(paths)
