"""One conversation in a host: what the user types answers questions, and what was said is not said twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.audit.record import Channel
from tacit.errors import TacitError
from tacit.govern import reply
from tacit.messages import explain, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.bank.part import Whole
    from tacit.bank.sessions import Session
    from tacit.bank.values import Answer


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
