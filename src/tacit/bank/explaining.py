"""How a note, an operation or a proposal came to be, read from the log and from the proposal itself."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tacit.bank import addresses, history, proposals, questions
from tacit.errors import OperationNotFound, ProposalNotFound
from tacit.govern import scorecard
from tacit.govern.scorecard import Scores
from tacit.note import payload as payloads
from tacit.note.model import is_note_id
from tacit.note.payload import Source

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.bank.values import LogEntry, Pending
    from tacit.govern.proposal import Change, Proposal
    from tacit.store.store import Store

# How governance tells a decision in one line of the log, and how an answer does.
_DECIDED = re.compile(r"(?P<verdict>[a-z]+): (?P<rules>[^;]*); scores (?P<scores>\d{5}) (?P<rule>\w+); ?(?P<near>.*)")
_ANSWERED = re.compile(r"answer to (?P<proposal>P-\w+): (?P<rules>.*)")
_NEIGHBOUR = re.compile(r"(?P<id>[\w-]+)=(?P<relation>[a-z]+)/(?P<score>\d\.\d\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One line of the log, with what its reason says; `reasons` are sentences in the user's language."""

    operation_id: str
    event: str
    ts: str
    note_id: str
    operation: str
    channel: str
    reason: str
    verdict: str = ""
    reasons: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    scores: Mapping[str, int] = field(default_factory=dict)
    score_reasons: tuple[str, ...] = ()
    neighbours: tuple[Mapping[str, object], ...] = ()
    proposal_id: str = ""


@dataclass(frozen=True, slots=True)
class Effect:
    """What one answer to a proposal would do, with the diff against the files as they are; nothing if it is a no."""

    id: str
    label: str
    operation: str
    files: tuple[str, ...]
    superseded: tuple[str, ...]
    lost: tuple[str, ...]
    diff: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """How something came to be; a proposal that waits has `pending`, and in `effects` what each answer would do."""

    id: str
    kind: str
    steps: tuple[Step, ...]
    pending: Pending | None = None
    effects: tuple[Effect, ...] = ()
    score_reasons: tuple[str, ...] = ()


def explain(store: Store, what: str) -> Explanation:
    """Tell how a note, an operation (`OP-…`) or a proposal (`P-…`) came to be; raise NotFound if there is none."""
    entries = history.entries(store, "", diffs=False)
    if proposals.is_id(what):
        return _proposal(store, what, entries)
    of_operation = [entry for entry in entries if entry.operation_id == what]
    if of_operation:
        return Explanation(what, "operation", tuple(map(_step, of_operation)))
    steps = tuple(_step(entry) for entry in entries if entry.note_id == what)
    if steps and is_note_id(what):
        return Explanation(what, "note", steps)
    if what.startswith("OP-"):
        raise OperationNotFound(id=what, left="")
    file = addresses.locate(store, what)  # a path, or a note that was made by hand; else it is not found
    steps = tuple(_step(entry) for entry in entries if entry.file == file)
    return Explanation(what, "note", steps)


def _proposal(store: Store, proposal_id: str, entries: list[LogEntry]) -> Explanation:
    file = proposals.file_of(proposal_id)
    told = tuple(_step(entry) for entry in entries if entry.file == file or f"answer to {proposal_id}:" in entry.reason)
    try:
        proposal = proposals.find(store, proposal_id)
    except ProposalNotFound:
        if not told:
            raise
        return Explanation(proposal_id, "proposal", told)
    pending = questions.pending(store, proposal)
    effects = tuple(
        _effect(store, each.id, each.label, proposal.options[each.id])
        for each in pending.question.options
        if each.id in proposal.options
    )
    return Explanation(proposal_id, "proposal", told, pending, effects, _score_reasons(proposal))


def _effect(store: Store, option: str, label: str, change: Change | None) -> Effect:
    if change is None:
        return Effect(option, label, "", (), (), (), "")
    files = tuple(each.file for each in change.files)
    return Effect(option, label, change.operation, files, change.superseded, change.lost, questions.diff(store, change))


def _score_reasons(proposal: Proposal) -> tuple[str, ...]:
    """Return why each score is what it is, judged again from the same words."""
    if proposal.payload is None:
        return ()
    parsed = payloads.parse(proposal.payload)
    asked = proposal.by_hand or parsed.source in (Source.REMEMBER, Source.CHOICE)
    card = scorecard.score(payloads.in_simplified(proposal.payload), asked=asked)
    return (*card.reasons, card.rule)


def reasons(entry: LogEntry) -> tuple[str, ...]:
    """Return why an operation was done, as sentences in the user's language; empty if the log gives no known rule."""
    return _step(entry).reasons


def _step(entry: LogEntry) -> Step:
    step = Step(
        operation_id=entry.operation_id,
        event=entry.event,
        ts=entry.ts,
        note_id=entry.note_id,
        operation=entry.operation,
        channel=entry.channel,
        reason=entry.reason,
    )
    if match := _ANSWERED.fullmatch(entry.reason):
        rules = tuple(match["rules"].split())
        return replace(step, proposal_id=match["proposal"], rules=rules, reasons=questions.sentences(rules))
    if match := _DECIDED.fullmatch(entry.reason):
        rules = tuple(match["rules"].split())
        near = _NEIGHBOUR.finditer(match["near"])
        return replace(
            step,
            verdict=match["verdict"],
            rules=rules,
            reasons=questions.sentences(rules),
            scores=Scores(*map(int, match["scores"])).named(),
            score_reasons=(match["rule"],),
            neighbours=tuple(
                {"id": each["id"], "relation": each["relation"], "score": float(each["score"])} for each in near
            ),
        )
    return step
