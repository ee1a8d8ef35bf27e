"""What acts on other formats need of the bank that they act on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tacit.bank.governing import Governor
    from tacit.note.model import Summary


class Holder(Protocol):
    """A bank, seen from an import, an export or a mount."""

    @property
    def governor(self) -> Governor:
        """The pipeline that makes proposals."""

    def notes(self) -> list[Summary]:
        """Return its notes; raise StateRefused where it may not be read."""

    def must_be_writable(self, operation: str) -> None:
        """Raise StateRefused or RoleRefused if an operation is forbidden."""
