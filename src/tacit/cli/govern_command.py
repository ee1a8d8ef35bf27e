"""tacit govern: look after the whole bank."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tacit.cli.frame import COMMAND, bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame

_SHOWN = 20


@bank_command("govern", example="tacit govern --dry-run")
@click.option("--dry-run", is_flag=True, help="Only say what would be done and proposed.")
@click.option("--skip-govern", is_flag=True, help="Only bring INDEX.md and the notes together.")
def command(frame: Frame, *, dry_run: bool, skip_govern: bool) -> None:
    """Bring INDEX.md in line with the notes, then look for what could be better, and propose it.

    Proposed are merges of notes that say the same, a choice between notes that clash, archiving what was superseded or
    long not recalled, better titles, and repairs of pointers, strength and scope. Nothing of it is done before you
    answer (`tacit review`), and what you declined is not proposed again.
    """
    bank = frame.open(to_write=not dry_run, heal=False, settle=not dry_run)
    with frame.out.progress() as progress:
        report = bank.govern(by=COMMAND, dry_run=dry_run, propose=not skip_govern, progress=progress)
    counts = {"orphans": report.orphan_rows, "unindexed": report.unindexed, "double": report.duplicate_ids}
    lines = [say("govern.index", **{name: len(each) for name, each in counts.items()})]
    lines += [
        say("govern.duplicate", id=each.id, files=each.files, winner=each.winner) for each in report.duplicate_ids
    ]
    if not skip_govern:
        count = len(report.proposals)
        said = "govern.nothing" if not count else "govern.would" if dry_run else "govern.found"
        lines.append(say(said, count=count))
        lines += [
            f"  {each.proposal_id or each.problem:<12}  {each.question.splitlines()[0]}"
            for each in report.proposals[:_SHOWN]
        ]
        if more := report.more + max(0, count - _SHOWN):
            lines.append(say("govern.more", count=more))
    frame.out.give_line({**asdict(report), "dry_run": dry_run}, *lines)
