"""The bank of one request as the tools of MCP know a bank; what they propose goes the way of all proposals."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, NamedTuple

from tacit.bank.state import State
from tacit.bank.values import Answer
from tacit.errors import PayloadRefused, ProposalVoid
from tacit.index.asked import APPLIED
from tacit.messages import say
from tacit.recall import inject
from tacit.server.visit import Refused
from tacit.server.writing_answer import Word
from tacit.store.layout import DETAILS
from tacit.text import whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from tacit.audit.record import Channel
    from tacit.bank import Context
    from tacit.bank.hosted import Heard, HostedBank, HostedReader
    from tacit.bank.values import Outcome, Pending
    from tacit.server.visit import Visit
    from tacit.server.writing import Writing
    from tacit.settings import Settings

_MOST_CONVERSATIONS = 10_000


class Hit(NamedTuple):
    """A note that was found, in one line; `verdict` is what recall would do with it, where it was searched for."""

    id: str
    title: str
    one_liner: str
    file: str
    verdict: str


class Recall(NamedTuple):
    """What is worth saying for a prompt, or nothing and why."""

    notes: tuple[Hit, ...]
    injection: str
    reason: str


class Read(NamedTuple):
    """What details say to a question, and which files were read, each with its number of lines."""

    text: str
    files: tuple[tuple[str, int], ...]


class Spoken:
    """What was said in which conversation, as long as this process runs; the oldest are forgotten first."""

    def __init__(self) -> None:
        self._said: OrderedDict[tuple[str, ...], dict[str, str]] = OrderedDict()

    def fresh(self, conversation: tuple[str, ...], heard: tuple[Heard, ...]) -> list[Heard]:
        """Return those of some notes that were not said yet as they are now, and remember that they are said."""
        said = self._said.setdefault(conversation, {})
        self._said.move_to_end(conversation)
        if len(self._said) > _MOST_CONVERSATIONS:
            self._said.popitem(last=False)
        new = [each for each in heard if said.get(each.candidate.key) != each.found.digest]
        said.update({each.candidate.key: each.found.digest for each in new})
        return new


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedAnswer(Answer):
    """What an answer led to, and in a sentence where the change is."""

    place: str = ""


class AskedBank:
    """What the tools ask of a bank that a visit may write to; the roles of tokens are looked at again below."""

    def __init__(self, bank: HostedBank, reader: HostedReader, spoken: Spoken, visit: Visit, writing: Writing) -> None:
        self._bank = bank
        self._reader = reader
        self._spoken = spoken
        self._visit = visit
        self._writing = writing
        # Conversations of different callers are kept apart.
        self._visitor = f"{visit.token} {visit.bank}"

    @property
    def entry(self) -> AskedBank:
        """What reads details."""
        return self

    def recall(self, prompt: str, phase: str, conversation_id: str) -> Recall:
        """Return the nought to two notes worth saying; in one conversation and phase each is said once."""
        said = self._bank.recall(_plain(prompt), phase)
        fresh = list(said.notes)
        if conversation_id:
            fresh = self._spoken.fresh((self._visitor, conversation_id[:200], phase), said.notes)
        reason = said.reason if len(fresh) == len(said.notes) else "already said in this session"
        lines = inject.inject([(each.found, each.bank) for each in fresh])
        return Recall(tuple(map(_hit, fresh)), lines, "found" if fresh else reason)

    def search(self, query: str, limit: int) -> list[Hit]:
        """Return the best notes for a query, best first."""
        return [_hit(each) for each in self._bank.search(_plain(query), limit)]

    def text(self, what: str) -> str:
        """Return a note by id, or a file by its path; raise NoteNotFound."""
        return self._reader.find(_plain(what))[1]

    def locate(self, what: str) -> str:
        """Return the path of a note; raise NoteNotFound."""
        return self._reader.find(_plain(what))[0]

    def resolve(self, pointer: str) -> str:
        """Return what a pointer leads to; raise PointerDangling."""
        return self._reader.resolve(_plain(pointer))

    def read(self, question: str) -> Read:
        """Return what the details say to a question."""
        found = self._reader.read(_plain(question))
        return Read(found.text or say("search.none"), found.files)

    @property
    def state(self) -> State:
        """A bank that was pushed can be asked."""
        return State.ON

    @property
    def settings(self) -> Settings:
        """The settings that were pushed."""
        with self._writing.bench(self._visit) as bank:
            return bank.settings

    def propose(self, payloads: Sequence[object], context: Context, *, dry_run: bool = False) -> list[Outcome]:
        """Return what became of payloads; whatever would change a note waits for a person."""
        return self._writing.proposed(self._visit, payloads, context, dry_run=dry_run)

    def propose_detail(self, target: str, draft: str, *, by: object) -> NoReturn:
        """Refuse: details are written where the project is."""
        del draft, by
        raise PayloadRefused(
            field="draft", reason=f"{target or 'a detail'} is not written here", fix="propose it in a clone"
        )

    def pending(self) -> list[Pending]:
        """Return the questions that wait, newest first."""
        return self._writing.pending(self._visit)

    def check(self) -> tuple[int, list[NoReturn]]:
        """Return how many notes were pushed; what is wrong with files was said then."""
        return sum(not key.startswith(f"{DETAILS}/") for key in self._bank.index.known()), []

    def answer(self, proposal_id: str, option: str, channel: Channel, *, shown: str) -> PlacedAnswer:
        """Carry out what the user chose in a form; raise ProposalVoid, with nothing changed, if it does not count."""
        try:
            answer, settled = self._writing.answering.answer(self._visit, Word(proposal_id, option, shown, channel))
        except Refused as refused:
            raise ProposalVoid(id=proposal_id, reason=str(refused).rstrip(".")) from None
        place = ""
        if settled.status == APPLIED:
            place = say("mcp.branch", branch=settled.branch) if settled.branch else say("mcp.patch", id=proposal_id)
        members = {each.name: getattr(answer, each.name) for each in fields(Answer)}
        return PlacedAnswer(**members, place=place)


def _hit(heard: Heard) -> Hit:
    # A section of a detail has no id; its path is its name.
    found = heard.found
    return Hit(found.note_id or found.key, found.title, found.one_liner, heard.file, heard.verdict)


def _plain(text: str) -> str:
    """Return a text without what PostgreSQL cannot keep: NUL, and halves of characters."""
    return whole(text.replace("\0", " "))
