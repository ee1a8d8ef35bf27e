"""What a bank knows of conversations: the words typed in them, what is said at the start, and answers in the chat."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from tacit import fsio, guards
from tacit.audit.record import Channel
from tacit.bank.part import Part
from tacit.errors import TacitError
from tacit.messages import explain, say
from tacit.text import as_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.bank.entry_document import Entry
    from tacit.bank.part import Whole
    from tacit.bank.sessions import Kept, Session
    from tacit.bank.values import Answer, By

# Of the log of failures.
_MAX_LINES = 200
_MAX_LINE_CHARS = 400


class Talks(Part):
    """The part of a bank that hooks and servers use for a conversation."""

    if TYPE_CHECKING:

        @property
        def entry(self) -> Entry:
            """The entry document."""

    def session(self, conversation_id: str) -> Session:
        """Return the record of one conversation: the prompts the user typed, and what they declined."""
        from tacit.bank import sessions

        sessions.sweep(self._store, self.settings.number("sessions.days"))
        return sessions.Session(self._store, conversation_id)

    def conversation(self, conversation_id: str) -> Conversation:
        """Return what a hook needs for one conversation: answers in the chat, and what was said already."""
        return Conversation(self._whole, conversation_id)

    def session_context(self, conversation_id: str, limit: int) -> str:
        """Return what an agent is told when a conversation begins, in no more than so many characters."""
        self.session(conversation_id).heard_state(str(self._whole.state))
        return self.entry.context(conversation_id=as_name(conversation_id), limit=limit).text

    def log_failure(self, what: str) -> None:
        """Keep a line about something that went wrong where nobody could be told; the last ones only.

        Secrets are cut out of it; failing to keep it is no failure.
        """
        path = self._store.layout.local / "failures.log"
        with suppress(OSError, TacitError):
            lines = (fsio.read(path) or b"").decode("utf-8", "replace").splitlines()
            told = " ".join(guards.redact(what).split())[:_MAX_LINE_CHARS]
            kept = [*lines[-_MAX_LINES + 1 :], f"{self._store.clock()} {told}"]
            fsio.make_directory(path.parent, mode=0o700)
            fsio.replace(path, "\n".join((*kept, "")).encode(), sync=False, mode=0o600)

    def without_models(self) -> None:
        """Answer by keywords alone, for a process that must be quick and lives for one question."""
        self._whole.recaller.is_hurried = True

    def sessions(self) -> list[Kept]:
        """Return what is kept of conversations on this machine, the latest first."""
        from tacit.bank import sessions

        return sessions.kept(self._store)

    def forget_sessions(self, *, older_than_days: int | None = None, by: By | None = None) -> int:
        """Delete what is kept of conversations on this machine, in any state; return how many records that were."""
        from tacit.bank import sessions
        from tacit.bank.values import By

        self._may_act("sessions clear")
        return sessions.clear(self._store, by or By(), older_than_days=older_than_days)


class Conversation:
    """What the per-prompt hook needs of a bank for one conversation."""

    def __init__(self, bank: Whole, conversation_id: str) -> None:
        self._bank = bank
        self.id = conversation_id
        self.session: Session = bank.session(conversation_id)

    def forget_injected(self) -> None:
        """Let notes be injected again, because the conversation was compacted."""
        self._bank.recaller.forget_session(self.id)

    def answered(self, prompt: str, was_put: Callable[[str, str], bool]) -> tuple[list[str], str]:
        """Take a prompt as the answer to the questions shown in the last turn, if it is one.

        `was_put` tells by its id and its words whether the agent has put a question; one that it has not waits on, and
        an answer that meets no other is told to be none.
        Returns a sentence for each question that was answered, and what of the prompt is left to be looked at.
        Going on with another subject leaves the questions in the review list; they are not asked again here. An answer
        that does not say which of several it is for leaves them asked, and so does the wish to see the change first.
        """
        from tacit.govern import reply

        asked = self.session.take_shown()
        waiting = {each.proposal_id: each for each in self._bank.pending()} if asked else {}
        still = [waiting[each] for each in asked if each in waiting]
        shown = [each for each in still if was_put(each.proposal_id, each.question.question)]
        unput = [each for each in still if each not in shown]
        meant = shown or unput
        found = reply.read(prompt, [[choice.id for choice in each.question.options] for each in meant])
        for each in [*unput, *(shown if found.stays else ())]:
            self.session.show(each.proposal_id)
        if found.stays or (found.chosen and not shown):
            asked = [f"{number} {each.proposal_id}" for number, each in enumerate(meant, 1)]
            return [say("chat.stays", asked=", ".join(asked))], found.rest
        said = []
        for place, option in found.chosen.items():
            proposal = shown[place]
            try:
                done = self._bank.answer(proposal.proposal_id, option, Channel.PROMPT, shown=proposal.digest)
            except TacitError as error:
                said.append(" ".join(explain(error)))
            else:
                said.append(told(done))
        if left := [each.proposal_id for place, each in enumerate(shown) if place not in found.chosen]:
            self.session.pass_over(left)
        return said, found.rest

    def state_change(self) -> str:
        """Return the status line if the bank's state is not what this conversation heard last."""
        state = str(self._bank.state)
        return say("state", state=state) if self.session.heard_state(state) else ""


def told(done: Answer) -> str:
    """Return in one sentence what an answer led to."""
    return say(f"chat.{done.status}", id=done.proposal_id, note=done.note_id, decision=done.decision)
