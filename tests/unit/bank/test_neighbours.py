"""The notes nearest to a candidate, whatever the index or a model does."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from tacit.bank import neighbours
from tacit.bank.meanings import LoadedModels
from tacit.recall import paths
from tests.unit.bank.talk import Talk

if TYPE_CHECKING:
    from tacit.bank import Bank
    from tacit.recall.rank import Candidate


@pytest.fixture
def talk(bank: Bank) -> Talk:
    """A conversation over a bank with one note."""
    talk = Talk(bank)
    talk.written()
    return talk


def failing(monkeypatch: pytest.MonkeyPatch, error: Exception, *, models_only: bool = False) -> list[object]:
    """Let the first look for candidates fail; return the models that each look was given."""
    asked: list[object] = []
    real = paths.candidates

    def look(index: Any, wish: Any, models: Any, *rest: Any, **named: Any) -> list[Candidate]:  # noqa: ANN401
        asked.append(models)
        if len(asked) == 1 or (models_only and models is not None):
            raise error
        return real(index, wish, models, *rest, **named)

    monkeypatch.setattr(paths, "candidates", look)
    return asked


def test_a_damaged_index_is_made_anew(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-04, F-05: an index that turns out damaged in the middle of a question does not stop a governed write."""
    asked = failing(monkeypatch, sqlite3.DatabaseError("malformed"))

    assert talk.agent().decision == "dedupe"
    assert asked == [None, None]


def test_a_failing_model_leaves_the_words(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-05, F-09: whatever goes wrong in a model that is loaded, words find the neighbours."""
    monkeypatch.setattr(LoadedModels, "ready", property(lambda _: True))
    asked = failing(monkeypatch, RuntimeError("model"), models_only=True)

    assert talk.agent().decision == "dedupe"
    assert [models is None for models in asked] == [False, True]


def test_a_damaged_index_beside_a_model(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-04: damage is told from a failing model, and mended."""
    monkeypatch.setattr(LoadedModels, "ready", property(lambda _: True))
    asked = failing(monkeypatch, sqlite3.DatabaseError("malformed"))

    assert talk.agent().decision == "dedupe"
    assert len(asked) == 2


def test_a_note_that_was_just_spoilt_is_left_out(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """N-05: a note that somebody breaks between the look and the reading is no neighbour."""
    (note,) = talk.bank.notes()
    real = neighbours._ranked

    def ranked(*arguments: Any) -> Any:  # noqa: ANN401  stands in for another function
        found = real(*arguments)
        (talk.bank.root / note.file).write_text("broken", encoding="utf-8")
        return found

    monkeypatch.setattr(neighbours, "_ranked", ranked)
    made = talk.bank.propose([{}], talk.context)
    assert made[0].decision == "refused"
    assert talk.agent().neighbours == ()
