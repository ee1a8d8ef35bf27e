"""tacit log: what was done, to the bank or to one note."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tacit.cli import completing
from tacit.cli.frame import bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.bank import LogEntry
    from tacit.cli.frame import Frame


@bank_command("log", example="tacit log MEM-7k3f9x2q")
@click.argument("note_id", metavar="[ID]", default="", shell_complete=completing.note_ids)
@click.option("-n", "--number", type=click.IntRange(min=1), help="Only the last so many.")
def command(frame: Frame, note_id: str, number: int | None) -> None:
    """Tell what was done, oldest first; with an ID the life of one note, with what each operation changed."""
    bank = frame.open()
    entries = bank.log(note_id, diffs=bool(note_id))[-(number or 0) :]
    if not entries:
        if note_id:
            bank.locate(note_id)
        frame.out.give({"operations": []}, say("empty.log"))
        return
    for entry in entries:
        frame.out.styled(_sentence(entry), bold=bool(note_id))
        frame.out.diff(entry.diff)
    frame.out.give({"operations": [asdict(entry) for entry in entries]})


def _sentence(entry: LogEntry) -> str:
    what = entry.event.removeprefix("memory_").replace("_", " ")
    about = f" {entry.note_id or entry.file}"
    reason = f" — {entry.reason}" if entry.reason else ""
    return f"{entry.ts}  {entry.operation_id}  {what}{about} by {entry.operation} ({entry.channel}){reason}"
