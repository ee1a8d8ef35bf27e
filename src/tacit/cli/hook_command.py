"""tacit hook: what coding agents run at their events."""

from __future__ import annotations

import click

from tacit import link


@click.command("hook", epilog="Example: tacit hook prompt --host claude < event.json")
@click.argument("event", default="")
@click.option("--host", default="", help="Which agent calls; found from its environment if it is not named.")
def command(event: str, host: str) -> None:
    """Answer EVENT (session-start, prompt, post-tool, compact, stop, session-end) of a coding agent.

    The event is read as JSON from standard input, whatever its dialect; what is printed is what that agent takes as
    context, or nothing. Never fails: what goes wrong is in the bank's `.local/failures.log`.
    """
    link.hook([event, *(["--host", host] if host else [])])
