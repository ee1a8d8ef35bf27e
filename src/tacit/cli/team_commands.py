"""Commands for the team server: who may come in, what is heard beside what, and notes for it."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import click

from tacit.bank import wiring
from tacit.cli.frame import bank_command
from tacit.errors import DatabaseUnusable, ForeignRefused
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_ORGANISATION = click.argument("organisation", callback=lambda _, __, value: _name(value))
_OTHER = click.argument("other", callback=lambda _, __, value: _name(value))
_BANK = click.argument(
    "name", metavar="[BANK]", required=False, callback=lambda _, __, value: "" if value is None else _name(value)
)


@click.group("token", epilog="Example: tacit token create acme --role reader")
def token_command() -> None:
    """Make, list and take back tokens of the team server; TACIT_POSTGRES_URL names its database, as the owner."""


@bank_command("create", of=token_command, example="tacit token create acme shop --role writer")
@_ORGANISATION
@_BANK
@click.option(
    "--role", type=click.Choice(["reader", "writer", "author", "reviewer"]), default="reader", show_default=True
)
def create(frame: Frame, organisation: str, name: str, role: str) -> None:
    """Make a token for one bank of an organisation, or for all of them; it is shown once and kept nowhere."""
    token, secret = wiring.issuer(_database_url()).create(organisation, name, role)
    frame.out.give({"token": token, "secret": secret}, secret)
    frame.out.warn(say("token.made", token=token))


@bank_command("list", of=token_command, example="tacit token list")
def list_tokens(frame: Frame) -> None:
    """List the tokens: their names, never their secrets."""
    tokens = wiring.issuer(_database_url()).tokens()
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


@bank_command("revoke", of=token_command, example="tacit token revoke 5f0c1a2b")
@click.argument("token")
def revoke(frame: Frame, token: str) -> None:
    """Take a token back; the next request with it is refused."""
    if not wiring.issuer(_database_url()).revoke(token):
        message = f"there is no token {token!r}; `tacit token list` shows all"
        raise click.BadParameter(message)
    frame.out.give({"token": token, "revoked": True}, say("token.revoked", token=token))


@click.group("beside", epilog="Example: tacit beside add acme common shop")
def beside_command() -> None:
    """Say which banks of the team server are heard beside which; TACIT_POSTGRES_URL names its database, as the owner.

    Recall and search in a bank give its own notes and those of the banks beside it; on the same id the nearest wins. A
    token for the one bank reads the others in this way, and in no other.
    """


@bank_command("add", of=beside_command, example="tacit beside add acme common shop")
@_ORGANISATION
@_OTHER
@_BANK
def add(frame: Frame, organisation: str, other: str, name: str) -> None:
    """Let OTHER be heard beside BANK, or without one beside every bank of the organisation."""
    if other == name:
        message = "a bank hears itself anyway"
        raise click.BadParameter(message)
    if not wiring.arrangement(_database_url()).add(organisation, name, other):
        message = "so many banks stand there that recall would become slow; take one away first"
        raise click.BadParameter(message)
    document: dict[str, object] = {"organisation": organisation, "bank": name, "other": other, "heard": True}
    frame.out.give(document, say("beside.made", other=other, bank=name or "*"))


@bank_command("list", of=beside_command, example="tacit beside list")
def list_heard(frame: Frame) -> None:
    """List which banks are heard beside which; * stands for every bank of the organisation."""
    found = wiring.arrangement(_database_url()).all()
    members = [{"organisation": each.organisation, "bank": each.bank, "other": each.other} for each in found]
    rows = [(each.organisation, each.bank or "*", each.other) for each in found]
    frame.out.table({"beside": members}, ("Organisation", "Bank", "Hears"), rows)


@bank_command("remove", of=beside_command, example="tacit beside remove acme common shop")
@_ORGANISATION
@_OTHER
@_BANK
def remove(frame: Frame, organisation: str, other: str, name: str) -> None:
    """Let OTHER no longer be heard beside BANK; holds from the next request on."""
    if not wiring.arrangement(_database_url()).remove(organisation, name, other):
        message = f"{other!r} does not stand there; `tacit beside list` shows all"
        raise click.BadParameter(message)
    document: dict[str, object] = {"organisation": organisation, "bank": name, "other": other, "heard": False}
    frame.out.give(document, say("beside.removed", other=other, bank=name or "*"))


@bank_command("push", example="tacit push https://memory.example.org/acme/shop")
@click.argument("place", metavar="URL")
@click.option("--commit", default="HEAD", show_default=True, help="Send the notes as they are in this commit.")
def push_command(frame: Frame, place: str, commit: str) -> int:
    """Send the notes of a commit to a team server; what it has already is not sent again.

    URL is https://host/organisation/bank. The token that may write there is read from TACIT_TOKEN.
    """
    from tacit.bank import pushing

    bank = frame.open()
    token = os.environ.get("TACIT_TOKEN", "")
    if not token.strip():
        raise ForeignRefused(path=place, reason="TACIT_TOKEN is not set", fix="Set it to a token that may write there.")
    done = pushing.push(bank.root, place, token, commit)
    for file, reason in done.refused.items():
        frame.out.warn(f"{file}: {reason}")
    frame.out.give(
        {"commit": done.commit, "changed": done.changed, "dropped": done.dropped, "refused": dict(done.refused)},
        say("push.done", changed=done.changed, dropped=done.dropped, commit=done.commit[:12]),
    )
    return 1 if done.refused else 0


def _database_url() -> str:
    """Return the address of the team server's database; raise DatabaseUnusable where none is named."""
    url = os.environ.get(wiring.POSTGRES_URL)
    if not url:
        raise DatabaseUnusable(reason=f"{wiring.POSTGRES_URL} is not set")
    return url


def _name(value: str) -> str:
    """Return the name of an organisation or a bank; raise BadParameter if it is none."""
    if not value:
        message = "it is empty; perhaps a variable is not set"
        raise click.BadParameter(message)
    if not _NAME.fullmatch(value):
        message = "small letters, digits, '.', '_' and '-', at most 64 of them"
        raise click.BadParameter(message)
    return value
