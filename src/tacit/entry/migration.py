"""Where the files of an older memory bank go: names stay, nothing is overwritten, no line is lost."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

OLD_FOLDER = "memory-bank"
_ENTRY = "MEMORY.md"
# What the first generation of memory banks starts with; a later one has MEMORY.md and details/.
_FIRST = re.compile(r"(?:brief|active|_index)(?:\.md)?(?:/.*)?", re.IGNORECASE)
_STATED = (
    "projectbrief.md",
    "activecontext.md",
    "techcontext.md",
    "systempatterns.md",
    "productcontext.md",
    "progress.md",
)


@dataclass(frozen=True, slots=True)
class Move:
    """One file: its path in the old bank and in the new one."""

    old: str
    new: str


def is_old_bank(files: Sequence[str]) -> bool:
    """Whether the files of a folder `memory-bank`, relative to it, are a memory bank of any generation."""
    return any(
        file == _ENTRY or file.startswith("details/") or _FIRST.fullmatch(file) or file.lower() in _STATED
        for file in files
    )


def moves(files: Sequence[str], taken: Collection[str], *, entry_is_free: bool) -> list[Move]:
    """Return where each file goes; what is taken there moves to the archive below its old name.

    The old entry document becomes the new one where nobody has written one yet.
    """
    used = set(taken)
    found = []
    for file in sorted(files):
        if file == _ENTRY and entry_is_free:
            new = _ENTRY
        else:
            inside = file if file.startswith("details/") else f"details/{file}"
            new = inside if inside not in used and file != _ENTRY else f"details/archive/{OLD_FOLDER}/{file}"
        number = 1
        while new in used:
            number += 1
            new = f"details/archive/{OLD_FOLDER}-{number}/{file}"
        used.add(new)
        found.append(Move(file, new))
    return found
