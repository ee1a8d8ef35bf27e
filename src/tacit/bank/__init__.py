"""The one API: everything that can be done to a bank, whatever door the wish came through."""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` would be the dearest import of the quick commands
if TYPE_CHECKING:
    from tacit.bank.bank import Bank as Bank
    from tacit.bank.roles import Role as Role
    from tacit.bank.state import State as State
    from tacit.bank.values import Answer as Answer
    from tacit.bank.values import By as By
    from tacit.bank.values import Check as Check
    from tacit.bank.values import Committed as Committed
    from tacit.bank.values import Context as Context
    from tacit.bank.values import Finished as Finished
    from tacit.bank.values import LogEntry as LogEntry
    from tacit.bank.values import Neighbour as Neighbour
    from tacit.bank.values import Outcome as Outcome
    from tacit.bank.values import Pending as Pending
    from tacit.bank.values import Problem as Problem
    from tacit.bank.values import Question as Question
    from tacit.bank.values import TrashItem as TrashItem

# Loaded on first use: a hook that answers from the index alone must not pay for all that can be done to a bank.
_HOMES = {"Bank": "tacit.bank.bank", "Role": "tacit.bank.roles", "State": "tacit.bank.state"}
_VALUES = "tacit.bank.values"

__all__ = [
    "Answer",
    "Bank",
    "By",
    "Check",
    "Committed",
    "Context",
    "Finished",
    "LogEntry",
    "Neighbour",
    "Outcome",
    "Pending",
    "Problem",
    "Question",
    "Role",
    "State",
    "TrashItem",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        message = f"module 'tacit.bank' has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    value = getattr(import_module(_HOMES.get(name, _VALUES)), name)
    globals()[name] = value
    return value
