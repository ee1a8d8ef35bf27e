"""Which notes were said in which conversation, so that none is said twice; kept on this machine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.errors import TacitError

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.store.layout import Layout


class Injected:
    """What was said in one conversation, by the phase it was said in: key of a document → of which content."""

    def __init__(self, layout: Layout, session: str) -> None:
        self._layout = layout
        self._session = session
        self._path: Path = layout.local / "sessions" / f"{fsio.digest(session.encode())[:32]}.json"

    def shown(self, phase: str) -> dict[str, str]:
        """Return what was said; nothing is known of a conversation without a name."""
        shown = self._members().get(phase) if self._session else None
        return shown if isinstance(shown, dict) else {}

    def remember(self, phase: str, digests: dict[str, str]) -> None:
        """Add what has just been said."""
        if not digests or not self._session:
            return
        members = {**self._members(), phase: {**self.shown(phase), **digests}}
        try:
            self._layout.refuse_links()
            fsio.make_directory(self._path.parent, mode=0o700)
            fsio.replace(self._path, json.dumps(members).encode(), sync=False, mode=0o600)
        except (OSError, TacitError):
            return  # then the note may be said again

    def forget(self) -> None:
        """Let notes be said again, because the conversation was compacted."""
        fsio.remove(self._path)

    def _members(self) -> dict[str, object]:
        try:
            members = json.loads(fsio.read(self._path) or b"{}")
        except (ValueError, RecursionError, TacitError, OSError):
            return {}  # spoilt: then notes may be said again
        return members if isinstance(members, dict) else {}
