"""tacit restore: bring a removed note back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.cli.frame import COMMAND, bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("restore", example="tacit restore MEM-7k3f9x2q")
@click.argument("what")
def command(frame: Frame, what: str) -> None:
    """Bring back WHAT: a note's id, its path, or the operation that removed it.

    If another file stands in its place or bears its id you are asked on the terminal; without one it waits as a
    proposal.
    """
    bank = frame.open(to_write=True)
    item = next((item for item in bank.trash() if what in (item.note_id, item.file, item.operation_id)), None)
    taken = item is not None and item.taken
    by = COMMAND
    if item is not None and taken:
        by = frame.ask_or_propose(bank, "restore", what, say("restore.ask", file=", ".join(item.standing)))
    done = bank.restore(what, over=taken, by=by)
    document: dict[str, object] = {"id": done.note_ids[0], "file": done.files[0], "operation_id": done.operation_id}
    frame.out.give(document, say("restore.made", id=done.note_ids[0], file=done.files[0]))
