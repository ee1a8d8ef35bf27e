"""An older bank is brought to the present format, one transaction a step."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from tacit import fsio
from tacit.bank import State, skeleton, wiring
from tacit.bank import bank as banks
from tacit.errors import FormatTooNew
from tacit.store import apply
from tests.store.banks import Killed, ids, note, reopen, tree

if TYPE_CHECKING:
    from tacit.bank import Bank
    from tacit.store.transaction import Transaction


def rename_entry(transaction: Transaction) -> None:
    """A step as a later version may need one: the entry document gets a new last line."""
    transaction.put("MEMORY.md", (transaction.read("MEMORY.md") or b"") + b"upgraded\n")


def set_option(transaction: Transaction) -> None:
    """A step that changes the settings as well."""
    transaction.put("tacit.toml", (transaction.read("tacit.toml") or b"") + b"\nlanguage = 'en'\n")


STEPS = {1: rename_entry, 2: set_option}


def kill(*_: object, **__: object) -> None:
    """End here."""
    raise Killed


def format_of(bank: Bank) -> int:
    """The format that the bank's settings name."""
    import tomllib

    found: int = tomllib.loads((bank.root / "tacit.toml").read_text(encoding="utf-8"))["format"]
    return found


def test_each_step_is_one_audited_transaction(bank: Bank) -> None:
    """B-03: the steps run in order, each with its own line in the log, and the settings keep their comments."""
    bank.add([note("a")])

    assert skeleton.upgrade(bank._store, 1, steps=STEPS, known=3) == [1, 2]

    assert format_of(bank) == 3
    settings = (bank.root / "tacit.toml").read_text(encoding="utf-8")
    assert settings.startswith("# Settings of this memory bank.")
    assert "language = 'en'" in settings
    assert (bank.root / "MEMORY.md").read_bytes().endswith(b"upgraded\n")
    assert [entry.reason for entry in bank.log() if entry.operation == "upgrade"] == ["format 1 to 2", "format 2 to 3"]


def test_interrupted_step_never_was(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-03, T-01: a kill before the commit point leaves the old format, whole; the next open upgrades anew."""
    before = tree(bank.root)
    with monkeypatch.context() as patch:
        patch.setattr(fsio, "sync_files", kill)
        with pytest.raises(Killed):
            skeleton.upgrade(bank._store, 1, steps=STEPS, known=2)

    reopen(bank)

    assert tree(bank.root) == before
    assert skeleton.upgrade(bank._store, 1, steps=STEPS, known=2) == [1]
    assert (bank.root / "MEMORY.md").read_bytes().count(b"upgraded") == 1


def test_committed_step_is_completed_and_not_repeated(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-03, T-01: a kill in the middle of a later step keeps the earlier ones, and none runs twice."""
    skeleton.upgrade(bank._store, 1, steps=STEPS, known=2)
    with monkeypatch.context() as patch:
        patch.setattr(apply, "roll_forward", kill)
        with pytest.raises(Killed):
            skeleton.upgrade(bank._store, 2, steps=STEPS, known=3)

    assert skeleton.upgrade(bank._store, 2, steps=STEPS, known=3) == []

    assert format_of(bank) == 3
    assert (bank.root / "MEMORY.md").read_bytes().count(b"upgraded") == 1
    assert (bank.root / "tacit.toml").read_bytes().count(b"language") == 1


def test_slower_of_two_processes_finds_it_done(bank: Bank) -> None:
    """B-03, T-02: what was read before the lock is read again under it."""
    skeleton.upgrade(bank._store, 1, steps=STEPS, known=3)
    before = tree(bank.root)

    assert skeleton.upgrade(bank._store, 1, steps=STEPS, known=3) == []

    assert tree(bank.root) == before


def test_failing_step_leaves_the_bank_as_it_is(bank: Bank) -> None:
    """B-03: a step that cannot be carried out is not half carried out."""
    before = tree(bank.root)

    def fail(transaction: Transaction) -> None:
        rename_entry(transaction)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        skeleton.upgrade(bank._store, 1, steps={1: fail}, known=2)

    assert tree(bank.root) == before


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Tacit that knows format 3."""
    monkeypatch.setattr(banks, "FORMAT_VERSION", 3)
    monkeypatch.setattr(wiring, "FORMAT_VERSION", 3)
    monkeypatch.setattr(skeleton, "upgrade", partial(skeleton.upgrade, steps=STEPS, known=3))


@pytest.mark.usefixtures("newer")
def test_opening_upgrades_a_bank_that_is_on(bank: Bank) -> None:
    """B-03: the next command of a newer Tacit upgrades without asking; what follows has the new settings."""
    bank.add([note("a")])

    again = reopen(bank)

    assert again.settings.format == 3
    assert again.settings.text("language") == "en"
    assert ids(again) == ["MEM-a"]
    assert again.check() == (1, [])


@pytest.mark.usefixtures("newer")
def test_opening_leaves_a_paused_bank_as_it_is(bank: Bank) -> None:
    """B-03, K-01: a bank that may not be written is read in its old format."""
    bank.add([note("a")])
    bank.set_state(State.PAUSED)
    before = tree(bank.root)

    assert ids(reopen(bank)) == ["MEM-a"]
    assert tree(bank.root) == before


def test_newer_bank_is_refused_and_unchanged(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-03: an older Tacit changes nothing in a newer bank, not even what a crash left there."""
    with monkeypatch.context() as patch:
        patch.setattr(apply, "roll_forward", kill)
        with pytest.raises(Killed):
            bank.add([note("a")])
    settings = bank.root / "tacit.toml"
    settings.write_bytes(settings.read_bytes().replace(b"format = 1", b"format = 2"))
    (bank.root / "INDEX.md").unlink()
    before = tree(bank.root)

    with pytest.raises(FormatTooNew, match="format 2"):
        reopen(bank)
    with pytest.raises(FormatTooNew):
        reopen(bank, heal=False)
    with pytest.raises(FormatTooNew):
        type(bank).init(bank.root)

    assert tree(bank.root) == before
