"""tacit delete: move a note to the trash."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.cli import completing
from tacit.cli.frame import bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("delete", example="tacit delete MEM-7k3f9x2q")
@click.argument("note_id", metavar="ID", shell_complete=completing.note_ids)
def command(frame: Frame, note_id: str) -> None:
    """Move a note to the trash after asking on the terminal; `tacit restore` brings it back.

    Without a terminal it waits as a proposal for `tacit review`.
    """
    bank = frame.open(to_write=True)
    note = bank.get(note_id)
    by = frame.ask_or_propose(bank, "delete", note_id, say("delete.ask", id=note.id, title=note.title))
    done = bank.delete(note_id, by=by)
    document: dict[str, object] = {"id": note.id, "file": note.file, "operation_id": done.operation_id}
    frame.out.give(document, say("delete.made", id=note.id))
