"""What stands in the files below a folder, for tests that promise something about all of them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# SQLite makes them beside the index and takes them away when its last connection goes, which may be at any time.
PASSING = ("index.db-wal", "index.db-shm")
# That connection moves rows from there to here, so the same index may stand in other bytes a moment later.
DERIVED = "index.db"


def held(root: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path there, but for one that is taken away meanwhile."""
    found: dict[str, bytes] = {}
    for path in sorted(root.rglob("*")):
        with suppress(FileNotFoundError):
            if path.is_file():
                found[path.relative_to(root).as_posix()] = path.read_bytes()
    return found


def holders(root: Path, words: str) -> list[str]:
    """The files below a folder in which some words stand."""
    return [name for name, content in held(root).items() if words.encode() in content]
