"""The bank's state: whether it may be read and written."""

from __future__ import annotations

from enum import StrEnum


class State(StrEnum):
    """What `memory.lock` says."""

    ON = "ON"
    OFF = "OFF"
    PAUSED = "PAUSED"
    PADDING = "PADDING"

    @property
    def may_read(self) -> bool:
        """Whether notes may be read."""
        return self is not State.OFF

    @property
    def may_recall(self) -> bool:
        """Whether a prompt may be answered; while the bank is being filled it stays silent."""
        return self in (State.ON, State.PAUSED)

    def may_write(self, operation: str) -> bool:
        """Whether an operation may write; while the bank is being filled only filling it may."""
        return self is State.ON or (self is State.PADDING and operation in ("init", "import"))


def parse(content: bytes | None) -> State | None:
    """Return the state in a `memory.lock`; None if it is missing or says nothing known."""
    word = (content or b"").decode("utf-8", "replace").strip().upper()
    return State(word) if word in State.__members__ else None
