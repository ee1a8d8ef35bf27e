"""The daemon has a bank looked after once a session, beside the conversation."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tacit import Bank
from tacit.bank import State
from tacit.daemon import heartbeat
from tacit.daemon.banks import WarmBanks
from tacit.errors import BankNotFound
from tacit.note.model import Note

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a bank of two notes that clash."""
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    (tmp_path / "project/.git").mkdir(parents=True)
    bank = Bank.init(tmp_path / "project")
    for name, line in (("a", "use pnpm, not npm"), ("b", "use npm, not pnpm")):
        bank.add([Note(id=f"MEM-{name}", title=line, when_to_load=("adding a package",), one_liner=line)])
    return tmp_path / "project"


def fire(banks: WarmBanks, project: Path, kind: str, session: str) -> None:
    """Let an event reach the daemon."""
    given = {"session_id": session, "cwd": str(project), "prompt": "hello there"}
    banks.hook([kind, "--host", "claude"], {}, json.dumps(given).encode(), lambda _: None)


def test_bank_is_looked_after_once_a_session(project: Path) -> None:
    """H-02: the first event of a session is the beat; no other event is, and no event without a session."""
    banks = WarmBanks()
    seen: list[str] = []
    banks.looks_after = seen.append

    for kind, session in (
        ("session-start", "one"),
        ("prompt", "one"),
        ("session-start", "one"),
        ("stop", "two"),
        ("prompt", "two"),
        ("prompt", ""),
    ):
        fire(banks, project, kind, session)

    assert seen == [str(project), str(project)]


def test_answer_goes_out_first(project: Path) -> None:
    """H-02: a host hears what it asked for before anything is begun beside it."""
    banks = WarmBanks()
    order: list[str] = []
    banks.looks_after = lambda _: order.append("looked after")
    given = {"session_id": "one", "cwd": str(project), "prompt": "hello there"}

    banks.hook(["prompt"], {}, json.dumps(given).encode(), lambda said: order.append(f"told {said!r}"))

    assert order == ["told b''", "looked after"]


def test_forgotten_sessions_are_bounded(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A daemon that lives long does not grow with every session."""
    monkeypatch.setattr("tacit.daemon.banks._MOST_SESSIONS", 2)
    banks = WarmBanks()
    seen: list[str] = []
    banks.looks_after = seen.append

    for session in ("one", "two", "three", "one"):
        fire(banks, project, "prompt", session)

    assert len(seen) == 4


def test_beat_makes_proposals_and_changes_no_note(project: Path) -> None:
    """H-02: in a process of its own; what is not of low risk waits for the user."""
    heartbeat._run(str(project))

    bank = Bank.open(project)
    assert [each.decision for each in bank.pending()] == ["conflict"]
    assert len(bank.notes()) == 2


def test_beat_of_no_bank_is_nobodys_trouble(tmp_path: Path) -> None:
    """Where there is no bank, nothing happens."""
    heartbeat.main(str(tmp_path))
    heartbeat.start(str(tmp_path / "nowhere"))

    assert list(tmp_path.iterdir()) == []


def test_process_gives_way_before_it_loads_the_bank() -> None:
    """H-02: to load everything takes as long as to look, and holds up no conversation either."""
    code = "import sys, tacit.daemon.heartbeat; print('tacit.bank' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.split() == [b"False"]


def test_beat_makes_no_bank_where_one_was(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bank that is removed while it is being looked after does not come back."""
    bank = Bank.open(project)
    monkeypatch.setattr(Bank, "state", State.ON)  # as it was when the beat began
    shutil.rmtree(bank.root)

    with pytest.raises(BankNotFound):
        bank.heartbeat()

    assert not bank.root.exists()
