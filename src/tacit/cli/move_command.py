"""tacit move: put a note into another layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.cli import completing
from tacit.cli.frame import COMMAND, bank_command
from tacit.messages import say
from tacit.note.model import Layer

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("move", example="tacit move MEM-7k3f9x2q --layer L2")
@click.argument("note_id", metavar="ID", shell_complete=completing.note_ids)
@click.option("--layer", type=click.Choice(["L1", "L2"]), required=True)
def command(frame: Frame, note_id: str, layer: str) -> None:
    """Move a note to another layer; its id stays."""
    bank = frame.open(to_write=True)
    done = bank.move(note_id, Layer(layer), by=COMMAND)
    note = bank.get(note_id)
    document: dict[str, object] = {"id": note.id, "file": note.file, "operation_id": done.operation_id}
    frame.out.give(document, say("move.made", id=note.id, file=note.file))
