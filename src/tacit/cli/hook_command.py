"""tacit hook: what coding agents run at their events."""

from __future__ import annotations

import click

from tacit import link


@click.command("hook", epilog="Example: tacit hook prompt --host claude")
@click.argument("event", default="")
@click.option("--host", default="", help="Which agent calls; found from its environment if it is not named.")
@click.option("--bank", default="", help="Directory of the bank (default: the nearest to the workspace that is named).")
@click.option("--role", default="", help="What the hook may do: reader, memory or orchestrator (the default).")
@click.option("--json", "_", is_flag=True, help="What is printed is JSON in any case.")
def command(event: str, host: str, bank: str, role: str, *, _: bool) -> None:
    """Answer EVENT (session-start, prompt, post-tool, compact, stop, session-end) of a coding agent.

    The event is read as JSON from standard input, whatever its dialect; what is printed is what that agent takes as
    context, or nothing. Never fails: what goes wrong is in the bank's `.local/failures.log`.
    """
    link.hook([event, f"--host={host}", f"--bank={bank}", *([f"--role={role}"] if role else [])])
