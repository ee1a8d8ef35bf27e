"""What a pushed bank says whole: which file holds a note, and what a file says."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID

    from tacit.index.postgres.door import Door


class Reading:
    """The files of one bank, to be read."""

    def __init__(self, door: Door, bank: UUID) -> None:
        self._door = door
        self._bank = bank

    def file_of(self, note_id: str) -> str | None:
        """Return the file of a note, the project's own before that of the share inside the bank."""
        with self._door.entered(self._bank) as asking:
            row = asking.execute(
                "SELECT file FROM documents WHERE bank = %s AND note_id = %s AND note_id <> ''"
                " ORDER BY origin <> 'project', file LIMIT 1",
                (self._bank, note_id),
            ).fetchone()
        return None if row is None else str(row[0])

    def text(self, file: str) -> str | None:
        """Return what a file says; None if there is none."""
        with self._door.entered(self._bank) as asking:
            row = asking.execute(
                "SELECT content FROM contents WHERE bank = %s AND file = %s", (self._bank, file)
            ).fetchone()
        return None if row is None else bytes(row[0]).decode("utf-8", "replace")

    def below(self, folder: str) -> dict[str, str]:
        """Return file → what it says, of all files below a folder."""
        with self._door.entered(self._bank) as asking:
            rows = asking.execute(
                "SELECT file, content FROM contents WHERE bank = %s AND starts_with(file, %s) ORDER BY file",
                (self._bank, f"{folder}/"),
            )
            return {file: bytes(content).decode("utf-8", "replace") for file, content in rows}
