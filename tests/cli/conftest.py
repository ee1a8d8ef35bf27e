"""A quiet surrounding for commands: no terminal, no language, no bank but those that a test asks for."""

from __future__ import annotations

import os
from itertools import count
from typing import TYPE_CHECKING

import pytest

from tacit import fsio
from tacit.bank import Bank, wiring
from tests.cli.runner import Person, environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW = "2026-01-02T03:04:05Z"


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time and ids are known, nobody sits at a terminal, the environment says nothing, and the disk is trusted."""
    known = environment(HOME=str(tmp_path))
    for name in (
        "TACIT_HOME",
        "TACIT_BANK",
        "TACIT_LANG",
        "LC_ALL",
        "LC_MESSAGES",
        "VISUAL",
        "EDITOR",
        "NO_COLOR",
        "FORCE_COLOR",
    ):
        monkeypatch.delenv(name, raising=False)
    for name in ("LANG", "HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, known[name])
    numbers = count(1)
    monkeypatch.setattr(wiring, "utc_now", lambda: NOW)
    monkeypatch.setattr(wiring, "random_id", lambda: f"{next(numbers):08d}")
    monkeypatch.setattr(fsio, "open_terminal", lambda: None)
    monkeypatch.setattr(os, "fsync", lambda _: None)  # what it is good for is proved in tests/crash


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of the commands."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def root(project: Path) -> Path:
    """The directory of an empty bank in the project."""
    return Bank.init(project / ".memory").root


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    """Somebody at the terminal."""
    someone = Person()
    monkeypatch.setattr(fsio, "open_terminal", someone.sit_down)
    yield someone
    someone.leave()
