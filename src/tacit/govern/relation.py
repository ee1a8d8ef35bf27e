"""How a candidate stands to one existing note: same, complementary, conflicting or unrelated, and why.

The structure decides before likeness does. A pair is read in this order:

1. the same scenario? the words of both scenes, and of what they are about;
2. a conflict? one chose what the other turned down, said no to what the other says yes to, or fills the same slot
   with something else;
3. the same conclusion, literally where it matters? then: does the candidate add anything?

Numbers, versions, identifiers, paths and negation are compared literally; where they differ two notes are never the
same, however alike they look.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tacit.govern import statement
from tacit.govern.statement import Statement, Weight
from tacit.note.payload import Relation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tacit.note.model import Note

# From least to most careful: what the user is asked about outranks what is written without a word.
STRICTNESS = (Relation.UNRELATED, Relation.COMPLEMENTARY, Relation.SAME, Relation.CONFLICTING)


@dataclass(frozen=True, slots=True)
class Floors:
    """From where on two texts count as alike; shares of weight from nought to one."""

    scene: float = 0.5  # words of the smaller scene that the other has too
    topic: float = 0.5  # the same of scene and choice together
    choice: float = 0.7  # words of both choices that both have
    slot: float = 0.3  # words that two choices share when one fills the other's slot
    covered: float = 0.85  # words of the candidate that the note has somewhere
    near: float = 0.45  # likeness by meaning that supports a weak overlap of words
    related: float = 0.3


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was found about one neighbour; `rules` are the names of the rules that fired, in order."""

    note_id: str
    relation: Relation
    score: float
    same_scenario: bool
    same_conclusion: bool
    adds: bool
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One note, read for comparison."""

    scene: Statement
    choice: Statement
    topic: Statement
    whole: Statement
    alternatives: tuple[Statement, ...]


def side(note: Note) -> Side:
    """Return a note read for comparison."""
    scene = "; ".join(note.when_to_load)
    choice = note.decision.partition("\n")[0].strip() or note.one_liner
    parts = (note.title, scene, note.one_liner, note.decision, note.signals, note.counter_signals, note.fact)
    return Side(
        statement.read(scene),
        statement.read(choice),
        statement.read(f"{scene}; {choice}"),
        statement.read("\n".join((*parts, note.principle, note.evidence, " ".join(note.tags)))),
        tuple(statement.read(line.lstrip("-* ")) for line in note.alternatives.splitlines() if line.strip()),
    )


def judge(new: Note, old: Note, likeness: float = 0.0, floors: Floors | None = None) -> Judgement:
    """Return how `new` stands to `old`; `likeness` by meaning, nought to one, is nought where no model speaks."""
    limits = floors or Floors()
    mine, theirs = side(new), side(old)
    scene = _shared(mine.scene, theirs.scene)
    topic = _shared(mine.topic, theirs.topic)
    score = round(max(topic, 0.5 * (topic + likeness), likeness * (topic > 0)), 4)
    verdict = Judgement(old.id, Relation.UNRELATED, score, False, False, True, ())  # noqa: FBT003  no names needed
    if _other_scope(mine.scene, theirs.scene):
        close = topic >= limits.related
        return replace(verdict, relation=_COMPLEMENTARY if close else _UNRELATED, rules=("other_scope",))
    same_scene = scene >= limits.scene or (topic >= limits.topic and scene > 0) or likeness >= limits.near
    conflict = _conflict(mine, theirs, limits, same_scene=same_scene, likeness=likeness)
    if conflict:
        return replace(verdict, relation=Relation.CONFLICTING, same_scenario=True, rules=(conflict,))
    if not same_scene:
        related = topic >= limits.related
        return replace(verdict, relation=_COMPLEMENTARY if related else _UNRELATED, rules=("other_scene",))
    alike = _alike(mine.choice, theirs.choice)
    if alike < limits.choice or not _literally_same(mine.topic, theirs):
        return replace(verdict, relation=_COMPLEMENTARY, same_scenario=True, rules=("same_scene", "other_choice"))
    adds = _adds(mine, theirs, limits)
    rules = ("same_scene", "same_choice", "adds" if adds else "adds_nothing")
    return replace(verdict, relation=Relation.SAME, same_scenario=True, same_conclusion=True, adds=adds, rules=rules)


def stricter(found: Judgement, brought: Relation | None) -> Judgement:
    """Return the judgement after the caller's own was heard: it can raise a question, never wave one away."""
    if brought is None or STRICTNESS.index(brought) <= STRICTNESS.index(found.relation):
        return found
    return replace(found, relation=brought, rules=(*found.rules, "caller"))


_UNRELATED, _COMPLEMENTARY = Relation.UNRELATED, Relation.COMPLEMENTARY


def _shared(one: Statement, other: Statement) -> float:
    """Return which share of the lighter of two statements the other has too, whatever is said about it."""
    common = one.words.keys() & other.words.keys()
    lighter = min(one.weight(), other.weight())
    return min(1.0, one.weight(common) / lighter) if lighter else 0.0


def _alike(one: Statement, other: Statement) -> float:
    """Return which share of all words both statements have, said yes or no to alike."""
    common = [word for word in one.words.keys() & other.words.keys() if _agree(one, other, word)]
    total = one.weight() + other.weight()
    return (one.weight(common) + other.weight(common)) / total if total else 1.0


def _agree(one: Statement, other: Statement, word: str) -> bool:
    return one.words[word].polarity * other.words[word].polarity >= 0


def _other_scope(one: Statement, other: Statement) -> bool:
    """Whether both scenes name something literally, or by name, that the other does not: another service or file."""
    mine = {word for word, value in one.words.items() if value.weight >= Weight.NAME}
    theirs = {word for word, value in other.words.items() if value.weight >= Weight.NAME}
    return bool(mine - other.words.keys()) and bool(theirs - one.words.keys())


def _conflict(mine: Side, theirs: Side, limits: Floors, *, same_scene: bool, likeness: float) -> str:
    """Return the rule by which two notes conflict, or nothing."""
    if same_scene:
        for rule, chosen, turned_down, kept in (
            ("choice_was_rejected", mine.choice, theirs.alternatives, theirs.choice),
            ("rejects_the_choice", theirs.choice, mine.alternatives, mine.choice),
        ):
            if any(_alike(chosen, each) > max(limits.choice, _alike(chosen, kept)) for each in turned_down):
                return rule
    if _turned(mine.choice, theirs.choice) and (same_scene or _shared(mine.topic, theirs.topic) >= limits.topic):
        return "polarity"
    if same_scene and _opposed(mine.choice, theirs.choice):
        return "opposites"
    if same_scene and _other_value(mine, theirs, limits):
        return "other_value"
    del likeness
    return ""


def _turned(one: Statement, other: Statement) -> bool:
    """Whether one says yes to what the other says no to, and nothing of weight the other way round."""
    against = [w for w in one.words.keys() & other.words.keys() if one.words[w].polarity * other.words[w].polarity < 0]
    return one.weight(w for w in against if one.words[w].weight > Weight.WEAK) >= Weight.WORD


def _opposed(one: Statement, other: Statement) -> bool:
    """Whether each says yes to a word that stands against one of the other's."""
    opposites = statement.opposites()
    mine = [word for word in one.words if word not in other.words]
    for word in mine:
        for against in opposites.get(word, frozenset()) & other.words.keys():
            if against not in one.words and one.words[word].polarity * other.words[against].polarity > 0:
                return True
    return False


def _other_value(mine: Side, theirs: Side, limits: Floors) -> bool:
    """Whether two choices differ only in what fills the same slot: another number, name or thing."""
    one, other = mine.choice, theirs.choice
    lone = [word for word in one.words.keys() - theirs.whole.words.keys() if one.words[word].weight > Weight.WEAK]
    lonely = [word for word in other.words.keys() - mine.whole.words.keys() if other.words[word].weight > Weight.WEAK]
    if not lone or not lonely:
        return False
    literal = _literal(one, lone) and _literal(other, lonely)
    return _shared(one, other) >= limits.slot if literal else _alike(one, other) >= 1 - limits.slot


def _literal(of: Statement, words: Iterable[str]) -> bool:
    return any(of.words[word].weight >= Weight.NAME for word in words)


def _literally_same(mine: Statement, theirs: Side) -> bool:
    """Whether each number, identifier and path of either stands in the other too."""
    return mine.literals <= theirs.whole.words.keys() and theirs.topic.literals <= mine.words.keys()


def _adds(mine: Side, theirs: Side, limits: Floors) -> bool:
    """Whether the candidate has something that the note lacks."""
    new = mine.whole
    if not new.literals <= theirs.whole.words.keys():
        return True
    common = new.words.keys() & theirs.whole.words.keys()
    return new.weight(common) < limits.covered * new.weight()
