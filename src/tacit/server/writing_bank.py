"""A bank put together from files for one act and gone after it: what is decided there is decided as in any bank."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from tacit import fsio, settings
from tacit.bank import Bank, By, Context, answering, personal, proposals, questions, wiring
from tacit.bank.sessions import Session
from tacit.bank.state import State
from tacit.errors import PathRefused, PayloadRefused
from tacit.govern import mapping
from tacit.govern import proposal as kept
from tacit.index.asked import Question
from tacit.note import payload as payloads
from tacit.note.layer import Layer
from tacit.store.layout import FORMAT_VERSION, INDEX, SETTINGS, SKELETON, STATE, Layout, is_portable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from tacit.bank.values import Answer, Outcome, Pending
    from tacit.govern.proposal import Proposal

# What a bank never gets from a commit: its state, and working memory, which are no part of git.
_LOCAL = (STATE, f"{Layer.WORKING.folder}/")


class Carried(NamedTuple):
    """What an answer led to: the files that it changed (None: removed), and the question that takes its place."""

    answer: Answer
    changed: Mapping[str, bytes | None]
    again: Proposal | None = None


@contextmanager
def made_of(files: Mapping[str, bytes], clock: Callable[[], str]) -> Iterator[Bank]:
    """Give a bank of these files that is ON; its log, index and all else are gone when the block ends."""
    folder = fsio.make_private_directory()
    try:
        root = folder / "bank"
        for name in ("", *SKELETON):
            fsio.make_directory(root / name)
        for file, content in files.items():
            _put(root, file, content)
        # The search index of this bank is a file, wherever that of its clones may be.
        text = files.get(SETTINGS, settings.TEMPLATE.format(format=FORMAT_VERSION).encode()).decode("utf-8", "replace")
        settings.parse(text)
        fsio.replace(root / SETTINGS, settings.changed(text, "index.backend", "sqlite").encode(), sync=False)
        fsio.create(root / STATE, f"{State.ON}\n".encode(), sync=False)
        bank = Bank.open(root, heal=False, role="orchestrator", clock=clock)
        # Nothing is written without an answer, however clear it is: the user's words were typed elsewhere.
        bank.governor.commits = False
        try:
            yield bank
        finally:
            bank.recaller.reindexer.discard()
    finally:
        fsio.remove_tree(folder)


def _put(root: Path, file: str, content: bytes) -> None:
    """Write a file of a commit, if it is one that a bank holds: somebody may have committed what belongs elsewhere."""
    if file.startswith(_LOCAL) or not is_portable(file):
        return
    try:
        place = Layout(root).place(file)
    except PathRefused:
        return
    if not place.parent.is_dir():
        for folder in reversed(place.relative_to(root).parents):
            fsio.make_directory(root / folder)
    fsio.replace(place, content, sync=False)


def propose(
    bank: Bank, given: Sequence[object], context: Context, declined: Iterable[str]
) -> list[tuple[Outcome, Proposal | None]]:
    """Return what became of each payload, with the question that it led to; `declined` were declined in this talk."""
    if any(personal.is_personal(each) for each in given):
        raise PayloadRefused(
            field="apply", reason="is for its user alone", fix="keep it in the personal bank of that user's machine"
        )
    store = bank.governor.store
    for candidate in declined:
        Session(store, context.conversation_id).decline(candidate)
    outcomes = bank.governor.propose(given, context, by_hand=False, dry_run=False)
    return [(each, proposals.find(store, each.proposal_id) if each.proposal_id else None) for each in outcomes]


def carry(bank: Bank, proposal: Proposal, option: str, by: By, shown: str) -> Carried:
    """Answer a proposal as it was asked, on the bank as it is now; raises what every answer raises."""
    governor = bank.governor
    wait(bank, [proposal])
    done = answering.answer(governor, proposal.id, option, by, shown=shown)
    if done.status == "applied":
        change = proposal.change(option)
        assert change is not None  # noqa: S101  what changes no file is not applied
        touched = (*(each.file for each in change.files), INDEX)
        return Carried(done, {file: governor.store.read(file) for file in touched})
    again = proposals.find(governor.store, done.proposal_id) if done.status == "asked_again" else None
    return Carried(done, {}, again)


def wait(bank: Bank, waiting: Iterable[Proposal]) -> None:
    """Let questions wait in a bank as they were asked elsewhere."""
    store = bank.governor.store
    with store.writing("propose") as transaction:
        for each in waiting:
            proposals.make(store, transaction, each, By(), sweep=False)
        transaction.commit()


def pending(bank: Bank, proposal: Proposal) -> Pending:
    """Return a question as it is shown, with its diff against the bank as it is now."""
    return questions.pending(bank.governor.store, proposal)


def question(proposal: Proposal, commit: str) -> Question:
    """Return a proposal as the database keeps it."""
    content = kept.dump(proposal)
    asks = json.dumps([proposal.payload, proposal.decision, proposal.target], sort_keys=True, ensure_ascii=False)
    return Question(
        proposal=proposal.id,
        content=content,
        digest=proposal.digest,
        alike=fsio.digest(asks.encode()),
        conversation=proposal.conversation_id,
        candidate=mapping.key(payloads.parse(proposal.payload)),
        commit=commit,
        expires=proposal.expires,
    )


def clock() -> str:
    """Return the time as proposals carry it."""
    return wiring.utc_now()
