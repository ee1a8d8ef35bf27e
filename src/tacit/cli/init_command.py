"""tacit init: make a bank."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit import fsio
from tacit.audit.record import Channel
from tacit.bank import Bank, extras, models
from tacit.bank.values import Context
from tacit.cli import choosing, telling, terminal
from tacit.cli.frame import COMMAND, bank_command
from tacit.errors import Declined, ModelUnusable
from tacit.index.embed.catalogue import CATALOGUE
from tacit.messages import say
from tacit.note.model import Layer
from tacit.project import git

if TYPE_CHECKING:
    from tacit.cli.frame import Frame

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
def command(frame: Frame, *, yes: bool, bare: bool, hook: bool) -> None:
    """Make a memory bank here; running it again adds what is missing and overwrites nothing.

    The bank goes to .memory at the root of the git project, or here if there is none. On a terminal you can choose
    first notes from what the project says about itself.
    """
    place = frame.bank_path or project_root() / ".memory"
    bank = Bank.init(place, by=COMMAND)
    made = "init.made" if "tacit.toml" in bank.created else "init.again"
    frame.out.give(
        {"bank": str(bank.root), "created": bank.created},
        say(made, bank=bank.root, count=len(bank.created)),
    )
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


def project_root() -> Path:
    """Return the root of the git project around the working directory, or that directory itself."""
    here = Path.cwd()
    return next((place for place in (here, *here.parents) if (place / ".git").exists()), here)


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
            places = choosing.several(screen, [(each.title, f"     {each.line}") for each in found])
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
