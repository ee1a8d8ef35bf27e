"""tacit confirm: vouch for notes that came by git or by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.cli import completing
from tacit.cli.frame import bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("confirm", example="tacit confirm MEM-7k3f9x2q")
@click.argument("ids", nargs=-1, required=True, metavar="ID...", shell_complete=completing.note_ids)
def command(frame: Frame, ids: tuple[str, ...]) -> None:
    """Vouch for notes as they are now, whoever wrote them; you are asked on the terminal.

    With the setting `trust` at strict, agents hear only what was written or confirmed through Tacit on this machine.
    A confirmation holds for the content: a note that is changed by git or by hand has to be confirmed again. It does
    not let a note pass that a guard keeps from agents; the question says which ones are.
    """
    bank = frame.open(to_write=True)
    apart = {each: "; ".join(found) for each in ids if (found := bank.objections(each))}
    warnings = [say("confirm.apart", id=each, kinds=kinds) for each, kinds in apart.items()]
    notes = [f"{each}: {bank.get(each).one_liner or bank.get(each).title}" for each in ids]
    shown = "\n".join((*notes, *warnings))
    by = frame.ask("confirm", say("confirm.ask", notes=shown))
    done = bank.confirm(ids, by=by)
    members: dict[str, object] = {"confirmed": list(done.note_ids), "operation_id": done.operation_id}
    frame.out.give(members, say("confirm.done", count=len(done.note_ids)))
    for each in apart:
        frame.out.warn(say("confirm.still_apart", id=each))
