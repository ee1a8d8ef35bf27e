"""Which banks of an organisation stand beside another, so that its recall hears their notes too."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tacit.index.postgres.access import Owner, hashed

if TYPE_CHECKING:
    from uuid import UUID

    from tacit.index.postgres.door import Door

# Every bank beside another is asked with every prompt.
MOST_BESIDE = 8


class Beside(NamedTuple):
    """A bank, `other`, that stands beside `bank`, or with an empty `bank` beside all of its organisation."""

    organisation: str
    bank: str
    other: str


class Company:
    """What a token may hear beside the bank that it asks for; asked in the member role."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def beside(self, secret: str | bytes, organisation: str, bank: str) -> list[tuple[UUID, str]]:
        """Return number and name of the banks that a token hears beside one: its own, then the organisation's."""
        question = "SELECT bank, name FROM beside_of(%s, %s, %s)"
        return [(number, name) for number, name in self._door.asked(question, (hashed(secret), organisation, bank))]


class Arrangement(Owner):
    """The owner's side: which banks stand beside which."""

    def add(self, organisation: str, bank: str, other: str) -> bool:
        """Put a bank beside another; return False if as many stand there as may."""
        with self._asking() as asking:
            others = asking.execute(
                "SELECT other FROM tacit.beside WHERE organisation = %s AND name = %s", (organisation, bank)
            ).fetchall()
            if (other,) not in others and len(others) >= MOST_BESIDE:
                return False
            asking.execute(
                "INSERT INTO tacit.beside VALUES (%s, %s, %s) ON CONFLICT DO NOTHING", (organisation, bank, other)
            )
        return True

    def remove(self, organisation: str, bank: str, other: str) -> bool:
        """Part two banks; return whether they stood beside each other."""
        with self._asking() as asking:
            done = asking.execute(
                "DELETE FROM tacit.beside WHERE organisation = %s AND name = %s AND other = %s",
                (organisation, bank, other),
            )
            return done.rowcount == 1

    def all(self) -> list[Beside]:
        """Return every bank that stands beside another."""
        with self._asking() as asking:
            rows = asking.execute(
                "SELECT organisation, name, other FROM tacit.beside ORDER BY organisation, name, other"
            )
            return [Beside(*row) for row in rows]
