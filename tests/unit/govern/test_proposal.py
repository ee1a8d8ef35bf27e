"""A decision that waits: its file, and the digest that an approval is bound to."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.errors import AnswerRefused, ProposalVoid
from tacit.govern.proposal import Change, FileChange, Proposal, dump, load

FILE = FileChange("L1_declarative/MEM-new.md", None, "text\n", "MEM-new")
GONE = FileChange("L1_declarative/MEM-old.md", "0" * 64, None, "MEM-old")
MERGE = Change("merge", (FILE, GONE), "MEM-new", ("MEM-old",), ("signals: x",))
PROPOSAL = Proposal(
    id="P-1",
    decision="merge",
    created="2026-01-01T00:00:00Z",
    expires="2026-01-15T00:00:00Z",
    nonce="n1",
    bank="b" * 64,
    options={"cancel": None, "confirm": MERGE, "new_instead": Change("new", (FILE,), "MEM-new")},
    reasons=("relation.adds",),
    target="MEM-old",
    titles={"": "New", "MEM-old": "Old"},
    neighbours=({"id": "MEM-old", "rules": ["adds"]},),
    scores={"d1": 2},
    level="fact",
    completed=("kind",),
    payload={"scene": "s", "origin": {"text": "“quoted” 引用"}},
    conversation_id="c1",
    generation_id="g1",
    by_hand=True,
)

texts = st.text(max_size=8)
changes = st.builds(
    Change,
    texts,
    st.lists(st.builds(FileChange, texts, st.none() | texts, st.none() | texts, texts), max_size=3).map(tuple),
    texts,
    st.lists(texts, max_size=2).map(tuple),
    st.lists(texts, max_size=2).map(tuple),
    texts,
)
plain = st.dictionaries(texts, texts | st.integers() | st.booleans() | st.lists(texts, max_size=2), max_size=3)
proposals = st.builds(
    Proposal,
    **dict.fromkeys(("id", "decision", "created", "expires", "nonce", "bank", "target", "level"), texts),
    options=st.dictionaries(texts, st.none() | changes, max_size=3),
    reasons=st.lists(texts, max_size=2).map(tuple),
    titles=st.dictionaries(texts, texts, max_size=2),
    neighbours=st.lists(plain, max_size=2).map(tuple),
    scores=st.dictionaries(texts, st.integers(), max_size=2),
    completed=st.lists(texts, max_size=2).map(tuple),
    payload=st.none() | plain,
    conversation_id=texts,
    generation_id=texts,
    by_hand=st.booleans(),
)


@given(proposals)
def test_a_proposal_survives_its_file(proposal: Proposal) -> None:
    """Q-05: what is read back is what was kept, with the same digest."""
    back = load(dump(proposal), proposal.id)

    assert back == proposal
    assert back.digest == proposal.digest == sha256(dump(proposal)).hexdigest()


def other(value: Any) -> Any:  # noqa: ANN401  any member
    """A value of the same kind that differs."""
    match value:
        case bool():
            return not value
        case str():
            return f"{value}x"
        case tuple():
            return (*value, "x")
        case _:
            return {**(value or {}), "x": None}


@pytest.mark.parametrize("member", sorted(Proposal.__dataclass_fields__))
def test_the_digest_covers_every_member(member: str) -> None:
    """Q-04: an approval is bound to the exact proposal: nonce, expiry, target, options and all the rest."""
    changed = replace(PROPOSAL, **{member: other(getattr(PROPOSAL, member))})

    assert changed.digest != PROPOSAL.digest


@pytest.mark.parametrize("member", sorted(Change.__dataclass_fields__))
def test_the_digest_covers_every_member_of_a_change(member: str) -> None:
    """Q-04: so does each option: its operation, its files, what it supersedes, loses and undoes."""
    value: Any = (FILE,) if member == "files" else other(getattr(MERGE, member))
    changed = replace(PROPOSAL, options={**PROPOSAL.options, "confirm": replace(MERGE, **{member: value})})

    assert changed.digest != PROPOSAL.digest


@pytest.mark.parametrize("member", sorted(FileChange.__dataclass_fields__))
def test_the_digest_covers_every_member_of_a_file(member: str) -> None:
    """Q-04: and each file: where it is, what stood there and what will stand there."""
    file = replace(FILE, **{member: f"{getattr(FILE, member)}x"})
    changed = replace(PROPOSAL, options={**PROPOSAL.options, "confirm": replace(MERGE, files=(file, GONE))})

    assert changed.digest != PROPOSAL.digest


def test_options_by_id() -> None:
    """Q-02: meaning hangs on the ids; an answer that is none of them is refused with those that are."""
    assert PROPOSAL.change("confirm") is MERGE
    assert PROPOSAL.change("cancel") is None
    assert PROPOSAL.main is MERGE
    for wrong in ("", "Confirm", "confirm ", "show_diff", "yes", "сonfirm", "0"):
        with pytest.raises(AnswerRefused, match="cancel, confirm, new_instead"):
            PROPOSAL.change(wrong)
    with pytest.raises(AnswerRefused, match="new_instead, show_diff are"):
        PROPOSAL.change("yes")


def spoilt() -> dict[str, bytes]:
    """Files that are no proposal."""
    members = {"format": 1, **asdict(PROPOSAL)}
    files = {
        "nothing": b"",
        "no JSON": b"{",
        "a list": b"[]",
        "a word": b'"P-1"',
        "null": b"null",
        "not UTF-8": b"\xff\xfe{}",
        "nested too deep": b'{"format":' + b"[" * 100_000,
    }
    wrong: dict[str, dict[str, Any]] = {
        "another format": {"format": 2},
        "no format": {"format": None},
        "another id": {"id": "P-2"},
        "no options": {"options": None},
        "options of numbers": {"options": {"confirm": 5}},
        "files of texts": {"options": {"confirm": {**asdict(MERGE), "files": ["x"]}}},
        "an unknown member": {"approved": True},
        "an unknown member of a change": {"options": {"confirm": {**asdict(MERGE), "force": True}}},
        "reasons of numbers": {"reasons": 5},
        "half a character": {"reasons": ["\ud800"]},
    }
    for name, change in wrong.items():
        files[name] = json.dumps({**members, **change}).encode()
    del members["nonce"]
    files["a missing member"] = json.dumps(members).encode()
    return files


@pytest.mark.parametrize("name", sorted(spoilt()))
def test_spoilt_files_are_void(name: str) -> None:
    """Q-04: a file that is no proposal of this id is void, whatever is wrong with it."""
    with pytest.raises(ProposalVoid, match="P-1"):
        load(spoilt()[name], "P-1")


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(content: bytes) -> None:
    """Q-04: load answers with a proposal or ProposalVoid, and with nothing else."""
    with pytest.raises(ProposalVoid):
        load(content, "P-1")
