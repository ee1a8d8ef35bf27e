"""One writer at a time: a fair kernel lock that dies with its holder, waited for with a bound."""

from __future__ import annotations

import fcntl
import json
import os
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.errors import BankBusy

if TYPE_CHECKING:
    from pathlib import Path


class WriterLock:
    """Exclusive right to write to a bank, from `acquire` to `release`.

    Two lock files, never removed: whoever waits stands at the turnstile first, so the kernel serves waiters in
    order of arrival and nobody starves. `flock` belongs to the open file: when the process dies the kernel frees it,
    so there is no stale lock to detect or break.
    """

    def __init__(self, directory: Path, *, timeout_s: float, act: str) -> None:
        self._directory = directory
        self._timeout_s = timeout_s
        self._act = act
        self._held: int | None = None

    def acquire(self) -> None:
        """Take the lock, standing in line for at most `timeout_s`; raise BankBusy after that."""
        if not self.try_acquire():
            self._wait()
        self._sign()

    def try_acquire(self) -> bool:
        """Take the lock if nobody holds it and nobody waits for it; never blocks."""
        turnstile = fsio.open_lock(self._turnstile)
        try:
            if not _flock_now(turnstile):
                return False
            lock = fsio.open_lock(self._lock)
            try:
                if _flock_now(lock):
                    self._held, lock = lock, -1
                    return True
                return False
            finally:
                if lock >= 0:
                    os.close(lock)
        finally:
            os.close(turnstile)

    def release(self) -> None:
        """Give the lock back; without holding it this does nothing."""
        if self._held is not None:
            os.close(self._held)
            self._held = None

    @property
    def _lock(self) -> Path:
        return self._directory / "lock"

    @property
    def _turnstile(self) -> Path:
        return self._directory / "lock.turnstile"

    def _wait(self) -> None:
        """Wait in line, at most `timeout_s`, in a thread of its own: a blocking flock knows no time limit."""
        waiter = _Waiter(self._turnstile, self._lock)
        waiter.start()
        waiter.done.wait(self._timeout_s)
        self._held = waiter.claim()
        if self._held is None:
            raise BankBusy(holder=self._holder(), waited_s=self._timeout_s)

    def _sign(self) -> None:
        if self._held is not None:
            who = {"pid": os.getpid(), "act": self._act, "since": int(time.time())}
            with suppress(OSError):  # a full disk: the lock holds without a name in it
                fsio.overwrite_locked(self._held, json.dumps(who).encode())

    def _holder(self) -> str:
        try:
            who = json.loads(fsio.read(self._lock) or b"{}")
            return f"process {int(who['pid'])}, {who['act']}, for {max(0, int(time.time()) - int(who['since']))} s"
        except (ValueError, RecursionError, KeyError, TypeError):
            return "unknown"


class _Waiter(threading.Thread):
    """Stands in line for the lock; what it gets after nobody wants it any more it gives back."""

    def __init__(self, turnstile: Path, lock: Path) -> None:
        super().__init__(daemon=True, name="tacit-lock")
        self.done = threading.Event()
        self._paths = (turnstile, lock)
        self._guard = threading.Lock()
        self._wanted = True
        self._held: int | None = None
        self._error: OSError | None = None

    def run(self) -> None:
        try:
            held = self._stand_in_line()
        except OSError as error:
            self._error = error
        else:
            with self._guard:
                if self._wanted:
                    self._held = held
                else:
                    os.close(held)
        self.done.set()

    def claim(self) -> int | None:
        """Return the locked descriptor, None if it was not got in time; raise what the kernel refused with."""
        with self._guard:
            self._wanted = False
            if self._error is not None:
                raise self._error
            return self._held

    def _stand_in_line(self) -> int:
        turnstile = fsio.open_lock(self._paths[0])
        try:
            fcntl.flock(turnstile, fcntl.LOCK_EX)
            lock = fsio.open_lock(self._paths[1])
            try:
                fcntl.flock(lock, fcntl.LOCK_EX)
            except OSError:
                os.close(lock)
                raise
            return lock
        finally:
            os.close(turnstile)


def _flock_now(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
