"""Answer one event in the process that the host started, because no daemon did: at once if the bank is as usual."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from tacit.bank.glimpse import Glimpse, glimpse
from tacit.hooks import dialect
from tacit.hooks.event import Kind, read


def answer(arguments: list[str], given: bytes) -> bool:
    """Print the answer to an event and keep what must be kept; False if this needs the whole bank."""
    event = read(arguments, os.environ, given)
    place = (event.bank or event.workspace) if event else ""
    if event is None or event.kind is not Kind.PROMPT or not Path(place).is_absolute():
        return False
    found = glimpse(Path(place), event.session, event.turn, event.prompt)
    if found is None:
        return False
    said = dialect.said(event, found.text)
    if said:
        os.write(1, said)
    _keep_behind(found)
    return True


def _keep_behind(found: Glimpse) -> None:
    """Keep the user's words in a child that nobody waits for."""
    if os.fork():
        return
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
        with suppress(Exception):  # then words count as unverified, and the user is asked
            found.keep()
    finally:
        os._exit(0)
