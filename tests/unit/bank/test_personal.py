"""The personal bank: what is meant for the user alone goes there, is asked there, and takes part everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tacit.bank import Bank, Context, wiring
from tests.files import holders

if TYPE_CHECKING:
    from pathlib import Path

MINE: dict[str, Any] = {
    "scene": "writing a commit message",
    "principles": ["write it in the imperative", "write it in the past tense"],
    "choice": "write it in the imperative",
    "source": "remember",
    "apply": "personal",
}


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's home is empty."""
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))


def test_a_personal_note_goes_to_the_personal_bank(tmp_path: Path) -> None:
    """M-01, Y-02: what is for the user alone is written in their home, and nothing of it in the project."""
    bank = Bank.init(tmp_path / "project")
    done = bank.remember(MINE)
    assert done.written
    assert done.bank == str(wiring.personal().resolve())
    assert bank.notes() == []
    assert bank.personal is not None
    (note,) = bank.personal.notes()
    assert (note.id, note.audience) == (done.note_id, "personal")
    assert holders(bank.root, "imperative") == []


def test_payloads_keep_their_order(tmp_path: Path) -> None:
    """Y-02: personal and project payloads of one call each go their way, and are told in the order given."""
    bank = Bank.init(tmp_path / "project")
    ours = {**MINE, "apply": "project", "scene": "adding a package", "choice": "use uv", "principles": ["use uv"]}
    bank.session("c1").saw_prompt("write it in the imperative; use uv when adding a package")
    done = bank.propose([ours, MINE, ours], Context("c1"))
    assert [each.payload for each in done] == [0, 1, 2]
    assert [bool(each.bank) for each in done] == [False, True, False]


def test_payloads_of_a_generator_are_all_governed(tmp_path: Path) -> None:
    """Y-02: whatever can be gone through once will do, and no payload of it is lost."""
    bank = Bank.init(tmp_path / "project")
    ours = {**MINE, "apply": "project"}
    for given in ([ours, MINE], [ours]):
        once: Any = iter(given)
        assert [each.payload for each in bank.propose(once)] == list(range(len(given)))


def test_the_personal_bank_asks_through_the_project(tmp_path: Path) -> None:
    """Y-02, Q-01: its questions stand with the project's, are answered there, and a no is remembered."""
    bank = Bank.init(tmp_path / "project")
    payload = {**MINE, "source": "auto", "confidence": "low", "evidence": "guess"}
    origin = {"text": "imperative please", "spans": [{"start": 0, "end": 10, "label": "rule"}]}
    payload |= {"origin": origin, "claim": {"id": "c", "digest": "imperative"}}
    (asked,) = bank.propose([payload], Context("c1"))
    assert [each.proposal_id for each in bank.pending()] == [asked.proposal_id]
    assert bank.answer(asked.proposal_id, "cancel", "terminal").status == "declined"
    (again,) = bank.propose([payload], Context("c1"))
    assert not again.proposal_id
    assert bank.pending() == []


def test_an_answer_says_in_which_bank_it_was_carried_out(tmp_path: Path) -> None:
    """Y-02, A-03: an operation of the personal bank is undone there, so the answer names that bank."""
    bank = Bank.init(tmp_path / "project")
    (asked,) = bank.propose([{**MINE, "source": "choice"}], Context("c1"))
    done = bank.answer(asked.proposal_id, "confirm", "terminal")
    assert (done.status, done.bank) == ("applied", str(wiring.personal()))
    assert Bank.open(done.bank).undo(done.operation_id).undone == done.operation_id


def test_a_dry_run_makes_no_personal_bank(tmp_path: Path) -> None:
    """Y-02: to tell what would happen changes nothing in the user's home."""
    bank = Bank.init(tmp_path / "project")
    assert bank.remember(MINE, dry_run=True).decision == "new"
    assert not wiring.personal().exists()
    assert bank.personal is None


def test_the_personal_bank_is_not_beside_itself(tmp_path: Path) -> None:
    """Y-02: opened by its own path it is a bank like any other."""
    Bank.init(tmp_path / "project").remember(MINE)
    own = Bank.open(wiring.personal())
    assert own.personal is None
    assert own.remember({**MINE, "scene": "naming a branch", "choice": "short", "principles": ["short"]}).bank == ""
    assert len(own.notes()) == 2
