"""What a purge takes out of tasks and episodes, and what it leaves them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.files import holders
from tests.unit.bank.test_tasks import MIGRATION, OTHER, PERSON, RULE, confirmed

if TYPE_CHECKING:
    from tacit.bank import Bank


@pytest.fixture
def filled(bank: Bank) -> Bank:
    """A bank with two notes."""
    bank.add([MIGRATION, OTHER])
    return bank


def test_purge_leaves_a_running_task_the_rest(filled: Bank) -> None:
    """T-05: a task that has only loaded the note, or tells of it, goes on with what else it found."""
    task = filled.tasks.start("write the database migration")
    text = filled.text("MEM-mig").splitlines()
    filled.tasks.note("Port 8080 is taken.")
    filled.tasks.note("MEM-mig is right.")
    filled.tasks.note(f"As remembered: {next(line for line in text if 'rollback' in line)}")

    _, parts = filled.purge("MEM-mig")

    after = filled.tasks.show(task.id)
    assert [each.text for each in after.entries] == ["Port 8080 is taken.", "(purged)", "(purged)"]
    assert "MEM-mig" not in [each.id for each in after.notes]
    assert not [part for part in parts if part.startswith("L4_working/")]
    assert holders(filled.root, "Every migration has a rollback") == []
    assert all(check.ok for check in filled.doctor() if check.name in ("undo", "audit", "index", "notes"))


def test_purge_says_which_tasks_go_whole(filled: Bank) -> None:
    """T-05: what a note was made from holds its words: such a task or episode is among what would go."""
    filled.tasks.start("sort the exports")
    filled.tasks.note(RULE)
    done = filled.tasks.finish(answers=confirmed(filled.tasks.finish()), by=PERSON)

    _, parts = filled.traces(done.cards[0])

    assert [part for part in parts if part.startswith("L3_episodic/")] == [f"L3_episodic/{done.episode}.md"]
