"""The one door to the database: pooled connections, in the role and with the bank that row-level security asks for."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql
from psycopg_pool import ConnectionPool, PoolTimeout

from tacit.errors import DatabaseUnusable
from tacit.index.postgres import schema

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any
    from uuid import UUID

    from psycopg import Connection

_WAIT_S = 5.0
_LEAST_POSTGRES = 160_000


class Door:
    """A pool of connections to one database, whose tables are brought up to date if the user may do so.

    With `for_many` a login is refused that row-level security does not hold for.
    """

    def __init__(self, url: str, *, most: int = 4, for_many: bool = False) -> None:
        try:
            self._prepare(url, for_many=for_many)
            self._pool = ConnectionPool(
                url,
                min_size=1,
                max_size=most,
                timeout=_WAIT_S,
                open=True,
                configure=_as_member,
                check=ConnectionPool.check_connection,  # one that broke while it rested is not given out
                kwargs=_OPTIONS,
            )
        except (psycopg.Error, UnicodeError) as error:
            raise DatabaseUnusable(reason=_plain(error)) from None

    @contextmanager
    def entered(self, bank: UUID) -> Iterator[Connection]:
        """Give a connection in one transaction that sees the rows of this bank alone."""
        with self.outside() as connection:
            connection.execute(sql.SQL("SET LOCAL tacit.bank = {}").format(sql.Literal(str(bank))))
            yield connection

    @contextmanager
    def outside(self) -> Iterator[Connection]:
        """Give a connection in one transaction that sees no bank at all."""
        try:
            with self._pool.connection() as connection, connection.transaction():
                yield connection
        except (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout) as error:
            raise DatabaseUnusable(reason=_plain(error)) from error

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()

    @staticmethod
    def _prepare(url: str, *, for_many: bool) -> None:
        with psycopg.connect(url, autocommit=True, connect_timeout=int(_WAIT_S)) as connection:
            if connection.info.server_version < _LEAST_POSTGRES:
                raise DatabaseUnusable(reason="it is older than PostgreSQL 16")
            row = connection.execute(
                "SELECT rolsuper OR rolbypassrls FROM pg_catalog.pg_roles WHERE rolname = session_user"
            ).fetchone()
            if for_many and row != (False,):
                raise DatabaseUnusable(
                    reason="a server must not log in as a superuser; give it a role of its own: "
                    f"CREATE ROLE tacit_server LOGIN IN ROLE {schema.MEMBER}"
                )
            found = schema.version(connection)
            if found < len(schema.MIGRATIONS):
                found = schema.migrate(connection)
            if found > len(schema.MIGRATIONS):
                raise DatabaseUnusable(reason=f"its tables have version {found}, made by a newer Tacit")


# Values must be known when a plan is made: the partition of a bank and its own vector index are chosen by them.
_OPTIONS: dict[str, Any] = {
    "autocommit": True,
    "options": "-c search_path=tacit,public -c plan_cache_mode=force_custom_plan -c hnsw.iterative_scan=relaxed_order",
}


def _as_member(connection: Connection) -> None:
    connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(schema.MEMBER)))


def _plain(error: Exception) -> str:
    """Return the first line of what the database says, which names no value."""
    return (str(error).splitlines() or ["it does not answer"])[0]
