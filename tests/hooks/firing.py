"""Recorded events fired at a bank, and what their hosts hear."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tacit.hooks.respond import respond
from tests.hooks.events import filled

if TYPE_CHECKING:
    from tacit import Bank
    from tests.hooks.events import Recorded


def fire(bank: Bank, event: Recorded, **more: object) -> bytes:
    """Let a recorded event reach the bank."""
    workspace = str(bank.root.parent)
    given = json.dumps({**filled(event.members, workspace), **more}).encode()
    return respond(event.arguments, filled(event.environment, workspace), given, lambda _: bank)


def context(host: str, printed: bytes) -> str:
    """What the host takes out of what was printed."""
    members: dict[str, Any] = json.loads(printed)
    if host == "cline":
        return str(members["contextModification"])
    if host == "copilot":
        return str(members["additionalContext"])
    if host == "cursor":
        return str(members["additional_context"])
    return str(members["hookSpecificOutput"]["additionalContext"])
