"""tacit focus: what is worked on now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.cli.frame import bank_command
from tacit.entry.focus import Wish
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("focus", example='tacit focus "Checkout in one page" --next "write the form"')
@click.argument("text", default="")
@click.option("--next", "next_steps", multiple=True, help="A next step; may be given more than once.")
@click.option("--done", multiple=True, help="A finished step, planned or not, by its words or a part of them.")
@click.option("--blocker", "blockers", multiple=True, help="What stands in the way.")
@click.option("--unblock", "unblocked", multiple=True, help="A blocker that is gone, by its words or a part of them.")
def command(
    frame: Frame,
    text: str,
    *,
    next_steps: tuple[str, ...],
    done: tuple[str, ...],
    blockers: tuple[str, ...],
    unblocked: tuple[str, ...],
) -> None:
    """Show the current focus, or set it, its next steps and its blockers, in the entry document.

    Once more than twenty steps are finished, they are moved to details/archive/.
    """
    wish = Wish(text, next_steps, done, blockers, unblocked)
    bank = frame.open(to_write=wish != Wish())
    operation_id = ""
    if wish != Wish():
        by = frame.settle_doubts("focus", bank.doubts(wish.texts()))
        operation_id = bank.entry.set_focus(wish, by=by).operation_id
    seen = bank.entry.focus()
    lines = [say("focus.line", focus=seen.focus) if seen.focus else say("focus.none")]
    lines += [say("focus.next", step=step) for step in seen.next_steps]
    lines += [say("focus.blocker", blocker=blocker) for blocker in seen.blockers]
    if seen.finished:
        lines.append(say("focus.done", count=len(seen.finished)))
    frame.out.give(
        {
            "focus": seen.focus,
            "next_steps": list(seen.next_steps),
            "finished": list(seen.finished),
            "blockers": list(seen.blockers),
            "operation_id": operation_id,
        },
        *lines,
    )
