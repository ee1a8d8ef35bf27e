"""What a caller may do: three roles, and the least one that each operation needs."""

from __future__ import annotations

import os
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING, NoReturn, Protocol

from tacit.audit.record import Event, Record
from tacit.errors import RoleRefused, SettingRefused, TacitError

if TYPE_CHECKING:
    from tacit.bank.governing import Governor
    from tacit.bank.state import State
    from tacit.store.store import Store

VARIABLE = "TACIT_ROLE"


class _Bank(Protocol):
    """What a refusal needs of a bank."""

    @property
    def state(self) -> State: ...
    @property
    def governor(self) -> Governor: ...


class Role(StrEnum):
    """Who acts, from the one that may do least to the one that may do all."""

    READER = "reader"
    MEMORY = "memory"
    ORCHESTRATOR = "orchestrator"

    @property
    def rank(self) -> int:
        """Its place in the order."""
        return list(Role).index(self)

    @classmethod
    def named(cls, word: str) -> Role:
        """Return the role of that name; a name that is none gives the least, never more than was meant."""
        return cls(word) if word in set(cls) else cls.READER

    def may(self, needed: Role) -> bool:
        """Whether this role may do what another one may."""
        return self.rank >= needed.rank

    def allows(self, operation: str) -> bool:
        """Whether this role may carry out an operation."""
        return self.may(least(operation))


# Operation → the least role. A reader may look and propose; `memory` carries out what keeps a bank in order and decides
# nothing; all that is not listed, whatever changes what the bank says or answers for the user, is the orchestrator's.
LEAST = {
    "read": Role.READER,
    "propose": Role.READER,
    "detail propose": Role.READER,
    "drift": Role.READER,
    "extract": Role.READER,
    "init": Role.MEMORY,
    "heal": Role.MEMORY,
    "check --fix": Role.MEMORY,
    "govern": Role.MEMORY,
    "trash empty": Role.MEMORY,
}


def least(operation: str) -> Role:
    """Return the least role that may carry out an operation."""
    return LEAST.get(operation, Role.ORCHESTRATOR)


def chosen(wish: str | None, default: Role = Role.ORCHESTRATOR) -> Role:
    """Return the role of a caller: its wish, or the default of its door, but never above what TACIT_ROLE says.

    Whoever starts a process sets its role; what is sent to that process can lower it, never raise it.
    """
    asked = named(wish, "role") if wish else None
    allowed = named(word, VARIABLE) if (word := os.environ.get(VARIABLE)) else None
    return lower(asked or allowed or default, allowed or asked or default)


def lower(one: Role, other: Role) -> Role:
    """Return the role that may do less."""
    return min(one, other, key=lambda role: role.rank)


def refuse(bank: _Bank, act: str, role: Role, needed: Role) -> NoReturn:
    """Say in the log that a call was above its role, then raise RoleRefused."""
    audit(bank.governor.store, act, role)
    raise RoleRefused(state=bank.state, act=act, role=role, needed=needed)


def audit(store: Store, act: str, role: Role) -> None:
    """Say in the log that a call was above its role; that it cannot be said is no second failure."""
    with suppress(TacitError), store.writing("refuse") as transaction:
        reason = f"{RoleRefused.code} {act} as {role}"[:200]
        transaction.record(Record(event=Event.WRITE_REFUSED, operation="refuse", source="", reason=reason))
        transaction.commit()


def named(word: str, place: str) -> Role:
    """Return the role called `word`; raise SettingRefused if there is none such."""
    try:
        return Role(word.strip().lower())
    except ValueError:
        raise SettingRefused(place=place, reason=f"{word!r} is not one of {', '.join(Role)}") from None
