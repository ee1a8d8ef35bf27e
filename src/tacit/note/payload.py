"""The one structured shape in which a write may arrive."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NoReturn, TypeGuard, TypeVar

from tacit.errors import PayloadRefused, PointerRefused
from tacit.note.model import (
    MAX_TAGS,
    MAX_TITLE_CHARS,
    Audience,
    Kind,
    Layer,
    Level,
    Scope,
    Strength,
    Timing,
    is_note_id,
)
from tacit.note.pointer import BLOB, IN_TEXT, Pointer
from tacit.text import simplified

MAX_LINE_CHARS = 2_000
MAX_TEXT_CHARS = 16_000
MAX_ITEMS = 32
MAX_WHEN_LINES = 3
MAX_SPANS = 32
# From these on a number counts as the word.
_HIGH, _MEDIUM = 0.8, 0.5
# What no file holds as text.
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")
# Leads out of the project: an absolute path at the start, or a step upwards; what an address holds is its own affair.
_OUTSIDE = re.compile(
    r"^[\s`'\"*<(-]*(?:[/\\]|~[\w.-]*[/\\]|[A-Za-z]:[/\\]|(?i:file):)|(?:^|[\s`'\"<(/\\])\.\.(?:[/\\\s`'\")>#:]|$)"
)
_ADDRESS = re.compile(r"(?<![\w+.-])(?!(?i:file|mem):)[A-Za-z][A-Za-z0-9+.-]*://\S+")
DIMENSIONS = ("d1", "d2", "d3", "d4", "d5")
_HIGHEST_SCORE = 2
_LARGEST = 10**9
_WORDED_FOR_THE_CHOICE = ("title", "one_liner", "fact", "principle")


class Source(StrEnum):
    """What led to a payload."""

    AUTO = "auto"
    REMEMBER = "remember"
    EXTRACT = "extract"
    CHOICE = "choice"
    INIT = "init"
    DISTILL = "distill"
    IMPORT = "import"


class Confidence(StrEnum):
    """How sure the sender is that the user meant it."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Relation(StrEnum):
    """How a candidate stands to an existing note."""

    SAME = "same"
    COMPLEMENTARY = "complementary"
    CONFLICTING = "conflicting"
    UNRELATED = "unrelated"


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the user's text, from `start` up to but not including `end`, and what it shows."""

    start: int
    end: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """The user's own words that a payload was made from."""

    text: str
    spans: tuple[Span, ...] = ()
    turn: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """What the sender made of the user's words: a name for it, and its gist."""

    id: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """A wish to remember something; made by `parse`, so every value in it is legal."""

    scene: str
    principles: tuple[str, ...]
    choice: str
    source: Source
    confidence: Confidence | None = None
    evidence: str = ""
    apply: Audience = Audience.PROJECT
    kind: Kind | None = None
    layer: Layer | None = None
    level: Level | None = None
    timing: Timing | None = None
    tags: tuple[str, ...] = ()
    title: str = ""
    when_to_load: tuple[str, ...] = ()
    one_liner: str = ""
    signals: str = ""
    counter_signals: str = ""
    pointers: tuple[str, ...] = ()
    fact: str = ""
    principle: str = ""
    strength: Strength | None = None
    scope: Scope | None = None
    scores: tuple[int, ...] = ()
    selected_candidates: tuple[str, ...] = ()
    origin: Said | None = None
    claim: Claim | None = None
    relations: Mapping[str, Relation] = field(default_factory=dict)


Word = TypeVar("Word", bound=StrEnum)


def parse(given: object) -> Payload:
    """Return the payload that a JSON value is; raise PayloadRefused naming the first field that is wrong and the fix.

    A field that Tacit does not know is refused too: a misspelt one would otherwise be lost without a word.
    """
    if not isinstance(given, Mapping):
        raise PayloadRefused(field="payload", reason="is not a JSON object", fix="send an array of objects")
    _known(given, _FIELDS, "")
    members = {name: value for name, value in given.items() if value is not None}
    source = _word(members, "source", Source)
    if source is None:
        raise PayloadRefused(field="source", reason="is missing", fix=f"give one of {', '.join(Source)}")
    return Payload(
        scene=_required(members, "scene"),
        principles=_required_list(members, "principles"),
        choice=_required(members, "choice"),
        source=source,
        confidence=_confidence(members),
        evidence=_text(members, "evidence"),
        apply=_word(members, "apply", Audience) or Audience.PROJECT,
        kind=_word(members, "kind", Kind),
        layer=_layer(members),
        level=_word(members, "level", Level),
        timing=_word(members, "timing", Timing),
        tags=_strings(members, "tags", MAX_TAGS, 64),
        title=_line(members, "title", MAX_TITLE_CHARS),
        when_to_load=_strings(members, "when_to_load", MAX_WHEN_LINES, MAX_LINE_CHARS),
        one_liner=_line(members, "one_liner", MAX_LINE_CHARS),
        signals=_text_or_list(members, "signals"),
        counter_signals=_text_or_list(members, "counter_signals"),
        pointers=_pointers(members),
        fact=_text(members, "fact"),
        principle=_text(members, "principle"),
        strength=_word(members, "strength", Strength),
        scope=_word(members, "scope", Scope),
        scores=_scores(members),
        selected_candidates=_picks(members),
        origin=_said(members),
        claim=_claim(members),
        relations=_relations(members),
    )


def in_simplified(given: object) -> Payload:
    """Return the payload that a JSON value is, in simplified characters: as what it says is judged."""
    return parse(simplified.turned(given, simplified.table()))


_FIELDS = frozenset(Payload.__dataclass_fields__)


def _known(members: Mapping[str, object], known: Collection[str], inside: str) -> None:
    """Refuse what Tacit does not know, inside of a field too: nothing is kept that was not looked at."""
    unknown = sorted(str(name) for name in members if name not in known)
    if unknown:
        # Said again only if it can be a misspelt name: whatever else stands there might be a secret.
        name = unknown[0] if re.fullmatch(r"[A-Za-z_]{1,32}", unknown[0]) else "?"
        _refuse(f"{inside}{name}", "is no field of a payload", "take it out or correct its name")


def _refuse(name: str, reason: str, fix: str) -> NoReturn:
    raise PayloadRefused(field=name, reason=reason, fix=fix)


def _text(members: Mapping[str, object], name: str, limit: int = MAX_TEXT_CHARS) -> str:
    value = members.get(name, "")
    if not isinstance(value, str):
        _refuse(name, "is not a text", "give a string")
    if len(value) > limit:
        _refuse(name, f"has {len(value)} characters", f"give at most {limit}")
    if _NO_TEXT.search(value):
        _refuse(name, "holds a character that no text holds", "take out half surrogates and NUL")
    return value.strip()


def _line(members: Mapping[str, object], name: str, limit: int) -> str:
    return " ".join(_text(members, name, limit).split())


def _required(members: Mapping[str, object], name: str) -> str:
    text = _line(members, name, MAX_LINE_CHARS)
    if not text:
        _refuse(name, "is missing or empty", _FIXES[name])
    return text


def _required_list(members: Mapping[str, object], name: str) -> tuple[str, ...]:
    items = _strings(members, name, MAX_ITEMS, MAX_LINE_CHARS)
    if not items:
        _refuse(name, "is missing or empty", _FIXES[name])
    return items


_FIXES = {
    "scene": "say in which situation it holds",
    "principles": "list what was weighed, the choice among them",
    "choice": "say what was chosen",
}


def _strings(members: Mapping[str, object], name: str, most: int, longest: int) -> tuple[str, ...]:
    items = members.get(name, ())
    if not isinstance(items, Sequence) or isinstance(items, str) or not all(isinstance(item, str) for item in items):
        _refuse(name, "is not a list of texts", "give an array of strings")
    if len(items) > most:
        _refuse(name, f"has {len(items)} items", f"give at most {most}")
    if any(len(item) > longest for item in items):
        _refuse(name, "has an item that is too long", f"give at most {longest} characters each")
    lines = (_line({name: item}, name, longest) for item in items)
    return tuple(dict.fromkeys(line for line in lines if line))


def _picks(members: Mapping[str, object]) -> tuple[str, ...]:
    """Return what the user picked; one pick may be a text."""
    name = "selected_candidates"
    value = members.get(name, ())
    return _strings({name: [value] if isinstance(value, str) else value}, name, MAX_ITEMS, MAX_LINE_CHARS)


def _pointers(members: Mapping[str, object]) -> tuple[str, ...]:
    """Return where to read on: addresses, mem:// pointers, and places inside of the project."""
    items = _strings(members, "pointers", MAX_ITEMS, MAX_LINE_CHARS)
    if not all(map(_is_memory, items)):
        _refuse("pointers", "has one that is no mem:// pointer", "write mem://<layer>/<id> or add #<section> to it")
    if any(_OUTSIDE.search(_ADDRESS.sub("", item)) for item in items):
        fix = "give paths in the project, without .. and without / at the start"
        _refuse("pointers", "has one that leads out of the project", fix)
    return items


def _is_memory(item: str) -> bool:
    """Whether each mem:// pointer in a line names something that a bank can hold."""
    found = IN_TEXT.findall(item)
    try:
        for each in found:
            if BLOB.fullmatch(each) is None:
                Pointer.parse(each)
    except PointerRefused:
        return False
    return len(found) == item.count("mem://")


def _text_or_list(members: Mapping[str, object], name: str) -> str:
    if isinstance(members.get(name), str):
        return _text(members, name)
    return "\n".join(f"- {item}" for item in _strings(members, name, MAX_ITEMS, MAX_LINE_CHARS))


def _word(members: Mapping[str, object], name: str, words: type[Word]) -> Word | None:
    value = members.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or value not in list(words):
        _refuse(name, "has a value that is not known", f"give one of {', '.join(words)}")
    return words(value)


def _layer(members: Mapping[str, object]) -> Layer | None:
    value = members.get("layer")
    if value is None:
        return None
    try:
        layer = Layer.named(value) if isinstance(value, str) else None
    except ValueError:
        layer = None
    if layer not in (Layer.DECLARATIVE, Layer.PROCEDURAL):
        _refuse("layer", "is not one that a payload may name", "give L1 or L2")
    return layer


def _confidence(members: Mapping[str, object]) -> Confidence | None:
    value = members.get("confidence")
    if isinstance(value, int | float) and not isinstance(value, bool):
        if not 0 <= value <= 1:
            _refuse("confidence", "is not between 0 and 1", "give low, medium, high or a number from 0 to 1")
        return Confidence.HIGH if value >= _HIGH else Confidence.MEDIUM if value >= _MEDIUM else Confidence.LOW
    return _word(members, "confidence", Confidence)


def _scores(members: Mapping[str, object]) -> tuple[int, ...]:
    value = members.get("scores")
    if value is None:
        return ()
    fix = f"give {', '.join(DIMENSIONS)}, each 0, 1 or 2"
    if not isinstance(value, Mapping):
        _refuse("scores", "is not an object", fix)
    named = {str(name).lower(): score for name, score in value.items()}
    if not set(named) - {"total", "t"} <= set(DIMENSIONS):
        _refuse("scores", "names a score that does not exist", fix)
    scores = [named.get(name) for name in DIMENSIONS]
    found = [score for score in scores if isinstance(score, int) and not isinstance(score, bool)]
    if len(found) < len(DIMENSIONS) or any(not 0 <= score <= _HIGHEST_SCORE for score in found):
        _refuse("scores", "lacks a score or has one outside of 0 to 2", fix)
    if any(name in named and named[name] != sum(found) for name in ("total", "t")):
        _refuse("scores", "has a total that is not the sum", fix)
    return tuple(found)


def _said(members: Mapping[str, object]) -> Said | None:
    value = members.get("origin")
    if value is None:
        return None
    if not isinstance(value, Mapping):
        _refuse("origin", "is not an object", "give {text, spans, turn}")
    _known(value, ("text", "spans", "turn"), "origin.")
    named = {f"origin.{name}": member for name, member in value.items() if member is not None}
    spans = named.get("origin.spans", ())
    if not isinstance(spans, Sequence) or isinstance(spans, str) or len(spans) > MAX_SPANS:
        _refuse("origin.spans", "is not a list, or too long", f"give at most {MAX_SPANS} {{start, end, label}}")
    turn = named.get("origin.turn")
    if _is_place(turn):
        named["origin.turn"] = str(turn)
    text = _text(named, "origin.text")
    return Said(text, tuple(_span(span) for span in spans), _line(named, "origin.turn", MAX_TITLE_CHARS))


def _span(value: object) -> Span:
    if isinstance(value, Mapping):
        _known(value, ("start", "end", "label"), "origin.spans.")
        start, end, label = value.get("start"), value.get("end"), value.get("label")
        if _is_place(start) and _is_place(end):
            named = {} if label is None else {"origin.spans.label": label}
            return Span(start, end, _line(named, "origin.spans.label", MAX_TITLE_CHARS))
    _refuse("origin.spans", "holds something that is no span", "give {start, end, label} with whole numbers")


def _is_place(value: object) -> TypeGuard[int]:
    """Whether a value counts characters or turns: a whole number, small enough to be written down."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST


def _claim(members: Mapping[str, object]) -> Claim | None:
    value = members.get("claim")
    if value is None:
        return None
    if not isinstance(value, Mapping):
        _refuse("claim", "is not an object", "give {id, digest}")
    _known(value, ("id", "digest"), "claim.")
    named = {f"claim.{name}": member for name, member in value.items() if member is not None}
    return Claim(_line(named, "claim.id", MAX_TITLE_CHARS), _text(named, "claim.digest"))


def _relations(members: Mapping[str, object]) -> dict[str, Relation]:
    value = members.get("relations", ())
    fix = f"give [{{id, relation}}] with one of {', '.join(Relation)}"
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > MAX_ITEMS:
        _refuse("relations", "is not a list, or too long", fix)
    found = {}
    for item in value:
        if not isinstance(item, Mapping):
            _refuse("relations", "holds something that is no judgement", fix)
        _known(item, ("id", "relation"), "relations.")
        note_id, relation = item.get("id"), item.get("relation")
        if not isinstance(note_id, str) or not is_note_id(note_id) or relation not in list(Relation):
            _refuse("relations", "holds a judgement without a note's id or a known relation", fix)
        found[note_id] = Relation(str(relation))
    return found


def one_for_each_pick(given: object) -> list[object]:
    """Return a payload as one payload for each candidate that the user picked from it, or as it is."""
    if not isinstance(given, Mapping):
        return [given]
    picks = given.get("selected_candidates")
    picks = [picks] if isinstance(picks, str) else picks
    if not isinstance(picks, list | tuple) or not 0 < len(picks) <= MAX_ITEMS:
        return [given]
    names = list(dict.fromkeys(each if isinstance(each, str) else "" for each in picks))
    return [_with_one_pick(given, pick, names) for pick in names]


def _with_one_pick(given: Mapping[str, object], pick: str, picks: Sequence[str]) -> dict[str, object]:
    """Return the payload for one pick: the others were not turned down, and words for another choice are left out."""
    worded = () if pick == given.get("choice") else _WORDED_FOR_THE_CHOICE
    kept = {name: value for name, value in given.items() if name not in worded}
    weighed = given.get("principles")
    if isinstance(weighed, list | tuple):
        kept["principles"] = [each for each in weighed if each == pick or each not in picks]
    return {**kept, "choice": pick, "selected_candidates": [pick]}


def is_picked(given: object) -> bool:
    """Whether a payload is what the user picked."""
    return isinstance(given, Mapping) and bool(given.get("selected_candidates"))
