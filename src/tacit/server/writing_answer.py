"""One answer: carried out on the bank as it was pushed, kept by git first and by the database then."""

from __future__ import annotations

import calendar
import time
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, NamedTuple

from tacit.bank import By
from tacit.errors import ProposalVoid
from tacit.govern import proposal as proposals
from tacit.index.asked import APPLIED, DECLINED, EXPIRED, VOID, WAITING, HeldByAnother, Settled
from tacit.server import writing_bank, writing_git
from tacit.server.visit import Refused
from tacit.server.writing_git import BRANCHES, Change
from tacit.store.layout import INDEX

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.audit.record import Channel
    from tacit.bank.values import Answer
    from tacit.bank.wiring import Hosting
    from tacit.govern.proposal import Proposal
    from tacit.index.asked import Asked
    from tacit.server.visit import Visit
    from tacit.server.writing_bank import Carried
    from tacit.server.writing_source import Files, Source

_TITLE_CHARS = 72


class Word(NamedTuple):
    """What a person said: to which question, by which option, having seen what, and through which channel."""

    proposal: str
    option: str
    shown: str
    channel: Channel


class Told(NamedTuple):
    """What came of an answer, and where the change is."""

    answer: Answer
    settled: Settled

    def document(self) -> dict[str, object]:
        """Return it as programs read it."""
        members = asdict(self.answer)
        return {
            "proposal": self.answer.proposal_id,
            **{name: members[name] for name in ("status", "decision", "note_id", "superseded", "question")},
            "branch": self.settled.branch,
            "commit": self.settled.result,
            "patch": self.settled.patch is not None,
        }


class Answering:
    """Carries out answers, each question's once."""

    def __init__(self, hosting: Hosting, source: Source, clock: Callable[[], str]) -> None:
        self._hosting = hosting
        self._source = source
        self._clock = clock

    def answer(self, visit: Visit, word: Word) -> Told:
        """Return what a person's word led to; raises with nothing changed where it does not count.

        The question is locked from here on. If the server ends after git has the commit and before the database
        knows, the branch says so, and the next answer finds it.
        """
        visit.must_be("reviewer", "author")
        asking = self._hosting.asking(*visit.asked)
        told: Told | None = None
        try:
            with asking.held(word.proposal) as held:
                if held is None:
                    raise not_found()
                asked = held.asked
                if asked.status != WAITING:
                    raise _settled(asked.status)
                settled = Settled(EXPIRED) if asked.expires <= self._clock() else self._interrupted(visit, asked)
                if settled is None:
                    files = self._source.files(visit)
                    carried = self._carried(files, asked, word)
                    settled = self._kept(visit, files, asked, carried, word)
                    told = Told(carried.answer, settled)
                    held.settle(settled)
                    if carried.again is not None:
                        waits = held.succeed(writing_bank.question(carried.again, visit.commit)) or ""
                        told = Told(replace(carried.answer, proposal_id=waits), settled)
                else:
                    held.settle(settled)
        except HeldByAnother:
            raise Refused(409, "question.held", "Somebody else is answering this at this moment.") from None
        if told is None:
            raise _settled(settled.status)
        return told

    def _interrupted(self, visit: Visit, asked: Asked) -> Settled | None:
        """Return the answer that a crash kept from the database: the commit says by whom and how it was given.

        Raises Refused where another branch has the name.
        """
        clone = self._source.clone(visit)
        found = clone.answered(asked.proposal) if clone else None
        if found is None:
            return None
        commit, message = found
        branch = f"{BRANCHES}/{asked.proposal}"
        if _bound(asked) not in message.splitlines():
            raise Refused(409, "branch.exists", f"The clone has a branch {branch} already.")
        return Settled(APPLIED, branch=branch, result=commit)

    def _carried(self, files: Files, asked: Asked, word: Word) -> Carried:
        proposal = loaded(asked)
        proposal.change(word.option)  # says which options there are; `show_diff` is none of an answer
        with writing_bank.made_of(files.contents, self._clock) as bank:
            return writing_bank.carry(bank, proposal, word.option, By(word.channel), word.shown)

    def _kept(self, visit: Visit, files: Files, asked: Asked, carried: Carried, word: Word) -> Settled:
        """Return how a question ends, after git has its part."""
        if carried.answer.status != "applied":
            status = DECLINED if carried.answer.status == "declined" else VOID
            return Settled(status, word.option, word.channel)
        changed = {
            file: content
            for file, content in carried.changed.items()
            if content != files.contents.get(file) and (file != INDEX or INDEX in files.contents)
        }
        at_s = calendar.timegm(time.strptime(self._clock(), "%Y-%m-%dT%H:%M:%SZ"))
        change = Change(visit.token, at_s, _message(visit, asked, carried.answer, word), changed)
        patch = writing_git.patch(files.contents, change)
        if files.clone is None:
            return Settled(APPLIED, word.option, word.channel, patch=patch)
        commit = files.clone.commit(asked.proposal, visit.commit, files.inside, change)
        return Settled(APPLIED, word.option, word.channel, f"{BRANCHES}/{asked.proposal}", commit, patch)


def loaded(asked: Asked) -> Proposal:
    """Return the proposal of a question; raise ProposalVoid if it is not what was asked."""
    proposal = proposals.load(asked.content or b"", asked.proposal)
    if proposal.digest != asked.digest:
        raise ProposalVoid(id=asked.proposal, reason="it was changed since it was made")
    return proposal


def not_found() -> Refused:
    """Return that there is no such question, or none for this token."""
    return Refused(404, "proposal.not_found", "There is no such question that this token may see or answer.")


def _settled(status: str) -> Refused:
    return Refused(409, "question.settled", f"This question waits no more: it is {status}.")


def _message(visit: Visit, asked: Asked, answer: Answer, word: Word) -> str:
    """Return what a commit says: what was done, and who asked, who answered and through which door."""
    title = " ".join(loaded(asked).titles.get("", "").split())[:_TITLE_CHARS]
    return (
        f"memory: {answer.decision} {answer.note_id}\n\nNote: {title}\n\n{_bound(asked)}\n"
        f"Tacit-Answer: {word.option}\nTacit-Asked-By: token {asked.asked_by}\n"
        f"Tacit-Answered-By: token {visit.token}, {word.channel}\n"
    )


def _bound(asked: Asked) -> str:
    """Return the line of a commit that says which question it answers."""
    return f"Tacit-Proposal: {asked.proposal} sha256:{asked.digest}"
