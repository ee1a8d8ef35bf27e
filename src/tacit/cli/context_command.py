"""tacit context: what an agent is told at the start of a session."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tacit.bank import migrating
from tacit.cli.frame import bank_command
from tacit.entry import context
from tacit.errors import BankNotFound
from tacit.messages import language

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("context", example="tacit context --json")
def command(frame: Frame) -> None:
    """Print what an agent is told at the start of a session: state, entry document, core, conventions."""
    try:
        start = frame.open().entry.context()
    except BankNotFound:
        text = context.absent(old=migrating.beside(Path.cwd()), language=language())
        start = context.Start(text, "", context.PROTOCOL, "", is_cut=False)
    frame.out.give(
        {
            "state": start.state,
            "protocol_version": start.protocol_version,
            "fingerprint": start.fingerprint,
            "is_cut": start.is_cut,
            "characters": len(start.text),
            "context": start.text,
        },
        start.text,
    )
