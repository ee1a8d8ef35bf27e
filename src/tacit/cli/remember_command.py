"""tacit remember: what the person wants to be remembered, as they would say it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from tacit.audit.record import Channel
from tacit.bank.values import Context
from tacit.capture import remark
from tacit.cli import asking, telling, terminal
from tacit.cli.frame import bank_command
from tacit.errors import Declined, GuardRefused
from tacit.messages import say
from tacit.note.model import Kind, Scope, Strength, Timing

if TYPE_CHECKING:
    from enum import StrEnum

    from tacit.bank import Bank
    from tacit.bank.values import Answer, Outcome
    from tacit.cli.frame import Frame

_REFUSED_EXIT = 3
# Option → field of the payload, for those that are handed on as they are.
_FIELDS = {
    "kind": "kind",
    "layer": "layer",
    "title": "title",
    "when": "when_to_load",
    "one_liner": "one_liner",
    "tags": "tags",
    "timing": "timing",
    "strength": "strength",
    "scope": "scope",
    "signals": "signals",
    "counter_signals": "counter_signals",
    "evidence": "evidence",
    "pointers": "pointers",
}


def _choice(of: type[StrEnum]) -> click.Choice[str]:
    return click.Choice([str(value) for value in of])


@bank_command("remember", example='tacit remember "When adding a package, use pnpm instead of npm"')
@click.argument("text", nargs=-1)
@click.option("--scene", default="", help="In which situation it holds.")
@click.option("--choice", default="", help="What was chosen.")
@click.option("--not", "rejected", multiple=True, help="What was not chosen; may be given several times.")
@click.option("--kind", type=_choice(Kind))
@click.option("--layer", type=click.Choice(["L1", "L2"]))
@click.option("--team", "apply", flag_value="team", help="It is for the whole team.")
@click.option("--personal", "apply", flag_value="personal", help="It is for you alone.")
@click.option("--title", help="A short name.")
@click.option("--when", multiple=True, help="When it matters; may be given up to three times.")
@click.option("--one-liner", help="What to do then, in one sentence.")
@click.option("--tag", "tags", multiple=True, help="May be given several times.")
@click.option("--timing", type=_choice(Timing))
@click.option("--strength", type=_choice(Strength))
@click.option("--scope", type=_choice(Scope))
@click.option("--signals", multiple=True, help="How to recognise the situation; may be given several times.")
@click.option("--counter-signals", multiple=True, help="When it does not hold; may be given several times.")
@click.option("--evidence", help="Where it comes from.")
@click.option("--pointer", "pointers", multiple=True, help="Where to read on; may be given several times.")
@click.option("--explain", is_flag=True, help="Show neighbours, scores and rules of the decision.")
def command(
    frame: Frame,
    text: tuple[str, ...],
    scene: str,
    choice: str,
    rejected: tuple[str, ...],
    *,
    explain: bool,
    **options: str | tuple[str, ...] | None,
) -> int:
    """Remember TEXT: a new note is written at once, what meets another note is asked.

    Without TEXT and --choice you are asked on your terminal for situation, choice and alternatives.
    """
    bank = frame.open(to_write=True)
    if not text and not choice:
        scene, choice, rejected = _asked(scene, rejected)
    payload = remark.payload(" ".join(text), scene=scene, choice=choice, rejected=rejected)
    payload |= {field: _plain(options[name]) for name, field in _FIELDS.items() if options[name]}
    if options["apply"]:
        payload["apply"] = options["apply"]
    outcome = bank.remember(payload, Context(channel=Channel.COMMAND, accepted=_accepted(frame, bank, payload)))
    frame.out.styled(telling.outcome_sentence(outcome))
    if explain:
        for line in telling.explained(outcome):
            frame.out.styled(f"  {line}")
    answer = _answered(bank, outcome) if outcome.proposal_id and terminal.is_there() else None
    if answer is not None:
        frame.out.styled(telling.answer_sentence(answer))
        if answer.status == "applied":
            outcome = replace(outcome, written=True, note_id=answer.note_id, operation_id=answer.operation_id)
    given = None if answer is None else telling.answer_document(answer)
    frame.out.give({"results": [telling.outcome_document(outcome)], "answer": given})
    return _REFUSED_EXIT if outcome.decision == "refused" else 0


def _asked(scene: str, rejected: tuple[str, ...]) -> tuple[str, str, tuple[str, ...]]:
    """Ask on the terminal for what the command line does not say."""
    if not terminal.is_there():
        message = "TEXT or --choice must be given where there is no terminal to ask on."
        raise click.UsageError(message)
    with terminal.opened("remember") as screen:
        scene = scene or screen.line(f"{say('remember.scene')} ").strip()
        choice = screen.line(f"{say('remember.choice')} ").strip()
        if not choice:
            raise Declined(act="remember")
        others = rejected or tuple(screen.line(f"{say('remember.rejected')} ").replace("；", ";").split(";"))
    return scene, choice, tuple(each.strip() for each in others if each.strip())


def _plain(value: str | tuple[str, ...] | None) -> object:
    return list(value) if isinstance(value, tuple) else value


def _accepted(frame: Frame, bank: Bank, payload: dict[str, object]) -> bool:
    """Ask about what a guard doubts; what it refuses, and doubts without a terminal, the pipeline turns away."""
    try:
        doubts = bank.doubts({name: json.dumps(value, ensure_ascii=False) for name, value in payload.items()})
    except GuardRefused:
        return False
    doubts = tuple(each for each in doubts if each.guard != "instruction")  # that is asked as a proposal
    if not doubts or not terminal.is_there():
        return False
    frame.settle_doubts("remember", doubts)
    return True


def _answered(bank: Bank, outcome: Outcome) -> Answer | None:
    """Ask the question right here; None if it is left for `tacit review`."""
    pending = next(each for each in bank.pending() if each.proposal_id == outcome.proposal_id)
    try:
        with terminal.opened("remember") as screen:
            return asking.ask(screen, bank, pending)
    except asking.Left:
        return None
