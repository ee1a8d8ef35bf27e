"""tacit purge: for a leak."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.cli import completing
from tacit.cli.frame import bank_command
from tacit.messages import say
from tacit.note.model import Layer

if TYPE_CHECKING:
    from tacit.cli.frame import Frame

# Tasks and episodes hold more than one note: whoever loses one is told which.
_TASKS = (f"{Layer.WORKING.folder}/", f"{Layer.EPISODIC.folder}/")


@bank_command("purge", example="tacit purge MEM-7k3f9x2q")
@click.argument("note_id", metavar="ID", shell_complete=completing.note_ids)
def command(frame: Frame, note_id: str) -> None:
    """Destroy every trace of a note in the bank, its trash and its caches, after asking on the terminal.

    Running tasks lose what they have loaded and noted of it and go on; a task or an episode that it came from goes as a
    whole, and the question names it. The log keeps a line that it happened, without the content. git's history is not
    touched: how to clean it is told.
    """
    bank = frame.open(to_write=True)
    _, parts = bank.traces(note_id)
    whole = [part for part in parts if part.startswith(_TASKS)]
    question = say("purge.ask", id=note_id, parts=len(parts))
    if whole:
        question = f"{say('purge.tasks', files=', '.join(whole))} {question}"
    by = frame.ask("purge", question)
    file, destroyed = bank.purge(note_id, by=by)
    shown = file or f"L1_declarative/{note_id}.md"
    document: dict[str, object] = {"id": note_id, "file": file, "destroyed": destroyed}
    frame.out.give(document, say("purge.made", id=note_id), say("purge.git", file=f"{bank.root.name}/{shown}"))
