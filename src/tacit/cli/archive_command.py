"""tacit archive: take a note out of recall."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.cli import completing
from tacit.cli.frame import bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("archive", example="tacit archive MEM-7k3f9x2q")
@click.argument("note_id", metavar="ID", shell_complete=completing.note_ids)
def command(frame: Frame, note_id: str) -> None:
    """Archive a note after asking on the terminal: it stays in the bank and is recalled no more.

    Without a terminal it waits as a proposal for `tacit review`.
    """
    bank = frame.open(to_write=True)
    note = bank.get(note_id)
    by = frame.ask_or_propose(bank, "archive", note_id, say("archive.ask", id=note.id, title=note.title))
    done = bank.archive(note_id, by=by)
    document: dict[str, object] = {"id": note.id, "file": note.file, "operation_id": done.operation_id}
    frame.out.give(document, say("archive.made", id=note.id))
