"""tacit import: a plan with counts first, then one transaction."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit import link
from tacit.audit.record import Channel
from tacit.bank import By, models
from tacit.cli import terminal
from tacit.cli.frame import COMMAND, bank_command
from tacit.formats.recognise import READERS
from tacit.messages import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.bank.importing import Imported, Plan
    from tacit.cli.frame import Frame

_SHOWN = 20
_MANY = 100


@bank_command("import", example="tacit import ../old-project/memory-bank")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--format", "wish", type=click.Choice(sorted(READERS)), help="What PATH is, where Tacit does not tell.")
@click.option("--dry-run", is_flag=True, help="Show the plan and change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def command(frame: Frame, path: Path, wish: str | None, *, dry_run: bool, yes: bool) -> None:
    """Bring another memory in: a LingXi, layered or memory bank, AGENTS.md, Cursor rules and others, or plain Markdown.

    PATH is its folder, its file, or the project that holds it. Short texts become notes, long ones documents below
    details/. What is here already is skipped, what holds a secret refused, and what meets another note is asked about.
    One `tacit undo` takes all of it back.
    """
    bank = frame.open(to_write=True)
    importer = bank.importer
    asks = terminal.is_there() and not (yes or dry_run)
    by = By(Channel.TERMINAL) if asks else COMMAND
    with frame.out.progress() as progress:
        plan = importer.plan(path, wish or "", by=by, progress=progress)
    _show(frame, plan)
    if dry_run:
        _give(frame, plan, None, say("import.planned"))
        return
    if asks and (plan.notes or plan.documents or plan.questions):
        frame.ask("import", say("import.ask"))
    done = importer.carry_out(plan, path, wish or "", by=by)
    count = len(done.plan.notes) + len(done.plan.documents)
    if count >= _MANY:
        with frame.out.progress() as progress:  # so that the next question need not wait for it
            bank.recaller.reindexer.catch_up(force=True, progress=progress)
    lines = [say("import.made", count=count, operation=done.operation_id)] if done.operation_id else []
    lines += [say("import.asked", count=len(done.proposals))] if done.proposals else []
    if count and models.installed():
        link.follow(str(bank.root))
        lines.append(say("import.vectors"))
    _give(frame, done.plan, done, *(lines or [say("import.nothing")]))


def _show(frame: Frame, plan: Plan) -> None:
    """Print the plan for people: counts first, then what is refused and why."""
    frame.out.styled(say("import.format", format=plan.format, found=plan.found))
    counts = {name: len(getattr(plan, name)) for name in ("notes", "documents", "skipped", "refused")}
    frame.out.styled(say("import.counts", **counts))
    for key, items in (
        ("import.ask_counts", plan.questions),
        ("import.quarantined", plan.quarantined),
        ("import.left_out", plan.left_out),
    ):
        if items:
            frame.out.styled(say(key, count=len(items)))
    for item, reason in plan.refused[:_SHOWN]:
        frame.out.styled(f"  - {item}: {reason}", fg="yellow")
    if len(plan.refused) > _SHOWN:
        frame.out.styled(f"  {say('import.more', count=len(plan.refused) - _SHOWN)}")


def _give(frame: Frame, plan: Plan, done: Imported | None, *lines: str) -> None:
    document: dict[str, object] = {
        "format": plan.format,
        "found": plan.found,
        "imported": len(plan.notes) + len(plan.documents) if done else 0,
        "skipped": len(plan.skipped),
        "refused": _items(plan.refused),
        "questions": len(plan.questions),
        "applied": done is not None,
        "operation_id": done.operation_id if done else "",
        "notes": [
            {"item": each.path, "id": each.note.id if each.note else "", "file": each.file} for each in plan.notes
        ],
        "documents": [{"item": each.path, "file": each.file} for each in plan.documents],
        "proposals": list(done.proposals) if done else [],
        "known": _items(plan.skipped),
        "left_out": _items(plan.left_out),
        "quarantined": plan.quarantined,
    }
    frame.out.give(document, *lines)


def _items(found: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"item": item, "reason": reason} for item, reason in found]
