"""Answer one event in the process that the host started, because no daemon did: at once if the bank is as usual."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.bank.glimpse import glimpse
from tacit.hooks import dialect
from tacit.hooks.event import Kind, read

if TYPE_CHECKING:
    from collections.abc import Callable


def answer(arguments: list[str], given: bytes) -> tuple[bytes, Callable[[], None]] | None:
    """Return what to print for an event, and what keeps the rest once it is said; None if it needs the whole bank."""
    event = read(arguments, os.environ, given)
    place = (event.bank or event.workspace) if event else ""
    if event is None or event.kind is not Kind.PROMPT or event.role or not Path(place).is_absolute():
        return None
    if not event.prompt.strip():
        return b"", lambda: None
    found = glimpse(Path(place), event.session, event.turn, event.prompt)
    return None if found is None else (dialect.said(event, found.text), found.keep)
