"""The personal bank: a user's own notes, in their home, beside every project's bank and never in its git."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from tacit.bank import proposals, wiring
from tacit.errors import ProposalNotFound
from tacit.note.model import Audience
from tacit.store.layout import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tacit.audit.record import Channel
    from tacit.bank.governing import Governor
    from tacit.bank.recalling import Recaller
    from tacit.bank.roles import Role
    from tacit.bank.state import State
    from tacit.bank.values import Answer, Context, Outcome, Pending
    from tacit.note.model import Note, Summary
    from tacit.store.store import Store


class Bank(Protocol):
    """A bank, as far as those beside it need it."""

    root: Path
    role: Role

    @classmethod
    def open(cls, path: Path, *, role: str) -> Bank:
        """Open one."""

    @classmethod
    def init(cls, path: Path) -> Bank:
        """Make one."""

    @property
    def place(self) -> str:
        """Where it is, for people."""

    @property
    def state(self) -> State:
        """Its state."""

    @property
    def recaller(self) -> Recaller:
        """Search and recall."""

    @property
    def governor(self) -> Governor:
        """The pipeline that payloads pass."""

    def notes(self) -> list[Summary]:
        """Return its notes."""

    def get(self, note_id: str) -> Note:
        """Return one of them, whole."""

    def body(self, note_id: str) -> str:
        """Return what stands below the front matter of one."""

    def pending(self) -> list[Pending]:
        """Return what waits."""

    def answer(self, proposal_id: str, option_id: str, channel: Channel | str, *, shown: str) -> Answer:
        """Carry out an answer."""


def place() -> Path:
    """Return where the personal bank is, or would be."""
    return wiring.personal()


def beside(bank: Bank) -> Bank | None:
    """Return the personal bank for a caller of another; None where there is none, or where it is this one."""
    if not (place() / SETTINGS).is_file() or place().resolve() == bank.root:
        return None
    return type(bank).open(place(), role=bank.role)


def made(bank: Bank) -> Bank | None:
    """Return the personal bank for a caller of another, made if there is none yet; None where it is this one."""
    if not (place() / SETTINGS).is_file():
        type(bank).init(place())
    return beside(bank)


def is_personal(given: object) -> bool:
    """Whether a payload is meant for the user alone."""
    return isinstance(given, Mapping) and given.get("apply") == Audience.PERSONAL


def governed(bank: Bank, given: Iterable[object], context: Context, *, by_hand: bool, dry_run: bool) -> list[Outcome]:
    """Return what became of each payload; those for the user alone are governed by the personal bank."""
    given = list(given)  # looked at more than once, and it may be a generator
    own = [number for number, each in enumerate(given) if is_personal(each)]
    other = (beside if dry_run else made)(bank) if own else None
    if other is None:
        return bank.governor.propose(given, context, by_hand=by_hand, dry_run=dry_run)
    other.governor.heard = bank.governor.heard  # what the user typed was typed here
    done: list[Outcome] = []
    for numbers, where in (([n for n in range(len(given)) if n not in own], bank), (own, other)):
        some = where.governor.propose([given[n] for n in numbers], context, by_hand=by_hand, dry_run=dry_run)
        elsewhere = "" if where is bank else str(other.root)
        done += [replace(each, payload=numbers[each.payload], bank=elsewhere) for each in some]
    return sorted(done, key=lambda outcome: outcome.payload)


def answered(
    other: Bank | None, store: Store, proposal_id: str, option_id: str, channel: Channel | str, *, shown: str
) -> Answer | None:
    """Return what an answer led to if it is the personal bank that asked; a no is remembered in this conversation."""
    if other is None:
        return None
    try:
        proposal = proposals.find(other.governor.store, proposal_id)
    except ProposalNotFound:
        return None
    done = replace(other.answer(proposal_id, option_id, channel, shown=shown), bank=str(other.root))
    if done.outcome is not None:
        done = replace(done, outcome=replace(done.outcome, bank=done.bank))
    if done.status == "declined":
        from tacit.bank import answering  # dear to load, and every look at the questions comes through here

        answering.decline(store, proposal)
    return done
