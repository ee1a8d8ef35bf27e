"""What a bank offers to a person who reviews it: how things came to be, and what the page needs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.bank.part import Part
from tacit.messages import translated

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from tacit.audit.log import Damage
    from tacit.bank.explaining import Explanation
    from tacit.bank.values import By
    from tacit.formats.episode import Episode
    from tacit.govern.proposal import Proposal


class Reviewing(Part):
    """The part of a bank that explains itself, and that the review page uses beside the rest."""

    def explain(self, what: str) -> Explanation:
        """Tell how a note, an operation or a proposal came to be, and what each answer to a proposal would do."""
        self._may_read("explain")
        from tacit.bank import explaining

        return explaining.explain(self._store, what)

    def pulse(self) -> str:
        """Return what differs after every operation; cheap, and safe to ask from any thread."""
        end = self._store.log.position()
        return f"{end.segment}.{end.offset}"

    def stamp(self) -> str:
        """Return what differs as soon as a note, the log or the log of recalls does, by whomever it was changed."""
        from tacit.bank import usage

        return " ".join((self._store.look().fingerprint(), self.log_stamp(), usage.stamp(self._store)))

    def log_stamp(self) -> str:
        """Return what differs as soon as the log does, even where its length stays."""
        return self._store.log.stamp()

    def at_once(self) -> AbstractContextManager[None]:
        """Let all that is read meanwhile come from one look at the notes."""
        return self._store.at_once()

    def uses(self, note_id: str) -> tuple[int, str]:
        """Return how often a note was said to an agent, as far as the log of recalls goes back, and when last."""
        from tacit.bank import usage

        times = [str(line["ts"]) for line in usage.entries(self._store) if note_id in line["notes"]]
        return len(times), max(times, default="")

    def insist(self, operation: str, by: By) -> None:
        """Raise AssuranceTooLow unless the door of `by` is sure enough for an operation, as the settings are now."""
        from tacit.bank import wiring
        from tacit.govern import gate

        self.settings = wiring.read_settings(self._store.layout.root)
        gate.insist(operation, by.channel, self.settings)

    def asked(self) -> list[Proposal]:
        """Return the proposals of this bank that wait, as they are kept, newest first."""
        self._may_read("reading proposals")
        from tacit.bank import proposals

        return proposals.waiting(self._store)

    def proposal(self, proposal_id: str) -> Proposal:
        """Return a proposal of this bank that waits, as it is kept; raise ProposalNotFound or ProposalVoid."""
        from tacit.bank import proposals

        return proposals.find(self._store, proposal_id)

    def ask_again(self, proposal: Proposal, *, by: By) -> str:
        """Let a proposal that was declined wait again, under a new id, which is returned.

        What it was made for is compared with the bank when it is answered, as with every other.
        """
        from tacit.bank import proposals

        self._may_write("propose")
        with self._store.writing("propose") as transaction:
            new_id, nonce = self._store.new_id(), self._store.new_id()
            again = replace(proposal, id=f"P-{new_id}", nonce=nonce)
            proposals.make(self._store, transaction, again, by)
            transaction.commit()
        return again.id

    def objections(self, note_id: str) -> list[str]:
        """Return for what a note is kept from agents, by kind and line; empty for most."""
        from tacit.bank import addresses, guarding, trust

        found = trust.LetPass(self._store).objections(addresses.find(self._store, note_id)[1])
        return [f"{translated(guarding.kind(each))}, {each.line}" for each in found]

    def episodes(self) -> list[Episode]:
        """Return the finished tasks, newest first."""
        self._may_read("reading episodes")
        from tacit.store import episodes

        found, _ = episodes.read(self._store.layout)
        return sorted(found, key=lambda each: (each.finished, each.id), reverse=True)

    def chain(self) -> tuple[int, list[Damage]]:
        """Return how many lines the log has, and where it is not what was written."""
        from tacit.bank import check

        return check.chain(self._store)
