"""tacit daemon: the process that keeps banks and models warm for the hooks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from tacit import link
from tacit.cli.frame import bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@click.group("daemon", epilog="Example: tacit daemon status")
def command() -> None:
    """Show or stop the process that keeps banks warm; it starts by itself, and ends when nobody asks for a while."""


@bank_command("status", of=command, example="tacit daemon status")
def status(frame: Frame) -> None:
    """Say whether a daemon runs, and which banks it holds."""
    answer = link.ask(b"status")
    found = json.loads(answer) if answer else {}
    document: dict[str, object] = {"running": bool(found), **found}
    if not found:
        frame.out.give(document, say("daemon.none"))
        return
    lines = [say("daemon.runs", pid=found["pid"], version=found["version"], requests=found["requests"])]
    frame.out.give(document, *lines, *(f"  {bank}" for bank in found["banks"]))


@bank_command("stop", of=command, example="tacit daemon stop")
def stop(frame: Frame) -> None:
    """End the daemon; the next hook starts another one."""
    running = link.ask(b"stop") is not None
    frame.out.give({"stopped": running}, say("daemon.stopped" if running else "daemon.none"))
