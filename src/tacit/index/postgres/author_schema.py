"""The step that brings authors: tokens of people whose own client asks them about what they propose."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import LiteralString

# A reviewer answers what others asked, an author what it asked itself and by a form of its client alone. Without an
# option nobody has answered: the question ran out, or the answer is found in git after a crash.
STEP: LiteralString = """
ALTER TABLE tokens DROP CONSTRAINT tokens_role_check;
ALTER TABLE tokens ADD CONSTRAINT tokens_role_check CHECK (role IN ('reader', 'writer', 'author', 'reviewer'));
ALTER TABLE proposals DROP CONSTRAINT proposals_check;
ALTER TABLE proposals ADD CONSTRAINT proposals_check
    CHECK (answered_by <> asked_by OR channel = 'elicitation' OR option = '');

CREATE FUNCTION may_answer(role text, token text, asked_by text) RETURNS boolean IMMUTABLE LANGUAGE sql
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
