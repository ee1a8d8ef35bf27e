"""Writes through the server: an agent's token asks, a person's token answers, and the answer becomes git's."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import UTC
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from tacit.audit.record import Channel
from tacit.bank import Context, wiring
from tacit.errors import ProposalVoid
from tacit.index.asked import EXPIRED, VOID, WAITING
from tacit.server import writing_bank
from tacit.server.visit import Refused
from tacit.server.writing_answer import Answering, Word, loaded, not_found
from tacit.server.writing_bank import Benches
from tacit.server.writing_source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    from tacit.bank import Bank
    from tacit.bank.values import Outcome, Pending
    from tacit.bank.wiring import Hosting
    from tacit.govern.proposal import Proposal
    from tacit.index.asked import Asked
    from tacit.server.visit import Visit

    Document = dict[str, object]
    Act = Callable[[Visit, Mapping[str, Any]], Document | Response]

_MOST_PAYLOADS = 20
_MOST_NAME_CHARS = 200
# Who sees questions.
_SEEING = ("writer", "author", "reviewer")


class Writing:
    """Questions and answers of all banks; `clones` is the folder with their clones, if there is one."""

    def __init__(self, hosting: Hosting, clones: Path | None, clock: Callable[[], str] = wiring.utc_now) -> None:
        self._hosting = hosting
        self._clock = clock
        self.source = Source(hosting, clones)
        self.answering = Answering(hosting, self.source, clock)
        self.benches = Benches(clock)

    def acts(self) -> list[tuple[str, str, str, Act]]:
        """Return the addresses below that of a bank: path, method, the name that the log knows, and the act."""
        one = "/proposals/{proposal}"
        return [
            ("/proposals", "POST", "propose", self.propose),
            ("/proposals", "GET", "proposals", self.overview),
            (one, "GET", "proposal", self.show),
            (f"{one}/answer", "POST", "answer", self.answer),
            (f"{one}/patch", "GET", "patch", self.patch),
        ]

    def propose(self, visit: Visit, body: Mapping[str, Any]) -> Document:
        """Let payloads pass the pipeline; what it would write waits for a person."""
        given = body.get("payloads")
        if not isinstance(given, list):
            raise Refused(400, "payload.refused", "payloads is a list.")
        conversation, generation = body.get("conversation_id", ""), body.get("generation_id", "")
        if not all(isinstance(each, str) and len(each) <= _MOST_NAME_CHARS for each in (conversation, generation)):
            raise Refused(400, "payload.refused", "conversation_id and generation_id are short texts.")
        done = self.proposed(visit, given, Context(conversation, generation, Channel.NONE))
        return {"results": [asdict(each) for each in done]}

    def proposed(
        self, visit: Visit, given: Sequence[object], context: Context, *, dry_run: bool = False
    ) -> list[Outcome]:
        """Return what became of payloads, in their order; with `dry_run` what would, and nothing waits."""
        visit.must_be("writer", "author")
        if not 1 <= len(given) <= _MOST_PAYLOADS:
            raise Refused(400, "payload.refused", f"There are 1 to {_MOST_PAYLOADS} payloads.")
        asking = self._hosting.asking(*visit.asked)
        results: list[Outcome] = []
        with self.bench(visit) as bank:
            declined = asking.declined(context.conversation_id)
            for outcome, proposal in writing_bank.propose(bank, given, context, declined, dry_run=dry_run):
                waits, note_id = "", outcome.note_id
                if proposal is not None:
                    waits = asking.ask(writing_bank.question(proposal, visit.commit), self._clock()) or ""
                    if not waits:
                        raise Refused(429, "proposals.full", "Too many questions wait here; let a person answer some.")
                    note_id = note_id if waits == proposal.id else ""
                results.append(replace(outcome, operation_id="", bank="", proposal_id=waits, note_id=note_id))
        return results

    def overview(self, visit: Visit, body: Mapping[str, Any]) -> Document:
        """Return the last questions, newest first, with what came of them."""
        del body
        visit.must_be(*_SEEING)
        found = self._hosting.asking(*visit.asked).all()
        return {"proposals": [self._told(each) for each in found]}

    def show(self, visit: Visit, body: Mapping[str, Any]) -> Document:
        """Return one question as it is to be shown to a person; `digest` is what an answer has to name."""
        del body
        asked = self._one(visit)
        told = self._told(asked)
        if told["status"] != WAITING:
            return told
        proposal = loaded(asked)
        named = {each.file for change in proposal.options.values() if change for each in change.files}
        contents = self.source.files(visit).contents
        with writing_bank.made_of({file: contents[file] for file in contents if file in named}, self._clock) as bank:
            return told | asdict(writing_bank.pending(bank, proposal))

    def answer(self, visit: Visit, body: Mapping[str, Any]) -> Document:
        """Carry out a person's answer; `shown` is the digest of what they saw."""
        visit.must_be("reviewer")
        option, shown = body.get("option"), body.get("shown")
        if not isinstance(option, str) or not isinstance(shown, str) or not shown:
            raise Refused(400, "payload.refused", "option and shown, the digest of what was shown, are texts.")
        return self.answering.answer(visit, Word(_named(visit), option, shown, Channel.TOKEN)).document()

    def patch(self, visit: Visit, body: Mapping[str, Any]) -> Response:
        """Return the change of an answer, as `git am` takes it."""
        del body
        asked = self._one(visit)
        if asked.patch is None:
            raise Refused(404, "patch.not_found", f"This question is {asked.status}; there is no patch of it.")
        name = f'attachment; filename="{asked.proposal}.patch"'
        return Response(asked.patch, media_type="text/x-patch", headers={"Content-Disposition": name})

    def pending(self, visit: Visit) -> list[Pending]:
        """Return the questions that wait as they are shown, newest first."""
        visit.must_be(*_SEEING)
        with self.bench(visit) as bank:
            return [writing_bank.pending(bank, each) for each in self.waiting(visit)]

    def bench(self, visit: Visit) -> AbstractContextManager[Bank]:
        """Give the bank as it was pushed, in which the same questions wait; for one user at a time."""
        files = self.source.files(visit).contents
        return self.benches.use(visit.found(), files, lambda: self.waiting(visit))

    def waiting(self, visit: Visit) -> list[Proposal]:
        """Return the questions that wait, newest first, as they are kept; damaged ones are left out."""
        found = self._hosting.asking(*visit.asked).all()
        now = self._clock()
        waiting = (_whole(each) for each in found if each.status == WAITING and each.expires > now)
        return [each for each in waiting if each is not None]

    def _one(self, visit: Visit) -> Asked:
        visit.must_be(*_SEEING)
        found = self._hosting.asking(*visit.asked).one(_named(visit))
        if found is None:
            raise not_found()
        return found

    def _told(self, asked: Asked) -> Document:
        """Return a question as a list shows it."""
        proposal, status = _whole(asked), asked.status
        if status == WAITING:
            status = EXPIRED if asked.expires <= self._clock() else WAITING if proposal else VOID
        return {
            "proposal": asked.proposal,
            "status": status,
            "decision": proposal.decision if proposal else "",
            "title": proposal.titles.get("", "") if proposal else "",
            "commit": asked.commit,
            "asked_by": asked.asked_by,
            "asked": _moment(asked.asked),
            "expires": asked.expires,
            "answered_by": asked.answered_by,
            "answered": _moment(asked.answered) if asked.answered else "",
            "option": asked.option,
            "channel": asked.channel,
            "branch": asked.branch,
            "result": asked.result,
            "successor": asked.successor,
        }


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _whole(asked: Asked) -> Proposal | None:
    """Return the proposal of a question; None if it is gone or was changed."""
    try:
        return loaded(asked)
    except ProposalVoid:
        return None


def _named(visit: Visit) -> str:
    """Return the question that an address names, as the database can be asked for it."""
    return visit.names["proposal"].replace("\0", "")
