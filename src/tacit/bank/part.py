"""What the parts of a bank, each in a file of its own, may use of the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.audit.record import Channel
    from tacit.bank.governing import Governor
    from tacit.bank.recalling import Recaller
    from tacit.bank.roles import Role
    from tacit.bank.sessions import Session
    from tacit.bank.state import State
    from tacit.bank.values import Answer, Pending
    from tacit.note.model import Note, Summary
    from tacit.settings import Settings
    from tacit.store.store import Store


class Whole(Protocol):
    """A bank, as its parts and those beside it see it; `Bank`, which imports them all, says what each member does."""

    root: Path
    role: Role
    settings: Settings

    @classmethod
    def open(cls, path: Path, *, role: str) -> Whole: ...
    @classmethod
    def init(cls, path: Path) -> Whole: ...
    @property
    def place(self) -> str: ...
    @property
    def state(self) -> State: ...
    @property
    def has_state(self) -> bool: ...
    @property
    def recaller(self) -> Recaller: ...
    @property
    def governor(self) -> Governor: ...
    def notes(self) -> list[Summary]: ...
    def get(self, note_id: str) -> Note: ...
    def body(self, note_id: str) -> str: ...
    def text(self, note_id: str) -> str: ...
    def resolve(self, pointer: str) -> str: ...
    def session(self, conversation_id: str) -> Session: ...
    def pending(self) -> list[Pending]: ...
    def answer(self, proposal_id: str, option_id: str, channel: Channel | str, *, shown: str) -> Answer: ...
    def may_read(self, act: str) -> None: ...
    def must_be_writable(self, operation: str) -> None: ...


class Part:
    """A part of a bank."""

    _store: Store
    root: Path
    role: Role
    settings: Settings

    if TYPE_CHECKING:

        def _may_read(self, act: str) -> None: ...
        def _may_act(self, operation: str) -> None: ...
        def _may_write(self, operation: str, *, role_for: str = "") -> None: ...

    @property
    def _whole(self) -> Whole:
        """This bank with all its parts."""
        return cast("Whole", self)
