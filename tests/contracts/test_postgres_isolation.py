"""Many banks in one database: no question of one bank reads or changes another, whatever stands in it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import numpy
import pytest

from tacit.bank import wiring
from tacit.errors import DatabaseUnusable
from tacit.index import vectors
from tacit.index.contract import Filter, Nearness, Vectors
from tests.contracts.index_suite import document, unit
from tests.postgres import database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from tacit.index.postgres.door import Door

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'tacit[server]'")
pytestmark = pytest.mark.postgres

TABLES = ("banks", "documents", "postings", "vectors", "files")
LATIN = Nearness(latin_documents=True, latin_query=True)


@pytest.fixture(scope="module")
def door(url: str) -> Iterator[Door]:
    """A door for a login that owns nothing, as a server should have."""
    from psycopg.conninfo import make_conninfo

    from tacit.index.postgres.door import Door

    Door(url).close()  # the owner makes the tables
    name = f"tacit_login_{uuid4().hex[:8]}"
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute(f"CREATE ROLE {name} LOGIN IN ROLE tacit_member")
    opened = Door(make_conninfo(url, user=name))
    yield opened
    opened.close()
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute(f"DROP ROLE {name}")


@pytest.fixture(scope="module")
def banks(door: Door) -> tuple[UUID, UUID]:
    """Two banks with one document each."""
    from tacit.index.postgres.index import PostgresIndex

    made = (uuid4(), uuid4())
    for bank, word in zip(made, ("mine", "theirs"), strict=True):
        index = PostgresIndex(door, bank)
        index.update([document(word, f"{word} secret")], [], {f"{word}.md": 1})
        index.put_vectors("m", {word: Vectors([unit(1, 0)])})
    return made


@pytest.mark.parametrize("table", TABLES)
def test_a_question_without_any_condition_sees_its_own_bank(door: Door, banks: tuple[UUID, UUID], table: str) -> None:
    """Y-03: row-level security adds the bank to a question that forgot it, in every table."""
    mine, theirs = banks
    with door.entered(mine) as asking:
        found = {row[0] for row in asking.execute(f"SELECT bank FROM {table}")}
        named = asking.execute(f"SELECT FROM {table} WHERE bank = %s", (theirs,)).fetchall()
    assert found == {mine}
    assert named == []


@pytest.mark.parametrize("table", TABLES)
def test_nothing_of_another_bank_is_changed(door: Door, banks: tuple[UUID, UUID], table: str) -> None:
    """Y-03: neither a deletion nor an update reaches another bank's rows, and none can be handed over."""
    mine, theirs = banks
    with door.entered(mine) as asking:
        assert asking.execute(f"DELETE FROM {table} WHERE bank = %s", (theirs,)).rowcount == 0
        assert asking.execute(f"UPDATE {table} SET bank = %s WHERE bank = %s", (mine, theirs)).rowcount == 0
    with pytest.raises(psycopg.errors.InsufficientPrivilege), door.entered(mine) as asking:
        asking.execute(f"UPDATE {table} SET bank = %s", (theirs,))
    with door.entered(theirs) as asking:
        assert asking.execute(f"SELECT count(*) FROM {table}").fetchone() != (0,)


@pytest.mark.parametrize(
    "injected",
    [
        "SELECT set_config('tacit.bank', %(theirs)s, true)",
        "SELECT set_config('role', 'postgres', false)",
        "SELECT set_config('row_security', 'off', false)",
        "SELECT * FROM documents_0",
        "SELECT * FROM pg_catalog.pg_authid",
        "SELECT pg_catalog.pg_read_file('/etc/passwd')",
        "WITH other AS (SELECT set_config('tacit.bank', %(theirs)s, true)) SELECT key FROM other, documents",
        "INSERT INTO documents SELECT %(theirs)s, 9, 'k', '', '', '', '', '', '', '', '', '', true, '', '{}'",
        "ALTER TABLE documents DISABLE ROW LEVEL SECURITY",
        "DROP POLICY own ON documents",
        "CREATE TABLE tacit.copy AS SELECT * FROM documents",
        "CREATE FUNCTION tacit.own_bank() RETURNS uuid LANGUAGE sql AS 'SELECT NULL'",
        "CREATE ROLE other SUPERUSER",
        "COPY documents TO PROGRAM 'true'",
        "SET LOCAL ROLE postgres",
        "TRUNCATE documents",
        "INSERT INTO migrations VALUES (99, now())",
    ],
)
def test_what_is_injected_is_refused(door: Door, banks: tuple[UUID, UUID], injected: str) -> None:
    """Y-03: the login of a server can neither choose another bank inside a question nor change the rules."""
    mine, theirs = banks
    with pytest.raises(psycopg.errors.InsufficientPrivilege), door.entered(mine) as asking:
        asking.execute(injected, {"theirs": str(theirs)})


@pytest.mark.parametrize(
    "injected",
    [
        "SELECT key FROM documents WHERE key = 'x' OR true",
        "SELECT key FROM documents UNION ALL SELECT file FROM files",
        "SELECT token FROM postings WHERE token LIKE '%%'",
        "SELECT words FROM documents ORDER BY (SELECT count(*) FROM documents)",
        "SELECT key FROM documents CROSS JOIN LATERAL (SELECT make_nearest('m', 2)) AS made",
    ],
)
def test_what_is_injected_sees_no_more(door: Door, banks: tuple[UUID, UUID], injected: str) -> None:
    """Y-03: a condition that was talked away leaves the bank's own rows."""
    try:
        with door.entered(banks[0]) as asking:
            found = str(asking.execute(injected).fetchall())
    except psycopg.errors.ObjectInUse:  # an index cannot be made of a table that is being read
        return
    assert "mine" in found
    assert "theirs" not in found


def test_two_statements_are_refused(door: Door, banks: tuple[UUID, UUID]) -> None:
    """Y-03: a question with values is one statement; a second one cannot be hung on."""
    with pytest.raises(psycopg.errors.SyntaxError), door.entered(banks[0]) as asking:
        asking.execute(
            f"SELECT key FROM documents WHERE key = %s; SET LOCAL tacit.bank = '{banks[1]}'",
            ("x",),
        )


def test_no_bank_no_rows(door: Door, banks: tuple[UUID, UUID]) -> None:
    """Y-03: a connection that entered no bank sees nothing, also one that was in a bank before."""
    with door.entered(banks[0]) as asking:
        assert asking.execute("SELECT FROM documents").fetchall()
    with door._pool.connection() as connection:
        for table in TABLES:
            assert connection.execute(f"SELECT FROM {table}").fetchall() == []


def test_the_owner_asks_as_a_member(url: str, banks: tuple[UUID, UUID]) -> None:
    """Y-03: row-level security holds for whoever logs in, even for a superuser."""
    from tacit.index.postgres.door import Door

    opened = Door(url)
    with opened.entered(banks[0]) as asking:
        assert asking.execute("SELECT current_user").fetchone() == ("tacit_member",)
        assert asking.execute("SELECT key FROM documents").fetchall() == [("mine",)]
    opened.close()


def test_steps_are_taken_once(url: str, banks: tuple[UUID, UUID]) -> None:
    """Y-03: migrations are numbered; what is there stays, and a step that fails leaves nothing behind."""
    from tacit.index.postgres import schema

    del banks
    with psycopg.connect(url, autocommit=True) as owner:
        assert schema.migrate(owner) == len(schema.MIGRATIONS) == schema.version(owner)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, "CREATE TABLE half (a int); SELECT 1 / 0"))
            with pytest.raises(psycopg.errors.DivisionByZero):
                schema.migrate(owner)
        assert schema.version(owner) == len(schema.MIGRATIONS)
        assert owner.execute("SELECT to_regclass('tacit.half')").fetchone() == (None,)


def test_a_newer_database_is_left_alone(url: str, banks: tuple[UUID, UUID]) -> None:
    """Y-03: tables that a newer Tacit made are not understood half."""
    from tacit.index.postgres.door import Door

    del banks
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute("INSERT INTO tacit.migrations VALUES (99, now())")
        try:
            with pytest.raises(DatabaseUnusable, match="newer Tacit"):
                Door(url)
            with pytest.raises(DatabaseUnusable, match="newer Tacit"):
                wiring.issuer(url).tokens()
        finally:
            owner.execute("DELETE FROM tacit.migrations WHERE number = 99")


def test_a_login_that_owns_nothing_is_told_who_makes_the_tables(postgres: str) -> None:
    """Y-03: a server on tables that are older, or not there, says what brings them up to date."""
    from psycopg.conninfo import make_conninfo

    from tacit.index.postgres.door import Door

    with database(postgres) as older, psycopg.connect(postgres, autocommit=True) as owner:
        owner.execute("CREATE ROLE tacit_stranger LOGIN")
        try:
            with pytest.raises(DatabaseUnusable, match="`tacit token list` does, as their owner"):
                Door(make_conninfo(older, user="tacit_stranger"))
        finally:
            owner.execute("DROP ROLE tacit_stranger")


def test_no_database_is_said_in_a_sentence() -> None:
    """Y-03: a database that does not answer is an error with a code and a next step."""
    from tacit.index.postgres.door import Door

    with pytest.raises(DatabaseUnusable) as caught:
        Door("postgresql://nobody@/nothing?host=/nowhere")
    assert caught.value.code == "database.unusable"
    assert "TACIT_POSTGRES_URL" in str(caught.value.hint)


def test_large_banks_have_an_index_of_vectors(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: above the size where every cosine is computed candidates come by HNSW, and the best is the same."""
    from tacit.index.postgres.index import PostgresIndex

    chance = numpy.random.default_rng(5)
    bank = uuid4()
    index = PostgresIndex(door, bank)
    rows = {f"d{number:03d}": unit(*chance.normal(size=32)) for number in range(400)}
    index.update([document(key) for key in rows], [])
    index.put_vectors("m", {key: Vectors([row]) for key, row in rows.items()})
    wanted = {key: index.by_vector("m", rows[key], 3, Filter(), LATIN) for key in sorted(rows)[:10]}
    monkeypatch.setattr(vectors, "EXACT_ROWS", 100)
    index.put_vectors("m", {"d000": Vectors([rows["d000"]])})
    with door.entered(bank) as asking:
        found = asking.execute("SELECT indexdef FROM pg_indexes WHERE indexname = name_of_nearest('m')").fetchone()
        assert found is not None
        assert f"USING hnsw (((vector)::halfvec(32)) halfvec_ip_ops) WHERE ((bank = '{bank}'" in found[0]
        asking.execute("SET LOCAL enable_sort = off")
        plan = asking.execute(
            "EXPLAIN SELECT number FROM vectors WHERE bank = %s AND model = %s"
            " ORDER BY vector::halfvec(32) <#> %s::halfvec(32) LIMIT 5",
            (bank, "m", str(rows["d000"].tolist())),
        ).fetchall()
    assert "nearest_" in str(plan)
    for key, hits in wanted.items():
        again = index.by_vector("m", rows[key], 3, Filter(), LATIN)
        assert next(iter(again.scores)) == key
        assert again.scores == pytest.approx(dict(hits.scores), abs=1e-3)
        assert again.documents == hits.documents
    index.drop_older(["m:2"])
    with door.entered(bank) as asking:
        assert asking.execute("SELECT FROM pg_indexes WHERE indexname = name_of_nearest('m')").fetchall() == []


def test_a_cleared_bank_is_empty(door: Door, banks: tuple[UUID, UUID]) -> None:
    """B-04: an index can be emptied and made anew, and nothing else is touched."""
    from tacit.index.postgres.index import PostgresIndex

    bank = uuid4()
    index = PostgresIndex(door, bank)
    index.update([document("ab", "red")._replace(title="nul \0 in it")], [], {"a.md": 1})
    index.put_vectors("m", {"ab": Vectors([unit(1, 0)])})
    assert index.find(["ab"])["ab"].title == "nul  in it"
    index.clear()
    assert (index.known(), index.stamps(), index.counts().documents, index.counts().vectors) == ({}, {}, 0, {})
    assert PostgresIndex(door, banks[1]).known() == {"theirs": "1"}
