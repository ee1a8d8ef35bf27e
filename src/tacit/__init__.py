"""Tacit: a governed, human-readable, git-native memory for people and their coding agents."""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # `typing` would be the dearest import of the quick commands
if TYPE_CHECKING:
    from tacit.bank import Answer as Answer
    from tacit.bank import Bank as Bank
    from tacit.bank import Context as Context
    from tacit.bank import Outcome as Outcome
    from tacit.errors import TacitError as TacitError
    from tacit.note.model import Layer as Layer
    from tacit.note.model import Note as Note

# Public name → the module that has it. Loaded on first use: a hook that needs one room must not pay for all.
_HOMES = {
    "Answer": "tacit.bank",
    "Bank": "tacit.bank",
    "Context": "tacit.bank",
    "Layer": "tacit.note.model",
    "Note": "tacit.note.model",
    "Outcome": "tacit.bank",
    "TacitError": "tacit.errors",
}

__all__ = ["Answer", "Bank", "Context", "Layer", "Note", "Outcome", "TacitError", "__version__"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        message = f"module 'tacit' has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
