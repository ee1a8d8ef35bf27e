"""What the tests of the MCP door share: a bank with a note in it, and what a payload looks like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tacit.bank import Bank
from tests.mcp.clients import ERAS

if TYPE_CHECKING:
    from pathlib import Path

SAID = "when adding a Python dependency, always use uv add, never edit requirements.txt by hand"


@pytest.fixture(params=ERAS)
def era(request: pytest.FixtureRequest) -> str:
    """Both eras of the protocol."""
    return str(request.param)


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentences are compared in English."""
    monkeypatch.setenv("TACIT_LANG", "en")


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    """A bank with one note."""
    made = Bank.init(tmp_path / "bank")
    made.remember("when writing a migration, add a rollback script instead of editing the old one")
    return made


@pytest.fixture
def payload() -> dict[str, Any]:
    """What an agent sends; no prompt was seen, so the user is asked."""
    return {
        "scene": "adding a Python dependency",
        "principles": ["always use uv add", "edit requirements.txt by hand"],
        "choice": "always use uv add",
        "source": "auto",
        "confidence": "high",
        "evidence": "the user's rule",
        "kind": "principle",
        "fact": "uv add updates the lock file",
        "principle": "always use uv add when adding a Python dependency",
        "origin": {"text": SAID, "spans": [{"start": 0, "end": len(SAID), "label": "rule"}]},
        "claim": {"id": "uv-add", "digest": "use uv add"},
    }
