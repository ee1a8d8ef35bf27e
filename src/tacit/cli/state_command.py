"""tacit state: whether the bank may be read and written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.bank import State, models
from tacit.cli import telling
from tacit.cli.frame import COMMAND, bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("state", example="tacit state paused")
@click.argument("state", type=click.Choice([str(state) for state in State], case_sensitive=False), required=False)
def command(frame: Frame, state: str | None) -> None:
    """Show the bank's state and by what it answers, or set the state.

    ON reads and writes, OFF does neither, PAUSED only reads, PADDING lets only init and import write.
    """
    bank = frame.open(heal=False)
    mode = models.mode_here()
    if state is not None:
        bank.set_state(State(state.upper()), by=COMMAND)
    also = [say("recall.mode", mode=telling.mode(mode))] if state is None else []
    frame.out.give({"state": bank.state, "set": bank.has_state, "mode": mode}, say("state", state=bank.state), *also)
