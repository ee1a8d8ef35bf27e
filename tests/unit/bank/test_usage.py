"""The log of recalls, and what a bank says about itself from it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import pytest

from tacit import fsio
from tacit.audit.record import Channel
from tacit.bank import usage
from tacit.note.model import Note

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.bank import Bank
    from tests.unit.bank.conftest import Clock

PROMPT = "which package manager do I use for adding a package?"


@pytest.fixture
def filled(bank: Bank) -> Bank:
    """A bank of two notes, one of which fits the prompt."""
    bank.add(
        [
            Note(id="MEM-pnpm", title="Packages", when_to_load=("adding a package",), one_liner="Use pnpm, not npm."),
            Note(id="MEM-idle", title="Invoices", when_to_load=("writing invoices",), one_liner="Round at the end."),
        ]
    )
    return bank


def log(bank: Bank) -> Path:
    """The file of the log."""
    return bank.root / ".local/usage.ndjson"


def test_recall_leaves_a_line_without_words(filled: Bank) -> None:
    """A-01: recalls go to a log of their own: ids, session, phase, characters and silence, never the prompt."""
    said = filled.recall(PROMPT, session="c1")
    filled.recall("something about elephants and circuses", phase="post", session="c1")

    first, second = (json.loads(line) for line in log(filled).read_text(encoding="utf-8").splitlines())
    assert (first["notes"], first["phase"], first["silence"]) == (["MEM-pnpm"], "pre", "")
    assert first["chars"] == len(said.injection)
    assert (second["notes"], second["phase"], second["chars"]) == ([], "post", 0)
    assert second["silence"]
    assert first["session"] == second["session"] != "c1"
    text = log(filled).read_text(encoding="utf-8")
    assert not [word for word in (*PROMPT.split(), "elephants", "pnpm,") if f" {word}" in text]
    assert log(filled).stat().st_mode & 0o077 == 0


def test_explained_recall_is_not_counted(filled: Bank) -> None:
    """Whoever asks for reasons looks at recall, and does not use it."""
    filled.recall(PROMPT, explain=True)

    assert not log(filled).exists()


def test_log_that_cannot_be_written_stops_nothing(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """A-01: the log never blocks a reader."""

    def full(_path: Path, _line: bytes) -> int:
        raise OSError

    monkeypatch.setattr(fsio, "add_line", full)

    assert filled.recall(PROMPT).notes[0].id == "MEM-pnpm"


def test_log_is_bounded_by_rotation(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest lines go: eight files of limited size are kept, in order."""
    monkeypatch.setattr(usage, "_SEGMENT_BYTES", 200)
    for number in range(40):
        filled.recall(PROMPT, session=f"c{number}")

    files = sorted(path.name for path in (filled.root / ".local").glob("usage*"))
    assert len(files) <= 8
    sessions = [line["session"] for line in usage.entries(filled._store)]
    wanted = [fsio.digest(f"c{number}".encode())[:32] for number in range(40)]
    assert sessions == wanted[-len(sessions) :]


def test_stats_count_recalls_and_answers(filled: Bank, clock: Clock) -> None:
    """H-03: notes recalled and never recalled, answers given and declined, tokens injected, growth over time."""
    filled.recall(PROMPT, session="c1")
    clock.now = "2026-01-03T03:04:05Z"
    filled.recall(PROMPT, session="c2")
    filled.recall("elephants in the circus of the moon", session="c2")
    for note_id in ("MEM-pnpm", "MEM-idle"):
        option = "confirm" if note_id == "MEM-idle" else "cancel"
        filled.answer(filled.propose_act("archive", note_id), option, Channel.TERMINAL)
    filled.propose_act("delete", "MEM-idle")

    found = filled.stats()

    assert (found.since, found.notes, found.archived) == ("2026-01-02T03:04:05Z", 2, 1)
    assert (found.recalls, found.silent, found.sessions) == (3, 1, 2)
    assert [(each.id, each.recalls, each.last) for each in found.recalled] == [("MEM-pnpm", 2, "2026-01-03T03:04:05Z")]
    assert found.never_recalled == ()
    assert found.injected_chars == 2 * len(filled.recall(PROMPT, session="c3").injection)
    assert 0 < found.injected_tokens < found.injected_chars
    assert (found.answers, found.waiting) == ({"confirmed": 1, "declined": 1, "expired": 0}, 1)
    assert [(each.day, each.recalls, each.said, each.created, each.notes) for each in found.days] == [
        ("2026-01-02", 1, 1, 2, 2),
        ("2026-01-03", 2, 1, 0, 2),
    ]
    assert json.loads(json.dumps(asdict(found)))["recalls"] == 3


def test_stats_of_the_last_days_leave_out_what_is_older(filled: Bank, clock: Clock) -> None:
    """H-03: `days` counts back from now, for both logs."""
    filled.recall(PROMPT, session="c1")
    clock.now = "2026-02-02T03:04:05Z"

    found = filled.stats(days=7)

    assert (found.recalls, found.since, found.days) == (0, "", ())
    assert [each.id for each in found.never_recalled] == ["MEM-idle", "MEM-pnpm"]


def test_lines_that_are_none_are_passed_over(filled: Bank) -> None:
    """A torn or foreign line is no reason to fail."""
    filled.recall(PROMPT)
    with log(filled).open("ab") as stream:
        stream.write(b'nonsense\n{"ts": "x"}\n[]\n')
        stream.write(b'{"ts":"s","session":"","phase":"pre","notes":[],"chars":0,"tokens":0,"silence":""}')

    assert filled.stats().recalls == 1
