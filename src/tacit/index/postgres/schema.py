"""The tables in PostgreSQL and the numbered steps that make them; each step is one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from psycopg.errors import InsufficientPrivilege

from tacit.errors import DatabaseUnusable
from tacit.index.postgres import asking_schema

if TYPE_CHECKING:
    from typing import LiteralString

    from psycopg import Connection

# The role that questions are asked in, whoever logs in: it owns nothing and row-level security holds for it.
MEMBER = "tacit_member"
# Any number: whoever holds this advisory lock changes the tables.
_LOCK = 7_201_403

# Partitioned tables, so that the rows of a bank lie together however many banks there are. Row-level security lets a
# session see the bank named in `tacit.bank` and no other. Nobody but the owner may call set_config(), which a question
# could otherwise use to name another bank.
_FIRST: LiteralString = """
CREATE EXTENSION IF NOT EXISTS vector;
DO $$ BEGIN
    CREATE ROLE tacit_member NOLOGIN NOSUPERUSER NOBYPASSRLS;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
DO $$ BEGIN
    EXECUTE format('GRANT tacit_member TO %I', current_user);
EXCEPTION WHEN invalid_grant_operation THEN NULL;
END $$;
GRANT USAGE ON SCHEMA tacit TO tacit_member;
GRANT SELECT ON migrations TO tacit_member;

CREATE FUNCTION own_bank() RETURNS uuid STABLE PARALLEL SAFE LANGUAGE sql
    AS $$ SELECT nullif(current_setting('tacit.bank', true), '')::uuid $$;

CREATE TABLE banks (
    bank uuid PRIMARY KEY, next_number bigint NOT NULL DEFAULT 1, documents bigint NOT NULL DEFAULT 0,
    length bigint NOT NULL DEFAULT 0, models text[] NOT NULL DEFAULT '{}'
) PARTITION BY HASH (bank);
CREATE TABLE documents (
    bank uuid NOT NULL, number bigint NOT NULL, key text NOT NULL, digest text NOT NULL, note_id text NOT NULL,
    file text NOT NULL, layer text NOT NULL, status text NOT NULL, timing text NOT NULL, origin text NOT NULL,
    title text NOT NULL, one_liner text NOT NULL, is_latin boolean NOT NULL, words text NOT NULL,
    passages text[] NOT NULL, PRIMARY KEY (bank, number), UNIQUE (bank, key)
) PARTITION BY HASH (bank);
CREATE INDEX documents_of_note ON documents (bank, note_id);
CREATE TABLE postings (
    bank uuid NOT NULL, token text NOT NULL, block integer NOT NULL, entries bytea NOT NULL,
    PRIMARY KEY (bank, token, block)
) PARTITION BY HASH (bank);
CREATE TABLE vectors (
    bank uuid NOT NULL, model text NOT NULL, number bigint NOT NULL, part integer NOT NULL, status text NOT NULL,
    timing text NOT NULL, is_latin boolean NOT NULL, hub_latin real NOT NULL, hub_cjk real NOT NULL,
    vector halfvec NOT NULL, PRIMARY KEY (bank, model, number, part)
) PARTITION BY HASH (bank);
CREATE TABLE files (
    bank uuid NOT NULL, file text NOT NULL, stamp bigint NOT NULL, PRIMARY KEY (bank, file)
) PARTITION BY HASH (bank);

DO $$ DECLARE name text; BEGIN
    FOREACH name IN ARRAY ARRAY['banks', 'documents', 'postings', 'vectors', 'files'] LOOP
        FOR part IN 0..15 LOOP
            EXECUTE format(
                'CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 16, REMAINDER %s)',
                name || '_' || part, name, part
            );
        END LOOP;
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        -- As a question of its own, the setting is read once for a query and not once for a row.
        EXECUTE format(
            'CREATE POLICY own ON %I USING (bank = (SELECT own_bank())) WITH CHECK (bank = (SELECT own_bank()))', name
        );
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO tacit_member', name);
    END LOOP;
END $$;

CREATE FUNCTION name_of_nearest(asked text) RETURNS text STABLE LANGUAGE sql
    AS $$ SELECT 'nearest_' || md5(own_bank()::text || ' ' || asked) $$;
CREATE FUNCTION make_nearest(asked text, dimension integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = tacit, public, pg_temp AS $$
DECLARE place regclass;
BEGIN
    SELECT tableoid::regclass INTO place FROM vectors WHERE bank = own_bank() AND model = asked LIMIT 1;
    IF place IS NOT NULL THEN
        EXECUTE format(
            'CREATE INDEX IF NOT EXISTS %I ON %s USING hnsw ((vector::halfvec(%s)) halfvec_ip_ops)'
            ' WHERE bank = %L AND model = %L',
            name_of_nearest(asked), place, dimension, own_bank(), asked
        );
    END IF;
END $$;
CREATE FUNCTION drop_nearest(asked text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = tacit, public, pg_temp AS $$
BEGIN
    EXECUTE format('DROP INDEX IF EXISTS %I', name_of_nearest(asked));
END $$;
REVOKE ALL ON FUNCTION make_nearest, drop_nearest FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_nearest, drop_nearest TO tacit_member;

DO $$ BEGIN
    EXECUTE format('GRANT EXECUTE ON FUNCTION pg_catalog.set_config TO %I', current_user);
    REVOKE EXECUTE ON FUNCTION pg_catalog.set_config FROM PUBLIC;
EXCEPTION WHEN insufficient_privilege THEN NULL;
END $$;
"""

# Who may ask for which bank. The member role reads none of these tables: it hands in the hash of a token, and gets the
# bank's number only if that token is good for it. Nobody but the owner makes or takes back a token.
_SECOND: LiteralString = """
CREATE TABLE hosted (
    bank uuid PRIMARY KEY DEFAULT gen_random_uuid(), organisation text NOT NULL, name text NOT NULL,
    commit text NOT NULL DEFAULT '', pushed timestamptz, UNIQUE (organisation, name)
);
CREATE TABLE tokens (
    token text PRIMARY KEY, hash bytea NOT NULL UNIQUE, organisation text NOT NULL, name text NOT NULL,
    role text NOT NULL CHECK (role IN ('reader', 'writer')), made timestamptz NOT NULL DEFAULT now(),
    revoked timestamptz
);
CREATE TABLE accesses (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(), token text NOT NULL,
    organisation text NOT NULL, name text NOT NULL, act text NOT NULL, outcome integer NOT NULL
);
CREATE FUNCTION holder_of(asked bytea) RETURNS TABLE (token text) STABLE
    LANGUAGE sql SECURITY DEFINER SET search_path = tacit, public, pg_temp
    AS $$ SELECT t.token FROM tokens t WHERE t.hash = asked AND t.revoked IS NULL $$;
CREATE FUNCTION admitted(asked bytea, of_organisation text, of_name text)
    RETURNS TABLE (token text, role text, bank uuid, commit text) STABLE
    LANGUAGE sql SECURITY DEFINER SET search_path = tacit, public, pg_temp AS $$
    SELECT t.token, t.role, h.bank, h.commit
    FROM tokens t LEFT JOIN hosted h ON h.organisation = of_organisation AND h.name = of_name
    WHERE t.hash = asked AND t.revoked IS NULL AND t.organisation = of_organisation AND t.name IN ('', of_name)
$$;
CREATE FUNCTION received(asked bytea, of_organisation text, of_name text, at_commit text) RETURNS uuid
    LANGUAGE sql SECURITY DEFINER SET search_path = tacit, public, pg_temp AS $$
    INSERT INTO hosted (organisation, name, commit, pushed)
    SELECT of_organisation, of_name, at_commit, now()
    FROM admitted(asked, of_organisation, of_name) a WHERE a.role = 'writer'
    ON CONFLICT (organisation, name) DO UPDATE SET commit = excluded.commit, pushed = excluded.pushed
    RETURNING bank
$$;
REVOKE ALL ON FUNCTION holder_of, admitted, received FROM PUBLIC;
GRANT EXECUTE ON FUNCTION holder_of, admitted, received TO tacit_member;
"""

# Every change of a bank gives it another state, at random: a number that is counted up could come again with other rows
# when a database goes back to a backup, or on to a replica that was behind. How many documents hold a word is the
# length of its blocks.
_THIRD: LiteralString = """
ALTER TABLE banks DROP COLUMN IF EXISTS changed, ADD COLUMN state uuid NOT NULL DEFAULT gen_random_uuid();
DROP TABLE IF EXISTS frequencies;
CREATE FUNCTION note_accesses(
    at timestamptz[], of_token text[], of_organisation text[], of_name text[], what text[], how integer[]
) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = tacit, public, pg_temp AS $$
    INSERT INTO accesses (at, token, organisation, name, act, outcome)
    SELECT * FROM unnest(at, of_token, of_organisation, of_name, what, how)
$$;
REVOKE ALL ON FUNCTION note_accesses FROM PUBLIC;
GRANT EXECUTE ON FUNCTION note_accesses TO tacit_member;
"""

# Which banks are heard beside which, an empty name meaning all of the organisation; the owner says so. Whoever is
# admitted to a bank gets the numbers of those beside it, its own before the organisation's, and enters one at a time.
_BESIDE: LiteralString = """
CREATE TABLE beside (
    organisation text NOT NULL, name text NOT NULL, other text NOT NULL, PRIMARY KEY (organisation, name, other)
);
CREATE FUNCTION beside_of(asked bytea, of_organisation text, of_name text)
    RETURNS TABLE (bank uuid, name text) STABLE
    LANGUAGE sql SECURITY DEFINER SET search_path = tacit, public, pg_temp AS $$
    SELECT h.bank, h.name
    FROM admitted(asked, of_organisation, of_name)
    JOIN beside b ON b.organisation = of_organisation AND b.name IN ('', of_name) AND b.other <> of_name
    JOIN hosted h ON h.organisation = of_organisation AND h.name = b.other
    GROUP BY h.bank, h.name ORDER BY bool_and(b.name = ''), h.name
$$;
REVOKE ALL ON FUNCTION beside_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION beside_of TO tacit_member;
"""

# The files of a bank as they were pushed, to be read whole.
_CONTENTS: LiteralString = """
CREATE TABLE contents (
    bank uuid NOT NULL, file text NOT NULL, digest text NOT NULL, content bytea NOT NULL, PRIMARY KEY (bank, file)
) PARTITION BY HASH (bank);
DO $$ BEGIN
    FOR part IN 0..15 LOOP
        EXECUTE format(
            'CREATE TABLE %I PARTITION OF contents FOR VALUES WITH (MODULUS 16, REMAINDER %s)',
            'contents_' || part, part
        );
    END LOOP;
END $$;
ALTER TABLE contents ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON contents
    USING (bank = (SELECT own_bank())) WITH CHECK (bank = (SELECT own_bank()));
GRANT SELECT, INSERT, UPDATE, DELETE ON contents TO tacit_member;
"""

# Every request begins with this: what it needs of its bank is told along with whether its token is good for it. A
# function in plpgsql keeps its plans, one in SQL plans anew with each call.
_ENTERING: LiteralString = """
DROP FUNCTION IF EXISTS entering(bytea, text, text);
CREATE FUNCTION entering(asked bytea, of_organisation text, of_name text)
    RETURNS TABLE (
        token text, role text, bank uuid, commit text, is_alone boolean,
        documents bigint, length bigint, state uuid, models text[]
    ) STABLE LANGUAGE plpgsql SECURITY DEFINER SET search_path = tacit, public, pg_temp AS $$
#variable_conflict use_column
BEGIN
    SELECT t.token, t.role, h.bank, h.commit INTO entering.token, entering.role, entering.bank, entering.commit
    FROM tokens t LEFT JOIN hosted h ON h.organisation = of_organisation AND h.name = of_name
    WHERE t.hash = asked AND t.revoked IS NULL AND t.organisation = of_organisation AND t.name IN ('', of_name);
    IF NOT FOUND THEN RETURN; END IF;
    SELECT b.documents, b.length, b.state, b.models
    INTO entering.documents, entering.length, entering.state, entering.models
    FROM banks b WHERE b.bank = entering.bank;
    entering.is_alone := NOT EXISTS (
        SELECT FROM beside b JOIN hosted h ON h.organisation = of_organisation AND h.name = b.other
        WHERE b.organisation = of_organisation AND b.name IN ('', of_name) AND b.other <> of_name
    );
    RETURN NEXT;
END $$;
REVOKE ALL ON FUNCTION entering FROM PUBLIC;
GRANT EXECUTE ON FUNCTION entering TO tacit_member;
"""

MIGRATIONS: tuple[LiteralString, ...] = (
    _FIRST,
    _SECOND,
    _THIRD,
    _BESIDE,
    _CONTENTS,
    asking_schema.ASKING,
    _ENTERING,
    asking_schema.AUTHORS,
)


def version(connection: Connection) -> int:
    """Return the number of the last step that was taken; nought in a database without our tables."""
    if connection.execute("SELECT to_regclass('tacit.migrations')").fetchone() == (None,):
        return 0
    row = connection.execute("SELECT coalesce(max(number), 0) FROM tacit.migrations").fetchone()
    return int(row[0]) if row else 0


def migrate(connection: Connection) -> int:
    """Take the steps that a database lacks, one transaction each, and return its version; only one does so at a time.

    The connection is in autocommit mode. Raises DatabaseUnusable where it is not the owner's, and where tables are a
    newer Tacit's: those stay as they are.
    """
    try:
        while (known := version(connection)) < len(MIGRATIONS):
            with connection.transaction():
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
                if version(connection) != known:
                    continue  # somebody else was quicker
                connection.execute("CREATE SCHEMA IF NOT EXISTS tacit")
                connection.execute("SET LOCAL search_path = tacit, public")
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, made timestamptz NOT NULL)"
                )
                connection.execute(MIGRATIONS[known])
                connection.execute("INSERT INTO migrations VALUES (%s, now())", (known + 1,))
    except InsufficientPrivilege as error:
        reason = f"this login may not bring its tables up to date ({plain(error)})"
        raise DatabaseUnusable(reason=f"{reason}; `tacit token list` does, as their owner") from None
    if known > len(MIGRATIONS):
        raise DatabaseUnusable(reason=f"its tables have version {known}, made by a newer Tacit")
    return known


def plain(error: Exception) -> str:
    """Return the first line of what the database says, which names no value."""
    return (str(error).splitlines() or ["it does not answer"])[0]
