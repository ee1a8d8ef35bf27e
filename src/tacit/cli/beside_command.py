"""tacit beside: which banks of the team server are heard beside which."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.bank import wiring
from tacit.cli.frame import bank_command
from tacit.cli.token_command import database_url, team_name
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame

_ORGANISATION = click.argument("organisation", callback=lambda _, __, value: team_name(value))
_OTHER = click.argument("other", callback=lambda _, __, value: team_name(value))
_BANK = click.argument(
    "name", metavar="[BANK]", default="", callback=lambda _, __, value: team_name(value) if value else ""
)


@click.group("beside", epilog="Example: tacit beside add acme common shop")
def command() -> None:
    """Say which banks of the team server are heard beside which; TACIT_POSTGRES_URL names its database, as the owner.

    Recall and search in a bank give its own notes and those of the banks beside it; on the same id the nearest wins. A
    token for the one bank reads the others in this way, and in no other.
    """


@bank_command("add", word="beside-add", example="tacit beside add acme common shop")
@_ORGANISATION
@_OTHER
@_BANK
def add(frame: Frame, organisation: str, other: str, name: str) -> None:
    """Let OTHER be heard beside BANK, or without one beside every bank of the organisation."""
    if other == name:
        message = "a bank hears itself anyway"
        raise click.BadParameter(message)
    if not wiring.arrangement(database_url()).add(organisation, name, other):
        message = "so many banks stand there that recall would become slow; take one away first"
        raise click.BadParameter(message)
    document: dict[str, object] = {"organisation": organisation, "bank": name, "other": other, "heard": True}
    frame.out.give(document, say("beside.made", other=other, bank=name or "*"))


@bank_command("list", word="beside-list", example="tacit beside list")
def show(frame: Frame) -> None:
    """List which banks are heard beside which; * stands for every bank of the organisation."""
    found = wiring.arrangement(database_url()).all()
    members = [{"organisation": each.organisation, "bank": each.bank, "other": each.other} for each in found]
    rows = [(each.organisation, each.bank or "*", each.other) for each in found]
    frame.out.table({"beside": members}, ("Organisation", "Bank", "Hears"), rows)


@bank_command("remove", word="beside-remove", example="tacit beside remove acme common shop")
@_ORGANISATION
@_OTHER
@_BANK
def remove(frame: Frame, organisation: str, other: str, name: str) -> None:
    """Let OTHER no longer be heard beside BANK; holds from the next request on."""
    if not wiring.arrangement(database_url()).remove(organisation, name, other):
        message = f"{other!r} does not stand there; `tacit beside list` shows all"
        raise click.BadParameter(message)
    document: dict[str, object] = {"organisation": organisation, "bank": name, "other": other, "heard": False}
    frame.out.give(document, say("beside.removed", other=other, bank=name or "*"))


for each in (add, show, remove):
    command.add_command(each)
