"""Which contents were confirmed on this machine: those that the log says were written or confirmed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit import fsio
from tacit.audit.log import Follower
from tacit.audit.record import Event, Record
from tacit.bank import guarding
from tacit.bank.values import By, Committed
from tacit.errors import StoreUnwritable
from tacit.store.layout import is_note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.guards import Finding
    from tacit.store.store import Store

# Of these a person was shown the whole text with what a guard says of it, if the word came by a terminal or the page.
_SHOWN = ("confirm", "create", "new", "update")


class Vouched:
    """The content hashes that the log of one bank vouches for; only what was added since the last look is read."""

    def __init__(self, store: Store) -> None:
        self._follower = Follower(store.log, mention=b'"content_hash"')
        self._hashes: set[str] = set()

    def __contains__(self, digest: object) -> bool:
        news, anew = self._follower.news()
        if anew:
            self._hashes.clear()
        self._hashes.update(str(line["content_hash"]) for line in news if line.get("content_hash"))
        return digest in self._hashes


class LetPass:
    """The contents that a person let pass here, though they read like orders to an agent; the log of one bank knows."""

    def __init__(self, store: Store) -> None:
        self._follower = Follower(store.log, mention=b'"assurance":"terminal"')
        self._files: dict[str, str] = {}

    def files(self) -> dict[str, str]:
        """Return the hash of each with the file that it was in; none where another user's log cannot be read."""
        try:
            news, anew = self._follower.news()
        except StoreUnwritable:
            return {}
        if anew:
            self._files.clear()
        shown = [line for line in news if line["operation"] in _SHOWN and "content_hash" in line]
        self._files.update((str(line["content_hash"]), str(line["file"])) for line in shown)
        return self._files

    def objections(self, content: bytes) -> list[Finding]:
        """Return why a text on disk must not be handed to an agent; of one that was let pass orders are no reason."""
        found = guarding.objections(content.decode("utf-8", "replace"))
        return list(filter(guarding.is_refused, found)) if found and fsio.digest(content) in self.files() else found


def confirm(store: Store, files: Sequence[str], by: By) -> Committed:
    """Say in the log that the user vouches for notes as they are on disk now, whoever wrote them."""
    from tacit.formats import native

    with store.writing("confirm") as transaction:
        ids = []
        for file in files:
            content = transaction.read(file) or b""
            guarding.insist({file: content.decode("utf-8", "replace")})
            ids.append(native.parse(content, file).note.id if is_note(file) else "")
            transaction.record(
                Record(
                    event=Event.NOTE_CONFIRMED,
                    operation="confirm",
                    note_id=ids[-1],
                    file=file,
                    channel=by.channel,
                    content_hash=fsio.digest(content),
                )
            )
        if files:
            transaction.commit()
    return Committed(transaction.operation_id if files else "", tuple(files), tuple(ids))
