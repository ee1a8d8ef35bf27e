"""What the tests of the store share: a bank, and a disk that does not wait."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.store.banks import make

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.bank import Bank


@pytest.fixture(autouse=True)
def _disk_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test here loses power, so none waits for the disk; what a power cut leaves is the subject of tests/crash."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.setattr(os, "sync", lambda: None)


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    """An empty bank."""
    return make(tmp_path / "bank")
