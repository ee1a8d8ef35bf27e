"""tacit refresh: detect, plan, confirm, apply."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit import settings
from tacit.bank import Bank, wiring
from tacit.cli import terminal
from tacit.cli.frame import COMMAND, bank_command
from tacit.cli.init_command import project_root
from tacit.entry import template
from tacit.entry.refresh import Choice
from tacit.errors import BankNotFound
from tacit.messages import explain, say
from tacit.store.layout import FORMAT_VERSION

if TYPE_CHECKING:
    from tacit.bank.entry_document import Refreshed
    from tacit.cli.frame import Frame


@bank_command("refresh", example="tacit refresh --yes")
@click.option("--yes", is_flag=True, help="Do it without asking; blocks that you changed are kept.")
@click.option(
    "--changed",
    type=click.Choice([str(each) for each in Choice]),
    help="What becomes of machine blocks that you changed: keep yours, take the update, or append (both).",
)
@click.option("--repair", is_flag=True, help="Mend broken block markers; all of the text is kept as yours.")
def command(frame: Frame, *, yes: bool, changed: str | None, repair: bool) -> None:
    """Bring the entry document up to date: make it, add what is missing, move an older memory bank over, or refresh it.

    Prints the plan first; nothing is changed before you say so.
    """
    bank, is_there = _bank(frame)
    entry = bank.entry
    broken = entry.needs_repair()
    if repair and broken is not None:
        problem = explain(broken)[0]
        by = COMMAND if yes else frame.ask("refresh", say("refresh.ask.repair", problem=problem))
        _give(frame, entry.repair(by=by))
        return
    choices = dict.fromkeys(template.BLOCKS, Choice(changed)) if changed else {}
    plan = entry.plan(choices)
    for line in (say(f"refresh.case.{plan.case}"), *(f"  - {step}" for step in plan.plan)):
        frame.out.styled(line)
    by = COMMAND
    if not yes and plan.plan:
        if not terminal.is_there():
            _give(frame, plan, waits=True)
            return
        for block in () if changed else plan.asked:
            question = say("refresh.ask.block", block=block)
            choices[block] = Choice(terminal.choose("refresh", question, [str(each) for each in Choice]))
        by = frame.ask("refresh", say("refresh.ask"))
    if not is_there:
        bank = Bank.init(bank.root, by=by)
    _give(frame, bank.entry.refresh(choices, by=by))


def _bank(frame: Frame) -> tuple[Bank, bool]:
    """Return the bank and whether it is there; where there is none, one that would be made and is not on the disk."""
    try:
        return frame.open(to_write=True), True
    except BankNotFound:
        found = settings.parse(settings.TEMPLATE.format(format=FORMAT_VERSION))
        root = wiring.home_for((frame.bank_path or project_root() / wiring.BANK_DIRECTORY).absolute())
        return Bank(wiring.make_store(root, found, clock=None, new_id=None), found), False


def _give(frame: Frame, done: Refreshed, *, waits: bool = False) -> None:
    if done.applied:
        told = say("refresh.made", count=len(done.files))
    else:
        told = say("refresh.waits") if waits and done.plan else say("refresh.nothing")
    frame.out.give(
        {"case": done.case, "plan": list(done.plan), "applied": done.applied, "operation_id": done.operation_id}, told
    )
