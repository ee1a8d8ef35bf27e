"""tacit purge: for a leak."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.cli import completing
from tacit.cli.frame import bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("purge", example="tacit purge MEM-7k3f9x2q")
@click.argument("note_id", metavar="ID", shell_complete=completing.note_ids)
def command(frame: Frame, note_id: str) -> None:
    """Destroy every trace of a note in the bank, its trash and its caches, after asking on the terminal.

    The log keeps a line that it happened, without the content. git's history is not touched: how to clean it is told.
    """
    bank = frame.open(to_write=True)
    _, parts = bank.traces(note_id)
    by = frame.ask("purge", say("purge.ask", id=note_id, parts=len(parts)))
    file, destroyed = bank.purge(note_id, by=by)
    shown = file or f"L1_declarative/{note_id}.md"
    document: dict[str, object] = {"id": note_id, "file": file, "destroyed": destroyed}
    frame.out.give(document, say("purge.made", id=note_id), say("purge.git", file=f"{bank.root.name}/{shown}"))
