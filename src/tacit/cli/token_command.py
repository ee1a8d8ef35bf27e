"""tacit token: who may ask the team server for which bank."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import click

from tacit.bank import wiring
from tacit.cli.frame import bank_command
from tacit.errors import DatabaseUnusable
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


@click.group("token", epilog="Example: tacit token create acme --role reader")
def command() -> None:
    """Make, list and take back tokens of the team server; TACIT_POSTGRES_URL names its database, as the owner."""


@bank_command("create", word="token-create", example="tacit token create acme shop --role writer")
@click.argument("organisation", callback=lambda _, __, value: team_name(value))
@click.argument("name", metavar="[BANK]", default="", callback=lambda _, __, value: team_name(value) if value else "")
@click.option(
    "--role", type=click.Choice(["reader", "writer", "author", "reviewer"]), default="reader", show_default=True
)
def create(frame: Frame, organisation: str, name: str, role: str) -> None:
    """Make a token for one bank of an organisation, or for all of them; it is shown once and kept nowhere."""
    token, secret = wiring.issuer(database_url()).create(organisation, name, role)
    frame.out.give({"token": token, "secret": secret}, secret)
    frame.out.warn(say("token.made", token=token))


@bank_command("list", word="token-list", example="tacit token list")
def show(frame: Frame) -> None:
    """List the tokens: their names, never their secrets."""
    tokens = wiring.issuer(database_url()).tokens()
    document: dict[str, object] = {
        "tokens": [
            {
                "token": each.token,
                "organisation": each.organisation,
                "bank": each.bank,
                "role": each.role,
                "made": f"{each.made:%Y-%m-%dT%H:%M:%SZ}",
                "revoked": each.revoked is not None,
            }
            for each in tokens
        ]
    }
    rows = [
        (each.token, each.organisation, each.bank or "*", each.role, "revoked" if each.revoked else "")
        for each in tokens
    ]
    frame.out.table(document, ("Token", "Organisation", "Bank", "Role", ""), rows)


@bank_command("revoke", word="token-revoke", example="tacit token revoke 5f0c1a2b")
@click.argument("token")
def revoke(frame: Frame, token: str) -> None:
    """Take a token back; the next request with it is refused."""
    if not wiring.issuer(database_url()).revoke(token):
        message = f"there is no token {token!r}; `tacit token list` shows all"
        raise click.BadParameter(message)
    frame.out.give({"token": token, "revoked": True}, say("token.revoked", token=token))


def database_url() -> str:
    """Return the address of the team server's database; raise DatabaseUnusable where none is named."""
    url = os.environ.get(wiring.POSTGRES_URL)
    if not url:
        raise DatabaseUnusable(reason=f"{wiring.POSTGRES_URL} is not set")
    return url


def team_name(value: str) -> str:
    """Return the name of an organisation or a bank; raise BadParameter if it is none."""
    if not _NAME.fullmatch(value):
        message = "small letters, digits, '.', '_' and '-', at most 64 of them"
        raise click.BadParameter(message)
    return value


for each in (create, show, revoke):
    command.add_command(each)
