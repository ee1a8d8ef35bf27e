"""The bank that recorded events reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit import Bank
from tacit.note.model import Note, Timing

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    """A project with one note that fits the recorded prompt, and one for after writing."""
    (tmp_path / ".git").mkdir()
    made = Bank.init(tmp_path)
    made.add(
        [
            Note(id="", title="Packages", when_to_load=("adding a package",), one_liner="Use pnpm, never npm."),
            Note(
                id="",
                title="Format",
                when_to_load=("after writing style.css",),
                one_liner="Run the formatter on style.css.",
                timing=Timing.POST,
            ),
        ]
    )
    made.without_models()
    return made
