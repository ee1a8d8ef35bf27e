"""The log of the server: one JSON object a line, for programs that collect them."""

from __future__ import annotations

import json
import logging
import os
import sys
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# Made once: `json.dumps` would make one for each line.
_ENCODED = json.JSONEncoder(ensure_ascii=False).encode


class Log:
    """Writes lines; `write` takes one with its end, whole, so that those of several workers do not mix."""

    def __init__(self, write: Callable[[str], object] = sys.stderr.write) -> None:
        self._write = write

    def say(self, level: str, event: str, **members: object) -> None:
        """Write one line: when, how grave, what happened, and what is known of it."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = {"at": at, "level": level, "event": event, "process": os.getpid(), **members}
        with suppress(OSError):  # a disk that is full hinders no answer
            self._write(_ENCODED(line) + "\n")

    def fault(self, what: str) -> None:
        """Say that something went wrong that no answer tells."""
        self.say("error", "fault", what=what)


class Handler(logging.Handler):
    """Brings what libraries say into the same form; an exception is named, with the place, and its text left out."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        members: dict[str, object] = {"from": record.name, "what": record.getMessage()}
        if record.exc_info and record.exc_info[1] is not None:
            members |= raised(record.exc_info[1])
        self._log.say(record.levelname.lower(), "library", **members)


def raised(error: BaseException) -> dict[str, object]:
    """Return the kind of an exception and where it was raised; its text may hold what was asked."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code if trace is not None else None
    place = f"{code.co_filename}:{trace.tb_lineno}" if code is not None and trace is not None else ""
    return {"error": type(error).__name__, "place": place}
