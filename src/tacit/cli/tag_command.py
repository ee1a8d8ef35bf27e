"""tacit tag: add or remove tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.cli import completing
from tacit.cli.frame import COMMAND, bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("tag", example="tacit tag MEM-7k3f9x2q release -old")
@click.argument("note_id", metavar="ID", shell_complete=completing.note_ids)
@click.argument("tags", nargs=-1, required=True, type=click.UNPROCESSED)
def command(frame: Frame, note_id: str, tags: tuple[str, ...]) -> None:
    """Add TAGS to a note; a tag with a minus before it is removed."""
    removed = [tag[1:] for tag in tags if tag.startswith("-")]
    added = [tag for tag in tags if not tag.startswith("-")]
    bank = frame.open(to_write=True)
    frame.settle_doubts("tag", bank.doubts({"tags": "\n".join(added)}))
    note = bank.tag(note_id, add=added, remove=removed, by=COMMAND)
    frame.out.give({"id": note.id, "tags": list(note.tags)}, say("tag.made", id=note.id, tags=", ".join(note.tags)))


# What begins with a minus is a tag to remove, not an option: -h among them.
command.context_settings.update(ignore_unknown_options=True, help_option_names=["--help"])
