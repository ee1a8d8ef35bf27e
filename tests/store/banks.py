"""Banks for tests: their time and their ids follow from the number of calls, and from nothing else."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from tacit.bank import Bank
from tacit.note.model import Note
from tests.files import DERIVED, PASSING

if TYPE_CHECKING:
    from pathlib import Path

_START = datetime(2026, 1, 1, tzinfo=UTC)
# Who holds the lock is written for people: it differs from run to run.
_LOCKS = (".local/lock", ".local/lock.turnstile")


class Killed(BaseException):
    """The process ended here, as far as the bank can tell: nothing that would tidy up catches it."""


class Ticks:
    """A clock that moves by a second, and ids that count, with every call."""

    def __init__(self) -> None:
        self.moments = 0
        self.names = 0

    def clock(self) -> str:
        """Return the next moment."""
        self.moments += 1
        return (_START + timedelta(seconds=self.moments)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def new_id(self) -> str:
        """Return the next id."""
        self.names += 1
        return f"{self.names:08d}"


def make(root: Path) -> Bank:
    """Make a bank at `root`."""
    ticks = Ticks()
    return Bank.init(root, clock=ticks.clock, new_id=ticks.new_id)


def reopen(bank: Bank, *, heal: bool = True) -> Bank:
    """Open the bank again, as the next process would; its clock and ids go on."""
    return Bank.open(bank.root, heal=heal, clock=bank._store.clock, new_id=bank._store.new_id)


def note(name: str, **fields: Any) -> Note:  # noqa: ANN401  the fields of a note have many types
    """A small note called `MEM-<name>`; the fields given replace what is made up here."""
    members = {"id": f"MEM-{name}", "title": f"About {name}", "when_to_load": ("testing",), "one_liner": "Look twice."}
    return Note(**{**members, **fields})


def path_of(bank: Bank, name: str) -> Path:
    """Where the note `MEM-<name>` stands as long as nobody moved it."""
    return bank.root / "L1_declarative" / f"MEM-{name}.md"


def ids(bank: Bank) -> list[str]:
    """The ids of all notes of the bank."""
    return [each.id for each in bank.notes()]


def tree(root: Path) -> dict[str, str]:
    """All that stands below `root`: path → kind, permissions and, but for the search index, every byte."""
    found: dict[str, str] = {}
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            place = os.path.join(folder, name)  # noqa: PTH118  os.walk speaks in text
            inside = os.path.relpath(place, root)
            if not inside.endswith((*_LOCKS, *PASSING)):
                found[inside] = _told(place)
    return found


def _told(place: str) -> str:
    mode = os.lstat(place).st_mode
    what = f"{stat.filemode(mode)} "
    if stat.S_ISLNK(mode):
        return what + os.readlink(place)  # noqa: PTH115  as above
    if not stat.S_ISREG(mode) or place.endswith(DERIVED):
        return what
    with open(place, "rb") as file:  # noqa: PTH123  as above
        return what + repr(file.read())
