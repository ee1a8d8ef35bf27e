"""One line of the operation log, and the chain that its hash makes with the line before."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# The members of a line, as JSON knows them.
Members = dict[str, object]

# What the first line of a log is chained to.
GENESIS = "0" * 64
MAX_REASON_CHARS = 1000
_MAX_NAME_CHARS = 200
_HASH_MEMBER = ',"hash":"'


class Event(StrEnum):
    """What happened."""

    NOTE_CREATED = "memory_note_created"
    NOTE_UPDATED = "memory_note_updated"
    NOTE_DELETED = "memory_note_deleted"
    NOTE_PURGED = "memory_note_purged"
    NOTE_CONFIRMED = "memory_note_confirmed"
    INDEX_UPDATED = "memory_index_updated"
    STATE_CHANGED = "memory_state_changed"
    SETTINGS_CHANGED = "memory_settings_changed"
    TRASH_EMPTIED = "memory_trash_emptied"
    BANK_CREATED = "memory_bank_created"
    BANK_UPGRADED = "memory_bank_upgraded"
    DUPLICATE_FOUND = "memory_duplicate_found"
    WRITE_SKIPPED = "memory_write_skipped"
    WRITE_REFUSED = "memory_write_refused"
    PROPOSAL_MADE = "memory_proposal_made"
    PROPOSAL_ANSWERED = "memory_proposal_answered"
    PROPOSAL_EXPIRED = "memory_proposal_expired"
    ANSWER_REFUSED = "memory_answer_refused"
    DOCUMENT_WRITTEN = "memory_document_written"
    TASK_STARTED = "memory_task_started"
    TASK_NOTED = "memory_task_noted"
    TASK_RESUMED = "memory_task_resumed"
    TASK_REVIEWED = "memory_task_reviewed"
    TASK_FINISHED = "memory_task_finished"
    TASK_CLEARED = "memory_task_cleared"
    SESSIONS_CLEARED = "memory_sessions_cleared"
    SHARE_CHANGED = "memory_share_changed"


class Channel(StrEnum):
    """Through which door the word of the user came."""

    COMMAND = "command"
    PYTHON = "python"
    NONE = "none"
    ELICITATION = "elicitation"
    TOKEN = "token"  # noqa: S105  the name of a channel
    PROMPT = "prompt"
    TERMINAL = "terminal"
    WEB = "web"


class Assurance(StrEnum):
    """How much a channel proves that it was the user who spoke, from least to most."""

    UNATTENDED = "unattended"
    ELICITATION = "elicitation"
    PROMPT = "prompt"
    TERMINAL = "terminal"
    KEY = "key"

    @property
    def rank(self) -> int:
        """Its place in the order."""
        return list(Assurance).index(self)


# The page asks the user past the model as the terminal does; no channel yet asks for a key the agent does not hold.
ASSURANCE = {
    Channel.NONE: Assurance.UNATTENDED,
    Channel.COMMAND: Assurance.UNATTENDED,
    Channel.PYTHON: Assurance.UNATTENDED,
    Channel.ELICITATION: Assurance.ELICITATION,
    # A person's token at the team server: whatever program holds it says that a person was asked.
    Channel.TOKEN: Assurance.ELICITATION,
    Channel.PROMPT: Assurance.PROMPT,
    Channel.TERMINAL: Assurance.TERMINAL,
    Channel.WEB: Assurance.TERMINAL,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What one line says, before it gets its number, its time and its place in the chain. Never a note's content."""

    event: Event
    operation: str
    note_id: str = ""
    file: str = ""
    source: str = "manual"
    reason: str = ""
    channel: Channel = Channel.NONE
    conversation_id: str = ""
    generation_id: str = ""
    content_hash: str = ""


def lines(
    records: list[Record], *, number: int, operation_id: str, ts: str, previous: str, also: Sequence[str] = ()
) -> bytes:
    """Return the lines for the records of one operation, numbered from `number` and chained to `previous`.

    `also` are files that the operation changed and that no record names; the first line lists them.
    """
    made = []
    for offset, record in enumerate(records):
        members: Members = {
            "n": number + offset,
            "operation_id": operation_id,
            "ts": ts,
            **_said(record),
            "reason": record.reason[:MAX_REASON_CHARS],
            "assurance": ASSURANCE[record.channel],
            **({"also": list(also)} if also and offset == 0 else {}),
            "prev": previous,
        }
        body = json.dumps(members, ensure_ascii=False, separators=(",", ":"))
        previous = sha256(body.encode()).hexdigest()
        made.append(f'{body[:-1]}{_HASH_MEMBER}{previous}"}}\n')
    return "".join(made).encode()


def _said(record: Record) -> Members:
    """Return the members of a record; what a line is not about is not in it."""
    members: Members = asdict(record)
    for name in ("conversation_id", "generation_id"):
        members[name] = getattr(record, name)[:_MAX_NAME_CHARS]
    if not record.content_hash:
        del members["content_hash"]
    return members


def parse(line: bytes) -> Members | None:
    """Return the members of a line, or None if it is no whole line of a log."""
    try:
        members = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if isinstance(members, dict) and isinstance(members.get("n"), int) and isinstance(members.get("hash"), str):
        return members
    return None


def parsed(content: bytes, mention: bytes = b"") -> Iterator[Members]:
    """Yield the members of the lines that can be read, of those in which `mention` stands."""
    for line in content.splitlines(keepends=True):
        members = parse(line) if mention in line else None
        if members is not None:
            yield members


def is_intact(line: bytes, members: Members, previous: str) -> bool:
    """Whether a line says what it said when it was written, right after the line whose hash is `previous`."""
    text = line.decode("utf-8", "replace").rstrip("\n")
    body, found, rest = text.rpartition(_HASH_MEMBER)
    return (
        bool(found)
        and rest == f'{members["hash"]}"}}'
        and members.get("prev") == previous
        and sha256(f"{body}}}".encode()).hexdigest() == members["hash"]
    )
