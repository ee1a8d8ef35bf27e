"""tacit check: all that is wrong in a bank."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tacit.cli.frame import bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("check", example="tacit check --fix")
@click.option("--fix", is_flag=True, help="Heal a stale INDEX.md first.")
@click.option("--staged", is_flag=True, help="Check what git is about to commit, for a pre-commit hook.")
def command(frame: Frame, *, fix: bool, staged: bool) -> int:
    """Find what is wrong: broken notes, double ids, a stale INDEX, dangling pointers, a damaged log.

    Exits with 0 only if nothing is. Writes nothing without --fix.
    """
    bank = frame.open(heal=False)
    if fix:
        bank.must_be_writable("check --fix")
        if bank.heal():
            frame.out.warn(say("check.fixed"))
    count, problems = bank.check(staged=staged)
    for problem in problems:
        place = f"{problem.file}:{problem.line}" if problem.line else problem.file
        message = problem.message.removeprefix(f"{place}: ").removeprefix(f"{place}：")
        frame.out.styled(f"{place}: {message} [{problem.code}]", fg="red")
        frame.out.styled(f"  {problem.hint}")
    ok = not problems
    text = say("check.ok", count=count) if ok else say("check.found", problems=len(problems), count=count)
    frame.out.give({"ok": ok, "problems": [asdict(problem) for problem in problems]}, text)
    return 0 if ok else 1
