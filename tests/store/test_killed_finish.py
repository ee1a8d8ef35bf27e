"""A task that ends with twenty accepted cards, killed on the way: all of them or none, and the task goes on."""

from __future__ import annotations

import shutil
from itertools import count
from typing import TYPE_CHECKING

from tacit import Bank
from tacit.audit.record import Channel
from tacit.bank import By
from tests.crash.children import in_child
from tests.crash.failpoints import KILLED, Failpoint, watching

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CARDS = 20
# The disk is changed some hundred times; every so many-th is enough to die between any two of the journal's steps.
STRIDE = 5


def test_finish_with_twenty_cards_is_all_or_nothing(tmp_path: Path) -> None:
    """L-02: killed anywhere, the cards and the episode are there and the task is over, or none is and it can end."""
    asked = Bank.init(tmp_path / "asked")
    task = asked.tasks.start("sort the exports")
    for number in range(CARDS):
        asked.tasks.note(f"When module m{number}X is rebuilt, never touch table t{number}_{number} by hand.")
    answers = {each.proposal_id: "confirm" for each in asked.tasks.finish().proposals}
    assert len(answers) == CARDS
    seen = set()
    for at in count(1, STRIDE):
        place = tmp_path / "killed"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(asked.root, place, symlinks=True)

        def finish(_: Callable[[str], None], place: Path = place, at: int = at) -> None:
            bank = Bank.open(place)
            with watching(Failpoint(at)):
                bank.tasks.finish(answers=answers, by=By(Channel.TERMINAL))

        said, ended = in_child(finish)
        assert said == []
        bank = Bank.open(place)
        running = [each.id for each in bank.tasks.list()]
        seen.add((len(bank.notes()), *running))
        assert seen <= {(0, task.id), (CARDS,)}
        if running:
            assert len(bank.tasks.finish(answers=answers, by=By(Channel.TERMINAL)).cards) == CARDS
        assert bank.check()[1] == []
        if ended != KILLED:
            break
    assert len(seen) == 2
