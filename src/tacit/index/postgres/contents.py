"""The files of a bank as they were pushed: to be read whole, and to prepare a write where there is no clone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit import fsio

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from uuid import UUID

    from tacit.index.postgres.door import Door


class Contents:
    """The contents of one bank, by file."""

    def __init__(self, door: Door, bank: UUID) -> None:
        self._door = door
        self._bank = bank

    def keep(self, put: Mapping[str, bytes], drop: Iterable[str]) -> None:
        """Keep the contents of files and forget those of others; the bank has another state then."""
        rows = [(self._bank, file, fsio.digest(content), content) for file, content in put.items()]
        gone = [file for file in drop if "\0" not in file]  # no file here has such a name
        with self._door.entered(self._bank) as asking, asking.cursor() as cursor:
            if gone:
                cursor.execute("DELETE FROM contents WHERE bank = %s AND file = ANY(%s)", (self._bank, gone))
            cursor.executemany(
                "INSERT INTO contents (bank, file, digest, content) VALUES (%s, %s, %s, %s)"
                " ON CONFLICT (bank, file) DO UPDATE SET digest = excluded.digest, content = excluded.content",
                rows,
            )
            cursor.execute("UPDATE banks SET state = gen_random_uuid() WHERE bank = %s", (self._bank,))

    def digests(self) -> dict[str, str]:
        """Return file → digest of its content."""
        with self._door.entered(self._bank) as asking:
            rows = asking.execute("SELECT file, digest FROM contents WHERE bank = %s", (self._bank,))
            return {row[0]: row[1] for row in rows}

    def all(self) -> tuple[UUID | None, dict[str, bytes]]:
        """Return file → content, and the state of the bank that has these; None where it has no file."""
        with self._door.entered(self._bank) as asking:
            rows = asking.execute(
                "SELECT file, content, (SELECT state FROM banks WHERE bank = %(bank)s) FROM contents"
                " WHERE bank = %(bank)s",
                {"bank": self._bank},
            ).fetchall()
        return rows[0][2] if rows else None, {row[0]: bytes(row[1]) for row in rows}

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
