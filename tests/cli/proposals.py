"""A bank that knows about pnpm, what an agent proposes to it, and a question that waits for its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tacit.bank import Bank
from tests.cli.runner import Result, process, tacit

if TYPE_CHECKING:
    from pathlib import Path

SCENE, PNPM, NPM = "adding a package to the web client", "use pnpm", "use npm"
SAID = "When adding a package to the web client, use pnpm instead of npm"


def payload(**members: object) -> dict[str, object]:
    """A payload as an agent sends it; its words cannot be verified here."""
    return {"scene": SCENE, "principles": [PNPM, NPM], "choice": PNPM, "source": "remember", **members}


def first(result: Result) -> dict[str, Any]:
    """The first result of a document."""
    found: dict[str, Any] = result.document["results"][0]
    return found


@pytest.fixture
def bank(root: Path) -> Path:
    """A bank that knows about pnpm."""
    assert tacit("remember", SAID).code == 0
    return root


@pytest.fixture
def question(bank: Path) -> str:
    """A proposal that contradicts the note, waiting for its answer."""
    result = process("remember", "When adding a package to the web client, use npm instead of pnpm", "--json")
    assert bank.is_dir()
    return str(first(result)["proposal_id"])


def notes(root: Path) -> list[str]:
    """The one-liners of the bank."""
    return [note.one_liner for note in Bank.open(root).notes()]
