"""tacit edit: change a note in the person's editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit import fsio
from tacit.bank.history import diff
from tacit.cli import completing, editor, terminal
from tacit.cli.frame import bank_command
from tacit.errors import FieldRefused, TerminalNeeded
from tacit.messages import say
from tacit.note.model import Layer

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("edit", example="tacit edit MEM-7k3f9x2q")
@click.argument("note_id", metavar="ID", shell_complete=completing.note_ids)
def command(frame: Frame, note_id: str) -> None:
    """Open a note in $VISUAL or $EDITOR, show the difference, and save it after you said yes.

    If somebody else changed the note meanwhile nothing is written and your text is kept. A text that holds a secret is
    neither saved nor kept; you are asked whether to open your editor on it again.
    """
    bank = frame.open(to_write=True)
    file = bank.locate(note_id)
    if file.startswith(Layer.CORE.folder):
        raise FieldRefused(field=file, reason="a core document is no note; open the file itself in your editor")
    if not terminal.is_there():
        raise TerminalNeeded(act="edit")
    before = fsio.read(bank.root / file) or b""
    with editor.written(bank, file.rpartition("/")[2], before) as after:
        editor.parsed(after, file, say("edit.no_note", id=note_id))
        if after == before:
            frame.out.give({"id": note_id, "operation_id": "", "file": file}, say("edit.same"))
            return
        frame.settle_doubts("edit", bank.doubts({file: after.decode("utf-8", "replace")}))
        frame.out.diff(diff(before, after))
        by = frame.ask("edit", say("edit.ask", id=note_id))
        done = bank.rewrite(file, after, base=fsio.digest(before), by=by)
    document: dict[str, object] = {"id": done.note_ids[0], "operation_id": done.operation_id, "file": file}
    frame.out.give(document, say("edit.made", id=done.note_ids[0]))
