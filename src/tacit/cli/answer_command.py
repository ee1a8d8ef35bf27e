"""tacit answer: one answer to one proposal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.audit.record import Channel
from tacit.cli import asking, telling, terminal
from tacit.cli.frame import bank_command
from tacit.govern.proposal import SHOW_DIFF
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.bank import Bank
    from tacit.bank.values import Answer
    from tacit.cli.frame import Frame


@bank_command("answer", example="tacit answer P-4c1d9e7a confirm")
@click.argument("proposal_id", metavar="PROPOSAL")
@click.argument("option", metavar="OPTION")
def command(frame: Frame, proposal_id: str, option: str) -> None:
    """Answer one proposal: OPTION is confirm, cancel, new_instead, keep_old, take_new, both or show_diff.

    You are shown what would change and asked on your terminal whether that is your answer. Without a terminal nothing
    is carried out; show_diff alone needs none.
    """
    bank = frame.open(to_write=option != SHOW_DIFF)
    answer = _answered(frame, bank, proposal_id, option)
    if answer.diff:
        frame.out.diff(answer.diff)
    told = "" if answer.status == "shown" else telling.answer_sentence(answer)
    frame.out.give(telling.answer_document(answer), *filter(None, [told]))


def _answered(frame: Frame, bank: Bank, proposal_id: str, option: str) -> Answer:
    waiting = {each.proposal_id: each for each in bank.pending()}
    pending = waiting.get(proposal_id)
    labels = {each.id: each.label for each in pending.question.options} if pending else {}
    if pending is None or option not in labels or option == SHOW_DIFF or not terminal.is_there():
        return bank.answer(proposal_id, option, Channel.COMMAND)  # nobody was asked: the gate says what that is worth
    with terminal.opened("answer") as screen:
        asking.present(screen, pending)
    frame.ask("answer", say("answer.ask", label=labels[option]))
    return bank.answer(proposal_id, option, Channel.TERMINAL, shown=pending.digest)
