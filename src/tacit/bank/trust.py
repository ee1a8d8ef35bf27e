"""Which contents were confirmed on this machine: those that the log says were written or confirmed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.audit.log import Follower
from tacit.audit.record import Event, Record
from tacit.bank.values import By, Committed
from tacit.store.layout import is_note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.store.store import Store


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


def confirm(store: Store, files: Sequence[str], by: By) -> Committed:
    """Say in the log that the user vouches for notes as they are on disk now, whoever wrote them."""
    from tacit import fsio
    from tacit.bank import guarding
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
