"""One note, read for comparison: what its scene, its choice and its turned-down alternatives say."""

from __future__ import annotations

from dataclasses import dataclass
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
    scene, choice = texts(note)
    parts = (note.title, note.one_liner, note.decision, note.signals, note.counter_signals, note.fact)
    rest = (*parts, note.principle, note.evidence, " ".join(note.tags))
    topic = statement.joined(statement.read(scene), statement.read(choice))
    return Side(
        scene,
        choice,
        statement.read(scene),
        statement.read(choice),
        topic,
        statement.joined(topic, *(statement.read(part) for part in rest if part)),
        tuple(statement.read(line.lstrip("-* ")) for line in note.alternatives.splitlines() if line.strip()),
    )
