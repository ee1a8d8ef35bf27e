"""Who may ask for which bank of a database and hears which beside it: tokens and browsers, known by hashes alone."""

from __future__ import annotations

import hashlib
import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import psycopg

from tacit.errors import DatabaseUnusable
from tacit.index.postgres import schema
from tacit.index.postgres.copies import Facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from uuid import UUID

    from psycopg import Connection

    from tacit.index.postgres.door import Door

_BEGINNING = "tacit_"


class Admitted(NamedTuple):
    """What a token is good for: its name, its role, and the bank, which is None until notes were pushed.

    And what is to be known of the bank: its facts, and whether no other stands beside it.
    """

    token: str
    role: str
    bank: UUID | None
    commit: str
    facts: Facts
    is_alone: bool


class Token(NamedTuple):
    """A token as its owner sees it; an empty bank means all of the organisation."""

    token: str
    organisation: str
    bank: str
    role: str
    made: datetime
    revoked: datetime | None


class Access:
    """The door's answers to tokens, asked in the member role; it reads no table of tokens."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def holder(self, secret: str) -> str | None:
        """Return the name of a token that is good for anything at all."""
        rows = self._door.asked("SELECT token FROM holder_of(%s)", (hashed(secret),))
        return str(rows[0][0]) if rows else None

    def admitted(self, secret: str | bytes, organisation: str, bank: str) -> Admitted | None:
        """Return what a token may do with a bank; None if nothing."""
        return self.all_admitted([(secret, organisation, bank)])[0]

    def all_admitted(self, asked: Sequence[tuple[str | bytes, str, str]]) -> list[Admitted | None]:
        """Return what tokens may do with a bank each, by one question."""
        columns = [list(column) for column in zip(*((hashed(secret), *names) for secret, *names in asked), strict=True)]
        rows = self._door.asked(
            "SELECT a.place, e.token, e.role, e.bank, e.commit, e.is_alone, e.documents, e.length, e.state, e.models "
            "FROM unnest(%s::bytea[], %s::text[], %s::text[]) WITH ORDINALITY AS a (hash, organisation, name, place), "
            "LATERAL entering(a.hash, a.organisation, a.name) AS e",
            columns,
        )
        found: list[Admitted | None] = [None] * len(asked)
        for place, token, role, number, commit, is_alone, *facts in rows:
            known = Facts() if facts[0] is None else Facts(*facts)
            found[place - 1] = Admitted(token, role, number, commit or "", known, is_alone)
        return found

    def commit(self, secret: str | bytes, organisation: str, bank: str) -> str:
        """Return of which commit the notes of a bank are, as this transaction sees it."""
        with self._door.outside() as asking:
            row = asking.execute(
                "SELECT commit FROM entering(%s, %s, %s)", (hashed(secret), organisation, bank)
            ).fetchone()
        return str(row[0] or "") if row else ""

    def received(self, secret: str | bytes, organisation: str, bank: str, commit: str) -> UUID | None:
        """Return the bank that a token may write, made when first written, and remember the commit of its notes."""
        with self._door.outside() as asking:
            row = asking.execute(
                "SELECT received(%s, %s, %s, %s)", (hashed(secret), organisation, bank, commit)
            ).fetchone()
        return row[0] if row else None

    def note(self, rows: Sequence[tuple[datetime, str, str, str, str, int]]) -> None:
        """Keep that somebody asked, and how it went; never what was asked."""
        with self._door.outside() as asking:
            # Nobody waits for the disk; a crash of the database may lose the last moments of this list.
            asking.execute("SET LOCAL synchronous_commit = off")
            asking.execute(
                "SELECT note_accesses(%s::timestamptz[], %s::text[], %s::text[], %s::text[], %s::text[], %s::int[])",
                [list(column) for column in zip(*rows, strict=True)],
            )


class Owner:
    """Somebody who owns the tables; they are made where they are missing."""

    def __init__(self, url: str) -> None:
        self._url = url

    @contextmanager
    def _asking(self) -> Iterator[Connection]:
        try:
            with psycopg.connect(self._url, autocommit=True) as connection:
                schema.migrate(connection)
                yield connection
        except psycopg.Error as error:
            raise DatabaseUnusable(reason=schema.plain(error)) from error


class Issuer(Owner):
    """The owner's side: makes, lists and takes back tokens."""

    def create(self, organisation: str, bank: str, role: str) -> tuple[str, str]:
        """Return the name and the secret of a new token; the secret is kept nowhere."""
        name, secret = secrets.token_hex(4), f"{_BEGINNING}{secrets.token_urlsafe(32)}"
        with self._asking() as asking:
            asking.execute(
                "INSERT INTO tacit.tokens (token, hash, organisation, name, role) VALUES (%s, %s, %s, %s, %s)",
                (name, hashed(secret), organisation, bank, role),
            )
        return name, secret

    def tokens(self) -> list[Token]:
        """Return every token, oldest first."""
        with self._asking() as asking:
            rows = asking.execute(
                "SELECT token, organisation, name, role, made, revoked FROM tacit.tokens ORDER BY made, token"
            )
            return [Token(*row) for row in rows]

    def revoke(self, name: str) -> bool:
        """Take a token back at once; return whether there was one."""
        with self._asking() as asking:
            done = asking.execute(
                "UPDATE tacit.tokens SET revoked = coalesce(revoked, now()) WHERE token = %s", (name,)
            )
            return done.rowcount == 1


def hashed(secret: str | bytes) -> bytes:
    """Return what is kept of a token: it is random and long, so that nobody can try them all.

    Bytes are such a hash already.
    """
    return secret if isinstance(secret, bytes) else hashlib.sha256(secret.encode()).digest()


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


# Every bank beside another is asked with every prompt.
MOST_BESIDE = 8


class Beside(NamedTuple):
    """A bank, `other`, that stands beside `bank`, or with an empty `bank` beside all of its organisation."""

    organisation: str
    bank: str
    other: str


class Company:
    """What a token may hear beside the bank that it asks for; asked in the member role."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def beside(self, secret: str | bytes, organisation: str, bank: str) -> list[tuple[UUID, str]]:
        """Return number and name of the banks that a token hears beside one: its own, then the organisation's."""
        question = "SELECT bank, name FROM beside_of(%s, %s, %s)"
        return [(number, name) for number, name in self._door.asked(question, (hashed(secret), organisation, bank))]


class Arrangement(Owner):
    """The owner's side: which banks stand beside which."""

    def add(self, organisation: str, bank: str, other: str) -> bool:
        """Put a bank beside another; return False if as many stand there as may."""
        with self._asking() as asking:
            others = asking.execute(
                "SELECT other FROM tacit.beside WHERE organisation = %s AND name = %s", (organisation, bank)
            ).fetchall()
            if (other,) not in others and len(others) >= MOST_BESIDE:
                return False
            asking.execute(
                "INSERT INTO tacit.beside VALUES (%s, %s, %s) ON CONFLICT DO NOTHING", (organisation, bank, other)
            )
        return True

    def remove(self, organisation: str, bank: str, other: str) -> bool:
        """Part two banks; return whether they stood beside each other."""
        with self._asking() as asking:
            done = asking.execute(
                "DELETE FROM tacit.beside WHERE organisation = %s AND name = %s AND other = %s",
                (organisation, bank, other),
            )
            return done.rowcount == 1

    def all(self) -> list[Beside]:
        """Return every bank that stands beside another."""
        with self._asking() as asking:
            rows = asking.execute(
                "SELECT organisation, name, other FROM tacit.beside ORDER BY organisation, name, other"
            )
            return [Beside(*row) for row in rows]
