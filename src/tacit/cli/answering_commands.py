"""Commands that answer what waits: one proposal, or one after the other."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tacit.audit.record import Channel
from tacit.cli import telling, terminal
from tacit.cli.frame import bank_command
from tacit.govern.proposal import SHOW_DIFF
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.bank import Bank
    from tacit.bank.values import Answer, Pending
    from tacit.cli.frame import Frame
    from tacit.cli.terminal import Terminal


@bank_command("review", example="tacit review --list")
@click.option("--list", "listed", is_flag=True, help="List the questions that wait; needs no terminal.")
def review_command(frame: Frame, *, listed: bool) -> None:
    """Answer the questions that wait, newest first, each with a single key on your terminal.

    y does it, n does not, b keeps both notes, o keeps the old one, t takes the new one, d shows the difference, s
    skips, q or ^C quits. What you have not answered waits on.
    """
    if listed:
        _list(frame, frame.open().pending())
        return
    bank = frame.open(to_write=True)
    answers: list[Answer] = []
    with terminal.opened("review") as screen:
        left = _walk(screen, bank, answers)
    document: dict[str, object] = {"answers": [telling.answer_document(each) for each in answers], "left": left}
    frame.out.give(document, say("review.done", count=len(answers), left=left))


def _walk(screen: Terminal, bank: Bank, answers: list[Answer]) -> int:
    """Ask one question after the other, each as the bank is then; return how many are left."""
    skipped: set[str] = set()
    while True:
        waiting = [each for each in bank.pending() if each.proposal_id not in skipped]
        if not waiting:
            break
        try:
            answer = telling.ask(screen, bank, waiting[0])
        except telling.Left:
            break
        if answer is None:
            skipped.add(waiting[0].proposal_id)
            continue
        answers.append(answer)
        screen.show(telling.answer_sentence(answer), bold=True)
    return len(bank.pending())


def _list(frame: Frame, waiting: list[Pending]) -> None:
    document: dict[str, object] = {"proposals": [asdict(each) for each in waiting]}
    if not waiting:
        frame.out.give(document, say("review.none"))
        return
    rows = [
        (each.proposal_id, each.decision, each.created, each.expires, each.question.question.splitlines()[0])
        for each in waiting
    ]
    frame.out.table(document, ("Proposal", "Decision", "Created", "Expires", "Question"), rows)


@bank_command("answer", example="tacit answer P-4c1d9e7a confirm")
@click.argument("proposal_id", metavar="PROPOSAL")
@click.argument("option", metavar="OPTION")
def answer_command(frame: Frame, proposal_id: str, option: str) -> None:
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
        telling.present(screen, pending)
    frame.ask("answer", say("answer.ask", label=labels[option]))
    return bank.answer(proposal_id, option, Channel.TERMINAL, shown=pending.digest)
