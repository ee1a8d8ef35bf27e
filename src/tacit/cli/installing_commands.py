"""Commands that set up: make a bank, wire a coding agent to it and take that out again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit import fsio
from tacit.audit.record import Channel
from tacit.bank import Bank, extras, models
from tacit.bank.values import Context
from tacit.bank.wiring import BANK_DIRECTORY, home
from tacit.cli import telling, terminal
from tacit.cli.frame import COMMAND, bank_command, project_root
from tacit.cli.output import is_terminal
from tacit.errors import Declined, ModelUnusable
from tacit.hosts.catalogue import HOSTS
from tacit.hosts.install import Installer
from tacit.hosts.wiring import Scope
from tacit.index.embed.catalogue import CATALOGUE
from tacit.messages import say
from tacit.note.model import Layer
from tacit.project import git

if TYPE_CHECKING:
    from tacit.cli.frame import Frame
    from tacit.hosts.plan import Plan
    from tacit.hosts.wiring import Host

_HOOK = """\
#!/bin/sh
# Installed by `tacit init`: notes that git is about to commit must be valid.
command -v tacit >/dev/null 2>&1 || exit 0
exec tacit check --staged --bank {bank}
"""


@bank_command("init", example="tacit init --yes")
@click.option("--yes", is_flag=True, help="Ask nothing: make the bank alone.")
@click.option("--bare", is_flag=True, help="The same as --yes.")
@click.option("--hook", is_flag=True, help="Also install the git pre-commit hook that checks the notes.")
def init_command(frame: Frame, *, yes: bool, bare: bool, hook: bool) -> None:
    """Make a memory bank here; running it again adds what is missing and overwrites nothing.

    The bank goes to .memory at the root of the git project, or here if there is none. On a terminal you can choose
    first notes from what the project says about itself.
    """
    place = frame.bank_path or project_root() / BANK_DIRECTORY
    bank = Bank.init(place, by=COMMAND)
    made = "init.made" if "tacit.toml" in bank.created else "init.again"
    frame.out.give(
        {"bank": str(bank.root), "created": bank.created},
        say(made, bank=bank.root, count=len(bank.created)),
    )
    if made == "init.again" and frame.bank_path is None and Path.cwd().resolve() != bank.root.parent:
        frame.out.warn(say("init.above", project=bank.root.parent, count=len(bank.notes())))
    if ".gitignore" not in bank.created:
        _tell_of_git(frame, bank.root)
    if hook or not (yes or bare):
        _offer_hook(frame, bank.root, ask=not hook)
    if not (yes or bare or hook):
        _offer_starters(frame, bank)
    if not (yes or bare or hook):
        _offer_models(frame)
    if made == "init.made" and terminal.is_there():
        frame.out.warn(say("init.next"))


def _tell_of_git(frame: Frame, root: Path) -> None:
    """Say which lines a .gitignore of the user's own lacks."""
    from tacit.bank import doctor  # dear to load

    lines = [f"  /{name.removesuffix('x')}" for name in doctor.shown_to_git(root)]
    if lines:
        frame.out.warn(say("init.ignore", file=root / ".gitignore", lines="\n".join(lines)))


def _offer_hook(frame: Frame, root: Path, *, ask: bool) -> None:
    hooks = git.hooks_directory(root.parent)
    if hooks is None and not ask:
        frame.out.warn(say("init.hook.no_git", folder=root.parent))
    if hooks is None or (ask and not terminal.is_there()):
        return
    target = hooks / "pre-commit"
    if target.exists():
        if "tacit check" not in target.read_text(encoding="utf-8", errors="replace"):
            frame.out.warn(say("init.hook.taken", file=target))
        return
    if ask:
        try:
            frame.ask("init", say("init.hook.ask"))
        except Declined:
            return
    top = next(place for place in root.parents if (place / ".git").exists())  # where git runs its hooks
    fsio.make_directory(hooks)
    fsio.replace(target, _HOOK.format(bank=_quoted(os.path.relpath(root, top))).encode(), mode=0o755)
    frame.out.warn(say("init.hook.made", file=target))


def _offer_starters(frame: Frame, bank: Bank) -> None:
    """Show what the project suggests as first notes, where there are none yet, and write those that are chosen."""
    if not terminal.is_there() or any(each.layer is not Layer.CORE for each in bank.notes()):
        return
    found = bank.starters()
    if found:
        with terminal.opened("init") as screen:
            screen.show(say("init.starters"))
            places = terminal.choose_several(screen, [(each.title, f"     {each.line}") for each in found])
        chosen = [found[place] for place in places]
        outcomes = bank.keep(chosen, Context(channel=Channel.TERMINAL), by_hand=True) if chosen else []
        frame.out.warn(say("init.written", count=sum(each.written for each in outcomes)))
        for each in outcomes:
            if not each.written:
                frame.out.warn(telling.outcome_sentence(each))
    if not bank.notes():
        frame.out.warn(say("empty.notes"))


def _offer_models(frame: Frame) -> None:
    """Ask whether to fetch the models of meaning, where there are none; nothing comes without a yes."""
    if models.installed() or not terminal.is_there():
        return
    if not extras.is_here("semantic"):
        frame.out.warn(say("init.models.extra", how=extras.how("semantic")))
        return
    size = sum(each.megabytes for each in CATALOGUE.values())
    try:
        frame.ask("init", say("init.models.ask", size=size))
        for name in CATALOGUE:
            models.get(name, tell=frame.out.warn)
            frame.out.warn(say("model.made", name=name, place=models.folder(name)))
    except Declined:
        frame.out.warn(say("init.models.later"))
    except ModelUnusable as error:
        frame.out.warn(f"{error.message}\n{say('init.models.later')}")


def _quoted(text: str) -> str:
    from shlex import quote

    return quote(text)


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
    own = 0
    if not chosen.is_guided and (applied or not plan.changes):
        own = installer.apply_install(plan)
    for each in plan.left:
        frame.out.warn(say("uninstall.left", what=each))
    wired = "made" if own else "guided" if chosen.is_guided else "already"
    done = "made" if applied else "waits" if plan.changes else wired
    steps = [say(each) for each in chosen.next_steps] if done != "waits" else []
    if not extras.is_here("mcp"):
        steps.insert(0, say("install.mcp_extra", how=extras.how("mcp")))
    told = say(f"install.{done}", host=chosen.title, scope=where, count=len(plan.changes) or own)
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
