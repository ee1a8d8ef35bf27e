"""What a caller may do: read and propose, maintain, or drive the work."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NoReturn

from tacit.audit.record import Channel, Event, Record
from tacit.errors import RoleRefused

if TYPE_CHECKING:
    from tacit.bank.bank import Bank


class Role(StrEnum):
    """The role in which a server or a hook is started, from least to most."""

    READER = "reader"
    MEMORY = "memory"
    ORCHESTRATOR = "orchestrator"

    @classmethod
    def named(cls, word: str) -> Role:
        """Return the role of that name; a name that is none gives the least, never more than was meant."""
        return cls(word) if word in set(cls) else cls.READER

    def may(self, needed: Role) -> bool:
        """Whether this role may do what another one may."""
        roles = list(Role)
        return roles.index(self) >= roles.index(needed)


def refuse(bank: Bank, act: str, role: Role, needed: Role) -> NoReturn:
    """Say in the log that a call was above its role, then raise RoleRefused."""
    with bank.governor.store.writing("refuse") as transaction:
        transaction.record(
            Record(
                event=Event.WRITE_REFUSED,
                operation="refuse",
                source="",
                reason=f"{RoleRefused.code} {act} as {role}"[:200],
                channel=Channel.NONE,
            )
        )
        transaction.commit()
    raise RoleRefused(act=act, role=role, needed=needed)
