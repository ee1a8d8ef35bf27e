"""`tacit confirm` asks on the terminal; without one nothing is vouched for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cli.runner import note_text, tacit, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.runner import Person


def test_a_person_vouches_for_a_note(root: Path, person: Person) -> None:
    """X-02: the question shows what is vouched for."""
    write(root / "L1_declarative/MEM-hand0001.md", note_text("MEM-hand0001"))
    person.will_say("y")
    assert tacit("confirm", "MEM-hand0001", "--json").document["confirmed"] == ["MEM-hand0001"]
    assert "Test it." in person.was_asked()


def test_nobody_vouches_without_a_terminal(root: Path) -> None:
    """X-02, Q-04: a program cannot vouch for anything."""
    write(root / "L1_declarative/MEM-hand0001.md", note_text("MEM-hand0001"))
    assert tacit("confirm", "MEM-hand0001").error_code == "gate.no_terminal"
