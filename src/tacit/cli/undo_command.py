"""tacit undo: take back an operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.bank import State
from tacit.cli.frame import bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame

# An import may have made thousands of files.
_SHOWN = 12


@bank_command("undo", example="tacit undo OP-4c1d9e7a")
@click.argument("operation", default="")
def command(frame: Frame, operation: str) -> None:
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
