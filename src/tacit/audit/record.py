"""One line of the operation log, and the chain that its hash makes with the line before."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# The members of a line, as JSON knows them.
Members = dict[str, object]

# What the first line of a log is chained to.
GENESIS = "0" * 64
MAX_REASON_CHARS = 1000
_HASH_MEMBER = ',"hash":"'


class Event(StrEnum):
    """What happened."""

    NOTE_CREATED = "memory_note_created"
    NOTE_UPDATED = "memory_note_updated"
    NOTE_DELETED = "memory_note_deleted"
    NOTE_PURGED = "memory_note_purged"
    INDEX_UPDATED = "memory_index_updated"
    STATE_CHANGED = "memory_state_changed"
    SETTINGS_CHANGED = "memory_settings_changed"
    TRASH_EMPTIED = "memory_trash_emptied"
    BANK_CREATED = "memory_bank_created"
    BANK_UPGRADED = "memory_bank_upgraded"


class Channel(StrEnum):
    """Through which door the word of the user came."""

    COMMAND = "command"
    TERMINAL = "terminal"
    PYTHON = "python"
    NONE = "none"


# How much a channel proves that it was the user who spoke.
ASSURANCE = {
    Channel.NONE: "unattended",
    Channel.COMMAND: "unattended",
    Channel.PYTHON: "unattended",
    Channel.TERMINAL: "terminal",
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
            **asdict(record),
            "reason": record.reason[:MAX_REASON_CHARS],
            "assurance": ASSURANCE[record.channel],
            **({"also": list(also)} if also and offset == 0 else {}),
            "prev": previous,
        }
        body = json.dumps(members, ensure_ascii=False, separators=(",", ":"))
        previous = sha256(body.encode()).hexdigest()
        made.append(f'{body[:-1]}{_HASH_MEMBER}{previous}"}}\n')
    return "".join(made).encode()


def parse(line: bytes) -> Members | None:
    """Return the members of a line, or None if it is no whole line of a log."""
    try:
        members = json.loads(line)
    except ValueError:
        return None
    if isinstance(members, dict) and isinstance(members.get("n"), int) and isinstance(members.get("hash"), str):
        return members
    return None


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
