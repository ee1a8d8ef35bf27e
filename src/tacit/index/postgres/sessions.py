"""Browsers that reviewers signed in with their tokens; the database keeps hashes alone."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from tacit.index.postgres.access import hashed

if TYPE_CHECKING:
    from tacit.index.postgres.door import Door


class Sessions:
    """Sessions of the review page, which every process of a server knows."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def open(self, secret: str, organisation: str, bank: str) -> str | None:
        """Return the secret of a new session; None unless the token may answer for a bank that is there."""
        session = secrets.token_urlsafe(32)
        with self._door.outside() as asking:
            row = asking.execute(
                "SELECT open_session(%s, %s, %s, %s)", (hashed(secret), organisation, bank, hashed(session))
            ).fetchone()
        return session if row and row[0] else None

    def of(self, session: str) -> tuple[bytes, str, str] | None:
        """Return the hash of the token that a session stands for, with organisation and bank; None if it is none."""
        with self._door.outside() as asking:
            row = asking.execute("SELECT token, organisation, name FROM session_of(%s)", (hashed(session),)).fetchone()
        return None if row is None else (row[0], row[1], row[2])

    def close(self, session: str) -> None:
        """End a session."""
        with self._door.outside() as asking:
            asking.execute("SELECT close_session(%s)", (hashed(session),))
