"""Looking after a bank beside a conversation: in a process of its own that gives way to every other."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

_PATIENCE_S = 600.0
_GIVING_WAY = 15


_one_at_a_time = threading.Lock()


def start(place: str) -> None:
    """Have the bank of a workspace looked after in the background, unless one is just being looked after.

    Whatever goes wrong there is nobody's trouble, and what is left out the next session makes up for.
    """
    if _one_at_a_time.acquire(blocking=False):
        threading.Thread(target=_run_and_let_go, args=(place,), daemon=True).start()


def _run_and_let_go(place: str) -> None:
    try:
        _run(place)
    finally:
        _one_at_a_time.release()


def _run(place: str) -> None:
    command = [sys.executable, "-P", "-m", "tacit.daemon.heartbeat", place]
    with suppress(OSError, subprocess.SubprocessError):
        subprocess.run(  # noqa: S603  this very interpreter, and a path that is only opened
            command,
            check=False,
            timeout=_PATIENCE_S,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


def main(place: str) -> None:
    """Look after the bank at a place, as a process that gives way."""
    with suppress(OSError):
        os.nice(_GIVING_WAY)
    from tacit.bank import Bank, wiring  # to load all of it is half of the work, and gives way as well
    from tacit.errors import TacitError

    with suppress(TacitError, OSError):
        Bank.open(wiring.of_workspace(Path(place))).heartbeat()


if __name__ == "__main__":
    main(sys.argv[1])
