"""tacit sessions: what is kept of conversations on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.cli.frame import COMMAND, bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame

_SHOWN_CHARS = 12


@click.group("sessions", epilog="Example: tacit sessions list")
def command() -> None:
    """List or delete what is kept of conversations: the prompts you typed, what you declined, what was recalled."""


@bank_command("list", of=command, example="tacit sessions list")
def list_sessions(frame: Frame) -> None:
    """List the conversations of which something is kept, without any of their words."""
    kept = frame.open(heal=False).sessions()
    document: dict[str, object] = {"sessions": [each._asdict() for each in kept]}
    if not kept:
        frame.out.give(document, say("sessions.none"))
        return
    rows = [(each.name[:_SHOWN_CHARS], each.seen, str(each.prompts), str(each.declined)) for each in kept]
    frame.out.table(document, ("Session", "Last", "Prompts", "Declined"), rows)


@bank_command("clear", of=command, example="tacit sessions clear --older-than 7")
@click.option("--older-than", type=click.IntRange(min=0), metavar="DAYS", help="Only those not used for so many days.")
def clear(frame: Frame, older_than: int | None) -> None:
    """Delete what is kept of conversations; quotes of an agent can then not be checked against them any more."""
    count = frame.open(heal=False).forget_sessions(older_than_days=older_than, by=COMMAND)
    frame.out.give({"cleared": count}, say("sessions.cleared", count=count))
