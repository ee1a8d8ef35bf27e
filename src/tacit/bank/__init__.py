"""The one API: everything that can be done to a bank, whatever door the wish came through."""

from tacit.bank.bank import Bank
from tacit.bank.roles import Role
from tacit.bank.state import State
from tacit.bank.values import (
    Answer,
    By,
    Check,
    Committed,
    Context,
    Finished,
    LogEntry,
    Neighbour,
    Outcome,
    Pending,
    Problem,
    Question,
    TrashItem,
)

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
