"""What the server keeps of its doings: a log of one JSON object a line, and the list of accesses in the database."""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
from collections import deque
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from tacit.errors import DatabaseUnusable

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.bank.wiring import Access

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


_MOST_AT_ONCE = 1_000
# While the database is away, so many wait for it; the log on standard error has all of them.
_MOST_WAITING = 100_000
_AGAIN_S = 1.0
# So long rows gather: one transaction for each would cost more than the answer.
_GATHER_S = 0.1
_END_S = 10.0


class Row(NamedTuple):
    """Who asked what of which bank, and how it went; never what was asked."""

    at: datetime
    token: str
    organisation: str
    bank: str
    act: str
    outcome: int


class Accesses:
    """Rows that are on their way into the database, in the order in which they came."""

    def __init__(self, access: Access, fault: Callable[[str], object]) -> None:
        self._access = access
        self._fault = fault
        self._rows: deque[Row] = deque()
        self._change = threading.Condition()
        self._ended = False
        self._waited_for = 0
        self._writer = threading.Thread(target=self._write, name="tacit-accesses", daemon=True)
        self._writer.start()

    def __len__(self) -> int:
        return len(self._rows)

    def note(self, token: str, organisation: str, bank: str, act: str, outcome: int) -> None:
        """Keep that somebody asked; returns at once."""
        with self._change:
            if len(self._rows) >= _MOST_WAITING:
                self._rows.popleft()
                self._fault("an access was not noted: too many wait for the database")
            self._rows.append(Row(datetime.now(UTC), token, organisation, bank, act, outcome))
            if len(self._rows) in (1, _MOST_AT_ONCE):  # between these the writer has nothing to do
                self._change.notify_all()

    def settle(self) -> None:
        """Wait until all that came so far is in the database."""
        with self._change:
            self._waited_for += 1
            self._change.notify_all()
            self._change.wait_for(lambda: not self._rows, _END_S)
            self._waited_for -= 1

    def close(self) -> None:
        """Write what is left, if the database takes it."""
        with self._change:
            self._ended = True
            self._change.notify_all()
        self._writer.join(_END_S)
        if self._rows:
            self._fault(f"{len(self._rows)} accesses were not noted")

    def _is_urgent(self) -> bool:
        return self._ended or self._waited_for > 0 or len(self._rows) >= _MOST_AT_ONCE

    def _write(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._rows or self._ended)
                self._change.wait_for(self._is_urgent, _GATHER_S)
                some = [self._rows[place] for place in range(min(len(self._rows), _MOST_AT_ONCE))]
            if not some:
                return
            try:
                self._access.note(some)
            except Exception as error:  # noqa: BLE001  whatever it is, they wait
                if not isinstance(error, DatabaseUnusable):
                    self._fault(f"accesses are not noted: {type(error).__name__}")
                with self._change:
                    if self._change.wait_for(lambda: self._ended, _AGAIN_S):
                        return
                continue
            with self._change:
                for _ in some:
                    self._rows.popleft()
                self._change.notify_all()
