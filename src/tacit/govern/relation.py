"""How a candidate stands to one existing note: same, complementary, conflicting or unrelated, and why.

The structure decides before likeness does. A pair is read in this order; the first rule that holds decides:

1. another scope: the scenes name different things of a kind (another service, version, environment);
2. a clear conflict: one chose what the other turned down, or says no where the other says yes;
3. what speaks for "the same" and for "conflicting" is weighed against "both hold" (`weighing`): how much of one choice
   the other says, how much their subjects have in common, whether both say no, take opposites or rivals, give another
   value, or put the same steps in another order; with a model also how alike it finds them;
4. of the same: does the candidate add anything? Of those that both hold: complementary, if they share a good part of
   their words; unrelated otherwise.

Numbers, versions, identifiers, paths and negation are compared literally; where they differ two notes are never the
same, however alike they look.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from tacit.govern import lexicon, quantity, statement, vocabulary, weighing
from tacit.govern.scope import other_scope, other_side, same_but_for_one
from tacit.govern.side import Side, side, texts
from tacit.govern.statement import Statement, Weight
from tacit.govern.weighing import Reading
from tacit.note.payload import Relation
from tacit.text.tokens import has_cjk

if TYPE_CHECKING:
    from collections.abc import Collection

    from tacit.note.model import Note

__all__ = ["RULES", "STRICTNESS", "Floors", "Judgement", "Meaning", "compare", "judge", "side", "stricter", "texts"]

# From least to most careful: what the user is asked about outranks what is written without a word.
STRICTNESS = (Relation.UNRELATED, Relation.COMPLEMENTARY, Relation.SAME, Relation.CONFLICTING)
# Every rule that a judgement can name.
RULES = (
    *("other_name", "other_kind", "other_direction", "other_slot"),
    *("choice_was_rejected", "rejects_the_choice", "polarity", "opposites", "other_value", "other_order"),
    *("other_conclusion", "same_scene", "same_choice", "adds", "adds_nothing"),
    *("near_scene", "other_choice", "other_scene", "caller"),
)


@dataclass(frozen=True, slots=True)
class Floors:
    """From where on two texts count as alike; shares of the weight of their words, nought to one."""

    near_scene: float = 0.45  # of the lighter scene: a situation near enough to compare conclusions
    topic: float = 0.35  # of scenes and choices together: near enough for a clash of yes and no
    order: float = 0.6  # of both choices: the same steps, whatever their order
    rejected: float = 0.6  # of a choice and a turned-down alternative
    covered: float = 0.85  # of the candidate's choice that the note says: nothing new
    covers: float = 0.6  # of the note's choice that the candidate says: it is the same choice, not a few of its words
    opposed: float = 0.3  # of the lighter choice: the opposites and what both say besides
    related: float = 0.3
    topic_meaning: float = 0.55  # likeness of scenes and choices together by a model's reading
    choice_meaning: float = 0.4  # the same of the choices alone


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
class Meaning:
    """How alike a model finds two notes, nought to one: what they are about altogether, and what they choose."""

    topic: float
    choice: float


@dataclass(frozen=True, slots=True)
class Alike:
    """How much two notes have in common, measured once for all rules."""

    part: float  # of the lighter scene
    topic: float  # of both topics
    mine: float  # of the candidate's choice that the note says, with the same yes and no
    theirs: float  # of the note's choice that the candidate says
    meaning: Meaning | None


def judge(new: Note, old: Note, meaning: Meaning | None = None, floors: Floors | None = None) -> Judgement:
    """Return how `new` stands to `old`; `meaning` is how alike a model finds them, None where none is loaded."""
    return compare(side(new), side(old), old.id, meaning, floors)


def compare(
    mine: Side, theirs: Side, note_id: str, meaning: Meaning | None = None, floors: Floors | None = None
) -> Judgement:
    """Return how one note stands to another, `note_id`, for a caller that has read both and compares them often."""
    limits = floors or Floors()
    alike = _measure(mine, theirs, meaning)
    score = round(max(alike.topic, meaning.topic if meaning else 0.0), 4)
    verdict = Judgement(note_id, Relation.UNRELATED, score, False, False, True, ())  # noqa: FBT003  the fields name them
    beside = Relation.COMPLEMENTARY if max(alike.topic, alike.part) >= limits.related else Relation.UNRELATED
    if scope := other_scope(mine, theirs):
        return replace(verdict, relation=beside, rules=(scope,))
    near = _near(alike, limits)
    if near and (_lifts_what_is_allowed(mine, theirs) or _lifts_what_is_allowed(theirs, mine)):
        return replace(verdict, relation=beside, same_scenario=True, rules=("near_scene", "other_choice"))
    if near and (clash := _conflict(mine, theirs, limits)):
        return replace(verdict, relation=Relation.CONFLICTING, same_scenario=True, rules=(clash,))
    found = _signals(mine, theirs, alike, limits)
    why = next((rule for rule in _CLASHES if found[rule]), "other_conclusion")
    reading = weighing.reading(found, same=not _differ_literally(mine, theirs), named=why in _CLASHES)
    if reading is Reading.CONFLICT and (why in _CLASHES or not _ask_differently(mine, theirs)):
        return replace(verdict, relation=Relation.CONFLICTING, same_scenario=True, rules=(why,))
    if reading is Reading.SAME:
        adds = _adds(mine, theirs, alike, limits)
        fired = ("same_scene", "same_choice", "adds" if adds else "adds_nothing")
        return replace(
            verdict, relation=Relation.SAME, same_scenario=True, same_conclusion=True, adds=adds, rules=fired
        )
    in_scene = alike.part >= limits.near_scene
    rules = ("near_scene", "other_choice") if in_scene else ("other_scene",)
    return replace(verdict, relation=beside, same_scenario=in_scene, rules=rules)


def weighed(new: Note, old: Note, meaning: Meaning | None, limits: Floors) -> dict[str, float] | None:
    """Return what speaks for each reading of two notes, or None where a clear rule decides."""
    mine, theirs = side(new), side(old)
    alike = _measure(mine, theirs, meaning)
    if other_scope(mine, theirs) or (_near(alike, limits) and _conflict(mine, theirs, limits)):
        return None
    return _signals(mine, theirs, alike, limits)


def stricter(found: Judgement, brought: Relation | None) -> Judgement:
    """Return the judgement after the caller's own was heard: it can raise a question, never wave one away."""
    if brought is None or STRICTNESS.index(brought) <= STRICTNESS.index(found.relation):
        return found
    return replace(found, relation=brought, rules=(*found.rules, "caller"))


def _measure(mine: Side, theirs: Side, meaning: Meaning | None) -> Alike:
    # What both scenes say anyway is no part of what is chosen there.
    common = mine.scene.words.keys() & theirs.scene.words.keys()
    return Alike(
        _lighter(mine.scene, theirs.scene),
        _both(mine.topic, theirs.topic),
        _said_by(mine.choice, theirs.topic, common),
        _said_by(theirs.choice, mine.topic, common),
        meaning,
    )


def _both(one: Statement, other: Statement) -> float:
    """Return the share of the words of two statements that both have, whatever is said about them."""
    common = one.words.keys() & other.words.keys()
    total = one.weight() + other.weight()
    return (one.weight(common) + other.weight(common)) / total if total else 0.0


def _lighter(one: Statement, other: Statement) -> float:
    """Return the share of the lighter of two statements that the other has too."""
    common = one.words.keys() & other.words.keys()
    lighter = min(one.weight(), other.weight())
    return min(1.0, max(one.weight(common), other.weight(common)) / lighter) if lighter else 0.0


def _said_by(one: Statement, other: Statement, aside: Collection[str] = ()) -> float:
    """Return the share of a statement that another says too, with the same yes and no; some words are left aside."""
    own = [word for word in one.words if word not in aside]
    if not any(one.words[word].weight > Weight.WEAK for word in own):
        own = list(one.words)
    common = [word for word in own if (word in other.words and _agree(one, other, word)) or _turns(one, other, word)]
    total = one.weight(own)
    return one.weight(common) / total if total else 0.0


def _agree(one: Statement, other: Statement, word: str) -> bool:
    return one.words[word].polarity * other.words[word].polarity >= 0


def _turns(one: Statement, other: Statement, word: str) -> bool:
    """Whether one says no to a word and the other yes to its opposite, or the other way round: skip not, but run."""
    polarity = one.words[word].polarity
    return any(
        polarity * other.words[against].polarity < 0
        for against in lexicon.antonyms().get(word, frozenset()) & other.words.keys()
    )


# ── Conflict ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _conflict(mine: Side, theirs: Side, limits: Floors) -> str:
    """Return the rule by which two notes conflict, or nothing."""
    if any(_chose(mine.choice, each, theirs.choice, limits) for each in theirs.alternatives):
        return "choice_was_rejected"
    if any(_chose(theirs.choice, each, mine.choice, limits) for each in mine.alternatives):
        return "rejects_the_choice"
    return "polarity" if _denies(mine, theirs) or _denies(theirs, mine) else ""


def _chose(chosen: Statement, turned_down: Statement, kept: Statement, limits: Floors) -> bool:
    """Whether a choice is what the other side turned down, rather than what it kept."""
    likeness = min(_said_by(chosen, turned_down), 1.0), _said_by(turned_down, chosen)
    return max(likeness) >= limits.rejected and max(likeness) > max(_said_by(chosen, kept), _said_by(kept, chosen))


def _denies(one: Side, other: Side) -> bool:
    """Whether one says no, right before it, to something that the other says yes to."""
    allows = vocabulary.ALLOWS.search(other.choice_text) is not None
    affirms = not (other.choice.bare_no or other.choice.negative)
    for word, value in one.choice.words.items():
        if value.denied and value.polarity < 0:
            chosen = other.choice.words.get(word)
            if chosen and chosen.polarity > 0:
                return True
            # "Pushing to main: allowed for all": what is allowed stands in the scene.
            if allows and affirms and chosen is None and word in other.scene.words:
                return True
    return one.choice.bare_no and affirms


def _lifts_what_is_allowed(one: Side, other: Side) -> bool:
    """Whether one says no more than that something need not be done, and the other that it may be: both hold."""
    lifts, allows = vocabulary.LIFTS, vocabulary.ALLOWS
    if not lifts.search(one.choice_text) or allows.search(one.choice_text) or other.choice.negative:
        return False
    return bool(allows.search(other.choice_text)) and not vocabulary.ENFORCES.search(other.choice_text)


def _opposed(one: Statement, other: Statement, limits: Floors) -> bool:
    """Whether each says yes to a word that stands against one of the other's, in like surroundings."""
    own, foreign = one.words.keys() - other.words.keys(), other.words.keys() - one.words.keys()
    pairs = [
        (word, against)
        for word in own
        if one.words[word].polarity > 0
        for against in foreign & lexicon.opposed_to(word)
        if other.words[against].polarity > 0
    ]
    if not pairs:
        return False
    common = sum(one.words[word].weight for word in one.words.keys() & other.words.keys())
    lighter = min(one.weight(), other.weight())
    weight = sum(max(one.words[word].weight, other.words[against].weight) for word, against in pairs)
    return weight + common >= limits.opposed * lighter


def _other_value(mine: Side, theirs: Side, limits: Floors) -> bool:
    """Whether each choice has a number, a name or a stretch that the other note lacks, in the same frame of words."""
    if same_but_for_one(mine, theirs):
        return True
    own = _values(mine.choice, theirs.whole)
    foreign = _values(theirs.choice, mine.whole)
    if not own & foreign:
        return False
    frames = [_frame(side.choice) for side in (mine, theirs)]
    lighter = min(map(len, frames))
    return len(frames[0] & frames[1]) >= limits.related * lighter


def _values(choice: Statement, other: Statement) -> set[bool]:
    """Return whether there are numbers (True) and names (False) in a choice that the other note lacks."""
    words = choice.words.keys() - other.words.keys()
    return {word[0].isdigit() for word in words if choice.words[word].weight >= Weight.NAME}


def _frame(choice: Statement) -> set[str]:
    """Return the words of a choice around its values."""
    return {word for word, value in choice.words.items() if Weight.WEAK < value.weight < Weight.NAME}


def _reordered(mine: Side, theirs: Side, limits: Floors) -> bool:
    """Whether two choices say the same words in another order, where the order is what is said."""
    one, other = _steps(mine.choice_text), _steps(theirs.choice_text)
    if one and other:
        crossed = any(one[at].shares(other[1 - at]) for at in (0, 1))
        return crossed and not any(one[at].shares(other[at]) for at in (0, 1))
    if not (vocabulary.DIRECTED.search(mine.choice_text) and vocabulary.DIRECTED.search(theirs.choice_text)):
        return False
    if has_cjk(mine.choice_text) != has_cjk(theirs.choice_text):
        return False
    common = {
        w for w in mine.choice.words.keys() & theirs.choice.words.keys() if mine.choice.words[w].weight >= Weight.PAIR
    }
    share = min(side.choice.weight(common) / (side.choice.weight() or 1) for side in (mine, theirs))
    order = [[word for word in side.choice.words if word in common] for side in (mine, theirs)]
    return len(common) > 1 and share >= limits.order and order[0] != order[1]


@lru_cache(maxsize=1024)
def _steps(text: str) -> tuple[Statement, Statement] | None:
    """Return the earlier and the later step of a choice that puts two in order."""
    likely = (pattern for sign, pattern in vocabulary.STEPS if sign.search(text))
    found = next((found for pattern in likely if (found := pattern.search(text))), None)
    return (statement.read(found["early"]), statement.read(found["late"])) if found else None


# ── What is weighed ───────────────────────────────────────────────────────────────────────────────────────────────────

# Signals that are rules of their own, in the order in which they are named as the reason of a conflict.
_CLASHES = ("opposites", "other_value", "other_order")


def _signals(mine: Side, theirs: Side, alike: Alike, limits: Floors) -> dict[str, float]:
    """Return what speaks for or against each reading of two notes, each from nought to one."""
    found: dict[str, float] = {
        "says_mine": alike.mine,
        "says_theirs": alike.theirs,
        "says_one": max(alike.mine, alike.theirs),
        "topic": alike.topic,
        "both_say_no": _says_no(mine) and _says_no(theirs),
        "opposites": _opposed(mine.choice, theirs.choice, limits),
        "other_value": _other_value(mine, theirs, limits),
        "other_order": _reordered(mine, theirs, limits),
    }
    if alike.meaning:
        found |= {"topic_meaning": alike.meaning.topic, "choice_meaning": alike.meaning.choice}
    return found


def _ask_differently(mine: Side, theirs: Side) -> bool:
    """Whether two scenes ask two questions: each names its own side of a thing, or has a word of weight to itself."""
    own = mine.scene.words.keys() - theirs.scene.words.keys()
    foreign = theirs.scene.words.keys() - mine.scene.words.keys()
    weighty = all(
        any(side.words[word].weight >= Weight.WORD for word in words)
        for side, words in ((mine.scene, own), (theirs.scene, foreign))
    )
    return weighty or other_side(mine, theirs)


def _says_no(of: Side) -> bool:
    return of.choice.bare_no or of.choice.negative


def _differ_literally(mine: Side, theirs: Side) -> bool:
    """Whether each note has a number, a version, an identifier, a path or a name that the other lacks."""
    own = mine.topic.names - theirs.whole.words.keys()
    foreign = theirs.topic.names - mine.whole.words.keys()
    return bool(own and foreign)


def _near(alike: Alike, limits: Floors) -> bool:
    """Whether two notes are about one thing, by their words or by a model's reading."""
    meaning = alike.meaning
    means = bool(meaning and meaning.topic >= limits.topic_meaning and meaning.choice >= limits.choice_meaning)
    return means or alike.part >= limits.near_scene or alike.topic >= limits.topic


def _adds(mine: Side, theirs: Side, alike: Alike, limits: Floors) -> bool:
    """Whether the candidate has something that the note lacks. In doubt it has: what adds nothing is dropped."""
    extras = (mine.whole.literals | frozenset(w for s in mine.alternatives for w in s.literals)) - (
        theirs.whole.words.keys() | frozenset(w for s in theirs.alternatives for w in s.words)
    )
    binds = vocabulary.ENFORCES.search(mine.choice_text) and vocabulary.ALLOWS.search(theirs.choice_text)
    narrows = vocabulary.LIMITS.search(mine.choice_text) and not vocabulary.LIMITS.search(theirs.choice_text)
    quotes = any(quoted not in theirs.choice_text for quoted in vocabulary.QUOTED.findall(mine.choice_text))
    leaves_out = theirs.choice.literals - mine.whole.words.keys()
    if extras or binds or narrows or quotes or leaves_out or not _in_step(mine.choice, theirs.choice):
        return True
    return alike.mine < limits.covered or alike.theirs < limits.covers


def _in_step(one: Statement, other: Statement) -> bool:
    """Whether what both say yes to comes in one order, and what both say no to: "A reviews B" is not "B reviews A"."""
    common = [word for word in one.words if word in other.words and word not in _beside_numbers()]
    for polarity in (1, 0, -1):
        order = [
            word for word in common if one.words[word].polarity == polarity and one.words[word].weight > Weight.WEAK
        ]
        if order != [word for word in other.words if word in set(order)]:
            return False
    return True


@cache
def _beside_numbers() -> frozenset[str]:
    return frozenset(lexicon.normal(word) for word in quantity.BESIDE_NUMBERS)
