"""tacit stats: what the bank was good for."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tacit.cli.frame import bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame

_SHOWN = 10
_DAYS_SHOWN = 14


@bank_command("stats", example="tacit stats --days 30")
@click.option(
    "--days", type=click.IntRange(min=0), default=0, help="Only the last so many days (0: all that is logged)."
)
def command(frame: Frame, days: int) -> None:
    """Show which notes were recalled and which never, how much was handed to agents, and how questions were answered.

    The figures come from a log of recalls on this machine, which holds no words, and from the log of operations.
    """
    found = frame.open(heal=False).stats(days)
    since = say("stats.since", since=found.since) if found.since else ""
    lines = [
        say("stats.notes", notes=found.notes, archived=found.archived, never=len(found.never_recalled)),
        say("stats.recalls", recalls=found.recalls, sessions=found.sessions, silent=found.silent, since=since),
        say("stats.injected", chars=found.injected_chars, tokens=found.injected_tokens),
        say("stats.answers", waiting=found.waiting, **found.answers),
    ]
    frame.out.give(asdict(found), *lines)
    if found.recalled:
        rows = [(str(each.recalls), each.last, each.id, each.title) for each in found.recalled[:_SHOWN]]
        frame.out.rows(("Recalls", "Last", "Note", "Title"), rows)
    if found.never_recalled:
        rows = [("0", "-", each.id, each.title) for each in found.never_recalled[:_SHOWN]]
        frame.out.rows(("Recalls", "Last", "Note", "Title"), rows)
    if found.days:
        frame.out.rows(
            ("Day", "Recalls", "Said", "Characters", "New", "Gone", "Notes"),
            [
                (each.day, *map(str, (each.recalls, each.said, each.chars, each.created, each.removed, each.notes)))
                for each in found.days[-_DAYS_SHOWN:]
            ],
        )
