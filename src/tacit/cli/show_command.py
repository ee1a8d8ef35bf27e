"""tacit show: a note, a file or what a pointer leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.bank.history import as_fields
from tacit.bank.values import Elsewhere
from tacit.cli import completing
from tacit.cli.frame import bank_command
from tacit.errors import NoteNotFound
from tacit.messages import say
from tacit.note import pointer

if TYPE_CHECKING:
    from tacit.cli.frame import Frame

_HEAD = ("kind", "layer", "status", "strength", "scope", "audience", "timing", "source", "origin", "confirmed")


@bank_command("show", example="tacit show mem://L1/MEM-7k3f9x2q#one-liner")
@click.argument("what", shell_complete=completing.note_ids)
def command(frame: Frame, what: str) -> None:
    """Show WHAT: a note, episode or task by its id, a file by its path, or what a mem:// pointer leads to."""
    bank = frame.open()
    what = pointer.of_id(what)
    if what.startswith("mem://"):
        text = bank.resolve(what)
        frame.out.give({"pointer": what, "text": text}, text.rstrip("\n"))
        return
    try:
        found = Elsewhere(bank.get(what), bank.body(what))
    except NoteNotFound:
        elsewhere = bank.elsewhere(what)
        if elsewhere is None:
            raise
        found = elsewhere
        frame.out.warn(say("show.of_bank" if found.place else "show.of_team", id=found.note.id, bank=found.place))
    note, body = found.note, found.body
    document: dict[str, object] = {**as_fields(note), "body": body}
    frame.out.styled(f"{note.id}  {note.title}", bold=True)
    shown = "  ".join(f"{name}: {document[name]}" for name in _HEAD if document[name])
    frame.out.give(document, shown, note.file, "", body.strip("\n"))
