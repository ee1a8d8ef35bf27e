"""Questions about writes in the database: asked with a writer's token, answered once with a reviewer's."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from psycopg.errors import LockNotAvailable

from tacit.index.asked import Asked, HeldByAnother
from tacit.index.postgres.access import hashed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from psycopg import Connection

    from tacit.index.asked import Question, Settled
    from tacit.index.postgres.door import Door

MOST_WAITING = 500


class Asking:
    """What a token may do with the questions of one bank; the functions of the database look at the token each time."""

    def __init__(self, door: Door, secret: str | bytes, organisation: str, bank: str) -> None:
        self._door = door
        self._who = (hashed(secret), organisation, bank)

    def all(self) -> list[Asked]:
        """Return the last questions, newest first, without their patches."""
        return self._found("")

    def one(self, proposal: str) -> Asked | None:
        """Return a question with what came of it; None where there is none for this token."""
        return next(iter(self._found(proposal)), None) if proposal else None

    def declined(self, conversation: str) -> list[str]:
        """Return the candidates that were declined in a conversation."""
        with self._door.outside() as asking:
            rows = asking.execute("SELECT * FROM declined_in(%s, %s, %s, %s)", (*self._who, conversation))
            return [str(row[0]) for row in rows]

    def ask(self, question: Question, at: str) -> str | None:
        """Keep a question; return its id, or that of one that asks the same.

        None where the token may not ask, an empty text where as many wait as may.
        """
        with self._door.outside() as asking:
            row = asking.execute(
                "SELECT make_proposal(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
                (*self._who, at, MOST_WAITING, *question),
            ).fetchone()
        return row[0] if row else None

    @contextmanager
    def held(self, proposal: str) -> Iterator[Held | None]:
        """Give a question to answer, which nobody else can meanwhile; None where this token may not answer it.

        What is settled counts when the block ends without an exception. Raises HeldByAnother without waiting. The block
        needs no other connection: many who hold one and wait for another would wait for each other.
        """
        with self._door.whole() as asking:
            try:
                row = asking.execute("SELECT * FROM held_proposal(%s, %s, %s, %s)", (*self._who, proposal)).fetchone()
            except LockNotAvailable:
                raise HeldByAnother from None
            yield None if row is None else Held(asking, self._who, Asked(*row))

    def _found(self, proposal: str) -> list[Asked]:
        with self._door.outside() as asking:
            rows = asking.execute("SELECT * FROM proposals_of(%s, %s, %s, %s)", (*self._who, proposal))
            return [Asked(*row) for row in rows]


class Held:
    """A question in the hands of the one who answers it."""

    def __init__(self, asking: Connection, who: tuple[bytes, str, str], asked: Asked) -> None:
        self._asking = asking
        self._who = who
        self.asked = asked

    def settle(self, how: Settled) -> None:
        """Keep the answer; the question waits no more."""
        self._asking.execute(
            "SELECT settle_proposal(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)", (*self._who, self.asked.proposal, *how)
        )

    def succeed(self, question: Question) -> str | None:
        """Keep the question that takes the place of this one, after it was settled as void; return its id."""
        row = self._asking.execute(
            "SELECT succeed_proposal(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            (*self._who, self.asked.proposal, *question),
        ).fetchone()
        return row[0] if row else None
