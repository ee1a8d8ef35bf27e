"""What recall said, when and how much: a log of its own that may lose lines and never holds up a reader.

Every hook writes here, the one that lives for one question too: nothing is loaded that it does not need.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tacit import fsio
from tacit.errors import TacitError
from tacit.text import as_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tacit.bank.sessions import Place
    from tacit.store.store import Store

# A line has some two hundred bytes: the log holds the last forty thousand recalls.
_SEGMENT_BYTES = 1024 * 1024
_MOST_SEGMENTS = 8
_SECOND = len("2026-11-16T00:00:00")
_CJK = range(0x2E80, 0xA000)


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
        if not store.layout.is_hidden:
            store.layout.refuse_links()
            fsio.make_directory(path.parent, mode=0o700)
            store.layout.hide()
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
    except (ValueError, RecursionError, TypeError, KeyError):
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
