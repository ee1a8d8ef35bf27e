"""tacit mcp: the door for agents that speak the Model Context Protocol."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from tacit.bank import extras
from tacit.bank.roles import Role
from tacit.cli import mcp_pipe
from tacit.cli.frame import bank_command

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("mcp", example="tacit mcp --role reader")
@click.option(
    "--role",
    type=click.Choice([role.value for role in Role]),
    default=None,
    help="What callers may do (default: reader).",
)
@click.option("--http", "port", type=click.IntRange(1, 65535), help="Serve on this port of this machine, with a token.")
def command(frame: Frame, role: str | None, port: int | None) -> None:
    """Serve the bank to an agent over MCP, on standard input and output.

    The bank is --bank, else TACIT_BANK, else that of the project the host names, else the nearest going up.
    """
    if not extras.is_here("mcp"):
        raise extras.missing(act="tacit mcp", extra="mcp")
    from tacit.mcp_server import alone

    place = mcp_pipe.workspace(str(frame.bank_path or ""))
    named = role or os.environ.get("TACIT_ROLE", "")
    if port:
        alone.http(place, named, port)
    else:  # only where the words are unusual: the usual ones take the short way
        alone.stdio(place, named)
