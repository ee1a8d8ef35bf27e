"""Trust: with `trust = "strict"` agents hear only what was written or confirmed through Tacit on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit import fsio
from tacit.audit.record import Channel
from tacit.bank import Bank, By
from tacit.bank.trust import Vouched
from tacit.errors import GuardRefused, NoteNotFound
from tests.cli.runner import note_text, write

if TYPE_CHECKING:
    from pathlib import Path

PROMPT = "how do we deploy the billing service on friday?"


def text(one_liner: str, note_id: str = "MEM-hand0001") -> str:
    """A note that fits the prompt, as a person or git would bring it."""
    return note_text(note_id, "Deploy the billing service on friday").replace("Test it.", one_liner)


@pytest.fixture
def strict(tmp_path: Path) -> Bank:
    """A bank that trusts nothing it has not seen."""
    bank = Bank.init(tmp_path / "project")
    bank.set_setting("trust", "strict")
    return Bank.open(bank.root)


def test_what_is_written_here_is_heard(strict: Bank) -> None:
    """X-02: a note that came through the pipeline on this machine is injected."""
    strict.remember("when we deploy the billing service on friday, ask the on-call first")
    assert len(strict.recall(PROMPT).notes) == 1


def test_what_came_by_hand_or_git_is_silent_until_confirmed(strict: Bank) -> None:
    """X-02: it is found by people with the reason, and injected once its content is confirmed."""
    write(strict.root / "L1_declarative/MEM-hand0001.md", text("Ask the on-call first."))
    assert strict.recall(PROMPT).abstained
    assert [each.verdict for each in strict.search(PROMPT)] == ["not confirmed here"]
    strict.confirm(["MEM-hand0001"], by=By(Channel.TERMINAL))
    assert len(strict.recall(PROMPT).notes) == 1
    line = strict.log()[-1]
    assert (line.event, line.channel) == ("memory_note_confirmed", "terminal")


def test_a_confirmation_holds_for_the_content(strict: Bank) -> None:
    """X-02: changed by hand it must be confirmed again; another process sees the same."""
    file = write(strict.root / "L1_declarative/MEM-hand0001.md", text("Ask the on-call first."))
    strict.confirm(["MEM-hand0001"])
    write(file, text("Never ask anybody first."))
    assert strict.recall(PROMPT).abstained
    assert Bank.open(strict.root).recall(PROMPT).abstained
    write(file, text("Ask the on-call first."))
    assert len(Bank.open(strict.root).recall(PROMPT).notes) == 1


def test_ordinary_trust_hears_all(tmp_path: Path) -> None:
    """X-02: strict is the user's choice; by default what git brings is heard."""
    bank = Bank.init(tmp_path / "project")
    write(bank.root / "L1_declarative/MEM-hand0001.md", text("Ask the on-call first."))
    assert len(bank.recall(PROMPT).notes) == 1


def test_nothing_unsafe_is_confirmed(strict: Bank) -> None:
    """X-01, X-02: what a guard refuses cannot be vouched for; an unknown note is an error, and nothing is logged."""
    write(strict.root / "L1_declarative/MEM-hand0001.md", text("Use " + "AKIA" + "Z7Q4M2N6P8R3T5V9."))
    before = strict.log()
    with pytest.raises(GuardRefused):
        strict.confirm(["MEM-hand0001"])
    with pytest.raises(NoteNotFound):
        strict.confirm(["MEM-nothere"])
    assert strict.confirm([]).operation_id == ""
    assert strict.log() == before


def test_the_log_vouches_for_contents(tmp_path: Path) -> None:
    """A-01: each line about a note names the hash of what was written; only new lines are read again."""
    bank = Bank.init(tmp_path / "project")
    vouched = Vouched(bank.governor.store)
    assert "x" not in vouched
    done = bank.remember("when releasing, tag the commit")
    (note,) = bank.notes()

    digest = fsio.digest((bank.root / note.file).read_bytes())
    assert digest in vouched
    assert done.written
