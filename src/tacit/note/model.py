"""The values that a note consists of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

from tacit.errors import FieldRefused, IdRefused
from tacit.note.layer import Layer as Layer  # noqa: PLC0414  one of the values of a note

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_NOTE_BYTES = 64 * 1024
MAX_TITLE_CHARS = 200
MAX_TAGS = 32

_ID = re.compile(r"MEM-[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
_CORE_ID = re.compile(r"CORE-[^\s/\\|]{1,60}")


class Kind(StrEnum):
    """What sort of knowledge a note holds."""

    PRINCIPLE = "principle"
    HEURISTIC = "heuristic"
    DECISION = "decision"
    PATTERN = "pattern"
    BUSINESS = "business"
    TECH = "tech"
    REFERENCE = "reference"
    TROUBLESHOOTING = "troubleshooting"
    OTHER = "other"


class Level(StrEnum):
    """Whether a note says what verifiably happened or what to do next time."""

    FACT = "fact"
    PRINCIPLE = "principle"


class Status(StrEnum):
    """Whether a note takes part in recall."""

    ACTIVE = "active"
    LOCAL = "local"
    ARCHIVE = "archive"


class Strength(StrEnum):
    """How firmly a note holds."""

    HYPOTHESIS = "hypothesis"
    VALIDATED = "validated"
    ENFORCED = "enforced"


class Scope(StrEnum):
    """How widely a note holds."""

    NARROW = "narrow"
    MEDIUM = "medium"
    BROAD = "broad"


class Audience(StrEnum):
    """Whom a note is for."""

    PERSONAL = "personal"
    PROJECT = "project"
    TEAM = "team"


class Portability(StrEnum):
    """Whether a note makes sense outside its project."""

    PROJECT_ONLY = "project-only"
    CROSS_PROJECT = "cross-project"


class Timing(StrEnum):
    """In which phase of a turn a note is recalled."""

    PRE = "pre"
    POST = "post"
    BOTH = "both"


class Origin(StrEnum):
    """Where the words of a note came from."""

    USER = "user"
    AGENT = "agent"
    IMPORT = "import"
    GIT = "git"
    HAND = "hand"


# A value of `source` that is not `name@version`.
SOURCES = frozenset({"auto", "remember", "extract", "choice", "init", "distill", "import", "manual", "user"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What is read of a memory before its body: `file` and `layer` say where it stands, the rest is what it says."""

    id: str
    title: str
    layer: Layer = Layer.DECLARATIVE
    file: str = ""
    kind: Kind = Kind.OTHER
    level: Level = Level.PRINCIPLE
    status: Status = Status.ACTIVE
    strength: Strength = Strength.HYPOTHESIS
    scope: Scope = Scope.MEDIUM
    audience: Audience = Audience.PROJECT
    portability: Portability = Portability.PROJECT_ONLY
    timing: Timing = Timing.PRE
    source: str = "manual"
    origin: Origin = Origin.HAND
    confirmed: str = ""
    tags: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    created: str = ""
    updated: str = ""
    session: str = ""
    when_to_load: tuple[str, ...] = ()
    one_liner: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note(Summary):
    """One memory, whole."""

    decision: str = ""
    signals: str = ""
    alternatives: str = ""
    counter_signals: str = ""
    fact: str = ""
    principle: str = ""
    evidence: str = ""
    pointers: str = ""


NoteOrSummary = TypeVar("NoteOrSummary", bound=Summary)


# The fields that are words of an enumeration, each with its members by word, and those that are lists.
_WORDS: dict[str, dict[str, StrEnum]] = {
    name: {member.value: member for member in words}
    for name, words in {
        "layer": Layer,
        "kind": Kind,
        "level": Level,
        "status": Status,
        "strength": Strength,
        "scope": Scope,
        "audience": Audience,
        "portability": Portability,
        "timing": Timing,
        "origin": Origin,
    }.items()
}
_LISTS = frozenset({"tags", "supersedes", "when_to_load"})


def from_plain(what: type[NoteOrSummary], members: Mapping[str, object]) -> NoteOrSummary:
    """Return a note or summary made of plain values: words for the enumerations, lists for the tuples.

    Raises FieldRefused for a word that is none of its enumeration.
    """
    made: dict[str, Any] = {**members}
    for name, words in _WORDS.items():
        if name in made:
            word = words.get(made[name])
            if word is None:
                raise FieldRefused(field=name, reason=f"{made[name]!r} is not one of {', '.join(words)}")
            made[name] = word
    for name in _LISTS & made.keys():
        made[name] = tuple(made[name])
    return what(**made)


def check_id(text: str) -> str:
    """Return `text` if it has the shape of a note's id; raise IdRefused otherwise."""
    if not _ID.fullmatch(text):
        raise IdRefused(id=text)
    return text


def is_note_id(text: str) -> bool:
    """Whether `text` has the shape of a note's id (`MEM-…`)."""
    return _ID.fullmatch(text) is not None


def is_core_id(text: str) -> bool:
    """Whether `text` has the shape of the id of a core document (`CORE-…`)."""
    return _CORE_ID.fullmatch(text) is not None
