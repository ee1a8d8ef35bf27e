"""Commands that say where you are: what there is and what to do next, and what is set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from tacit import __version__
from tacit.bank import State, extras, models
from tacit.bank.wiring import home
from tacit.cli import completing
from tacit.cli.frame import COMMAND, bank_command
from tacit.errors import BankNotFound, StoreUnwritable
from tacit.messages import answered_by, say
from tacit.settings import SETTINGS, named
from tacit.text import pad, width

if TYPE_CHECKING:
    from tacit.bank import Bank
    from tacit.cli.frame import Frame

_MOST_STEPS = 3
_LONG_COLUMNS = 32


class Standing(NamedTuple):
    """What a bank is like at a glance; nothing is counted while it is OFF."""

    state: State
    is_set: bool
    notes: int
    left_out: int
    waiting: int | None  # None where this user may not read the log, which vouches for the questions
    index_is: str


@bank_command("status", example="tacit status --json")
def status_command(frame: Frame) -> None:
    """Show where you are and what to do next: bank, state, notes, questions, index, models and hosts.

    The same as `tacit` without a command. Without a bank it says how to make one.
    """
    bank = _bank(frame)
    here = None if bank is None else _standing(bank)
    mode = models.mode_here()
    hosts = _wired(Path.cwd() if bank is None else bank.root.parent)
    steps = [(line, say(key, count=count)) for line, key, count in _steps(here, hosts)][:_MOST_STEPS]
    document: dict[str, object] = {
        "version": __version__,
        "bank": None if bank is None else str(bank.root),
        "state": here and here.state,
        "set": here is not None and here.is_set,
        "notes": here and here.notes,
        "left_out": here and here.left_out,
        "waiting": here and here.waiting,
        "index": here and here.index_is,
        "mode": mode,
        "hosts": [{"host": host, "scope": scope} for host, scope in hosts],
        "next": [{"command": line, "why": why} for line, why in steps],
    }
    frame.out.give(document, *_lines(bank, here, mode, hosts, steps))


def _bank(frame: Frame) -> Bank | None:
    """Return the bank; None where none was named and there is none here."""
    try:
        return frame.open(heal=False)
    except BankNotFound:
        if frame.bank_path is not None:
            raise
        return None


def _standing(bank: Bank) -> Standing:
    is_shared = bank.settings.text("index.backend") == "postgres"
    index = "postgres" if is_shared else "here" if (bank.root / ".local" / "index.db").is_file() else "none"
    if not bank.state.may_read:
        return Standing(bank.state, bank.has_state, 0, 0, 0, index)
    try:
        waiting = len(bank.pending())
    except StoreUnwritable:
        waiting = None
    return Standing(bank.state, bank.has_state, len(bank.notes()), len(bank.left_out()), waiting, index)


def _wired(root: Path) -> list[tuple[str, str]]:
    """Return the hosts that are wired for this project or this user, by what was written down when it was done."""
    from tacit.hosts import record
    from tacit.hosts.wiring import Scope

    found = record.every(home())
    return [(each.host, str(each.scope)) for each in found if each.scope is Scope.USER or each.root == root]


def _steps(here: Standing | None, hosts: list[tuple[str, str]]) -> list[tuple[str, str, int]]:
    """Return what to do, the most urgent first: the command, the name of the reason, and a number for it."""
    if here is None:
        from tacit.bank import migrating  # dear to load

        is_old = bool(migrating.beside(Path.cwd()))
        return [("tacit refresh", "status.next.refresh", 0) if is_old else ("tacit init", "status.next.init", 0)]
    if here.state is not State.ON:
        return [("tacit state on", "status.next.on", 0)]
    ways = [
        (bool(here.waiting), "tacit review", "status.next.review", here.waiting or 0),
        (here.left_out > 0, "tacit check", "status.next.check", here.left_out),
        (here.notes == 0, 'tacit remember "…"', "status.next.remember", 0),
        (not hosts, "tacit install", "status.next.install", 0),
        (bool(hosts) and not extras.is_here("mcp"), "mcp", "status.next.mcp", 0),
        (here.notes > 0, 'tacit recall "…"', "status.next.recall", 0),
        (not models.installed(), "semantic", "status.next.models", 0),
    ]
    return [(_line(word), key, count) for holds, word, key, count in ways if holds]


def _line(word: str) -> str:
    """Return a step's command line; where an extra is in the way, the one that brings it."""
    if word == "semantic" and extras.is_here(word):
        return "tacit model get"
    return extras.how(word) if word in extras.MODULES else word


def _lines(
    bank: Bank | None,
    here: Standing | None,
    mode: str,
    hosts: list[tuple[str, str]],
    steps: list[tuple[str, str]],
) -> list[str]:
    """Return all of it for people."""
    wired = ", ".join(f"{host} ({scope})" for host, scope in hosts) or say("status.none")
    facts = [("bank", say("status.no_bank", place=Path.cwd()))]
    if bank is not None and here is not None:
        counted = here.state.may_read
        questions = say("status.no_log") if here.waiting is None else str(here.waiting or say("status.none"))
        facts = [
            ("bank", str(bank.root)),
            ("state", str(here.state)),
            ("notes", str(here.notes) if counted else "-"),
            ("waiting", questions if counted else "-"),
            ("index", say(f"status.index.{here.index_is}")),
            *([("list", say("heal.stale"))] if bank.has_stale_index() else []),
        ]
    facts += [("mode", answered_by(mode)), ("hosts", wired)]
    named = [(say(f"status.{name}"), value) for name, value in facts]
    room = max(width(name) for name, _ in named)
    return [
        f"tacit {__version__}",
        *(f"  {pad(name, room)}  {value}" for name, value in named),
        *([say("status.next")] if steps else []),
        *_shown(steps),
        say("status.help"),
    ]


def _shown(steps: list[tuple[str, str]]) -> list[str]:
    """Return the steps in two columns; what a long command does stands below it."""
    reach = max((width(line) for line, _ in steps if width(line) <= _LONG_COLUMNS), default=0)
    lines: list[str] = []
    for line, why in steps:
        lines += [f"  {pad(line, reach)}  {why}"] if width(line) <= _LONG_COLUMNS else [f"  {line}", f"    {why}"]
    return lines


@bank_command("state", example="tacit state paused")
@click.argument("state", type=click.Choice([str(state) for state in State], case_sensitive=False), required=False)
def state_command(frame: Frame, state: str | None) -> None:
    """Show the bank's state and by what it answers, or set the state.

    ON reads and writes, OFF does neither, PAUSED only reads, PADDING lets only init and import write.
    """
    bank = frame.open(heal=False)
    mode = models.mode_here()
    if state is not None:
        bank.set_state(State(state.upper()), by=COMMAND)
    also = [say("recall.mode", mode=answered_by(mode))] if state is None else []
    frame.out.give({"state": bank.state, "set": bank.has_state, "mode": mode}, say("state", state=bank.state), *also)


@bank_command("config", example="tacit config trash.retention_days 90")
@click.argument("name", default="", shell_complete=completing.setting_names)
@click.argument("value", default=None, required=False)
def config_command(frame: Frame, name: str, value: str | None) -> None:
    """List the settings; with NAME show one, with VALUE change it in tacit.toml.

    What an answer needs (gate.*) can be made stricter, never laxer than its default, and you are asked on the terminal;
    so you are before `trust` changes.
    """
    bank = frame.open(to_write=value is not None, heal=False)
    if name:
        named(name)
    if value is not None:
        # Who may say yes, and what agents hear, is the user's to set, and nobody else's.
        question = "config.ask" if name.startswith("gate.") else "config.ask.trust" if name == "trust" else ""
        by = frame.ask("config", say(question, name=name, value=value)) if question else COMMAND
        bank.set_setting(name, value, by=by)
        frame.out.give({"name": name, "value": bank.settings.values[name]}, say("config.made", name=name, value=value))
        return
    shown = [setting for setting in SETTINGS if name in ("", setting.name)]
    document: dict[str, object] = {
        "settings": [
            {
                "name": setting.name,
                "value": bank.settings.values[setting.name],
                "default": setting.default,
                "meaning": setting.meaning,
            }
            for setting in shown
        ]
    }
    rows = [(setting.name, str(bank.settings.values[setting.name]), setting.meaning) for setting in shown]
    frame.out.table(document, ("Setting", "Value", "Meaning"), rows)
