"""The operation log: chained, idempotent, and rotated without loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.audit.log import AuditLog, Follower, Position
from tacit.audit.record import Channel, Event, Record, parse

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def log(tmp_path: Path) -> AuditLog:
    """An empty log that starts a new segment after two lines or so."""
    return AuditLog(tmp_path / "audit", segment_bytes=800)


def write(log: AuditLog, count: int, *, start: int = 0) -> None:
    """Append `count` operations of one line each."""
    for number in range(start, start + count):
        record = Record(event=Event.NOTE_CREATED, operation="create", note_id=f"MEM-{number}", file=f"L1/{number}.md")
        log.add(log.plan([record], operation_id=f"OP-{number}", ts="2026-01-01T00:00:00Z"))


def test_lines_come_back_in_order_over_segments(log: AuditLog, tmp_path: Path) -> None:
    """A-02: rotation keeps every line; nothing is renamed or dropped."""
    write(log, 20)

    assert [line["note_id"] for line in log.entries()] == [f"MEM-{number}" for number in range(20)]
    assert len(list((tmp_path / "audit").iterdir())) > 3
    assert log.verify() == (20, [])


def test_adding_twice_is_adding_once(log: AuditLog) -> None:
    """A-01: recovery may append the same lines again without doubling them."""
    record = Record(event=Event.NOTE_CREATED, operation="create", channel=Channel.TERMINAL)
    addition = log.plan([record, record], operation_id="OP-a", ts="2026-01-01T00:00:00Z")

    assert not log.has(addition)
    log.add(addition)
    log.add(addition)

    assert log.has(addition)
    assert log.verify() == (2, [])


@pytest.mark.parametrize("torn", [b"", b"\0" * 40, None], ids=["cut", "zeros", "half"])
def test_torn_line_is_mended(log: AuditLog, tmp_path: Path, torn: bytes | None) -> None:
    """T-01: what a crash left of an append is cut off and written again."""
    write(log, 1)
    addition = log.plan([Record(event=Event.NOTE_CREATED, operation="create")], operation_id="OP-b", ts="t")
    path = tmp_path / "audit" / "audit-000001.ndjson"
    content = addition.content.encode()
    path.write_bytes(path.read_bytes() + (content[: len(content) // 2] if torn is None else torn))

    log.add(addition)

    assert log.verify() == (2, [])


def test_foreign_bytes_are_never_cut(log: AuditLog, tmp_path: Path) -> None:
    """What somebody else wrote into the log stays; the new line goes after it and the damage shows."""
    write(log, 1)
    addition = log.plan([Record(event=Event.NOTE_CREATED, operation="create")], operation_id="OP-b", ts="t")
    path = tmp_path / "audit" / "audit-000001.ndjson"
    path.write_bytes(path.read_bytes() + b"a remark\n")

    log.add(addition)

    assert b"a remark\n" in path.read_bytes()
    count, damages = log.verify()
    assert count == 2
    assert [damage.reason for damage in damages] == ["the line cannot be read"]


def test_line_without_end_gets_a_new_line_after_it(log: AuditLog, tmp_path: Path) -> None:
    """A last line that lost its end does not swallow the next one."""
    write(log, 1)
    path = tmp_path / "audit" / "audit-000001.ndjson"
    path.write_bytes(path.read_bytes() + b'{"half')

    write(log, 1, start=1)

    assert [line["note_id"] for line in log.entries()] == ["MEM-0", "MEM-1"]


@pytest.mark.parametrize("act", ["flip", "drop", "swap", "forge"])
def test_tampering_shows(log: AuditLog, tmp_path: Path, act: str) -> None:
    """A-02: a changed, removed or re-ordered line is found."""
    write(log, 2)
    path = tmp_path / "audit" / "audit-000001.ndjson"
    lines = path.read_bytes().splitlines(keepends=True)
    if act == "flip":
        lines[0] = lines[0].replace(b"MEM-0", b"MEM-9")
    elif act == "drop":
        del lines[0]
    elif act == "swap":
        lines.reverse()
    else:
        lines[1] = lines[1].replace(b'"n":2', b'"n":3')
    path.write_bytes(b"".join(lines))

    assert log.verify()[1] != []


def test_reader_finds_the_files_changed_since(log: AuditLog) -> None:
    """A reader that overlaps with writers learns from the log what to read again."""
    write(log, 3)
    position = log.position()
    write(log, 2, start=3)
    moved = Record(event=Event.NOTE_UPDATED, operation="move", file="L2/x.md")
    log.add(log.plan([moved], operation_id="OP-m", ts="t", also=["L1/x.md"]))

    assert log.files_since(position) == {"L1/3.md", "L1/4.md", "L1/x.md", "L2/x.md"}


def test_empty_log_has_a_beginning(log: AuditLog) -> None:
    """A bank without a log yet reads as an empty one."""
    assert log.position() == Position(1, 0)
    assert log.next_number() == 1
    assert list(log.entries()) == []
    assert log.verify() == (0, [])


def test_a_line_nested_too_deep_is_no_line() -> None:
    """A-02: what no reader of JSON can follow is foreign, not a reason to fail."""
    assert parse(b"[" * 100_000) is None


def test_long_reason_is_cut(log: AuditLog) -> None:
    """X-05: a line stays small whatever is given as a reason."""
    record = Record(event=Event.STATE_CHANGED, operation="state", reason="x" * 100_000)
    log.add(log.plan([record], operation_id="OP-r", ts="t"))

    assert len(str(next(log.entries())["reason"])) == 1000


def test_a_follower_reads_every_line_once(log: AuditLog) -> None:
    """A-02: whoever remembers what the log said needs only what was added, over segments too."""
    follower = Follower(log)
    assert follower.news() == ([], False)
    write(log, 5)
    news, anew = follower.news()
    assert ([line["note_id"] for line in news], anew) == ([f"MEM-{number}" for number in range(5)], False)
    write(log, 2, start=5)
    assert [line["note_id"] for line in follower.news()[0]] == ["MEM-5", "MEM-6"]
    assert follower.news() == ([], False)


def test_a_follower_reads_a_line_when_it_is_whole(log: AuditLog, tmp_path: Path) -> None:
    """A-02: a reader needs no lock: a line that is being written is read the next time."""
    write(log, 1)
    follower = Follower(log)
    path = tmp_path / "audit" / "audit-000001.ndjson"
    whole = path.read_bytes()
    with path.open("r+b") as file:
        file.truncate(len(whole) // 2)
    assert follower.news() == ([], False)
    with path.open("ab") as file:
        file.write(whole[len(whole) // 2 :])
    assert len(follower.news()[0]) == 1


@pytest.mark.parametrize("how", ["replaced", "shortened", "gone"])
def test_a_follower_begins_anew_with_another_log(log: AuditLog, tmp_path: Path, how: str) -> None:
    """A-02: a log that is not the one it was is read again from its beginning, and the reader is told."""
    write(log, 2)
    follower = Follower(log)
    follower.news()
    path = tmp_path / "audit" / "audit-000001.ndjson"
    first = path.read_bytes().splitlines(keepends=True)[0]
    if how == "shortened":
        path.write_bytes(first)
    else:
        path.rename(tmp_path / "away")
    if how == "replaced":
        path.write_bytes(first)
    news, anew = follower.news()
    assert anew
    assert [line["note_id"] for line in news] == ([] if how == "gone" else ["MEM-0"])
