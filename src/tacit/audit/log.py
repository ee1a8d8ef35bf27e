"""The log on disk: numbered segments that only grow, the last one is written to."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.audit import record
from tacit.errors import unwritable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tacit.audit.record import Members, Record

_TAIL_BYTES = 64 * 1024
_SEGMENT = re.compile(r"audit-(\d{6,})\.ndjson")


@dataclass(frozen=True, slots=True)
class Position:
    """A place in the log: a segment and a byte offset in it."""

    segment: int = 1
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Addition:
    """Bytes that belong at one exact place of the log, so that writing them twice is writing them once."""

    segment: int
    offset: int
    content: str


@dataclass(frozen=True, slots=True)
class Damage:
    """A place where the log is not what was written."""

    file: str
    line: int
    reason: str


class AuditLog:
    """The operation log of one bank. Additions are made under the bank's writer lock; reading needs none."""

    def __init__(self, directory: Path, *, segment_bytes: int) -> None:
        self._directory = directory
        self._segment_bytes = segment_bytes

    def position(self) -> Position:
        """Return where the log ends now."""
        segments = self._segments()
        if not segments:
            return Position()
        return Position(segments[-1], self._path(segments[-1]).stat().st_size)

    def stamp(self) -> str:
        """Return what differs as soon as any file of the log does, by whomever it was changed."""
        status = [self._path(segment).stat() for segment in self._segments()]
        return " ".join(f"{each.st_ino}:{each.st_size}:{each.st_mtime_ns}:{each.st_ctime_ns}" for each in status)

    def next_number(self) -> int:
        """Return the number that the next line gets."""
        return self._last()[0] + 1

    def plan(
        self, records: list[Record], *, operation_id: str, ts: str, also: Sequence[str] = (), number: int = 0
    ) -> Addition:
        """Return the lines for `records` and the place where they belong; nothing is written yet.

        `number` is the first line's, the next of the log by default.
        """
        last, previous = self._last()
        content = record.lines(
            records, number=number or last + 1, operation_id=operation_id, ts=ts, previous=previous, also=also
        )
        end = self.position()
        if end.offset >= self._segment_bytes:
            end = Position(end.segment + 1)
        elif end.offset and not fsio.stands_at(self._path(end.segment), end.offset - 1, b"\n"):
            content = b"\n" + content  # somebody cut the last line: leave what is there and start a new one
        return Addition(end.segment, end.offset, content.decode())

    def add(self, addition: Addition) -> None:
        """Put the planned lines in their place, durably."""
        fsio.make_directory(self._directory, mode=0o700)
        fsio.append(self._path(addition.segment), addition.offset, addition.content.encode())

    def has(self, addition: Addition) -> bool:
        """Whether the planned lines already stand in their place."""
        return fsio.stands_at(self._path(addition.segment), addition.offset, addition.content.encode())

    def entries(self, since: Position | None = None, *, mention: bytes = b"") -> Iterator[Members]:
        """Yield the members of each readable line, oldest first; only of those in which `mention` stands."""
        for segment in self._segments():
            if since is not None and segment < since.segment:
                continue
            start = since.offset if since is not None and segment == since.segment else 0
            yield from record.parsed(self.content(segment, start), mention)

    def verify(self) -> tuple[int, list[Damage]]:
        """Return how many lines there are and every place where one is missing, changed or not readable."""
        count = 0
        damages = []
        previous = record.GENESIS
        expected = 1
        for segment in self._segments():
            name = self._path(segment).name
            for index, line in enumerate(self.content(segment).splitlines(keepends=True), 1):
                members = record.parse(line)
                if members is None:
                    damages.append(Damage(name, index, "the line cannot be read"))
                    continue
                count += 1
                if members["n"] != expected:
                    damages.append(Damage(name, index, f"a line is missing before line {members['n']}"))
                elif not record.is_intact(line, members, previous):
                    damages.append(Damage(name, index, f"line {members['n']} was changed"))
                previous = str(members["hash"])
                expected = _number(members) + 1
        return count, damages

    def files_since(self, position: Position) -> set[str]:
        """Return the files that operations have changed after `position`."""
        found: set[str] = set()
        for members in self.entries(position):
            also = members.get("also")
            found.update([str(members["file"]), *(also if isinstance(also, list) else [])])
        return found

    def _last(self) -> tuple[int, str]:
        """Return number and hash of the last readable line."""
        for segment in reversed(self._segments()):
            size = self._path(segment).stat().st_size
            for line in reversed(self.content(segment, max(0, size - _TAIL_BYTES)).splitlines(keepends=True)):
                members = record.parse(line)
                if members is not None:
                    return _number(members), str(members["hash"])
        return 0, record.GENESIS

    def _segments(self) -> list[int]:
        try:
            names = os.listdir(self._directory)  # noqa: PTH208  asked by every look and every write: names are enough
        except FileNotFoundError:
            return []
        except OSError as error:
            raise unwritable(error) from error
        return sorted(int(match[1]) for name in names if (match := _SEGMENT.fullmatch(name)))

    def sizes(self) -> dict[int, tuple[int, int]]:
        """Return segment → which file it is on its file system, and how long; in their order."""
        try:
            found = {segment: self._path(segment).stat() for segment in self._segments()}
        except OSError as error:
            raise unwritable(error) from error
        return {segment: (status.st_ino, status.st_size) for segment, status in found.items()}

    def content(self, segment: int, start: int = 0) -> bytes:
        """Return the bytes of a segment from a place on."""
        try:
            return fsio.read(self._path(segment), start=start) or b""
        except OSError as error:
            raise unwritable(error) from error

    def _path(self, segment: int) -> Path:
        return self._directory / f"audit-{segment:06d}.ndjson"


class Follower:
    """Reads a log that grows: every line once, for somebody who remembers what the earlier ones said."""

    def __init__(self, log: AuditLog, *, mention: bytes = b"") -> None:
        self._log = log
        self._mention = mention
        # Segment → which file it was, and how much of it was read.
        self._read: dict[int, tuple[int, int]] = {}

    def news(self) -> tuple[list[Members], bool]:
        """Return the lines that were not read yet, and whether all begins anew: the log is not the one it was."""
        sizes = self._log.sizes()
        anew = any(
            segment not in sizes or sizes[segment][0] != file or sizes[segment][1] < offset
            for segment, (file, offset) in self._read.items()
        )
        if anew:
            self._read.clear()
        found: list[Members] = []
        for segment, (file, size) in sizes.items():
            offset = self._read.get(segment, (file, 0))[1]
            if size > offset:
                content = self._log.content(segment, offset)
                whole = content[: content.rfind(b"\n") + 1]  # the last line may be in the writing
                found += record.parsed(whole, self._mention)
                self._read[segment] = (file, offset + len(whole))
        return found, anew


def _number(members: Members) -> int:
    return int(str(members["n"]))
