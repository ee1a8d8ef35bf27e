"""Carrying out the user's answer to a proposal: once, from a channel that is sure enough, on the bank as approved."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.audit.record import Event, Record
from tacit.bank import acts, proposals, questions, reversal, writing
from tacit.bank.sessions import Session
from tacit.bank.values import Answer, By, Context
from tacit.errors import AnswerRefused, AssuranceTooLow, ProposalNotFound, ProposalVoid, TacitError
from tacit.formats import native
from tacit.govern import gate, mapping
from tacit.govern.proposal import CANCEL, KEEP_OLD, SHOW_DIFF
from tacit.messages import explain
from tacit.note import blob
from tacit.note import payload as payloads
from tacit.store.layout import DETAILS, ENTRY, SETTINGS, STATE, is_note

if TYPE_CHECKING:
    from tacit.bank.governing import Governor
    from tacit.bank.values import Outcome
    from tacit.govern.proposal import Change, FileChange, Proposal
    from tacit.store.store import Store
    from tacit.store.transaction import Transaction

_DOCUMENTS = (f"{DETAILS}/", ENTRY)
_WRITES = frozenset({"new", "merge", "replace"})


class _BankChanged(Exception):
    """The bank is not what the proposal was made for."""


def answer(governor: Governor, proposal_id: str, option: str, by: By, *, shown: str = "") -> Answer:
    """Carry out an option of a proposal; `shown` is the digest of what the user saw, where the door has it.

    If the bank changed meanwhile the decision is made anew and asked again. Raises ProposalNotFound, ProposalVoid,
    AnswerRefused or AssuranceTooLow with nothing changed; the refusal is audited.
    """
    store = governor.store
    if option == SHOW_DIFF:
        return _show(store, proposals.find(store, proposal_id))
    try:
        return _answer(governor, proposal_id, option, by, shown)
    except (AnswerRefused, AssuranceTooLow, ProposalNotFound, ProposalVoid) as error:
        audit_refusal(store, proposal_id, error.code, by)
        raise


def _answer(governor: Governor, proposal_id: str, option: str, by: By, shown: str) -> Answer:
    store = governor.store
    with store.writing("answer") as transaction:
        proposal = proposals.find(store, proposal_id)
        if proposal.expires <= transaction.ts:
            proposals.settle(transaction, proposal, by, event=Event.PROPOSAL_EXPIRED, reason="expired")
            transaction.commit()
            proposals.drop(store, proposal_id)
            raise ProposalNotFound(id=proposal_id, why=f" (it expired on {proposal.expires})")
        change = proposal.change(option)
        if shown and shown != proposal.digest:
            raise ProposalVoid(id=proposal_id, reason="it is not what was shown")
        # Saying no is the user's word too: a client that declines by itself must not take the question away.
        gate.insist((change or proposal.main).operation, by.channel, governor.policy)
        if change is None:
            return _declined(store, transaction, proposal, option, by)
        try:
            _insist_on_base(governor, transaction, proposal, change)
        except _BankChanged:
            if proposal.payload is None and not acts.is_act(proposal):
                reason = "its file was changed since it was proposed; say no to it, and propose it again"
                raise ProposalVoid(id=proposal_id, reason=reason) from None
        else:
            return _applied(store, transaction, proposal, option, by)
        proposals.settle(transaction, proposal, by, event=Event.PROPOSAL_EXPIRED, reason="the bank changed meanwhile")
        transaction.commit()
    proposals.drop(store, proposal_id)
    if proposal.payload is None:
        return _act_again(governor, proposal, by)
    context = Context(proposal.conversation_id, proposal.generation_id, by.channel, accepted=proposal.by_hand)
    outcome = governor.one(0, dict(proposal.payload), context, by_hand=proposal.by_hand)
    return asked_again(proposal_id, outcome)


def _act_again(governor: Governor, proposal: Proposal, by: By) -> Answer:
    """Ask about an act anew, as it would be today; one that cannot be done any more is put aside, and says why."""
    try:
        again = acts.propose_again(governor.store, governor, proposal, by)
    except TacitError as error:
        why = f" any more; it was put aside, because the bank has changed since: {explain(error)[0].rstrip('.。')}"
        raise ProposalNotFound(id=proposal.id, why=why) from None
    return Answer(
        proposal_id=again.id,
        status="asked_again",
        decision=again.decision,
        note_id=again.target,
        question=questions.question(again),
    )


def asked_again(proposal_id: str, outcome: Outcome) -> Answer:
    """Return what an answer led to where the bank had changed and the decision was made anew."""
    return Answer(
        proposal_id=outcome.proposal_id or proposal_id,
        status="asked_again" if outcome.proposal_id else "decided_anew",
        decision=outcome.decision,
        note_id=outcome.note_id,
        question=outcome.question,
        outcome=outcome,
    )


def _insist_on_base(governor: Governor, transaction: Transaction, proposal: Proposal, change: Change) -> None:
    """Raise _BankChanged unless every file is what it was, and the decision would be the same today."""
    if acts.is_act(proposal) and not acts.holds(governor.store, proposal):
        raise _BankChanged
    for each in change.files:
        if not _is_blob(each) and _digest(transaction.read(each.file)) != each.base:
            raise _BankChanged
    if proposal.payload is None or governor.fingerprint(transaction) == proposal.bank:
        return
    context = Context(proposal.conversation_id, proposal.generation_id, accepted=proposal.by_hand)
    prepared = governor.prepare(0, proposal.payload, context, by_hand=proposal.by_hand)
    again = governor.decide(replace(prepared, declined=False), {}, by_hand=proposal.by_hand).decision
    if (again.asked_as, again.target) != (proposal.decision, proposal.target):
        raise _BankChanged


def _insist_on_notes(proposal: Proposal, change: Change) -> None:
    """Raise ProposalVoid for a change of anything but notes, or of documents where it is about one.

    What an undo brings back was the bank's own change.
    """
    if change.operation == "undo":
        return
    others = _DOCUMENTS if change.operation == "detail" else ()
    if not all(is_note(each.file) or each.file.startswith(others) or _is_blob(each) for each in change.files):
        raise ProposalVoid(id=proposal.id, reason="it names a file that is no note")


def carry(governor: Governor, transaction: Transaction, proposal: Proposal, option: str, by: By) -> Answer | None:
    """Do what an option says inside a transaction, which the caller commits; None if it must be asked anew.

    That is so where the bank changed since, or where an earlier answer in this transaction changes the same file.
    """
    change = proposal.change(option)
    gate.insist((change or proposal.main).operation, by.channel, governor.policy)
    if change is None:
        proposals.settle(transaction, proposal, by, event=Event.PROPOSAL_ANSWERED, reason=option)
        return Answer(proposal_id=proposal.id, status="declined", decision=CANCEL)
    if any(each.file in transaction.pending for each in change.files if not _is_blob(each)):
        return None
    try:
        _insist_on_base(governor, transaction, proposal, change)
    except _BankChanged:
        return None
    return _put(transaction, proposal, option, by)


def decline(store: Store, proposal: Proposal) -> None:
    """Remember that the user said no, so that the same candidate is not asked again in its conversation."""
    if proposal.payload is not None:
        Session(store, proposal.conversation_id).decline(mapping.key(payloads.parse(proposal.payload)))


def _applied(store: Store, transaction: Transaction, proposal: Proposal, option: str, by: By) -> Answer:
    done = _put(transaction, proposal, option, by)
    if transaction.undoes:
        reversal.put_back(store, transaction.undoes)
    transaction.commit()
    proposals.drop(store, proposal.id)
    return done


def _put(transaction: Transaction, proposal: Proposal, option: str, by: By) -> Answer:
    change = proposal.options[option]
    assert change is not None  # noqa: S101  only such an option is carried out
    _insist_on_notes(proposal, change)
    transaction.undoes = change.undoes
    for each in change.files:
        if _is_blob(each):  # named by its content: it is there, or it is put there
            writing.put_blobs(transaction, {each.base or "": each.content or ""})
            continue
        if each.content is None:
            transaction.remove(each.file, note_id=each.note_id)
        else:
            content = each.content.encode()
            if change.operation in _WRITES:
                # To what was shown, a note that is written adds who said yes and when.
                stamp = f"{by.channel} {transaction.ts}"
                content = native.parse(content, each.file).with_fields(confirmed=stamp).render()
            transaction.put(each.file, content, note_id=each.note_id)
        transaction.record(_line(each, change, proposal, by))
    proposals.settle(
        transaction, proposal, by, event=Event.PROPOSAL_ANSWERED, reason=f"{option} sha256:{proposal.digest}"
    )
    return Answer(
        proposal_id=proposal.id,
        status="applied",
        decision=change.operation,
        note_id=change.note_id,
        superseded=change.superseded,
        operation_id=transaction.operation_id,
    )


def _declined(store: Store, transaction: Transaction, proposal: Proposal, option: str, by: By) -> Answer:
    proposals.settle(transaction, proposal, by, event=Event.PROPOSAL_ANSWERED, reason=option)
    transaction.commit()
    proposals.drop(store, proposal.id)
    decline(store, proposal)
    kept = proposal.target if option == KEEP_OLD else ""
    return Answer(
        proposal_id=proposal.id,
        status="declined",
        decision=KEEP_OLD if option == KEEP_OLD else CANCEL,
        note_id=kept,
        operation_id=transaction.operation_id,
    )


def _show(store: Store, proposal: Proposal) -> Answer:
    return Answer(
        proposal_id=proposal.id,
        status="shown",
        decision=proposal.decision,
        diff=questions.diff(store, proposal.main),
        question=questions.question(proposal),
    )


def _line(each: FileChange, change: Change, proposal: Proposal, by: By) -> Record:
    event = Event.NOTE_DELETED if each.content is None else Event.NOTE_UPDATED if each.base else Event.NOTE_CREATED
    if change.operation == "detail" and not each.note_id:
        event = Event.DOCUMENT_WRITTEN
    return Record(
        event={STATE: Event.STATE_CHANGED, SETTINGS: Event.SETTINGS_CHANGED}.get(each.file, event),
        operation=change.operation,
        note_id=each.note_id,
        file=each.file,
        source=str((proposal.payload or {}).get("source", "manual")),
        reason=f"answer to {proposal.id}: {' '.join(proposal.reasons)}",
        channel=by.channel,
        conversation_id=proposal.conversation_id,
        generation_id=proposal.generation_id,
    )


def audit_refusal(store: Store, proposal_id: str, code: str, by: By) -> None:
    """Say in the log that an answer was refused, and why; what it said is not kept."""
    with store.writing("answer") as transaction:
        file = proposals.file_of(proposal_id) if proposals.is_id(proposal_id) else ""
        transaction.record(
            Record(event=Event.ANSWER_REFUSED, operation="refuse", file=file, reason=code, channel=by.channel)
        )
        transaction.commit()


def _is_blob(change: FileChange) -> bool:
    return change.file.startswith(f"{blob.FOLDER}/") and change.content is not None and change.base is not None


def _digest(content: bytes | None) -> str | None:
    return None if content is None else fsio.digest(content)
