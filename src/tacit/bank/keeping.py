"""What a bank does to gain from talk and projects and to stay healthy: capture, upkeep, and figures about itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.bank.part import Part
from tacit.bank.state import State

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.bank.extracting import Extraction
    from tacit.bank.figures import Stats
    from tacit.bank.upkeep import Report
    from tacit.bank.values import By, Context, Outcome
    from tacit.capture.recognise import Candidate
    from tacit.capture.starters import Starter


class Keeping(Part):
    """The part of a bank that extracts, proposes from the project, governs the whole, and counts."""

    def has_stale_index(self) -> bool:
        """Whether INDEX.md is stale and this caller, who may read it, may not heal it."""
        if not self._whole.state.may_read or (self._whole.state is State.ON and self.role.allows("heal")):
            return False
        from tacit.bank import writing

        return writing.is_stale(self._store)

    def extract(self, text: str) -> Extraction:
        """Return what is worth keeping of a transcript; nothing is written, and only the user's turns count."""
        self._may_read("extract")
        from tacit.bank import extracting

        return extracting.extract(text)

    def extract_last(self) -> Extraction:
        """Return what is worth keeping of the last conversation whose prompts are kept on this machine."""
        self._may_read("extract")
        from tacit.bank import extracting, sessions

        return extracting.of_turns(sessions.last_prompts(self._store))

    def suggestion(self, conversation_id: str) -> str:
        """Return, once in a conversation, that something in it is worth keeping; nothing unless that is turned on."""
        if self.settings.text("capture.suggest") != "on" or not self._whole.state.may_write("propose"):
            return ""
        from tacit.bank import extracting

        return extracting.suggestion(self._whole.session(conversation_id))

    def starters(self) -> list[Starter]:
        """Return three to six notes that the project itself suggests; none where there is nothing to read."""
        self._may_read("init")
        from tacit.bank import extracting

        return extracting.starters(self.root)

    def keep(self, chosen: Sequence[Candidate | Starter], context: Context, *, by_hand: bool = False) -> list[Outcome]:
        """Send candidates through the governed pipeline; `by_hand` says that the user picked them on a terminal.

        Without that each new note waits as a proposal; one that waits already is not asked twice.
        """
        self._may_write("propose")
        from tacit.bank import extracting

        return extracting.keep(self._whole.governor, [each.payload() for each in chosen], context, by_hand=by_hand)

    def govern(
        self,
        *,
        by: By | None = None,
        dry_run: bool = False,
        propose: bool = True,
        most: int = 0,
        progress: Callable[[int, int], None] | None = None,
    ) -> Report:
        """Bring INDEX.md and notes together, then propose what would make the bank better; see `upkeep.govern`."""
        self._may_read("govern")
        if not dry_run:
            self._may_write("govern")
        from tacit.bank import upkeep

        return upkeep.govern(
            self._store, self._whole.governor, by, dry_run=dry_run, propose=propose, most=most, progress=progress
        )

    def heartbeat(self) -> Report | None:
        """Look after the bank unasked: mend INDEX.md and keep a few proposals; None where nothing is to be done.

        That is so if it is turned off, if the bank is not ON, or if nothing has changed since the last time.
        """
        if self.settings.text("upkeep.heartbeat") != "on" or self._whole.state is not State.ON:
            return None
        from tacit.bank import upkeep

        return upkeep.beat(self._store, self._whole.governor)

    def stats(self, days: int = 0) -> Stats:
        """Return figures about recall, answers and growth, of the last days or of all that the logs hold."""
        self._may_read("stats")
        from tacit.bank import figures

        return figures.stats(self._store, days=days)
