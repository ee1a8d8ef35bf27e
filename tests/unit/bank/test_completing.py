"""What a candidate lacks and the project says: marked, read-only, and nothing that nobody named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tacit.bank import completing
from tacit.note.model import Note
from tacit.note.payload import parse
from tests.unit.bank.talk import Talk, payload

if TYPE_CHECKING:
    from tacit.bank import Bank
    from tacit.bank.values import Outcome

SCENE = "calling the API with axios from src/api/client.ts"
CHOICE = "retry twice, see .env and ../other/x.py and src/gone.ts"


@pytest.fixture
def talk(bank: Bank, tmp_path: Path) -> Talk:
    """A conversation about a small project."""
    (tmp_path / "src/api").mkdir(parents=True)
    (tmp_path / "src/api/client.ts").write_text("export {}", encoding="utf-8")
    (tmp_path / ".env").write_text("A=1", encoding="utf-8")
    manifest = {"name": "web", "dependencies": {"axios": "^1.7.0", "left-pad": "1.0.0"}}
    (tmp_path / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
    (tmp_path / "Makefile").mkdir()
    return Talk(bank)


def remembered(talk: Talk, **members: object) -> Outcome:
    """What the user asks to keep."""
    asked = {"scene": SCENE, "choice": CHOICE, "principles": [CHOICE], "source": "remember"}
    return talk.bank.remember({**asked, **members})


def test_paths_and_dependencies_that_are_there_are_filled_in(talk: Talk) -> None:
    """M-02: a file that is named and exists becomes a pointer, a dependency that is named a tag; both are marked."""
    made = remembered(talk)

    note = talk.bank.get(made.note_id)
    assert (note.pointers, note.tags) == ("- src/api/client.ts", ("axios",))
    assert made.completed == ("kind", "layer", "title", "pointers", "tags")


def test_a_question_shows_what_was_filled_in(talk: Talk) -> None:
    """M-02: the proposal marks it."""
    made = talk.user("hm").agent(scene=SCENE, choice=CHOICE, principles=[CHOICE], confidence="low")

    (waits,) = talk.bank.pending()
    assert (waits.proposal_id, waits.completed) == (made.proposal_id, made.completed)
    assert "pointers" in made.completed


def test_what_is_given_stays(talk: Talk) -> None:
    """M-02: what the payload says is not touched."""
    made = remembered(talk, tags=["http"], pointers=["docs/a.md"])

    note = talk.bank.get(made.note_id)
    assert (note.pointers, note.tags) == ("- docs/a.md", ("http",))
    assert made.completed == ("kind", "layer", "title")


def test_nothing_is_taken_that_nobody_named(talk: Talk) -> None:
    """M-02: a project that has nothing to do with it adds nothing."""
    made = remembered(talk, scene="naming branches", choice="use short names", principles=["use short names"])

    assert made.completed == ("kind", "layer", "title")


def test_a_bank_by_itself_has_no_project(tmp_path: Path) -> None:
    """A folder of another name may lie anywhere; nothing around it is looked at."""
    note, given = Note(id="", title="T"), parse(payload(SCENE))
    assert completing.project_of(tmp_path / "notes") is None
    assert completing.completed(note, given, None) == (note, ())


def test_a_name_that_no_file_can_have_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path that cannot be looked at is not there."""

    def refuses(_: Path) -> bool:
        raise OSError

    monkeypatch.setattr(Path, "is_file", refuses)
    given = parse(payload(SCENE, scene=SCENE))
    note = Note(id="", title="T")
    assert completing.completed(note, given, completing.project_of(tmp_path / ".memory")) == (note, ())
