"""A bank with notes, questions that wait, and somebody who visits the page."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.web.visitors import Visitor, ask, fill

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.bank import Bank


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No language, role or model of this machine; the disk is trusted."""
    for name in ("TACIT_BANK", "TACIT_LANG", "TACIT_ROLE", "TACIT_LLM_URL", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    """A bank with four notes."""
    return fill(tmp_path / ".memory")


@pytest.fixture
def questions(bank: Bank) -> tuple[str, str, str]:
    """Three questions that wait: new, conflict, merge."""
    return ask(bank)


@pytest.fixture
def visitor(bank: Bank) -> Iterator[Visitor]:
    """Somebody who came in by a link."""
    someone = Visitor(bank.root).enter()
    yield someone
    someone.leave()
