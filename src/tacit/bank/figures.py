"""What a bank says about itself: how often its notes are said, what was answered, and how it grows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tacit.audit.record import Event
from tacit.bank import proposals, usage, wiring
from tacit.note.model import Layer, Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tacit.note.model import Summary
    from tacit.store.store import Store

_DAY = len("2026-11-16")
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


def stats(store: Store, *, days: int = 0) -> Stats:
    """Return what the log of recalls, the log of operations and the notes say; of the last days, or all of it."""
    since = wiring.days_after(store.clock(), -days) if days else ""
    lines = list(usage.entries(store, since=since))
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
