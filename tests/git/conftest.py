"""What the git tests share: a disk that does not wait, and git without the owner's habits."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from tacit.bank import Bank
from tests.git.repositories import ENVIRONMENT, begin, commit_all
from tests.store.banks import Ticks, note

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _same_git_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tacit runs git as well: it sees the same settings as the test."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.setattr(os, "sync", lambda: None)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a bank of three notes, committed."""
    root = begin(tmp_path / "project")
    ticks = Ticks()
    bank = Bank.init(root, clock=ticks.clock, new_id=ticks.new_id)
    bank.add([note("a"), note("b"), note("c")])
    commit_all(root, "a bank")
    return root
