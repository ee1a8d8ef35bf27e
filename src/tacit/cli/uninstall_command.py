"""tacit uninstall: take out what install put in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit.bank.wiring import home
from tacit.cli.frame import bank_command
from tacit.cli.install_command import agreed, document, root_of
from tacit.hosts.catalogue import HOSTS
from tacit.hosts.install import Installer
from tacit.hosts.wiring import Scope
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("uninstall", example="tacit uninstall claude --project")
@click.argument("host", type=click.Choice(list(HOSTS)))
@click.option("--project", "scope", flag_value="project", default="project", help="What is in this project (default).")
@click.option("--user", "scope", flag_value="user", help="What is yours in all projects.")
@click.option("--yes", is_flag=True, help="Do it without asking.")
def command(frame: Frame, host: str, scope: str, *, yes: bool) -> None:
    """Take out what `tacit install HOST` put in.

    Files that nobody changed since are again what they were, byte for byte; from others exactly what was put in goes.
    The bank stays.
    """
    installer = Installer(home(), Path.home(), root_of(frame))
    chosen, where = HOSTS[host], Scope(scope)
    plan = installer.plan_uninstall(chosen, where)
    applied = bool(plan.changes) and agreed(frame, plan, "uninstall", yes=yes)
    if applied or not plan.changes:
        installer.apply_uninstall(chosen, where, plan)
    for each in plan.left:
        frame.out.warn(say("uninstall.left", what=each))
    done = "made" if applied else "waits" if plan.changes else "nothing"
    told = say(f"uninstall.{done}", host=chosen.title, scope=where, count=len(plan.changes))
    frame.out.give(document(chosen, where, plan, applied=applied) | {"left": plan.left}, told)
