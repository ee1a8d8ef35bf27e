"""tacit explain: how something came to be."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tacit.cli import completing, telling
from tacit.cli.frame import bank_command
from tacit.messages import say, say_or_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.bank.explaining import Effect, Explanation, Step
    from tacit.bank.values import Pending
    from tacit.cli.frame import Frame


@bank_command("explain", example="tacit explain P-4c1d9e7a")
@click.argument("what", metavar="ID", shell_complete=completing.note_ids)
def command(frame: Frame, what: str) -> None:
    """Explain how a proposal, a note or an operation came to be, and what each answer to a proposal would do."""
    found = frame.open().explain(what)
    if found.pending is not None:
        _tell_proposal(frame, found, found.pending)
    for step in found.steps:
        frame.out.styled(_headline(step), bold=True)
        for line in _lines(step):
            frame.out.styled(f"  {line}")
    empty = [] if found.steps else [say("explain.by_hand", id=what)]
    frame.out.give(asdict(found), *empty)


def _tell_proposal(frame: Frame, found: Explanation, pending: Pending) -> None:
    frame.out.styled(f"{pending.proposal_id}  {pending.question.question}", bold=True)
    if pending.evidence:
        frame.out.styled(f"  {say('review.evidence', words=' '.join(pending.evidence.split()))}")
    lines = [*telling.neighbours(pending.neighbours), *telling.scores(pending.scores, found.score_reasons)]
    if pending.completed:
        lines.append(say("explain.completed", fields=", ".join(pending.completed)))
    for line in lines:
        frame.out.styled(f"  {line}")
    for effect in found.effects:
        frame.out.styled(f"  {effect.id}: {effect.label}. {_effect(effect)}")
        frame.out.diff(effect.diff)


def _effect(effect: Effect) -> str:
    return say("explain.effect", files=", ".join(effect.files)) if effect.operation else say("explain.no_effect")


def _headline(step: Step) -> str:
    what = step.event.removeprefix("memory_").replace("_", " ")
    about = f" {step.note_id}" if step.note_id else ""
    return f"{step.ts}  {step.operation_id}  {what}{about} by {step.operation} ({step.channel})"


def _lines(step: Step) -> Iterator[str]:
    if step.proposal_id:
        yield say("explain.answer", proposal=step.proposal_id)
    elif step.verdict:
        yield say("explain.verdict", verdict=step.verdict)
    elif step.reason:
        yield step.reason.partition(" sha256:")[0]
    yield from telling.rules(step.reasons, step.rules)
    if step.scores:
        allows = say_or_name(f"score.rule.{step.score_reasons[-1]}", step.score_reasons[-1])
        digits = " ".join(f"{name.upper()} {points}" for name, points in step.scores.items() if name != "total")
        yield f"{say('explain.scores', total=step.scores['total'], allows=allows)} {digits}"
    for each in step.neighbours:
        yield f"{each['id']}: {each['relation']}, {each['score']:.2f}"
