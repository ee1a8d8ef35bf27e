"""A bank put together from files for one act and gone after it: what is decided there is decided as in any bank."""

from __future__ import annotations

import json
from contextlib import ExitStack, contextmanager, suppress
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from tacit import fsio, settings
from tacit.audit.record import Event
from tacit.bank import Bank, By, Context, answering, company, library, proposals, questions, wiring
from tacit.bank.sessions import Session
from tacit.bank.state import State
from tacit.errors import PathTaken, PayloadRefused, TacitError
from tacit.govern import mapping
from tacit.govern import proposal as kept
from tacit.index.asked import Question
from tacit.note import payload as payloads
from tacit.note.layer import Layer
from tacit.store.layout import (
    ENTRY,
    FORMAT_VERSION,
    INDEX,
    README,
    SETTINGS,
    SHARE,
    SKELETON,
    STATE,
    Layout,
    is_portable,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from uuid import UUID

    from tacit.bank.values import Answer, Outcome, Pending
    from tacit.govern.proposal import Proposal

# What a bank gets of a commit: not its state, and not working memory, which are no part of git.
_FOLDERS = frozenset({*(layer.folder for layer in Layer if layer is not Layer.WORKING), "details", "references", SHARE})
_FILES = frozenset({README, ENTRY, INDEX, SETTINGS})


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
        _put(root, held(files), fresh=True)
        fsio.create(root / STATE, f"{State.ON}\n".encode(), sync=False)
        bank = Bank.open(root, heal=False, role="orchestrator", clock=clock)
        # Nothing is written without an answer, however clear it is: the user's words were typed elsewhere.
        bank.governor.commits = False
        bank.recaller.beside = dict  # neither the personal bank of whoever runs the server, nor one further up
        try:
            yield bank
        finally:
            bank.recaller.reindexer.discard()
    finally:
        fsio.remove_tree(folder)


def held(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return those files of a commit that a bank holds: somebody may have committed what belongs elsewhere.

    The settings are always among them; their search index is a file, wherever that of the bank's clones may be.
    """
    text = files.get(SETTINGS, settings.TEMPLATE.format(format=FORMAT_VERSION).encode()).decode("utf-8", "replace")
    settings.parse(text)
    own = {SETTINGS: settings.changed(text, "index.backend", "sqlite").encode()}
    return {file: content for file, content in files.items() if _is_held(file)} | own


def _is_held(file: str) -> bool:
    first, *rest = file.split("/")
    if library.is_secret_detail(file):
        return False
    return first in (_FOLDERS if rest else _FILES) and is_portable(file) and {".", ".."}.isdisjoint(rest)


def _put(root: Path, files: Mapping[str, bytes], *, fresh: bool) -> None:
    write = fsio.create if fresh else fsio.replace
    for file, content in files.items():
        # No commit can hold a file and a folder of one name, but somebody may have pushed both.
        with suppress(PathTaken, FileExistsError, IsADirectoryError):
            place = Layout(root).place(file)
            if not place.parent.is_dir():
                for folder in reversed(place.relative_to(root).parents):
                    fsio.make_directory(root / folder)
            write(place, content, sync=False)


def propose(
    bank: Bank, given: Sequence[object], context: Context, declined: Iterable[str], *, dry_run: bool = False
) -> list[tuple[Outcome, Proposal | None]]:
    """Return what became of each payload, with the question that it led to; `declined` were declined in this talk."""
    if any(company.is_personal(each) for each in given):
        raise PayloadRefused(
            field="apply", reason="is for its user alone", fix="keep it in the personal bank of that user's machine"
        )
    store = bank.governor.store
    for candidate in declined:
        Session(store, context.conversation_id).decline(candidate)
    outcomes = bank.governor.propose(given, context, by_hand=False, dry_run=dry_run)
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


def wait_alone(bank: Bank, waiting: Sequence[Proposal]) -> None:
    """Let these questions wait in a bank and no others."""
    store = bank.governor.store
    here, wanted = {each.id: each for each in proposals.waiting(store)}, {each.id for each in waiting}
    gone = [each for name, each in here.items() if name not in wanted]
    if gone:
        with store.writing("answer") as transaction:
            for each in gone:
                proposals.settle(transaction, each, By(), event=Event.PROPOSAL_EXPIRED, reason="settled elsewhere")
            transaction.commit()
        for each in gone:
            proposals.drop(store, each.id)
    if new := [each for each in waiting if each.id not in here]:
        wait(bank, new)


def follow(bank: Bank, put: Mapping[str, bytes], gone: Iterable[str]) -> None:
    """Bring the files of a bank to what was pushed since; both are files that it holds."""
    _put(bank.root, put, fresh=False)
    for file in gone:
        fsio.remove(bank.root / file)
    bank.settings = wiring.read_settings(bank.root)


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


_MOST = 8


class _Bench:
    """A bank for one act at a time, made by the first."""

    def __init__(self, clock: Callable[[], str]) -> None:
        self.lock = Lock()
        self._clock = clock
        self._stack = ExitStack()
        self._bank: Bank | None = None
        self._files: Mapping[str, bytes] = {}
        self._digests: dict[str, str] = {}

    def bank(self, files: Mapping[str, bytes]) -> Bank:
        """Return the bank, with these files."""
        if self._bank is not None and files is self._files:
            return self._bank
        wanted = held(files)
        digests = {file: fsio.digest(content) for file, content in wanted.items()}
        if self._bank is None:
            self._bank = self._stack.enter_context(made_of(wanted, self._clock))
        else:
            changed = {file: wanted[file] for file in digests if self._digests.get(file) != digests[file]}
            follow(self._bank, changed, [file for file in self._digests if file not in digests])
        self._files, self._digests = files, digests
        return self._bank

    def clear(self) -> None:
        """Remove the bank; the next act makes it anew."""
        self._bank = None
        self._stack.close()


class Benches:
    """The banks that were used last, so that neither files nor words are read anew for each request."""

    def __init__(self, clock: Callable[[], str]) -> None:
        self._clock = clock
        self._lock = Lock()
        self._benches: dict[UUID, _Bench] = {}

    @contextmanager
    def use(self, bank: UUID, files: Mapping[str, bytes], waiting: Callable[[], Sequence[Proposal]]) -> Iterator[Bank]:
        """Give a bank that has these files, in which these questions wait and no others; one user at a time.

        `waiting` is asked once the bank is this user's: a question that is put aside here never waits here again.
        """
        with self._lock:
            bench = self._benches.pop(bank, None) or _Bench(self._clock)
            self._benches[bank] = bench  # the last one now
        with bench.lock:
            try:
                found = bench.bank(files)
                wait_alone(found, waiting())
                yield found
            except TacitError:
                raise
            except BaseException:
                bench.clear()  # whatever went wrong in it, the next act gets another one
                raise
        self._make_room()

    def close(self) -> None:
        """Remove all of them."""
        with self._lock:
            for bench in self._benches.values():
                bench.clear()

    def _make_room(self) -> None:
        """Remove those that were not used for longest; one that is in use stays."""
        with self._lock:
            for bank, bench in list(self._benches.items())[:-_MOST]:
                if bench.lock.acquire(blocking=False):
                    del self._benches[bank]
                    bench.clear()
                    bench.lock.release()
