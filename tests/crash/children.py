"""Do a piece of work in a process of its own, which may die."""

from __future__ import annotations

import os
import select
import signal
from typing import TYPE_CHECKING

from tests.crash.failpoints import KILLED
from tests.crash.judge import BAD, STUCK, Finding

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE_S = 60


def in_child(work: Callable[[Callable[[str], None]], None]) -> tuple[list[str], int]:
    """Do `work`, which is handed a function to say words with; return what it said, and how it ended."""
    reading, writing = os.pipe()
    write = os.write

    def say(word: str) -> None:
        write(writing, f"{word}\n".encode())

    child = os.fork()
    if child == 0:
        ending = 1
        try:
            os.close(reading)
            work(say)
            ending = 0
        except Exception as error:  # noqa: BLE001  whatever it is, it is what this child has to tell
            say(f"{type(error).__name__}: {error}")
        finally:
            os._exit(ending)
    os.close(writing)
    said = b""
    while select.select([reading], [], [], PATIENCE_S)[0]:
        got = os.read(reading, 4096)
        if not got:
            break
        said += got
    else:
        os.kill(child, signal.SIGKILL)
    os.close(reading)
    _, status = os.waitpid(child, 0)
    return said.decode().splitlines(), os.waitstatus_to_exitcode(status)


def accident(said: list[str], ending: int) -> list[Finding]:
    """Return what is wrong with the way in which a child ended, if it was neither done nor killed on purpose."""
    if ending in (0, KILLED):
        return []
    if ending == -signal.SIGKILL:
        return [Finding(STUCK, f"a process did not end within {PATIENCE_S} s")]
    return [Finding(BAD, f"a process ended by itself with {ending}: {said[-1:]}")]
