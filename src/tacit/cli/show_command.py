"""tacit show: a note, a file or what a pointer leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.bank.history import as_fields
from tacit.cli import completing
from tacit.cli.frame import bank_command

if TYPE_CHECKING:
    from tacit.cli.frame import Frame

_HEAD = ("kind", "layer", "status", "strength", "scope", "audience", "timing", "source", "origin", "confirmed")


@bank_command("show", example="tacit show mem://L1/MEM-7k3f9x2q#one-liner")
@click.argument("what", shell_complete=completing.note_ids)
def command(frame: Frame, what: str) -> None:
    """Show WHAT: a note by its id, a file of the bank by its path, or what a mem:// pointer leads to."""
    bank = frame.open()
    if what.startswith("mem://"):
        text = bank.resolve(what)
        frame.out.give({"pointer": what, "text": text}, text.rstrip("\n"))
        return
    note = bank.get(what)
    body = bank.body(what)
    document: dict[str, object] = {**as_fields(note), "body": body}
    frame.out.styled(f"{note.id}  {note.title}", bold=True)
    shown = "  ".join(f"{name}: {document[name]}" for name in _HEAD if document[name])
    frame.out.give(document, shown, note.file, "", body.strip("\n"))
