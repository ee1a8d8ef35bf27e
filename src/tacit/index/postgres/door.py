"""The one door to the database: pooled connections, in the role and with the bank that row-level security asks for."""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

import psycopg
from psycopg import sql
from psycopg_pool import ConnectionPool, PoolTimeout

from tacit.errors import DatabaseUnusable
from tacit.index.postgres import schema
from tacit.index.postgres.columns import Column, ColumnDumper
from tacit.index.postgres.copies import MOST_BYTES, Copies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, LiteralString
    from uuid import UUID

    from psycopg import Connection

_Rows = TypeVar("_Rows")

_WAIT_S = 5.0
_AWAY_S = 0.2
_READY = 5
# So many acts of several steps are done at the same time, by chance fewer.
_TOGETHER = 64
_LEAST_POSTGRES = 160_000
_BROKEN = (psycopg.OperationalError, psycopg.InterfaceError)


class Door:
    """A pool of connections to one database, whose tables are brought up to date if the user may do so.

    With `for_many` a login is refused that row-level security does not hold for. For a connection it waits `wait_s`.
    """

    def __init__(
        self, url: str, *, most: int = 4, for_many: bool = False, most_bytes: int = MOST_BYTES, wait_s: float = _WAIT_S
    ) -> None:
        self.copies = Copies(most_bytes)
        self._wait_s = wait_s
        self._is_away = False
        self._own = threading.local()
        self._together = [threading.Lock() for _ in range(_TOGETHER)]
        try:
            self.half_vector = _prepare(url, for_many=for_many, wait_s=wait_s)
            self._pool = ConnectionPool(
                url,
                # A server's first questions should not wait until connections are made.
                min_size=min(most, _READY) if for_many else 1,
                max_size=most,
                timeout=wait_s,
                reconnect_timeout=wait_s,
                open=True,
                configure=_as_member,
                kwargs=_OPTIONS,
            )
        except (psycopg.Error, UnicodeError) as error:
            raise DatabaseUnusable(reason=schema.plain(error)) from None

    @contextmanager
    def entered(self, bank: UUID) -> Iterator[Connection]:
        """Give a connection in one transaction that sees the rows of this bank alone."""
        with self._begun(_enter(bank)) as connection:
            yield connection

    @contextmanager
    def outside(self) -> Iterator[Connection]:
        """Give a connection in one transaction that sees no bank at all."""
        with self._begun() as connection:
            yield connection

    @contextmanager
    def whole(self) -> Iterator[Connection]:
        """Make all that this thread asks and changes one transaction, on this one connection."""
        with self._begun() as connection:
            self._own.connection = connection
            try:
                yield connection
            finally:
                self._own.connection = None
            # The commit point of all of it is the commit of this transaction.

    @contextmanager
    def together(self, name: str) -> Iterator[None]:
        """Make all that this thread changes one transaction; nobody else does anything under this name meanwhile.

        In this process they wait without a connection, which a recall may need.
        """
        with self._together[hash(name) % _TOGETHER], self.whole() as connection:
            connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (name,))
            yield

    def asked(self, question: LiteralString, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """Return the rows of one question that sees no bank at all, in one exchange with the database."""

        def ask(connection: Connection) -> list[tuple[Any, ...]]:
            return connection.execute(question, values, prepare=True).fetchall()

        return self._read(ask)

    def looked(
        self, bank: UUID, questions: Sequence[tuple[LiteralString, Mapping[str, object]]]
    ) -> list[list[tuple[Any, ...]]]:
        """Return the rows of several questions about this bank, all at one moment and in one exchange."""

        def look(connection: Connection) -> list[list[tuple[Any, ...]]]:
            with connection.pipeline():
                connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", prepare=True)
                connection.execute(_enter(bank), prepare=False)
                answers = [
                    connection.execute(question, values, prepare=True, binary=True) for question, values in questions
                ]
                connection.execute("COMMIT", prepare=True)
            return [answer.fetchall() for answer in answers]

        return self._read(look)

    def _read(self, ask: Callable[[Connection], _Rows]) -> _Rows:
        """Return an answer that changes nothing, asked once more if the connection broke while it rested."""
        with _told():
            for is_last in (False, True):
                connection = self._taken()
                try:
                    return ask(connection)
                except _BROKEN:
                    if is_last:
                        raise
                finally:
                    self._pool.putconn(connection)
                self._pool.check()  # the others may be as broken
        raise AssertionError  # the last one answers or raises

    def _taken(self) -> Connection:
        """Return a connection of the pool; while the database is away, nobody waits long behind those who did."""
        try:
            connection = self._pool.getconn(_AWAY_S if self._is_away else self._wait_s)
        except PoolTimeout:
            self._is_away = True
            raise
        self._is_away = False
        return connection

    @contextmanager
    def _begun(self, first: sql.Composed | None = None) -> Iterator[Connection]:
        """Give a connection in a transaction; it is committed at the end, or nothing has happened."""
        own = getattr(self._own, "connection", None)
        if own is not None:  # a step of what is done together
            if first is not None:
                own.execute(first)
            yield own
            return
        with _told():
            connection = self._begin()
            try:
                if first is not None:
                    connection.execute(first)
                yield connection
                connection.commit()
            except BaseException as error:
                with suppress(psycopg.Error):
                    connection.rollback()
                if connection.broken and isinstance(error, psycopg.Error):  # whatever a dying database said of it
                    raise DatabaseUnusable(reason=schema.plain(error)) from error
                raise
            finally:
                self._pool.putconn(connection)

    def _begin(self) -> Connection:
        """Return a connection in a new transaction; one that broke while it rested is passed over."""
        for is_last in (False, True):
            connection = self._taken()
            try:
                connection.execute("BEGIN")
            except BaseException as error:
                self._pool.putconn(connection)
                if is_last or not isinstance(error, _BROKEN):
                    raise
                self._pool.check()  # the others may be as broken
            else:
                return connection
        raise AssertionError  # the last one is given or raises

    def counts(self) -> dict[str, float]:
        """Return how many connections and copies there are, by the names of their metrics."""
        pool, (banks, size) = self._pool.get_stats(), self.copies.counts()
        return {
            "tacit_connections": pool.get("pool_size", 0),
            "tacit_connections_waited_for": pool.get("requests_waiting", 0),
            "tacit_copies_banks": banks,
            "tacit_copies_bytes": size,
        }

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()


# Plans are made once for a connection and all banks. Where the values decide, as with the vector index of one bank, a
# question says otherwise (`WITH_VALUES`).
_OPTIONS: dict[str, Any] = {
    "autocommit": True,
    "tcp_user_timeout": int(1000 * _WAIT_S),  # a network that swallows everything is noticed
    "options": "-c search_path=tacit,public -c plan_cache_mode=force_generic_plan -c hnsw.iterative_scan=relaxed_order",
}
WITH_VALUES = sql.SQL("SET LOCAL plan_cache_mode = force_custom_plan")


def _prepare(url: str, *, for_many: bool, wait_s: float) -> int:
    """Look at the login, bring the tables up to date, and return the number of the type halfvec."""
    with psycopg.connect(url, autocommit=True, connect_timeout=int(wait_s)) as connection:
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
        schema.migrate(connection)
        row = connection.execute("SELECT oid FROM pg_catalog.pg_type WHERE typname = 'halfvec'").fetchone()
        return int(row[0]) if row else 0


def _enter(bank: UUID) -> sql.Composed:
    return sql.SQL("SET LOCAL tacit.bank = {}").format(sql.Literal(str(bank)))


def _as_member(connection: Connection) -> None:
    connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(schema.MEMBER)))
    connection.adapters.register_dumper(Column, ColumnDumper)


@contextmanager
def _told() -> Iterator[None]:
    """Say in one way that the database does not answer."""
    try:
        yield
    except (*_BROKEN, psycopg.errors.ReadOnlySqlTransaction) as error:
        raise DatabaseUnusable(reason=schema.plain(error)) from error
