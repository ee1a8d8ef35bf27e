"""A proposal on the controlling terminal: what would happen, and a single key for each answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.audit.record import Channel
from tacit.errors import TacitError
from tacit.govern.proposal import BOTH, CANCEL, CONFIRM, KEEP_OLD, NEW_INSTEAD, SHOW_DIFF, TAKE_NEW
from tacit.messages import explain, say

if TYPE_CHECKING:
    from tacit.bank import Bank
    from tacit.bank.values import Answer, Pending
    from tacit.cli.terminal import Terminal

KEYS = {CONFIRM: "y", CANCEL: "n", NEW_INSTEAD: "b", BOTH: "b", KEEP_OLD: "o", TAKE_NEW: "t", SHOW_DIFF: "d"}
SKIP, QUIT = "s", "q"
_SHOWN_LINES = 40


class Left(Exception):
    """The person left without answering."""


def present(terminal: Terminal, pending: Pending) -> None:
    """Show a proposal: the question with its reasons and losses, the user's words, and what would change."""
    terminal.show(f"{pending.proposal_id}  {pending.created}", bold=True)
    terminal.show(pending.question.question)
    if pending.evidence:
        terminal.show(say("review.evidence", words=" ".join(pending.evidence.split())))
    lines = pending.diff.splitlines()
    terminal.show_diff(lines[:_SHOWN_LINES])
    if len(lines) > _SHOWN_LINES:
        terminal.show(say("review.more", count=len(lines) - _SHOWN_LINES))


def ask(terminal: Terminal, bank: Bank, pending: Pending) -> Answer | None:
    """Show a proposal and carry out the answer; None if it is left for later. Raises Left if the person has enough.

    What is carried out is what was shown, or nothing. If the bank changed meanwhile, the new question is asked at once.
    """
    while True:
        present(terminal, pending)
        option = _option(terminal, pending)
        if not option:
            return None
        try:
            answer = bank.answer(pending.proposal_id, option, Channel.TERMINAL, shown=pending.digest)
        except TacitError as error:
            terminal.show(explain(error)[0], fg="red")
            return None
        if answer.status != "asked_again":
            return answer
        terminal.show(say("review.again"))
        pending = next(each for each in bank.pending() if each.proposal_id == answer.proposal_id)


def _option(terminal: Terminal, pending: Pending) -> str:
    """Return the option that the person chose; nothing if they skip it."""
    labels = {KEYS[each.id]: each.label for each in pending.question.options}
    options = {KEYS[each.id]: each.id for each in pending.question.options}
    for key, label in {**labels, SKIP: say("review.skip"), QUIT: say("review.quit")}.items():
        terminal.show(f"  {key}  {label}")
    while True:
        key = terminal.press([*labels, SKIP, QUIT])
        if key in ("", QUIT):
            raise Left
        if key == SKIP:
            return ""
        if options[key] != SHOW_DIFF:
            return options[key]
        terminal.show_diff(pending.diff.splitlines())
