"""What a bank knows of conversations: the words typed in them, and what is said when one begins."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from tacit import fsio, guards
from tacit.bank.part import Part
from tacit.errors import TacitError
from tacit.text import as_name

if TYPE_CHECKING:
    from tacit.bank.conversation import Conversation
    from tacit.bank.entry_document import Entry
    from tacit.bank.sessions import Kept, Session
    from tacit.bank.values import By

# Of the log of failures.
_MAX_LINES = 200
_MAX_LINE_CHARS = 400


class Talks(Part):
    """The part of a bank that hooks and servers use for a conversation."""

    if TYPE_CHECKING:

        @property
        def entry(self) -> Entry:
            """The entry document."""

    def session(self, conversation_id: str) -> Session:
        """Return the record of one conversation: the prompts the user typed, and what they declined."""
        from tacit.bank import sessions

        sessions.sweep(self._store, self.settings.number("sessions.days"))
        return sessions.Session(self._store, conversation_id)

    def conversation(self, conversation_id: str) -> Conversation:
        """Return what a hook needs for one conversation: answers in the chat, and what was said already."""
        from tacit.bank.conversation import Conversation

        return Conversation(self._whole, conversation_id)

    def session_context(self, conversation_id: str, limit: int) -> str:
        """Return what an agent is told when a conversation begins, in no more than so many characters."""
        self.session(conversation_id).heard_state(str(self._whole.state))
        return self.entry.context(conversation_id=as_name(conversation_id), limit=limit).text

    def log_failure(self, what: str) -> None:
        """Keep a line about something that went wrong where nobody could be told; the last ones only.

        Secrets are cut out of it; failing to keep it is no failure.
        """
        path = self._store.layout.local / "failures.log"
        with suppress(OSError, TacitError):
            lines = (fsio.read(path) or b"").decode("utf-8", "replace").splitlines()
            told = " ".join(guards.redact(what).split())[:_MAX_LINE_CHARS]
            kept = [*lines[-_MAX_LINES + 1 :], f"{self._store.clock()} {told}"]
            fsio.make_directory(path.parent, mode=0o700)
            fsio.replace(path, "\n".join((*kept, "")).encode(), sync=False, mode=0o600)

    def without_models(self) -> None:
        """Answer by keywords alone, for a process that must be quick and lives for one question."""
        self._whole.recaller.is_hurried = True

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
