"""The one API: everything that can be done to a bank, whatever door the wish came through."""

from tacit.bank.bank import Bank
from tacit.bank.state import State
from tacit.bank.values import By, Check, Committed, LogEntry, Problem, TrashItem

__all__ = ["Bank", "By", "Check", "Committed", "LogEntry", "Problem", "State", "TrashItem"]
