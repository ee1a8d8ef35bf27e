"""Commands that tell what was done, and take it back."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tacit.bank import State
from tacit.cli import completing
from tacit.cli.frame import bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.bank import LogEntry
    from tacit.cli.frame import Frame


@bank_command("log", example="tacit log MEM-7k3f9x2q")
@click.argument("note_id", metavar="[ID]", default="", shell_complete=completing.note_ids)
@click.option("-n", "--number", type=click.IntRange(min=1), help="Only the last so many.")
def log_command(frame: Frame, note_id: str, number: int | None) -> None:
    """Tell what was done, oldest first; with an ID the life of one note, with what each operation changed."""
    bank = frame.open()
    entries = bank.log(note_id, diffs=bool(note_id))[-(number or 0) :]
    if not entries:
        if note_id:
            bank.locate(note_id)
        frame.out.give({"operations": []}, say("empty.log"))
        return
    for entry in entries:
        frame.out.styled(_sentence(entry), bold=bool(note_id))
        frame.out.diff(entry.diff)
    frame.out.give({"operations": [asdict(entry) for entry in entries]})


def _sentence(entry: LogEntry) -> str:
    what = entry.event.removeprefix("memory_").replace("_", " ")
    about = f" {entry.note_id or entry.file}"
    reason = f" — {entry.reason}" if entry.reason else ""
    line = f"{entry.ts}  {entry.operation_id}  {what}{about} by {entry.operation} ({entry.channel}){reason}"
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
