"""A bank to recall from, in two languages, on a machine without models on which nothing can be fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.bank import models
from tests.cli.runner import note_text, tacit, write

if TYPE_CHECKING:
    from pathlib import Path

PNPM = "MEM-pnpm"
ROLLBACK = "MEM-huigun"
AFTER = "MEM-after"
PROMPT = "npm install fails, should I use yarn?"


def note(note_id: str, title: str, when: str, one_liner: str, **more: str) -> str:
    """A note as a person might write it."""
    text = note_text(note_id, title, **more)
    return text.replace("- when testing", f"- {when}").replace("Test it.", one_liner)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without models, on which nothing can be fetched."""
    folder = tmp_path / "tacit-home"
    monkeypatch.setenv("TACIT_HOME", str(folder))

    def refuse(*_: object, **__: object) -> None:
        pytest.fail("something was about to be fetched")

    monkeypatch.setattr(models, "_download", refuse)
    return folder


@pytest.fixture
def bank(root: Path) -> Path:
    """A bank with an English note, a Chinese one, and one for the time after writing."""
    notes = {
        f"L1_declarative/{PNPM}.md": note(
            PNPM, "Use pnpm", "adding or updating a package", "Use pnpm in this repository, never npm or yarn."
        ),
        f"L2_procedural/{ROLLBACK}.md": note(
            ROLLBACK, "先写回滚", "修改表结构时", "先写好并试过回滚脚本，再执行迁移。"
        ),
        f"L1_declarative/{AFTER}.md": note(
            AFTER, "Format what you touched", "files were changed", "Run the formatter.", timing="post"
        ),
    }
    for name, text in notes.items():
        write(root / name, text)
    assert tacit("list").code == 0  # INDEX.md follows what was written by hand
    return root
