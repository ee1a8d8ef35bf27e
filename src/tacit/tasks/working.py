"""Working memory: what a running task has loaded and found, as a value and as a JSON file."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from tacit.errors import FieldRefused, TaskRefused
from tacit.formats.episode import MAX_EPISODE_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable

FORMAT = 1
MAX_TITLE_CHARS = 200
MAX_ENTRY_CHARS = 16_000
MAX_ENTRIES = 2_000
# What a line and an entry take in an episode beside their text, and what all the rest of it may take.
_LINE_BYTES, _ENTRY_BYTES, _REST_BYTES = 7, 150, 150_000
# So many notes are loaded whole at most, the best first.
MAX_LOADED = 50
# What stands in the place of an entry that told of a purged note.
PURGED = "(purged)"
_HALF_SURROGATE = re.compile("[\ud800-\udfff]")


class TaskState(StrEnum):
    """How far a task is."""

    RUNNING = "running"
    WAITING = "waiting"  # reviewed; answers about its cards are still open
    FINISHED = "finished"  # in the episodes; its working memory stays until its parent has ended


class EntryKind(StrEnum):
    """What was written down during a task."""

    FINDING = "finding"
    INSTRUCTION = "instruction"  # what the user wants for this task
    CONCLUSION = "conclusion"


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that was found, asked for or concluded."""

    ts: str
    kind: EntryKind
    text: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """A core document or note, whole, as it was when the task loaded it."""

    id: str
    file: str
    digest: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A task with its working memory. `reviewed` entries have been through a review; `cards` came of them."""

    id: str
    title: str
    parent: str = ""
    state: TaskState = TaskState.RUNNING
    started: str = ""
    updated: str = ""
    core: tuple[Loaded, ...] = ()
    notes: tuple[Loaded, ...] = ()
    entries: tuple[Entry, ...] = ()
    reviewed: int = 0
    proposals: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    left_out: tuple[str, ...] = field(default=())
    episode: str = ""

    def with_entry(self, kind: EntryKind, text: str, ts: str) -> Task:
        """Return the task with one more entry; a task that was waiting runs again."""
        entries = (*self.entries, Entry(ts, kind, text))
        size = sum(len(e.text.encode()) + _LINE_BYTES * e.text.count("\n") + _ENTRY_BYTES for e in entries)
        if len(entries) > MAX_ENTRIES or size > MAX_EPISODE_BYTES - _REST_BYTES:
            reason = "it has as many entries already as its episode can hold"
            raise TaskRefused(task=self.id, reason=reason, fix="Finish it and start another one")
        return replace(self, entries=entries, updated=ts, state=TaskState.RUNNING)


def without(task: Task, note_id: str, is_told: Callable[[str], bool]) -> Task:
    """Return a task without a note: it is not loaded any more, and no entry stays of which `is_told` is true."""
    notes = tuple(each for each in task.notes if each.id != note_id)
    entries = tuple(replace(each, text=PURGED) if is_told(each.text) else each for each in task.entries)
    return replace(task, notes=notes, entries=entries)


def check_title(title: str) -> str:
    """Return a title as it is kept; raise FieldRefused if it is empty or too long."""
    words = " ".join(title.split())
    if not words or len(words) > MAX_TITLE_CHARS:
        raise FieldRefused(field="title", reason=f"a task has a title of 1 to {MAX_TITLE_CHARS} characters")
    return _written("title", words)


def check_text(text: str) -> str:
    """Return an entry's text as it is kept; raise FieldRefused if it is empty or too long."""
    kept = text.strip()
    if not kept or len(kept) > MAX_ENTRY_CHARS:
        raise FieldRefused(field="text", reason=f"an entry has 1 to {MAX_ENTRY_CHARS} characters")
    return _written("text", kept)


def _written(field_name: str, text: str) -> str:
    """Return a text that a file can hold: bytes of the command line that are no UTF-8 arrive as half surrogates."""
    if _HALF_SURROGATE.search(text):
        raise FieldRefused(field=field_name, reason="it holds half a surrogate, which is no character")
    return text


def dump(task: Task) -> bytes:
    """Return the file of a task."""
    return (json.dumps({"format": FORMAT, **asdict(task)}, ensure_ascii=False, indent=1) + "\n").encode()


def load(content: bytes, task_id: str) -> Task:
    """Return the task in a file; raise TaskRefused if it is none or bears another id."""
    found: Task | None = None
    try:
        members: dict[str, Any] = json.loads(content)
        json.dumps(members, ensure_ascii=False).encode()  # half a surrogate could be read, and never written again
        known = members.pop("format") == FORMAT and members["id"] == task_id
        members["state"] = TaskState(members["state"])
        members["entries"] = tuple(Entry(**{**each, "kind": EntryKind(each["kind"])}) for each in members["entries"])
        for name in ("core", "notes"):
            members[name] = tuple(Loaded(**each) for each in members[name])
        for name in ("proposals", "cards", "left_out"):
            members[name] = tuple(map(str, members[name]))
        found = Task(**members) if known else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        found = None
    if found is None:
        raise TaskRefused(task=task_id, reason="its file is damaged", fix="Look at it, and move it away if it is lost")
    return found
