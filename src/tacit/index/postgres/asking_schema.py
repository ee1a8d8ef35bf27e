"""The tables for writes through a server: questions that wait for a person, and who may answer them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import LiteralString

# The member role reads and writes no question: it hands in the hash of a token, and a function of the owner looks
# whether that token may ask or answer. So a question that was tampered with cannot answer for a person either.
_TABLES: LiteralString = """
ALTER TABLE tokens DROP CONSTRAINT tokens_role_check;
ALTER TABLE tokens ADD CONSTRAINT tokens_role_check CHECK (role IN ('reader', 'writer', 'reviewer'));

CREATE TABLE proposals (
    bank uuid NOT NULL REFERENCES hosted, proposal text NOT NULL, content bytea, digest text NOT NULL,
    alike text NOT NULL, conversation text NOT NULL, candidate text NOT NULL, commit text NOT NULL,
    asked_by text NOT NULL, asked timestamptz NOT NULL DEFAULT now(), expires text NOT NULL,
    status text NOT NULL DEFAULT 'waiting'
        CHECK (status IN ('waiting', 'applied', 'declined', 'void', 'expired')),
    answered_by text NOT NULL DEFAULT '', answered timestamptz, option text NOT NULL DEFAULT '',
    channel text NOT NULL DEFAULT '', branch text NOT NULL DEFAULT '', result text NOT NULL DEFAULT '', patch bytea,
    successor text NOT NULL DEFAULT '', PRIMARY KEY (bank, proposal), CHECK (answered_by <> asked_by)
);
CREATE UNIQUE INDEX proposals_alike ON proposals (bank, alike) WHERE status = 'waiting';
CREATE INDEX proposals_by_time ON proposals (bank, asked);

CREATE TYPE asked AS (
    proposal text, content bytea, digest text, commit text, asked_by text, asked timestamptz, expires text, status text,
    answered_by text, answered timestamptz, option text, channel text, branch text, result text, patch bytea,
    successor text
);
"""

# A reviewer answers what others asked, an author what it asked itself and by a form of its client alone.
_FUNCTIONS: LiteralString = """
CREATE OR REPLACE FUNCTION may_answer(role text, token text, asked_by text) RETURNS boolean IMMUTABLE LANGUAGE sql
    AS $$ SELECT CASE role WHEN 'reviewer' THEN asked_by <> token WHEN 'author' THEN asked_by = token ELSE false END $$;

CREATE OR REPLACE FUNCTION proposals_of(hash bytea, of_organisation text, of_name text, one text)
    RETURNS SETOF asked STABLE LANGUAGE sql SECURITY DEFINER SET search_path = tacit, public, pg_temp AS $$
    SELECT p.proposal, p.content, p.digest, p.commit, p.asked_by, p.asked, p.expires, p.status, p.answered_by,
        p.answered, p.option, p.channel, p.branch, p.result, CASE WHEN one <> '' THEN p.patch END, p.successor
    FROM admitted(hash, of_organisation, of_name) a JOIN proposals p ON p.bank = a.bank
    WHERE a.role IN ('writer', 'author', 'reviewer') AND one IN ('', p.proposal)
    ORDER BY p.asked DESC, p.proposal LIMIT 1000
$$;
CREATE OR REPLACE FUNCTION held_proposal(hash bytea, of_organisation text, of_name text, one text)
    RETURNS SETOF asked LANGUAGE sql SECURITY DEFINER SET search_path = tacit, public, pg_temp AS $$
    SELECT p.proposal, p.content, p.digest, p.commit, p.asked_by, p.asked, p.expires, p.status, p.answered_by,
        p.answered, p.option, p.channel, p.branch, p.result, p.patch, p.successor
    FROM admitted(hash, of_organisation, of_name) a JOIN proposals p ON p.bank = a.bank
    WHERE may_answer(a.role, a.token, p.asked_by) AND p.proposal = one
    FOR UPDATE OF p NOWAIT
$$;
CREATE OR REPLACE FUNCTION declined_in(hash bytea, of_organisation text, of_name text, of_conversation text)
    RETURNS SETOF text STABLE LANGUAGE sql SECURITY DEFINER SET search_path = tacit, public, pg_temp AS $$
    SELECT p.candidate FROM admitted(hash, of_organisation, of_name) a JOIN proposals p ON p.bank = a.bank
    WHERE a.role IN ('writer', 'author') AND p.status = 'declined' AND p.conversation = of_conversation
        AND of_conversation <> ''
$$;

-- Nothing where the token may not ask, an empty text where too many wait, else the question that waits now.
CREATE OR REPLACE FUNCTION make_proposal(
    hash bytea, of_organisation text, of_name text, at text, most integer, one text, its_content bytea, its_digest text,
    its_alike text, its_conversation text, its_candidate text, its_commit text, its_expires text
) RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = tacit, public, pg_temp AS $$
DECLARE own uuid; who text; found text;
BEGIN
    SELECT a.bank, a.token INTO own, who FROM admitted(hash, of_organisation, of_name) a
        WHERE a.role IN ('writer', 'author');
    IF own IS NULL THEN RETURN NULL; END IF;
    UPDATE proposals SET status = 'expired', content = NULL WHERE bank = own AND status = 'waiting' AND expires <= at;
    UPDATE proposals SET patch = NULL
        WHERE bank = own AND patch IS NOT NULL AND answered < now() - interval '90 days';
    SELECT proposal INTO found FROM proposals WHERE bank = own AND status = 'waiting' AND alike = its_alike;
    IF found IS NOT NULL THEN RETURN found; END IF;
    IF (SELECT count(*) FROM proposals WHERE bank = own AND status = 'waiting') >= most THEN RETURN ''; END IF;
    INSERT INTO proposals
        (bank, proposal, content, digest, alike, conversation, candidate, commit, asked_by, expires)
    VALUES (own, one, its_content, its_digest, its_alike, its_conversation, its_candidate, its_commit, who, its_expires)
    ON CONFLICT (bank, alike) WHERE status = 'waiting' DO UPDATE SET alike = excluded.alike
    RETURNING proposal INTO found;
    RETURN found;
END $$;
CREATE OR REPLACE FUNCTION settle_proposal(
    hash bytea, of_organisation text, of_name text, one text, how text, chosen text, through text, its_branch text,
    its_result text, its_patch bytea
) RETURNS boolean LANGUAGE sql SECURITY DEFINER SET search_path = tacit, public, pg_temp AS $$
    UPDATE proposals p SET status = how, content = NULL, answered_by = a.token, answered = now(), option = chosen,
        channel = through, branch = its_branch, result = its_result, patch = its_patch
    FROM admitted(hash, of_organisation, of_name) a
    WHERE may_answer(a.role, a.token, p.asked_by) AND p.bank = a.bank AND p.proposal = one AND p.status = 'waiting'
    RETURNING true
$$;
-- A question that is void may be asked once more, in the name of whoever asked it first.
CREATE OR REPLACE FUNCTION succeed_proposal(
    hash bytea, of_organisation text, of_name text, old text, one text, its_content bytea, its_digest text,
    its_alike text, its_conversation text, its_candidate text, its_commit text, its_expires text
) RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = tacit, public, pg_temp AS $$
DECLARE own uuid; who text; found text;
BEGIN
    SELECT p.bank, p.asked_by INTO own, who
    FROM admitted(hash, of_organisation, of_name) a JOIN proposals p ON p.bank = a.bank
    WHERE may_answer(a.role, a.token, p.asked_by) AND p.proposal = old AND p.status = 'void' AND p.successor = '';
    IF own IS NULL THEN RETURN NULL; END IF;
    INSERT INTO proposals
        (bank, proposal, content, digest, alike, conversation, candidate, commit, asked_by, expires)
    VALUES (own, one, its_content, its_digest, its_alike, its_conversation, its_candidate, its_commit, who, its_expires)
    ON CONFLICT (bank, alike) WHERE status = 'waiting' DO UPDATE SET alike = excluded.alike
    RETURNING proposal INTO found;
    UPDATE proposals SET successor = found WHERE bank = own AND proposal = old;
    RETURN found;
END $$;
REVOKE ALL ON FUNCTION may_answer FROM PUBLIC;
"""

_SESSIONS: LiteralString = """
-- A browser that a reviewer signed in with a token: it stands for that token, for one bank and for a working day.
CREATE TABLE sessions (
    hash bytea PRIMARY KEY, token bytea NOT NULL, organisation text NOT NULL, name text NOT NULL,
    until timestamptz NOT NULL DEFAULT now() + interval '12 hours'
);
CREATE FUNCTION open_session(hash bytea, of_organisation text, of_name text, its_hash bytea) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER SET search_path = tacit, public, pg_temp AS $$
    DELETE FROM sessions WHERE until <= now();
    INSERT INTO sessions (hash, token, organisation, name)
    SELECT its_hash, open_session.hash, of_organisation, of_name
    FROM admitted(open_session.hash, of_organisation, of_name) a WHERE a.role = 'reviewer' AND a.bank IS NOT NULL
    RETURNING true
$$;
CREATE FUNCTION session_of(its_hash bytea) RETURNS TABLE (token bytea, organisation text, name text) STABLE
    LANGUAGE sql SECURITY DEFINER SET search_path = tacit, public, pg_temp AS $$
    SELECT s.token, s.organisation, s.name FROM sessions s WHERE s.hash = its_hash AND s.until > now()
$$;
CREATE FUNCTION close_session(its_hash bytea) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = tacit, public, pg_temp AS $$
    DELETE FROM sessions s WHERE s.hash = its_hash
$$;

REVOKE ALL ON FUNCTION proposals_of, held_proposal, declined_in, make_proposal, settle_proposal, succeed_proposal,
    open_session, session_of, close_session FROM PUBLIC;
GRANT EXECUTE ON FUNCTION proposals_of, held_proposal, declined_in, make_proposal, settle_proposal, succeed_proposal,
    open_session, session_of, close_session TO tacit_member;
"""

ASKING: LiteralString = _TABLES + _FUNCTIONS + _SESSIONS

# The step that brings authors: tokens of people whose own client asks them about what they propose. Without an option
# nobody has answered: the question ran out, or the answer is found in git after a crash.
_RULES: LiteralString = """
ALTER TABLE tokens DROP CONSTRAINT tokens_role_check;
ALTER TABLE tokens ADD CONSTRAINT tokens_role_check CHECK (role IN ('reader', 'writer', 'author', 'reviewer'));
ALTER TABLE proposals DROP CONSTRAINT proposals_check;
ALTER TABLE proposals ADD CONSTRAINT proposals_check
    CHECK (answered_by <> asked_by OR channel = 'elicitation' OR option = '');
"""

AUTHORS: LiteralString = _RULES + _FUNCTIONS
