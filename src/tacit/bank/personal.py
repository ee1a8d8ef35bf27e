"""The personal bank: a user's own notes, in their home, beside every project's bank and never in its git."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.bank import proposals, wiring
from tacit.errors import ProposalNotFound
from tacit.note.model import Audience
from tacit.store.layout import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tacit.audit.record import Channel
    from tacit.bank.part import Whole
    from tacit.bank.values import Answer, Context, Outcome
    from tacit.store.store import Store


def beside(bank: Whole) -> Whole | None:
    """Return the personal bank for a caller of another; None where there is none, or where it is this one."""
    place = wiring.personal()
    if not (place / SETTINGS).is_file() or place.resolve() == bank.root:
        return None
    return type(bank).open(place, role=bank.role)


def made(bank: Whole) -> Whole | None:
    """Return the personal bank for a caller of another, made if there is none yet; None where it is this one."""
    if not (wiring.personal() / SETTINGS).is_file():
        type(bank).init(wiring.personal())
    return beside(bank)


def is_personal(given: object) -> bool:
    """Whether a payload is meant for the user alone."""
    return isinstance(given, Mapping) and given.get("apply") == Audience.PERSONAL


def governed(bank: Whole, given: Iterable[object], context: Context, *, by_hand: bool, dry_run: bool) -> list[Outcome]:
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
    other: Whole | None, store: Store, proposal_id: str, option_id: str, channel: Channel | str, *, shown: str
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
