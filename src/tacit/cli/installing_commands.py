"""Commands that wire coding agents to the memory, and take them off it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit.bank import extras
from tacit.bank.wiring import home
from tacit.cli import terminal
from tacit.cli.frame import bank_command
from tacit.cli.output import is_terminal
from tacit.hosts.catalogue import HOSTS
from tacit.hosts.install import Installer
from tacit.hosts.wiring import Scope
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame
    from tacit.hosts.plan import Plan
    from tacit.hosts.wiring import Host


@bank_command("install", example="tacit install claude --project")
@click.argument("host", type=click.Choice(list(HOSTS)), required=False)
@click.option(
    "--project",
    "scope",
    flag_value="project",
    default="project",
    help="For this project, and all who work in it (default).",
)
@click.option("--user", "scope", flag_value="user", help="For you, in all projects.")
@click.option("--yes", is_flag=True, help="Do it without asking.")
@click.option(
    "--mcp-hooks", is_flag=True, help="Let the running server answer prompts, where a host can; see docs/hosts."
)
@click.option("--list", "lists", is_flag=True, help="List the hosts and what is wired.")
def install_command(frame: Frame, host: str | None, scope: str, *, yes: bool, mcp_hooks: bool, lists: bool) -> None:
    """Wire HOST, a coding agent, to the memory: hooks, MCP server, skills, commands and agents.

    Prints the plan first; nothing is changed before you say so. What is in the host's configuration stays as it is,
    comments too, and `tacit uninstall HOST` takes out what was put in.
    """
    installer = Installer(home(), Path.home(), _root_of(frame))
    if lists or host is None:
        _list(frame, installer)
        return
    chosen, where = HOSTS[host], Scope(scope)
    if mcp_hooks and not chosen.has_mcp_hooks:
        raise click.UsageError(say("install.no_mcp_hooks", host=chosen.title))
    plan = installer.plan_install(chosen, where, is_mcp_hook=mcp_hooks)
    applied = bool(plan.changes) and _agreed(frame, plan, "install", yes=yes)
    if not chosen.is_guided and (applied or not plan.changes):
        installer.apply_install(plan)
    for each in plan.left:
        frame.out.warn(say("uninstall.left", what=each))
    done = "made" if applied else "waits" if plan.changes else "guided" if chosen.is_guided else "already"
    steps = [say(each) for each in chosen.next_steps] if done != "waits" else []
    if not extras.is_here("mcp"):
        steps.insert(0, say("install.mcp_extra", how=extras.how("mcp")))
    told = say(f"install.{done}", host=chosen.title, scope=where, count=len(plan.changes))
    frame.out.give(
        _document(chosen, where, plan, applied=applied) | {"next": steps}, told, *(f"  - {each}" for each in steps)
    )


@bank_command("uninstall", example="tacit uninstall claude --project")
@click.argument("host", type=click.Choice(list(HOSTS)))
@click.option("--project", "scope", flag_value="project", default="project", help="What is in this project (default).")
@click.option("--user", "scope", flag_value="user", help="What is yours in all projects.")
@click.option("--yes", is_flag=True, help="Do it without asking.")
def uninstall_command(frame: Frame, host: str, scope: str, *, yes: bool) -> None:
    """Take out what `tacit install HOST` put in.

    Files that nobody changed since are again what they were, byte for byte; from others exactly what was put in goes.
    The bank stays.
    """
    installer = Installer(home(), Path.home(), _root_of(frame))
    chosen, where = HOSTS[host], Scope(scope)
    plan = installer.plan_uninstall(chosen, where)
    applied = bool(plan.changes) and _agreed(frame, plan, "uninstall", yes=yes)
    if applied or not plan.changes:
        installer.apply_uninstall(chosen, where, plan)
    for each in plan.left:
        frame.out.warn(say("uninstall.left", what=each))
    done = "made" if applied else "waits" if plan.changes else "nothing"
    told = say(f"uninstall.{done}", host=chosen.title, scope=where, count=len(plan.changes))
    frame.out.give(_document(chosen, where, plan, applied=applied) | {"left": plan.left}, told)


def _root_of(frame: Frame) -> Path:
    """Return the project around the bank that is named, else around the working directory."""
    here = Path.cwd()
    if frame.bank_path is not None:
        return frame.bank_path.resolve().parent
    marks = (".memory/tacit.toml", ".git")
    return next((place for place in (here, *here.parents) if any((place / mark).exists() for mark in marks)), here)


def _agreed(frame: Frame, plan: Plan, act: str, *, yes: bool) -> bool:
    """Show what is planned and ask; False where there is nobody to ask."""
    for change in plan.changes:
        frame.out.styled(f"{say(f'install.{change.act}')}  {change.file}", bold=True)
        if change.act == "change":
            frame.out.diff(change.diff())
    if yes:
        return True
    if not terminal.is_there():
        return False
    frame.ask(act, say("refresh.ask"))
    return True


def _document(host: Host, scope: Scope, plan: Plan, *, applied: bool) -> dict[str, object]:
    """Return a plan as JSON knows it."""
    files = [{"path": str(each.file), "act": each.act, "diff": each.diff()} for each in plan.changes]
    return {"host": host.id, "scope": str(scope), "files": files, "applied": applied}


def _list(frame: Frame, installer: Installer) -> None:
    wired = {each.id: [str(scope) for scope in Scope if installer.record_of(each, scope)] for each in HOSTS.values()}
    hosts = [
        {"host": each.id, "title": each.title, "guided": each.is_guided, "installed": wired[each.id]}
        for each in HOSTS.values()
    ]
    rows = [
        (each.id, each.title, say("install.by_hand") if each.is_guided else ", ".join(wired[each.id]) or "-")
        for each in HOSTS.values()
    ]
    frame.out.table({"hosts": hosts}, ("Host", "Name", "Installed"), rows)
    if is_terminal():
        frame.out.styled(say("install.choose"))
