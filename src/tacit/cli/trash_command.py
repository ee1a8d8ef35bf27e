"""tacit trash: list and empty."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tacit.cli.frame import bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@click.group("trash", epilog="Example: tacit trash list")
def command() -> None:
    """List what was removed, or destroy what is older than the retention time."""


@bank_command("list", word="trash-list", example="tacit trash list")
def list_items(frame: Frame) -> None:
    """List the removed notes that `tacit restore` can bring back."""
    items = frame.open().trash()
    document: dict[str, object] = {"items": [asdict(item) for item in items]}
    if not items:
        frame.out.give(document, say("empty.trash"))
        return
    rows = [(item.note_id, item.removed, item.operation_id, item.title) for item in items]
    frame.out.table(document, ("Id", "Removed", "Operation", "Title"), rows)


@bank_command("empty", word="trash-empty", example="tacit trash empty --days 90")
@click.option("--days", type=click.IntRange(min=0), help="Spare what is younger (default: trash.retention_days).")
def empty(frame: Frame, days: int | None) -> None:
    """Destroy for good what is older than the retention time, after asking on the terminal."""
    bank = frame.open(to_write=True)
    victims = bank.expired(days=days)
    if not victims:
        kept = bank.settings.number("trash.retention_days") if days is None else days
        frame.out.give({"destroyed": 0}, say("trash.none", days=kept))
        return
    doomed = {kept.journal.operation_id for kept in victims}
    notes = sum(item.operation_id in doomed for item in bank.trash())
    by = frame.ask("trash empty", say("trash.ask", operations=len(victims), notes=notes))
    count = bank.empty_trash(days=days, by=by)
    frame.out.give({"destroyed": count}, say("trash.made", operations=count))


command.add_command(list_items)
command.add_command(empty)
