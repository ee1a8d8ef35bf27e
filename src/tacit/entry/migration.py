"""Where the files of an older memory bank go: names stay, nothing is overwritten, no line is lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.formats.memory_bank import ENTRY

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

OLD_FOLDER = "memory-bank"


@dataclass(frozen=True, slots=True)
class Move:
    """One file: its path in the old bank and in the new one."""

    old: str
    new: str


def moves(files: Sequence[str], taken: Collection[str], *, entry_is_free: bool) -> list[Move]:
    """Return where each file goes; what is taken there moves to the archive below its old name.

    The old entry document becomes the new one where nobody has written one yet.
    """
    used = set(taken)
    found = []
    for file in sorted(files):
        if file == ENTRY and entry_is_free:
            new = ENTRY
        else:
            inside = file if file.startswith("details/") else f"details/{file}"
            new = inside if inside not in used and file != ENTRY else f"details/archive/{OLD_FOLDER}/{file}"
        number = 1
        while new in used:
            number += 1
            new = f"details/archive/{OLD_FOLDER}-{number}/{file}"
        used.add(new)
        found.append(Move(file, new))
    return found
