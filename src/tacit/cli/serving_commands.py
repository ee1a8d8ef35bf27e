"""Commands that serve: the page, MCP and the team server."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from tacit.bank import extras, roles, wiring
from tacit.bank.roles import Role
from tacit.cli.frame import NamedPath, bank_command
from tacit.errors import DatabaseUnusable
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame
    from tacit.server.oauth import People


@bank_command("ui", example="tacit ui --no-browser")
@click.option("--no-browser", is_flag=True, help="Only print the link.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Serve on this port (default: a free one).")
def ui_command(frame: Frame, *, no_browser: bool, port: int) -> None:
    """Open the page on which you answer questions, browse notes and see how the bank is.

    The link is printed first, alone on a line; it lets one browser in, once. The page is served to this user of this
    machine alone, until ^C.
    """
    if not extras.is_here("web"):
        raise extras.missing(act="tacit ui", extra="web")
    from tacit.web import serve

    bank = frame.open()

    def ready(link: str) -> None:
        frame.out.give({"link": link, "bank": str(bank.root)}, link)
        sys.stdout.flush()
        frame.out.warn(say("ui.hint"))
        if not no_browser:
            import webbrowser

            webbrowser.open(link)

    serve.run(bank, port, ready)


@bank_command("mcp", example="tacit mcp --role reader")
@click.option(
    "--role",
    type=click.Choice([role.value for role in Role]),
    default=None,
    help="What callers may do (default: reader).",
)
@click.option("--http", "port", type=click.IntRange(1, 65535), help="Serve on this port of this machine, with a token.")
def mcp_command(frame: Frame, role: str | None, port: int | None) -> None:
    """Serve the bank to an agent over MCP, on standard input and output.

    The bank is --bank, else TACIT_BANK, else that of the project the host names, else the nearest going up.
    """
    if not extras.is_here("mcp"):
        raise extras.missing(act="tacit mcp", extra="mcp")
    from tacit.cli import mcp_pipe

    place = mcp_pipe.workspace(str(frame.bank_path or ""))
    named = role or (roles.named(word, roles.VARIABLE) if (word := os.environ.get(roles.VARIABLE)) else "")
    if port:
        from tacit.mcp_server import alone

        alone.http(place, named, port)
    else:  # only where the words are unusual: the usual ones take the short way
        mcp_pipe.alone(place, named)


@bank_command("serve", example="tacit serve --port 8080")
@click.option("--host", default="127.0.0.1", show_default=True, help="Listen on this address of this machine.")
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="0 for a free one.")
@click.option("--rate", type=click.IntRange(1), default=600, show_default=True, help="Requests a minute for a token.")
@click.option("--connections", type=click.IntRange(1, 1000), default=8, show_default=True, help="To the database.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes; one a core.")
@click.option("--memory", type=click.IntRange(1), default=512, show_default=True, help="MiB for banks, each process.")
@click.option(
    "--clones",
    type=NamedPath(exists=True, file_okay=False, path_type=Path),
    help="Put answers on branches of the clones at ORGANISATION/BANK of this folder.",
)
@click.option(
    "--public-url",
    default="",
    metavar="URL",
    callback=lambda _, __, value: _public(value),
    help="Where people reach the review page, through a proxy.",
)
@click.option("--issuer", metavar="URL", help="Let in whom this OAuth issuer vouches for, in the name of TACIT_TOKEN.")
@click.option("--audience", metavar="URL", help="This server's public address, which such tokens are meant for.")
def serve_command(frame: Frame, *, host: str, port: int, clones: Path | None, public_url: str, **more: Any) -> None:  # noqa: ANN401
    """Answer for many banks: push, recall, search and proposals over HTTP, MCP, and the review page, with tokens.

    TLS is a proxy's business.

    TACIT_POSTGRES_URL names the database, with a login that is a member of tacit_member and nothing more.
    """
    if not extras.is_here("server"):
        raise extras.missing(act="tacit serve", extra="server")
    # Banks are small and requests many: threads of numpy would only be in each other's way.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from tacit.server import serve

    url = os.environ.get(wiring.POSTGRES_URL)
    if not url:
        raise DatabaseUnusable(reason=f"{wiring.POSTGRES_URL} is not set")

    def ready(address: str) -> None:
        frame.out.give({"address": address}, say("serve.ready", address=address))
        sys.stdout.flush()

    plan = serve.Plan(
        more["rate"],
        more["connections"],
        more["workers"],
        more["memory"],
        clones,
        public_url,
        _people(more["issuer"], more["audience"]),
    )
    serve.run(url, host, port, ready, plan=plan)


def _public(value: str) -> str:
    """Return the address of a page that browsers name when they ask for it; raise BadParameter for what is none."""
    parts = urlsplit(value.lower())
    if value and (parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/")):
        message = "an address without a path, such as https://memory.example.org"
        raise click.BadParameter(message)
    return f"{parts.scheme}://{parts.netloc}" if value else ""


def _people(issuer: str | None, audience: str | None) -> People | None:
    """Return those of an issuer, if one is named; raise UsageError if something is missing to let them in."""
    if not issuer and not audience:
        return None
    from tacit.server.oauth import Keys, People, is_private

    secret = os.environ.get("TACIT_TOKEN", "")
    if not issuer or not audience or not secret:
        message = "--issuer needs --audience and, in TACIT_TOKEN, the token in whose name people are let in"
        raise click.UsageError(message)
    if not is_private(issuer) or not is_private(audience):
        message = "--issuer and --audience are https:// addresses"
        raise click.UsageError(message)
    return People(issuer, audience, secret, Keys(issuer))
