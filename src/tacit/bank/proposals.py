"""Proposals on disk: made, listed, taken out; each vouched for by a line of the audit log."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from tacit import fsio
from tacit.audit.log import Follower
from tacit.audit.record import Event
from tacit.errors import ProposalNotFound, ProposalVoid, TacitError
from tacit.govern import proposal as proposals

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.audit.record import Record
    from tacit.bank.values import By
    from tacit.govern.proposal import Proposal
    from tacit.store.store import Store
    from tacit.store.transaction import Transaction

_FOLDER = "proposals"
_SETTLED = frozenset({Event.PROPOSAL_ANSWERED, Event.PROPOSAL_EXPIRED})


def is_id(text: str) -> bool:
    """Whether a text has the shape of a proposal's id."""
    return re.fullmatch(r"P-[A-Za-z0-9]{1,32}", text) is not None


def file_of(proposal_id: str) -> str:
    """Return where a proposal is kept, relative to the bank."""
    return f"staging/{_FOLDER}/{proposal_id}.json"


def make(store: Store, transaction: Transaction, proposal: Proposal, by: By, *, sweep: bool = True) -> None:
    """Keep a proposal, then vouch for it in the log; without that line it does not count.

    The order matters: a crash in between leaves a file that nobody vouches for, never a question without its file.
    Of many in one transaction only the first needs to `sweep` away what waits no more.
    """
    folder = store.layout.staging / _FOLDER
    if sweep:
        _sweep(store, transaction, by)
    fsio.make_directory(folder, mode=0o700)
    fsio.replace(folder / f"{proposal.id}.json", proposals.dump(proposal), mode=0o600)
    fsio.sync_directory(folder)
    transaction.record(_line(Event.PROPOSAL_MADE, proposal, by, f"{proposal.decision} sha256:{proposal.digest}"))


def settle(transaction: Transaction, proposal: Proposal, by: By, *, event: Event, reason: str) -> None:
    """Say in the log that a proposal waits no more; `drop` its file once that is committed."""
    transaction.record(_line(event, proposal, by, reason))


def drop(store: Store, proposal_id: str) -> None:
    """Remove the file of a proposal that waits no more; the log is what counts, so failing to is no failure."""
    try:
        fsio.remove(store.layout.root / file_of(proposal_id))
    except OSError:
        return


def find(store: Store, proposal_id: str) -> Proposal:
    """Return a proposal that waits; raise ProposalNotFound, or ProposalVoid if the log vouches for another file."""
    made, settled = _vouched(store)
    if proposal_id in settled:
        raise ProposalNotFound(id=proposal_id, why=f" ({settled[proposal_id]})")
    if proposal_id not in made:
        raise ProposalNotFound(id=proposal_id, why="")
    return _read(store, proposal_id, made[proposal_id])


def waiting(store: Store) -> list[Proposal]:
    """Return the proposals that wait and are not expired, newest first; damaged and unvouched ones are left out."""
    made, settled = _vouched(store)
    found = []
    for path in _files(store):
        if path.stem in made and path.stem not in settled:
            try:
                found.append(_read(store, path.stem, made[path.stem]))
            except (TacitError, OSError):
                continue
    now = store.clock()
    return sorted(
        (each for each in found if each.expires > now), key=lambda each: (each.created, each.id), reverse=True
    )


def left_by(store: Store, operation_id: str) -> list[Proposal]:
    """Return the proposals that an operation has made and that still wait."""
    lines = store.log.entries(mention=operation_id.encode())
    made = {
        _id(line)
        for line in lines
        if line.get("operation_id") == operation_id and line.get("event") == Event.PROPOSAL_MADE
    }
    return [each for each in waiting(store) if each.id in made] if made else []


def answered(store: Store) -> set[str]:
    """Return the ids of the proposals that somebody answered, whatever the answer was."""
    lines = store.log.entries(mention=b'"memory_proposal_answered"')
    return {_id(line) for line in lines if line.get("event") == Event.PROPOSAL_ANSWERED}


def like(store: Store, transaction: Transaction, proposal: Proposal) -> Proposal | None:
    """Return the proposal that waits for the same payload with the same decision about the same note, if one does."""
    wanted = _asked_for(proposal)
    # One that the transaction itself names is being answered: it waits no more.
    others = (each for each in waiting(store) if not transaction.names(file_of(each.id)))
    return next((each for each in others if _asked_for(each) == wanted), None)


def _asked_for(proposal: Proposal) -> str:
    members = (proposal.payload, proposal.decision, proposal.target, proposal.by_hand)
    return json.dumps(members, sort_keys=True, ensure_ascii=False)


def put_aside(store: Store, transaction: Transaction, proposal: Proposal, by: By) -> None:
    """Put aside what was asked about the same payload before its sender judged any note: it is asked with that now."""
    bare = {name: value for name, value in (proposal.payload or {}).items() if name != "relations"}
    for each in waiting(store) if bare != proposal.payload else ():
        if each.payload == bare and each.by_hand == proposal.by_hand:
            settle(transaction, each, by, event=Event.PROPOSAL_EXPIRED, reason="asked anew with a judgement")


def mentioning(store: Store, mention: re.Pattern[bytes]) -> list[str]:
    """Return the files of proposals, relative to the bank, in which a pattern is found."""
    return [file_of(path.stem) for path in _files(store) if path.is_file() and mention.search(fsio.read(path) or b"")]


def _sweep(store: Store, transaction: Transaction, by: By) -> None:
    """Remove what waits no more: files that were answered or never vouched for, and those whose time is over."""
    for path in (store.layout.staging / _FOLDER).glob(".P-*.tmp"):
        fsio.remove(path)  # a kill left it: whoever writes one holds the lock
    files = _files(store)
    made, settled = _vouched(store) if files else ({}, {})
    for path in files:
        if transaction.names(file_of(path.stem)):
            continue  # made a moment ago: the log vouches for it once the transaction is committed
        if path.stem in made and path.stem not in settled:
            try:
                proposal = _read(store, path.stem, made[path.stem])
            except (TacitError, OSError):
                continue  # somebody changed it: it is void, and theirs to look at
            if proposal.expires > transaction.ts:
                continue
            settle(transaction, proposal, by, event=Event.PROPOSAL_EXPIRED, reason="expired")
        drop(store, path.stem)


def damaged(store: Store) -> list[TacitError]:
    """Return what is wrong with the files of proposals: damaged, changed, or nobody vouches for them."""
    made, settled = _vouched(store)
    found: list[TacitError] = []
    for path in _files(store):
        if path.stem in settled:
            continue  # answered; only its file is left
        try:
            _read(store, path.stem, made.get(path.stem, ""))
        except TacitError as error:
            found.append(error if path.stem in made else ProposalVoid(id=path.stem, reason="the log does not know it"))
    return found


def _files(store: Store) -> list[Path]:
    folder = store.layout.staging / _FOLDER
    return sorted(folder.glob("P-*.json")) if folder.is_dir() else []


def _read(store: Store, proposal_id: str, vouched: str) -> Proposal:
    content = fsio.read(store.layout.root / file_of(proposal_id))
    if content is None:
        raise ProposalNotFound(id=proposal_id, why="; its file is gone")
    if fsio.digest(content) != vouched:
        raise ProposalVoid(id=proposal_id, reason="its file was changed since it was made")
    return _loaded(content, proposal_id)


# Every question made looks at all that wait.
_loaded = lru_cache(maxsize=512)(proposals.load)


class _Vouched:
    """What the log says about the proposals of one bank; it is long, so only what was added is read."""

    def __init__(self, store: Store) -> None:
        self._lock = Lock()
        self._follower = Follower(store.log, mention=b'"memory_proposal_')
        self._made: dict[str, str] = {}
        self._settled: dict[str, str] = {}

    def now(self) -> tuple[dict[str, str], dict[str, str]]:
        """Return proposal → digest as the log has it, and proposal → why it waits no more."""
        with self._lock:
            news, anew = self._follower.news()
            if anew:
                self._made.clear()
                self._settled.clear()
            for line in news:
                event = line.get("event")
                if event == Event.PROPOSAL_MADE:
                    self._made[_id(line)] = str(line.get("reason", "")).partition("sha256:")[2]
                elif event in _SETTLED:
                    why = str(line.get("reason", ""))
                    answered = event == Event.PROPOSAL_ANSWERED  # the digest after its option tells nobody anything
                    self._settled[_id(line)] = f"it was answered: {why.partition(' ')[0]}" if answered else why
            return dict(self._made), dict(self._settled)


_VOUCHED: WeakKeyDictionary[Store, _Vouched] = WeakKeyDictionary()


def _vouched(store: Store) -> tuple[dict[str, str], dict[str, str]]:
    return _VOUCHED.setdefault(store, _Vouched(store)).now()


def _id(line: dict[str, object]) -> str:
    return str(line.get("file", "")).rpartition("/")[2].removesuffix(".json")


def _line(event: Event, proposal: Proposal, by: By, reason: str) -> Record:
    return by.record(
        event,
        proposal.main.operation,
        note_id=proposal.target,
        file=file_of(proposal.id),
        source=str((proposal.payload or {}).get("source", "manual")),
        reason=reason,
    )
