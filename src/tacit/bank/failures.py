"""What went wrong where nobody could be told: a short log beside the bank's other private files."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from tacit import fsio, guards
from tacit.errors import TacitError

if TYPE_CHECKING:
    from tacit.store.store import Store

_MAX_LINES = 200
_MAX_LINE_CHARS = 400


def log(store: Store, what: str) -> None:
    """Keep one line, with secrets cut out of it; failing to is no failure."""
    path = store.layout.local / "failures.log"
    with suppress(OSError, TacitError):
        lines = (fsio.read(path) or b"").decode("utf-8", "replace").splitlines()
        told = " ".join(guards.redact(what).split())[:_MAX_LINE_CHARS]
        kept = [*lines[-_MAX_LINES + 1 :], f"{store.clock()} {told}"]
        fsio.make_directory(path.parent, mode=0o700)
        fsio.replace(path, "\n".join((*kept, "")).encode(), sync=False, mode=0o600)
