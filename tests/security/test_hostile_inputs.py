"""Hostile texts at every door: an answer or a refusal, nothing executed or written elsewhere, no secret kept."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from tacit import fsio
from tacit.bank import Bank
from tacit.errors import TacitError
from tests.cli.runner import environment, fingerprint, note_text, write
from tests.files import holders
from tests.security.doors import DOORS, FILE, ID, OTHER, World
from tests.security.texts import CANARY, SECRETS, TEXTS, VALUES

if TYPE_CHECKING:
    from pathlib import Path

CASES = [(door, group, name) for door, (_, groups) in DOORS.items() for group in groups for name in TEXTS[group]]
FEWEST = 300
# What a terminal obeys, beside the line breaks and tabs of our own tables.
OBEYED = {*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), "\u202e", "\u2066", "\u2028"} - {"\n", "\t"}


# What lies beside the project, and what the doors themselves have put into the bank. The index and the trash hold what
# the files of a bank hold, by promise.
_OURS = {"project", "outside", "home", "source"}
_HANDED_IN = {"MEM-hostile1.md", "MEMORY.md", "index.db", "index.db-wal"}


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank with one note, to be copied."""
    root = tmp_path_factory.mktemp("template") / ".memory"
    Bank.init(root)
    write(root / FILE, note_text(ID, "Use uv for packages"))
    write(root / f"L1_declarative/{OTHER}.md", note_text(OTHER, "Use make for tests"))
    Bank.open(root).reindex()
    return root


@pytest.fixture
def world(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A project with that bank; beside it files that are none of Tacit's business."""
    shutil.copytree(template, tmp_path / "project/.memory")
    write(tmp_path / "outside/told.txt", "outside")
    write(tmp_path / "project/src/app.py", "print()\n")
    for name in ("TACIT_BANK", "TACIT_LANG", "TACIT_ROLE", "TACIT_LLM_URL", "LC_ALL", "LC_MESSAGES", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment(HOME=str(tmp_path / "home"), TACIT_HOME=str(tmp_path / "home/.tacit")).items():
        if name.startswith(("HOME", "TACIT_", "GIT_", "LANG")):
            monkeypatch.setenv(name, value)
    monkeypatch.setattr(fsio, "open_terminal", lambda: None)
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.chdir(tmp_path / "project")
    return World(tmp_path / "project")


@pytest.mark.parametrize(("door", "group", "name"), CASES, ids=lambda part: part.replace(" ", "-"))
def test_a_hostile_text_does_nothing(world: World, door: str, group: str, name: str) -> None:
    """X-01, X-04, X-05: whatever is handed in, it is answered or refused, and that is all that happens."""
    outside = world.project.parent / "outside"
    before = fingerprint(outside), (world.bank / FILE).read_bytes()

    try:
        said = DOORS[door][0](world, TEXTS[group][name])
    except TacitError as refusal:
        said = f"{refusal}"

    assert not OBEYED & set(said), "what was said could drive a terminal"
    assert (fingerprint(outside), (world.bank / FILE).read_bytes()) == before
    assert not [*world.project.parent.rglob(CANARY)], "a text was executed"
    assert not [path for path in world.project.parent.iterdir() if path.name not in _OURS], (
        "something was written elsewhere"
    )
    if group == "secrets":
        assert VALUES[name] not in said
        assert not _files_with(world, VALUES[name])


def test_there_are_hundreds_of_hostile_inputs() -> None:
    """At least three hundred, each door and each text among them."""
    assert len(CASES) >= FEWEST
    assert {(group, name) for _, group, name in CASES} == {(group, name) for group in TEXTS for name in TEXTS[group]}
    assert SECRETS.keys() == VALUES.keys()


def _files_with(world: World, value: str) -> list[str]:
    """Return the files of the bank that hold a value, but for those that a door has put there."""
    found = [name.split("/") for name in holders(world.bank, value)]
    return [parts[-1] for parts in found if parts[-1] not in _HANDED_IN and ".trash" not in parts]
