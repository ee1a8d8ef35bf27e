"""The bank of one request as the tools of MCP that write know a bank: what they ask goes the way of all proposals."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from tacit.bank.freshness import DETAILS
from tacit.bank.state import State
from tacit.bank.values import Answer
from tacit.errors import PayloadRefused, ProposalVoid
from tacit.index.asked import APPLIED
from tacit.messages import say
from tacit.server.mcp_bank import VisitedBank
from tacit.server.visit import Refused
from tacit.server.writing_answer import Word

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from tacit.audit.record import Channel
    from tacit.bank import Context
    from tacit.bank.hosted import HostedBank
    from tacit.bank.hosted_reading import HostedReader
    from tacit.bank.values import Outcome, Pending
    from tacit.server.mcp_bank import Spoken
    from tacit.server.visit import Visit
    from tacit.server.writing import Writing
    from tacit.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedAnswer(Answer):
    """What an answer led to, and in a sentence where the change is."""

    place: str = ""


class AskedBank(VisitedBank):
    """What the tools ask of a bank that a visit may write to; the roles of tokens are looked at again below."""

    def __init__(self, bank: HostedBank, reader: HostedReader, spoken: Spoken, visit: Visit, writing: Writing) -> None:
        super().__init__(bank, reader, spoken, f"{visit.token} {visit.bank}")
        self._visit = visit
        self._writing = writing

    @property
    def state(self) -> State:
        """A bank that was pushed can be asked."""
        return State.ON

    @property
    def settings(self) -> Settings:
        """The settings that were pushed."""
        with self._writing.bench(self._visit) as bank:
            return bank.settings

    def propose(self, payloads: Sequence[object], context: Context, *, dry_run: bool = False) -> list[Outcome]:
        """Return what became of payloads; whatever would change a note waits for a person."""
        return self._writing.proposed(self._visit, payloads, context, dry_run=dry_run)

    def propose_detail(self, target: str, draft: str, *, by: object) -> NoReturn:
        """Refuse: details are written where the project is."""
        del draft, by
        raise PayloadRefused(
            field="draft", reason=f"{target or 'a detail'} is not written here", fix="propose it in a clone"
        )

    def pending(self) -> list[Pending]:
        """Return the questions that wait, newest first."""
        return self._writing.pending(self._visit)

    def check(self) -> tuple[int, list[NoReturn]]:
        """Return how many notes were pushed; what is wrong with files was said then."""
        return sum(not key.startswith(f"{DETAILS}/") for key in self._bank.index.known()), []

    def answer(self, proposal_id: str, option: str, channel: Channel, *, shown: str) -> PlacedAnswer:
        """Carry out what the user chose in a form; raise ProposalVoid, with nothing changed, if it does not count."""
        try:
            answer, settled = self._writing.answering.answer(self._visit, Word(proposal_id, option, shown, channel))
        except Refused as refused:
            raise ProposalVoid(id=proposal_id, reason=str(refused).rstrip(".")) from None
        place = ""
        if settled.status == APPLIED:
            place = say("mcp.branch", branch=settled.branch) if settled.branch else say("mcp.patch", id=proposal_id)
        members = {each.name: getattr(answer, each.name) for each in fields(Answer)}
        return PlacedAnswer(**members, place=place)
