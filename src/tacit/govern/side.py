"""One note, read for comparison: what its scene, its choice and its turned-down alternatives say."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from tacit.govern import statement

if TYPE_CHECKING:
    from tacit.govern.statement import Statement
    from tacit.note.model import Note


@dataclass(frozen=True, slots=True)
class Side:
    """One note, read for comparison."""

    scene_text: str
    choice_text: str
    scene: Statement
    choice: Statement
    topic: Statement
    whole: Statement
    alternatives: tuple[Statement, ...]


def texts(note: Note) -> tuple[str, str]:
    """Return what a note is compared by: its scene and its choice."""
    return "; ".join(note.when_to_load), note.decision.partition("\n")[0].strip() or note.one_liner


def side(note: Note) -> Side:
    """Return a note read for comparison."""
    rest = (note.title, note.one_liner, note.decision, note.signals, note.counter_signals, note.fact)
    lines = tuple(line.lstrip("-* ") for line in note.alternatives.splitlines() if line.strip())
    scene, choice = texts(note)
    parts = dict.fromkeys((*rest, note.principle, note.evidence, " ".join(note.tags)))
    return _side(scene, choice, tuple(part for part in parts if part not in ("", scene, choice)), lines)


@lru_cache(maxsize=1024)
def _side(scene_text: str, choice_text: str, rest: tuple[str, ...], lines: tuple[str, ...]) -> Side:
    scene, choice, *others = statement.read_all((scene_text, choice_text, *rest, *lines))
    topic = statement.joined(scene, choice)
    whole = statement.joined(topic, *others[: len(rest)])
    return Side(scene_text, choice_text, scene, choice, topic, whole, tuple(others[len(rest) :]))
