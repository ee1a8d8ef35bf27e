"""What a bank knows of conversations: the words typed in them, and what is said when one begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.text import as_name

if TYPE_CHECKING:
    from tacit.audit.record import Channel
    from tacit.bank.conversation import Conversation
    from tacit.bank.entry_document import Entry
    from tacit.bank.recalling import Recaller
    from tacit.bank.sessions import Kept, Session
    from tacit.bank.state import State
    from tacit.bank.values import Answer, By, Pending
    from tacit.settings import Settings
    from tacit.store.store import Store


class Talks:
    """The part of a bank that hooks and servers use for a conversation."""

    _store: Store
    settings: Settings

    if TYPE_CHECKING:  # what the rest of the bank gives

        @property
        def state(self) -> State:
            """Its state."""

        @property
        def recaller(self) -> Recaller:
            """Search and recall."""

        @property
        def entry(self) -> Entry:
            """The entry document."""

        def _may_act(self, operation: str) -> None:
            """Raise where the role forbids an operation."""

        def pending(self) -> list[Pending]:
            """Return what waits."""

        def answer(self, proposal_id: str, option_id: str, channel: Channel | str = ..., *, shown: str = "") -> Answer:
            """Carry out an answer."""

    def session(self, conversation_id: str) -> Session:
        """Return the record of one conversation: the prompts the user typed, and what they declined."""
        from tacit.bank import sessions

        sessions.sweep(self._store, self.settings.number("sessions.days"))
        return sessions.Session(self._store, conversation_id)

    def conversation(self, conversation_id: str) -> Conversation:
        """Return what a hook needs for one conversation: answers in the chat, and what was said already."""
        from tacit.bank.conversation import Conversation

        return Conversation(self, conversation_id)

    def session_context(self, conversation_id: str, limit: int) -> str:
        """Return what an agent is told when a conversation begins, in no more than so many characters."""
        self.session(conversation_id).heard_state(str(self.state))
        return self.entry.context(conversation_id=as_name(conversation_id), limit=limit).text

    def log_failure(self, what: str) -> None:
        """Keep a line about something that went wrong where nobody could be told; the last ones only."""
        from tacit.bank import failures

        failures.log(self._store, what)

    def without_models(self) -> None:
        """Answer by keywords alone, for a process that must be quick and lives for one question."""
        self.recaller.is_hurried = True

    def sessions(self) -> list[Kept]:
        """Return what is kept of conversations on this machine, the latest first."""
        from tacit.bank import sessions

        return sessions.kept(self._store)

    def forget_sessions(self, *, older_than_days: int | None = None, by: By | None = None) -> int:
        """Delete what is kept of conversations on this machine, in any state; return how many records that were."""
        from tacit.bank import sessions
        from tacit.bank.values import By

        self._may_act("sessions clear")
        return sessions.clear(self._store, by or By(), older_than_days=older_than_days)
