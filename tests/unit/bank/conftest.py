"""Banks for the tests of the one API: known time, known ids, and a disk that is trusted."""

from __future__ import annotations

import os
from itertools import count
from typing import TYPE_CHECKING

import pytest

from tacit.bank import Bank
from tacit.note.model import Layer, Note
from tests.unit.bank.talk import Talk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = "2026-01-02T03:04:05Z"

    def __call__(self) -> str:
        """The time that was set."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """The bank's clock."""
    return Clock()


@pytest.fixture
def reopen(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Bank]:
    """Open the bank as another process would, with the same clock."""
    for name in ("TACIT_BANK", "TACIT_LANG", "TACIT_LLM_URL", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(os, "fsync", lambda _: None)  # what it is good for is proved in tests/crash
    numbers = count(1)
    root = tmp_path / ".memory"

    def new_id() -> str:
        return f"{next(numbers):08d}"

    Bank.init(root, clock=clock, new_id=new_id)
    return lambda: Bank.open(root, clock=clock, new_id=new_id)


@pytest.fixture
def bank(reopen: Callable[[], Bank]) -> Bank:
    """An empty bank."""
    return reopen()


@pytest.fixture
def talk(bank: Bank) -> Talk:
    """A conversation over an empty bank."""
    return Talk(bank)


def note(
    note_id: str = "", title: str = "A note", *, layer: Layer = Layer.DECLARATIVE, tags: tuple[str, ...] = ()
) -> Note:
    """A note to add."""
    return Note(id=note_id, title=title, layer=layer, when_to_load=("testing",), one_liner="Test it.", tags=tags)
