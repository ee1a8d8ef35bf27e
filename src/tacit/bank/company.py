"""What stands beside a bank: the team's share, the personal bank, and banks further up."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tacit.audit.record import Channel
    from tacit.bank.bank import Bank
    from tacit.bank.roles import Role
    from tacit.bank.sharing import Share
    from tacit.bank.values import Answer, Context, Outcome, Pending
    from tacit.store.store import Store


class Company:
    """The part of a bank that leads to others."""

    _store: Store
    _personal: Bank | None = None
    root: Path
    role: Role

    if TYPE_CHECKING:  # what the rest of the bank gives

        def _may_read(self, act: str) -> None:
            """Raise StateRefused where the state forbids reading."""

        def must_be_writable(self, operation: str) -> None:
            """Raise where the state or the role forbids writing."""

    def may_read(self, act: str) -> None:
        """Raise StateRefused where the bank's state forbids reading."""
        self._may_read(act)

    @property
    def share(self) -> Share:
        """The team's notes: mount, pull, give to, override."""
        from tacit.bank.sharing import Share

        return Share(self, self._store)

    @property
    def personal(self) -> Bank | None:
        """The bank of the user's own notes; None where there is none, or where this is it."""
        if self._personal is None:
            from tacit.bank import personal

            self._personal = personal.beside(self.root, self.role)
        return self._personal

    def governed(self, given: Sequence[object], context: Context, *, by_hand: bool, dry_run: bool) -> list[Outcome]:
        """Return what became of each payload; those for the user alone go to the personal bank."""
        from tacit.bank import personal

        return personal.governed(cast("Bank", self), given, context, by_hand=by_hand, dry_run=dry_run)

    def answered_elsewhere(
        self, proposal_id: str, option_id: str, channel: Channel | str, *, shown: str
    ) -> Answer | None:
        """Return what an answer led to if it is the personal bank that asked."""
        from tacit.bank import personal

        return personal.answered(self.personal, self._store, proposal_id, option_id, channel, shown=shown)

    def waiting(self) -> list[Pending]:
        """Return the proposals that wait here, then those of the personal bank where it may be read."""
        from tacit.bank import proposals, questions

        here = [questions.pending(self._store, each) for each in proposals.waiting(self._store)]
        other = self.personal
        return [*here, *(other.pending() if other is not None and other.state.may_read else [])]
