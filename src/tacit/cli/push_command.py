"""tacit push: send the notes of a commit to a team server."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from tacit.cli.frame import bank_command
from tacit.errors import ForeignRefused
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("push", example="tacit push https://memory.example.org/acme/shop")
@click.argument("place", metavar="URL")
@click.option("--commit", default="HEAD", show_default=True, help="Send the notes as they are in this commit.")
def command(frame: Frame, place: str, commit: str) -> int:
    """Send the notes of a commit to a team server; what it has already is not sent again.

    URL is https://host/organisation/bank. The token that may write there is read from TACIT_TOKEN.
    """
    from tacit.bank import pushing

    bank = frame.open()
    token = os.environ.get("TACIT_TOKEN", "")
    if not token:
        raise ForeignRefused(path=place, reason="TACIT_TOKEN is not set", fix="Set it to a token that may write there.")
    done = pushing.push(bank.root, place, token, commit)
    for file, reason in done.refused.items():
        frame.out.warn(f"{file}: {reason}")
    frame.out.give(
        {"commit": done.commit, "changed": done.changed, "dropped": done.dropped, "refused": dict(done.refused)},
        say("push.done", changed=done.changed, dropped=done.dropped, commit=done.commit[:12]),
    )
    return 1 if done.refused else 0
