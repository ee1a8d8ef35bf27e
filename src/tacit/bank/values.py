"""The values that go into and come out of a bank."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tacit.audit.record import Channel, Record
from tacit.text import as_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.audit.record import Event
    from tacit.note.model import Note


@dataclass(frozen=True, slots=True)
class By:
    """Who asks for a change, and through which door their word came."""

    channel: Channel = Channel.PYTHON
    conversation_id: str = ""
    generation_id: str = ""

    def __post_init__(self) -> None:
        """Raise GuardRefused for a secret in place of a name: the log keeps names as they are."""
        names = {name: value for name in ("conversation_id", "generation_id") if (value := getattr(self, name))}
        if names:
            from tacit.bank import guarding  # dear to load

            guarding.insist_on_names(names)

    def record(
        self,
        event: Event,
        operation: str,
        *,
        note_id: str = "",
        file: str = "",
        source: str = "manual",
        reason: str = "",
    ) -> Record:
        """Return a line of the log for what they asked for, which names them."""
        return Record(
            event=event,
            operation=operation,
            note_id=note_id,
            file=file,
            source=source,
            reason=reason,
            channel=self.channel,
            conversation_id=self.conversation_id,
            generation_id=self.generation_id,
        )


@dataclass(frozen=True, slots=True)
class Committed:
    """A change that is on disk; `withdrawn` are the questions that an undone operation had left."""

    operation_id: str
    files: tuple[str, ...]
    note_ids: tuple[str, ...] = ()
    undone: str = ""
    withdrawn: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A note that recall may name and that is not the bank's own; no `place` means that it is the team's."""

    note: Note
    body: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class TrashItem:
    """A removed note that can be brought back. `taken`: its id or its place is in use again; `standing`: by what."""

    note_id: str
    title: str
    file: str
    operation_id: str
    removed: str
    taken: bool
    standing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is wrong in a bank: where, what, and what to do. `line` 0 means the file as a whole."""

    code: str
    file: str
    line: int
    message: str
    hint: str

    @property
    def told(self) -> str:
        """The place and the message, which may begin with its place."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.message.removeprefix(f'{place}: ').removeprefix(f'{place}：')}"


@dataclass(frozen=True, slots=True)
class Check:
    """One promise that the doctor looked at."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the operation log; `diff` is filled when the life of a single note is told."""

    operation_id: str
    event: str
    ts: str
    note_id: str
    operation: str
    source: str
    file: str
    channel: str
    assurance: str
    reason: str
    diff: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """In which conversation payloads arise: what their quotes are checked against, and what the log names."""

    conversation_id: str = ""
    generation_id: str = ""
    channel: Channel = Channel.PYTHON
    # The person was asked on a terminal about what a guard doubts, and said that it may be kept.
    accepted: bool = False

    def __post_init__(self) -> None:
        """Take foreign names as names: one short line that every file can hold."""
        for name in ("conversation_id", "generation_id"):
            object.__setattr__(self, name, as_name(getattr(self, name)))


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An existing note near a candidate, how it stands to it, and by which rules.

    `one_liner` is empty where a guard holds the note back, and in what was proposed earlier.
    """

    id: str
    title: str
    relation: str
    score: float
    rules: tuple[str, ...]
    one_liner: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer that a question offers; meaning hangs on the id alone."""

    id: str
    label: str


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, in the user's language."""

    question_id: str
    question: str
    options: tuple[Choice, ...]
    allow_multiple: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one payload. `reasons` are sentences in the user's language, `rules` the names behind them.

    `score_reasons` name why each score is what it is, unless the payload brought them, and last the rule they obey.
    `bank` is where it went if that is another bank: the personal one.
    """

    payload: int
    decision: str
    written: bool = False
    note_id: str = ""
    level: str = ""
    scores: Mapping[str, int] = field(default_factory=dict)
    neighbours: tuple[Neighbour, ...] = ()
    proposal_id: str = ""
    question: Question | None = None
    reasons: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    score_reasons: tuple[str, ...] = ()
    completed: tuple[str, ...] = ()
    operation_id: str = ""
    bank: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an answer led to: `applied`, `declined`, `shown` (the diff, and the question stands), or `asked_again`.

    `bank` is where it went if that is another bank: the personal one.
    """

    proposal_id: str
    status: str
    decision: str
    note_id: str = ""
    superseded: tuple[str, ...] = ()
    operation_id: str = ""
    diff: str = ""
    question: Question | None = None
    outcome: Outcome | None = None
    bank: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A proposal that waits for its answer, as it is shown to the user."""

    proposal_id: str
    decision: str
    question: Question
    created: str
    expires: str
    diff: str
    digest: str
    lost: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    neighbours: tuple[Neighbour, ...] = ()
    scores: Mapping[str, int] = field(default_factory=dict)
    completed: tuple[str, ...] = ()
    evidence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """How far finishing a task came: `waiting` for answers to proposals, or `finished` as an episode.

    `left_out` tells which entries became no card and why, `cards` are the notes that came of the others.
    """

    task_id: str
    state: str
    proposals: tuple[Pending, ...] = ()
    cards: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    episode: str = ""
    cleared: tuple[str, ...] = ()
    reason: str = ""
    operation_id: str = ""
