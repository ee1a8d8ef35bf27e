"""What stands beside a bank: the team's share, the personal bank, and banks further up."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.bank.sharing import Share
    from tacit.store.store import Store


class Company:
    """The part of a bank that leads to others."""

    _store: Store
    root: Path

    if TYPE_CHECKING:  # what the rest of the bank gives

        def _may_read(self, act: str) -> None:
            """Raise StateRefused where the state forbids reading."""

        def must_be_writable(self, operation: str) -> None:
            """Raise where the state or the role forbids writing."""

    def may_read(self, act: str) -> None:
        """Raise StateRefused where the bank's state forbids reading."""
        self._may_read(act)

    @property
    def share(self) -> Share:
        """The team's notes: mount, pull, give to, override."""
        from tacit.bank.sharing import Share

        return Share(self, self._store)
