"""tacit task: start, note, show, list, resume, finish and clear."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import PurePath
from typing import TYPE_CHECKING

import click

from tacit.audit.record import Channel
from tacit.bank import By
from tacit.cli import terminal
from tacit.cli.frame import COMMAND, bank_command
from tacit.errors import Declined
from tacit.messages import say
from tacit.tasks.working import EntryKind, TaskState, check_text, check_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.bank import Bank, Finished, Pending
    from tacit.cli.frame import Frame
    from tacit.tasks.working import Task

_CONFIRM, _CANCEL, _SHOW = "confirm", "cancel", "show_diff"
_THIS = click.option("--task", default="", help="Which task (default: the innermost one that is running).")


@click.group("task", epilog='Example: tacit task start "Move the orders table"')
def task_command() -> None:
    """Keep the working memory of a task, and turn what it found into notes when it ends."""


@bank_command("start", of=task_command, example='tacit task start "Move the orders table" --parent T-7k3f9x2q')
@click.argument("title")
@click.option("--parent", default="", help="The task that this one is a part of.")
def start(frame: Frame, title: str, parent: str) -> None:
    """Begin a task. Its working memory holds the core and every note that fits TITLE, whole."""
    tasks = frame.open(to_write=True).tasks
    by = frame.settle_doubts("task start", tasks.doubts({"title": check_title(title)}, by=COMMAND))
    task = tasks.start(title, parent=parent, by=by)
    loaded = {"core": len(task.core), "notes": len(task.notes)}
    frame.out.give(_document(task), say("task.started", task=task.id, title=task.title, **loaded))


@bank_command("note", of=task_command, example='tacit task note "The old table has no index on customer"')
@click.argument("text")
@click.option("--kind", type=click.Choice([str(kind) for kind in EntryKind]), default="finding", show_default=True)
@_THIS
def note(frame: Frame, text: str, kind: str, task: str) -> None:
    """Write TEXT into the working memory: a finding, an instruction for this task or a conclusion."""
    tasks = frame.open(to_write=True).tasks
    by = frame.settle_doubts("task note", tasks.doubts({"text": check_text(text)}, by=COMMAND))
    changed = tasks.note(text, kind=kind, task=task, by=by)
    frame.out.give(_document(changed), say("task.noted", task=changed.id))


@bank_command("show", of=task_command, example="tacit task show")
@click.argument("task", default="")
def show(frame: Frame, task: str) -> None:
    """Show the working memory of TASK, or of the one that is running."""
    found = frame.open().tasks.show(task)
    lines = [f"{found.id}  {found.title}  [{found.state}]"]
    lines += [f"  {each.id}  {each.file}" for each in (*found.core, *found.notes)]
    lines += [f"  {each.ts}  {each.kind}: {each.text}" for each in found.entries]
    frame.out.give({**_document(found), **_whole(found)}, *lines)


@bank_command("list", of=task_command, example="tacit task list")
def list_tasks(frame: Frame) -> None:
    """List the tasks whose working memory is there, those that a crash left too, and those that are damaged."""
    found = frame.open().tasks
    tasks, damaged = found.list(), found.damaged()
    document: dict[str, object] = {"tasks": [_row(task) for task in tasks], "damaged": list(damaged)}
    if not tasks and not damaged:
        frame.out.give(document, say("empty.tasks"))
        return
    rows = [(task.id, str(task.state), task.started, task.parent, task.title) for task in tasks]
    rows += [(PurePath(file).stem, say("task.damaged"), "", "", file) for file in damaged]
    frame.out.table(document, ("Task", "State", "Started", "Parent", "Title"), rows)


@bank_command("resume", of=task_command, example="tacit task resume")
@click.argument("task", default="")
def resume(frame: Frame, task: str) -> None:
    """Go on with TASK, after a crash too: what it loaded is loaded anew, what it found stays."""
    found = frame.open(to_write=True).tasks.resume(task, by=COMMAND)
    counts = {"entries": len(found.entries), "notes": len(found.notes)}
    frame.out.give(
        {**_document(found), **_whole(found)}, say("task.resumed", task=found.id, title=found.title, **counts)
    )


@bank_command("finish", of=task_command, example="tacit task finish")
@click.argument("task", default="")
@click.option("--defer", is_flag=True, help="End it with questions still open; they wait in the review list.")
def finish(frame: Frame, task: str, *, defer: bool) -> None:
    """End a task: propose its findings as notes, keep it as an episode, clear its working memory.

    On a terminal you are asked here. Elsewhere the task waits until the proposals are answered.
    """
    bank = frame.open(to_write=True)
    done = bank.tasks.finish(task, defer=defer, by=COMMAND)
    if done.proposals and not defer and terminal.is_there():
        answers = _asked(frame, done.proposals)
        if answers:
            done = bank.tasks.finish(done.task_id, answers=answers, by=By(Channel.TERMINAL))
    lines = [say("task.no_rules")] if done.reason else []
    if done.state == TaskState.WAITING:
        lines.append(say("task.waiting", task=done.task_id, count=len(done.proposals)))
        lines += [f"  {each.proposal_id}  {each.question.question.splitlines()[0]}" for each in done.proposals]
    else:
        cards = ", ".join(done.cards) or "–"
        lines.append(say("task.finished", task=done.task_id, episode=done.episode, cards=cards))
        if not done.cleared:
            lines.append(say("task.kept", task=done.task_id))
    frame.out.give(_ended(done), *lines)


@bank_command("clear", of=task_command, example="tacit task clear T-7k3f9x2q")
@click.argument("task", default="")
def clear(frame: Frame, task: str) -> None:
    """Clear the working memory of TASK, or of all that have ended; a part of a running task is asked about first."""
    bank = frame.open(to_write=True)
    by = frame.ask("task clear", say("task.clear.ask", task=task)) if task and _is_part(bank, task) else COMMAND
    gone = [file.rpartition("/")[2].removesuffix(".json") for file in bank.tasks.clear(task, by=by).files]
    text = say("task.cleared", tasks=", ".join(gone)) if gone else say("task.cleared.none")
    frame.out.give({"cleared": list(gone)}, text)


def _asked(frame: Frame, pending: Sequence[Pending]) -> dict[str, str]:
    """Ask about each card: yes or no, or, where a note contradicts it, each way out in turn; none leaves it open."""
    answers = {}
    for each in pending:
        options = {option.id: option.label for option in each.question.options}
        if _CONFIRM in options:
            answers[each.proposal_id] = _CONFIRM if _said_yes(frame, each.question.question) else _CANCEL
            continue
        ways = [option for option in options if option not in (_CANCEL, _SHOW)]
        question = each.question.question
        for way in ways:
            if _said_yes(frame, f"{question}\n{options[way]}?"):
                answers[each.proposal_id] = way
                break
            question = ""
    return answers


def _said_yes(frame: Frame, question: str) -> bool:
    try:
        frame.ask("task finish", question.lstrip())
    except Declined:
        return False
    return True


def _is_part(bank: Bank, task: str) -> bool:
    """Whether a task has ended while the one it is a part of is running."""
    known = {each.id: each for each in bank.tasks.list()}
    one = known.get(task)
    parent = known.get(one.parent) if one else None
    return one is not None and one.state is TaskState.FINISHED and parent is not None and parent.state is not one.state


def _document(task: Task) -> dict[str, object]:
    return {"task_id": task.id, "state": str(task.state), "proposals": list(task.proposals), "title": task.title}


def _row(task: Task) -> dict[str, object]:
    return {**_document(task), "parent": task.parent, "started": task.started, "updated": task.updated}


def _whole(task: Task) -> dict[str, object]:
    members = asdict(task)
    return {name: members[name] for name in ("parent", "started", "updated", "core", "notes", "entries")}


def _ended(done: Finished) -> dict[str, object]:
    members = asdict(done)
    members["proposals"] = [
        {
            "proposal_id": each.proposal_id,
            "decision": each.decision,
            "question": asdict(each.question),
            "diff": each.diff,
            "expires": each.expires,
        }
        for each in done.proposals
    ]
    return members
