"""Who may say yes to what: channels, how sure each is, and the least that each operation needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.audit.record import ASSURANCE, Assurance
from tacit.errors import AssuranceTooLow

if TYPE_CHECKING:
    from tacit.audit.record import Channel
    from tacit.settings import Settings

# Operation → the setting that says what its answer needs.
SETTING = {
    "new": "gate.new",
    "merge": "gate.merge",
    "replace": "gate.replace",
    "archive": "gate.archive",
    "delete": "gate.delete",
    "undo": "gate.undo",
    "restore": "gate.restore",
    "detail": "gate.detail",
}


def needed(operation: str, policy: Settings) -> Assurance:
    """Return the least assurance with which an answer carries out an operation."""
    return Assurance(policy.text(SETTING[operation]))


def insist(operation: str, channel: Channel, policy: Settings) -> None:
    """Raise AssuranceTooLow if an answer through this channel does not do for an operation."""
    least, given = needed(operation, policy), ASSURANCE[channel]
    if given.rank < least.rank:
        raise AssuranceTooLow(act=operation, needed=str(least), given=str(given))
