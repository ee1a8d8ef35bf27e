"""tacit ui: the page on which a person reviews the bank."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from tacit.bank import extras
from tacit.cli.frame import bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("ui", example="tacit ui --no-browser")
@click.option("--no-browser", is_flag=True, help="Only print the link.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Serve on this port (default: a free one).")
def command(frame: Frame, *, no_browser: bool, port: int) -> None:
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
