"""The values that go into and come out of a bank."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.audit.record import Channel


@dataclass(frozen=True, slots=True)
class By:
    """Who asks for a change, and through which door their word came."""

    channel: Channel = Channel.PYTHON
    conversation_id: str = ""
    generation_id: str = ""


@dataclass(frozen=True, slots=True)
class Committed:
    """A change that is on disk."""

    operation_id: str
    files: tuple[str, ...]
    note_ids: tuple[str, ...] = ()
    undone: str = ""


@dataclass(frozen=True, slots=True)
class TrashItem:
    """A removed note that can be brought back. `taken` says that its place is in use again."""

    note_id: str
    title: str
    file: str
    operation_id: str
    removed: str
    taken: bool


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is wrong in a bank: where, what, and what to do. `line` 0 means the file as a whole."""

    code: str
    file: str
    line: int
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Check:
    """One promise that the doctor looked at."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the operation log; `diff` is filled when the life of a single note is told."""

    operation_id: str
    event: str
    ts: str
    note_id: str
    operation: str
    source: str
    file: str
    channel: str
    assurance: str
    reason: str
    diff: str = ""
