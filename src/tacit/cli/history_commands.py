"""Commands about what was done: the log, what came of a note or a question, undo, what is kept of conversations."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tacit.audit.record import Event
from tacit.bank import State
from tacit.cli import completing, telling
from tacit.cli.frame import COMMAND, bank_command
from tacit.messages import language, on_page, say, say_or_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.bank import LogEntry
    from tacit.bank.explaining import Effect, Explanation, Step
    from tacit.bank.values import Pending
    from tacit.cli.frame import Frame


@bank_command("log", example="tacit log MEM-7k3f9x2q")
@click.argument("note_id", metavar="[ID]", default="", shell_complete=completing.note_ids)
@click.option("-n", "--number", type=click.IntRange(min=1), help="Only the last so many.")
def log_command(frame: Frame, note_id: str, number: int | None) -> None:
    """Tell what was done, oldest first; of an ID, a note's or an operation's, with what was changed."""
    bank = frame.open()
    entries = bank.log(note_id, diffs=bool(note_id))[-(number or 0) :]
    if not entries:
        if note_id:
            bank.explain(note_id)
        frame.out.give({"operations": []}, say("empty.log"))
        return
    for entry in entries:
        frame.out.styled(_sentence(entry), bold=bool(note_id))
        frame.out.diff(entry.diff)
    frame.out.give({"operations": [asdict(entry) for entry in entries]})


def _sentence(entry: LogEntry) -> str:
    reason = f" — {entry.reason}" if entry.reason else ""
    line = f"{_headline(entry, f' {entry.note_id or entry.file}')}{reason}"
    return line.replace("\n", " ")  # no text in it begins a line of its own


# An import may have made thousands of files.
_SHOWN = 12


@bank_command("undo", example="tacit undo OP-4c1d9e7a")
@click.argument("operation", default="")
def undo_command(frame: Frame, operation: str) -> None:
    """Take back OPERATION, or the last one that is in effect, after asking on the terminal.

    Undoing is itself an operation: it is logged, and undoing it brings the first one back. A change of the state is
    undone only by its name, for `tacit state` takes it back. Without a terminal it waits as a proposal for
    `tacit review`.
    """
    bank = frame.open(to_write=True)
    kept = bank.undoable(operation)
    journal = kept.journal
    changed = [change.path for change in journal.changes if not change.derived]
    files = ", ".join(changed[:_SHOWN]) + (f", … ({len(changed)})" if len(changed) > _SHOWN else "")
    question = say("undo.ask", id=journal.operation_id, operation=journal.operation, ts=journal.ts, files=files)
    by = frame.ask_or_propose(bank, "undo", journal.operation_id, question)
    done = bank.undo(journal.operation_id, by=by)
    document: dict[str, object] = {
        "operation_id": done.operation_id,
        "undone": done.undone,
        "files": list(done.files),
        "withdrawn": list(done.withdrawn),
    }
    lines = [say("undo.made", id=done.undone, by=done.operation_id)]
    if bank.state is not State.ON:  # which forbids to undo this undo
        lines = [say("undo.state", id=done.undone, state=bank.state)]
    lines += [say("undo.withdrawn", count=len(done.withdrawn))] if done.withdrawn else []
    frame.out.give(document, *lines)


@bank_command("explain", example="tacit explain P-4c1d9e7a")
@click.argument("what", metavar="ID", shell_complete=completing.note_ids)
def explain_command(frame: Frame, what: str) -> None:
    """Explain how a proposal, a note or an operation came to be, and what each answer to a proposal would do."""
    found = frame.open().explain(what)
    if found.pending is not None:
        _tell_proposal(frame, found, found.pending)
    for step in found.steps:
        frame.out.styled(_headline(step, f" {step.note_id}" if step.note_id else ""), bold=True)
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


def _headline(step: Step | LogEntry, about: str) -> str:
    how = f"{about} by {step.operation} ({step.channel})"
    what = step.event.removeprefix("memory_").replace("_", " ")
    if language() == "zh" and step.event in set(Event):  # a log may tell of another version's
        what, how = on_page(f"event.{step.event}"), f"{about}（{step.operation}，{step.channel}）"
    return f"{step.ts}  {step.operation_id}  {what}{how}"


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


_SHOWN_CHARS = 12


@click.group("sessions", epilog="Example: tacit sessions list")
def sessions_command() -> None:
    """List or delete what is kept of conversations: the prompts you typed, what you declined, what was recalled."""


@bank_command("list", of=sessions_command, example="tacit sessions list")
def list_sessions(frame: Frame) -> None:
    """List the conversations of which something is kept, without any of their words."""
    kept = frame.open(heal=False).sessions()
    document: dict[str, object] = {"sessions": [each._asdict() for each in kept]}
    if not kept:
        frame.out.give(document, say("sessions.none"))
        return
    rows = [(each.name[:_SHOWN_CHARS], each.seen, str(each.prompts), str(each.declined)) for each in kept]
    frame.out.table(document, ("Session", "Last", "Prompts", "Declined"), rows)


@bank_command("clear", of=sessions_command, example="tacit sessions clear --older-than 7")
@click.option("--older-than", type=click.IntRange(min=0), metavar="DAYS", help="Only those not used for so many days.")
def clear(frame: Frame, older_than: int | None) -> None:
    """Delete what is kept of conversations; quotes of an agent can then not be checked against them any more."""
    count = frame.open(heal=False).forget_sessions(older_than_days=older_than, by=COMMAND)
    frame.out.give({"cleared": count}, say("sessions.cleared", count=count))
