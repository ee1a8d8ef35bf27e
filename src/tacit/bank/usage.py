"""What recall said, when and how much: a log of its own that may lose lines and never holds up a reader."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from tacit import fsio
from tacit.audit.record import Event
from tacit.bank import proposals
from tacit.errors import TacitError
from tacit.note.model import Layer, Status
from tacit.text import as_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from tacit.bank.sessions import Place
    from tacit.note.model import Summary
    from tacit.store.store import Store

# A line has some two hundred bytes: the log holds the last forty thousand recalls.
_SEGMENT_BYTES = 1024 * 1024
_MOST_SEGMENTS = 8
_DAY = len("2026-11-16")
_SECOND = len("2026-11-16T00:00:00")
_CJK = range(0x2E80, 0xA000)
_DECLINES = frozenset({"cancel", "keep_old", "both"})


@dataclass(frozen=True, slots=True)
class NoteUse:
    """How often a note was said, and when last; never if that is empty."""

    id: str
    title: str
    recalls: int
    last: str


@dataclass(frozen=True, slots=True)
class Day:
    """One day on which something happened; `notes` is how many there were at its end."""

    day: str
    recalls: int = 0
    said: int = 0
    chars: int = 0
    created: int = 0
    removed: int = 0
    notes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """What a bank says about itself. `since` is the first recall that counts; tokens are an estimate."""

    since: str = ""
    notes: int = 0
    archived: int = 0
    recalls: int = 0
    silent: int = 0
    sessions: int = 0
    injected_chars: int = 0
    injected_tokens: int = 0
    silences: Mapping[str, int] = field(default_factory=dict)
    recalled: tuple[NoteUse, ...] = ()
    never_recalled: tuple[NoteUse, ...] = ()
    answers: Mapping[str, int] = field(default_factory=dict)
    waiting: int = 0
    days: tuple[Day, ...] = ()


def note(store: Place, session: str, phase: str, ids: Sequence[str], *, injection: str, silence: str) -> None:
    """Add one line about a recall: ids, numbers and why it was silent, never a word of prompt or note."""
    line = {
        "ts": store.clock(),
        "session": fsio.digest(as_name(session).encode())[:32] if session else "",
        "phase": phase,
        "notes": list(ids),
        "chars": len(injection),
        "tokens": _tokens(injection),
        "silence": silence,
    }
    path = _path(store)
    with suppress(OSError, TacitError):
        if not path.parent.is_dir():
            store.layout.refuse_links()
            fsio.make_directory(path.parent, mode=0o700)
        if fsio.add_line(path, json.dumps(line, separators=(",", ":")).encode() + b"\n") > _SEGMENT_BYTES:
            _rotate(path)


def entries(store: Store, *, since: str = "") -> Iterator[dict[str, Any]]:
    """Yield the lines of the log, oldest first; what is no whole line is passed over."""
    path = _path(store)
    for segment in (*(_older(path, number) for number in range(_MOST_SEGMENTS - 1, 0, -1)), path):
        with suppress(OSError, TacitError):
            for line in (fsio.read(segment) or b"").splitlines():
                members = _members(line)
                if members is not None and members["ts"] >= since:
                    yield members


def stamp(store: Store) -> str:
    """Return what differs once another recall was noted."""
    try:
        status = _path(store).stat()
    except OSError:
        return ""
    return f"{status.st_ino}:{status.st_size}:{status.st_mtime_ns}"


def stats(store: Store, *, days: int = 0) -> Stats:
    """Return what the log of recalls, the log of operations and the notes say; of the last days, or all of it."""
    since = ""
    if days:
        moment = datetime.fromisoformat(store.clock()).astimezone(UTC) - timedelta(days=days)
        since = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    lines = list(entries(store, since=since))
    summaries = [each for each in store.look().summaries() if each.layer is not Layer.CORE]
    counted: Counter[str] = Counter()
    last: dict[str, str] = {}
    for line in lines:
        for each in line["notes"]:
            counted[each] += 1
            last[each] = line["ts"]
    uses = [NoteUse(each.id, each.title, counted[each.id], last.get(each.id, "")) for each in summaries]
    idle = {each.id: each.created for each in summaries if not counted[each.id] and each.status is not Status.ARCHIVE}
    silences = Counter(line["silence"] for line in lines if line["silence"])
    return Stats(
        since=lines[0]["ts"] if lines else "",
        notes=len(summaries),
        archived=sum(each.status is Status.ARCHIVE for each in summaries),
        recalls=len(lines),
        silent=sum(silences.values()),
        sessions=len({line["session"] for line in lines if line["session"]}),
        injected_chars=sum(line["chars"] for line in lines),
        injected_tokens=sum(line["tokens"] for line in lines),
        silences=dict(silences.most_common()),
        recalled=tuple(sorted((each for each in uses if each.recalls), key=lambda each: (-each.recalls, each.id))),
        never_recalled=tuple(sorted((each for each in uses if each.id in idle), key=lambda each: idle[each.id])),
        answers=_answers(store, since),
        waiting=len(proposals.waiting(store)),
        days=_days(store, lines, summaries, since),
    )


def _answers(store: Store, since: str) -> dict[str, int]:
    found = {"confirmed": 0, "declined": 0, "expired": 0}
    for line in store.log.entries(mention=b'"memory_proposal_'):
        if str(line.get("ts", "")) < since:
            continue
        if line.get("event") == Event.PROPOSAL_EXPIRED:
            found["expired"] += 1
        elif line.get("event") == Event.PROPOSAL_ANSWERED:
            option, _, carried_out = str(line.get("reason", "")).partition(" sha256:")
            found["declined" if option in _DECLINES and not carried_out else "confirmed"] += 1
    return found


def _days(store: Store, lines: Sequence[Mapping[str, Any]], now: Sequence[Summary], since: str) -> tuple[Day, ...]:
    """Return each day with its recalls and with how many notes came and went; counted back from the notes of today."""
    recalls: Counter[str] = Counter()
    said: Counter[str] = Counter()
    chars: Counter[str] = Counter()
    for line in lines:
        day = line["ts"][:_DAY]
        recalls[day] += 1
        said[day] += not line["silence"]
        chars[day] += line["chars"]
    came: Counter[str] = Counter()
    went: Counter[str] = Counter()
    for entry in store.log.entries(mention=b'"memory_note_'):
        day = str(entry.get("ts", ""))[:_DAY]
        if str(entry.get("note_id", "")).startswith("MEM-"):
            came[day] += entry.get("event") == Event.NOTE_CREATED
            went[day] += entry.get("event") in (Event.NOTE_DELETED, Event.NOTE_PURGED)
    found = []
    count = len(now)
    for day in sorted({*recalls, *came, *went}, reverse=True):
        found.append(Day(day, recalls[day], said[day], chars[day], came[day], went[day], max(count, 0)))
        count += went[day] - came[day]
    return tuple(each for each in reversed(found) if each.day >= since[:_DAY])


def _tokens(text: str) -> int:
    """Return about how many tokens a model takes for a text: a character of CJK is one, four others are one."""
    wide = sum(ord(char) in _CJK for char in text)
    return wide + (len(text) - wide + 3) // 4


def _members(line: bytes) -> dict[str, Any] | None:
    try:
        members = json.loads(line)
        known: dict[str, Any] = {
            "ts": str(members["ts"]),
            "session": str(members["session"]),
            "phase": str(members["phase"]),
            "notes": [str(each) for each in members["notes"]],
            "chars": int(members["chars"]),
            "tokens": int(members["tokens"]),
            "silence": str(members["silence"]),
        }
    except (ValueError, TypeError, KeyError):
        return None
    return known if len(known["ts"]) >= _SECOND else None


def _rotate(path: Path) -> None:
    """Begin a new segment and forget the oldest; two that do so at once lose at most a segment."""
    fsio.remove(_older(path, _MOST_SEGMENTS - 1))
    for number in range(_MOST_SEGMENTS - 2, 0, -1):
        with suppress(FileNotFoundError):
            fsio.rename(_older(path, number), _older(path, number + 1))
    fsio.rename(path, _older(path, 1))


def _path(store: Place) -> Path:
    return store.layout.local / "usage.ndjson"


def _older(path: Path, number: int) -> Path:
    return path.with_name(f"usage.{number}.ndjson")
