"""Answer one event in the process that the host started, because no daemon did: at once if the bank is as usual."""

from __future__ import annotations

import os
from pathlib import Path

from tacit import link
from tacit.bank.glimpse import glimpse
from tacit.hooks import dialect
from tacit.hooks.event import Kind, read


def answer(arguments: list[str], given: bytes) -> bool:
    """Print the answer to an event and keep what must be kept; False if this needs the whole bank."""
    event = read(arguments, os.environ, given)
    place = (event.bank or event.workspace) if event else ""
    if event is None or event.kind is not Kind.PROMPT or event.role or not Path(place).is_absolute():
        return False
    found = glimpse(Path(place), event.session, event.turn, event.prompt)
    if found is None:
        return False
    said = dialect.said(event, found.text)
    if said:
        os.write(1, said)
    link.behind(found.keep)
    return True
