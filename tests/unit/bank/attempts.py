"""What attempts to get past the gate share: a bank in which proposals wait, and the table that they are in."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tacit.bank import Bank, proposals
from tacit.bank.values import Answer, By, Outcome
from tests.unit.bank.conftest import note
from tests.unit.bank.talk import NPM, PNPM, Talk, shared_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.unit.bank.conftest import Clock

CLEAR = f"From now on {PNPM} in the web client."
MORE: dict[str, Any] = {"signals": ["the lockfile is pnpm-lock.yaml"], "evidence": "It took 42 s."}


class World:
    """A bank in which a merge, a replacement, a conflict, a new note and a deletion wait for the user."""

    def __init__(self, bank: Bank, reopen: Callable[[], Bank], clock: Clock, place: Path) -> None:
        self.bank, self.reopen, self.clock, self.place = bank, reopen, clock, place
        bank.add([note("MEM-other", "Other")])
        self.talk = Talk(bank)
        self.note = self.talk.written().note_id
        self.merge = self.talk.merge().proposal_id
        self.new = self.talk.doubtful().proposal_id
        self.veto = Talk(bank, "elsewhere").user(f"{NPM} in the web client.").agent(choice=NPM).proposal_id
        self.replace = Talk(bank, "third").replace().proposal_id
        self.delete = bank.propose_act("delete", self.note)
        self.archive = bank.propose_act("archive", self.note)
        self.talk.user(CLEAR)
        self.before: dict[str, bytes] = {}
        self.settled()

    def settled(self) -> None:
        """From here on nothing may change any more."""
        self.before = shared_files(self.bank.root)

    def agent(self, **members: Any) -> Outcome:  # noqa: ANN401  the members of a payload
        """An agent proposes something."""
        return self.talk.agent(**members)

    def answer(self, which: str, option: str, channel: Any = "python", **named: Any) -> Answer:  # noqa: ANN401
        """Somebody answers a proposal."""
        return self.bank.answer(which, option, channel, **named)

    def file(self, which: str) -> Path:
        """Where a proposal is kept."""
        return self.bank.root / proposals.file_of(which)

    def forge(self, which: str, change: Callable[[dict[str, Any]], object]) -> None:
        """Change the file of a proposal by hand."""
        members = json.loads(self.file(which).read_bytes())
        change(members)
        self.file(which).write_text(json.dumps(members, ensure_ascii=False, indent=1), encoding="utf-8")

    def made_by_us(self, which: str, **changes: Any) -> str:  # noqa: ANN401  the members of a proposal
        """Make a proposal as only Tacit's own code can: changed, and vouched for."""
        found = proposals.find(self.bank._store, which)
        with self.bank._store.writing("propose") as transaction:
            forged = replace(found, **{"id": "P-vouched", **changes})
            proposals.make(self.bank._store, transaction, forged, By())
            transaction.commit()
        return forged.id


ATTEMPTS: dict[str, Callable[[World], object]] = {}


def attempt(name: str) -> Callable[[Callable[[World], object]], Callable[[World], object]]:
    """Add an attempt to the table."""

    def add(act: Callable[[World], object]) -> Callable[[World], object]:
        assert name not in ATTEMPTS
        ATTEMPTS[name] = act
        return act

    return add
