"""Time and chance for a bank under test: both follow from the number of the operation and from nothing else.

So an operation writes the same bytes in a run that is killed, in the run that it is compared with, and when it is
tried again after an error.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from tacit.bank import Bank

if TYPE_CHECKING:
    from pathlib import Path

_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
_START = datetime(2031, 3, 1, 9, 0, tzinfo=UTC)


class World:
    """The clock moves by a day with each operation; `salt` keeps the ids of different processes apart."""

    def __init__(self, salt: str = "") -> None:
        self._salt = salt
        self._number = 0
        self._drawn = 0

    def begin(self, number: int) -> None:
        """Say that operation `number` begins, or begins anew."""
        self._number = number
        self._drawn = 0

    def clock(self) -> str:
        """Return the time of the operation."""
        return (_START + timedelta(days=self._number)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def new_id(self) -> str:
        """Return the operation's next id."""
        self._drawn += 1
        drawn = sha256(f"{self._salt}/{self._number}/{self._drawn}".encode()).digest()
        return "".join(_DIGITS[byte % 32] for byte in drawn[:8])

    def open(self, root: Path, *, heal: bool = True) -> Bank:
        """Open the bank at `root` with this clock and these ids."""
        return Bank.open(root, heal=heal, clock=self.clock, new_id=self.new_id)
