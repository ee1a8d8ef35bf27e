"""How a candidate stands to one existing note: same, complementary, conflicting or unrelated, and why.

The structure decides before likeness does. A pair is read in this order; the first rule that holds decides:

0. two remarks of one sentence, without a situation of their own, that differ in a figure, a flag, of how many or in
   the order alone, are a conflict;
1. another scope: the scenes name different things of a kind (another service, version, environment);
2. a clear conflict: one chose what the other turned down;
3. strangers: what they are about has too little in common, and not most of the rest either;
4. what speaks for "the same" and for "conflicting" is weighed against "both hold" by two readers (`weighing`): how much
   of one choice the other says, how much their subjects have in common, whether one says no where the other says yes,
   whether they take opposites or rivals, give another value, or put the same steps in another order (`signals`); with a
   model also how alike it finds them;
5. of the same: does the candidate add anything? Of those that both hold: complementary, if they share a good part of
   their words; unrelated otherwise.

Numbers, versions, identifiers, paths and negation are compared literally; where they differ two notes are never the
same, however alike they look.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from unicodedata import normalize

from tacit.govern import lexicon, signals, statement, vocabulary, weighing
from tacit.govern.scope import other_figure, other_scope, other_side
from tacit.govern.side import Side, side, texts
from tacit.govern.signals import CLASHES, Alike, Floors, Meaning, agree, in_step, measure, said_by
from tacit.govern.statement import Weight, turned_down
from tacit.govern.weighing import Reading
from tacit.note.payload import Relation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tacit.govern.statement import Statement
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
class Judgement:
    """What was found about one neighbour; `rules` are the names of the rules that fired, in order."""

    note_id: str
    relation: Relation
    score: float
    adds: bool
    rules: tuple[str, ...]


def judge(
    new: Note, old: Note, meaning: Meaning | None = None, floors: Floors | None = None, *, words: str = ""
) -> Judgement:
    """Return how `new` stands to `old`; `meaning` is how alike a model finds them, None where none is loaded.

    `words`, the user's as far as is known, may name what the new one takes the place of; that only leads to a question.
    """
    return compare(side(new), side(old), old.id, meaning, floors, gone=turned_down(words))


def compare(
    mine: Side,
    theirs: Side,
    note_id: str,
    meaning: Meaning | None = None,
    floors: Floors | None = None,
    *,
    gone: Sequence[Statement] = (),
) -> Judgement:
    """Return how one note stands to another, `note_id`, for a caller that has read both and compares them often.

    `gone` is what the user's words turned down besides the alternatives of the first note.
    """
    limits = floors or Floors()
    alike = measure(mine, theirs, meaning)
    score = round(max(alike.topic, meaning.topic if meaning else 0.0), 4)
    verdict = Judgement(note_id, Relation.UNRELATED, score, adds=True, rules=())
    beside = Relation.COMPLEMENTARY if max(alike.topic, alike.part) >= limits.related else Relation.UNRELATED
    if _is_yes_and_no(mine, theirs) and not _one_lifts_what_is_allowed(mine, theirs):
        return replace(verdict, relation=Relation.CONFLICTING, rules=("polarity",))
    if clash := turned_by_little(*(f"{each.scene_text}\n{each.choice_text}" for each in (mine, theirs))):
        return replace(verdict, relation=Relation.CONFLICTING, rules=(clash,))
    if mine.remark and theirs.remark and (clash := _one_sentence(mine, theirs, limits)):
        return replace(verdict, relation=Relation.CONFLICTING, rules=(clash,))
    if scope := other_scope(mine, theirs):
        return replace(verdict, relation=beside, rules=(scope,))
    near = alike.is_near(limits)
    if near and _one_lifts_what_is_allowed(mine, theirs):
        return replace(verdict, relation=beside, rules=("near_scene", "other_choice"))
    if near and (clash := _conflict(mine, theirs, limits, gone)):
        return replace(verdict, relation=Relation.CONFLICTING, rules=(clash,))
    reading, why = _read(mine, theirs, alike, limits) if alike.is_kin(limits) else (Reading.BESIDE, "")
    if reading is Reading.CONFLICT:
        return replace(verdict, relation=Relation.CONFLICTING, rules=(why,))
    if reading is Reading.SAME:
        adds = _adds(mine, theirs, alike, limits)
        fired = ("same_scene", "same_choice", "adds" if adds else "adds_nothing")
        return replace(verdict, relation=Relation.SAME, adds=adds, rules=fired)
    in_scene = alike.part >= limits.near_scene
    rules = ("near_scene", "other_choice") if in_scene else ("other_scene",)
    return replace(verdict, relation=beside, rules=rules)


def weighed(new: Note, old: Note, meaning: Meaning | None, limits: Floors) -> dict[str, float] | None:
    """Return what speaks for each reading of two notes, or None where a clear rule decides."""
    mine, theirs = side(new), side(old)
    alike = measure(mine, theirs, meaning)
    by_rule = _one_lifts_what_is_allowed(mine, theirs) or _conflict(mine, theirs, limits)
    if not alike.is_kin(limits) or other_scope(mine, theirs) or (alike.is_near(limits) and by_rule):
        return None
    return signals.read(mine, theirs, alike, limits)


def stricter(found: Judgement, brought: Relation | None) -> Judgement:
    """Return the judgement after the caller's own was heard: it can raise a question, never wave one away.

    What the caller reads as anything but the same is not dropped as saying nothing new.
    """
    if not found.adds and brought in (Relation.UNRELATED, Relation.COMPLEMENTARY):
        return replace(found, adds=True, rules=(*found.rules, "caller"))
    if brought is None or STRICTNESS.index(brought) <= STRICTNESS.index(found.relation):
        return found
    return replace(found, relation=brought, rules=(*found.rules, "caller"))


# ── Conflict ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _conflict(mine: Side, theirs: Side, limits: Floors, gone: Sequence[Statement] = ()) -> str:
    """Return the rule by which two notes conflict, or nothing."""
    if any(_chose(mine.choice, each, theirs.choice, limits) for each in theirs.alternatives):
        return "choice_was_rejected"
    if any(_chose(theirs.choice, each, mine.choice, limits) for each in (*mine.alternatives, *gone)):
        return "rejects_the_choice"
    return "opposites" if _every_or_only(mine, theirs) or _every_or_only(theirs, mine) else ""


def _one_sentence(mine: Side, theirs: Side, limits: Floors) -> str:
    """Return the rule by which two remarks clash that are one sentence but for a figure, or for the order of steps."""
    one, other = (replace(side, choice_text=side.remark, choice=statement.read(side.remark)) for side in (mine, theirs))
    if other_figure(one, other):
        return "other_value"
    return "other_order" if signals.reordered(one, other, limits) else ""


def _every_or_only(one: Side, other: Side) -> bool:
    """Whether one says of every thing what the other says of some only: run all tests, run only the smoke tests."""
    says_only = [vocabulary.ONLY.search(side.choice_text) for side in (one, other)]
    if says_only[0] or not says_only[1] or not vocabulary.EVERY.search(one.choice_text):
        return False
    said = [word for word in _weighty(one.choice) if not vocabulary.EVERY.fullmatch(word)]
    return bool(said) and all(agree(one.choice, other.topic, word) for word in said)


def _chose(chosen: Statement, turned_down: Statement, kept: Statement, limits: Floors) -> bool:
    """Whether a choice is what the other side turned down, rather than what it kept."""
    likeness = min(said_by(chosen, turned_down), 1.0), said_by(turned_down, chosen)
    return max(likeness) >= limits.rejected and max(likeness) > max(said_by(chosen, kept), said_by(kept, chosen))


def _is_yes_and_no(mine: Side, theirs: Side) -> bool:
    """Whether two remarks are the same letter by letter, but that one says no: 提交前跑测试, 提交前不要跑测试."""
    one, other = (" ".join(dict.fromkeys((each.scene_text, each.choice_text))) for each in (mine, theirs))
    says_no, either = vocabulary.NO_OR_YES
    if len(says_no.findall(one)) % 2 == len(says_no.findall(other)) % 2:
        return False
    return either.sub("", one).casefold() == either.sub("", other).casefold()


def _one_lifts_what_is_allowed(mine: Side, theirs: Side) -> bool:
    return _lifts_what_is_allowed(mine, theirs) or _lifts_what_is_allowed(theirs, mine)


def _lifts_what_is_allowed(one: Side, other: Side) -> bool:
    """Whether one says no more than that something need not be done, and the other that it may be: both hold."""
    lifts, allows = vocabulary.LIFTS, vocabulary.ALLOWS
    if not lifts.search(one.choice_text) or allows.search(one.choice_text) or other.choice.negative:
        return False
    return bool(allows.search(other.choice_text)) and not vocabulary.ENFORCES.search(other.choice_text)


# ── What is weighed ───────────────────────────────────────────────────────────────────────────────────────────────────


def _read(mine: Side, theirs: Side, alike: Alike, limits: Floors) -> tuple[Reading, str]:
    """Return what the readers say, and the rule that would name a conflict."""
    found = signals.read(mine, theirs, alike, limits)
    why = next((rule for rule in CLASHES if found[rule]), "other_conclusion")
    heard = _first(mine, theirs, found, why, near=alike.is_near(limits))
    reading = weighing.reading(heard, found, _possible(mine, theirs, why))
    # Orders about nothing in particular, "never call the search database", answer no question that another could answer
    # otherwise, unless it is by how much.
    is_order = not (mine.scene_text and theirs.scene_text)
    is_vague = why not in ("polarity", "opposites", "other_order") and not found["other_numbers"]
    if reading is Reading.SAME:  # nor do they say the same if they share a word
        is_vague = not alike.meaning and max(alike.mine, alike.theirs) < limits.covers
    return (Reading.BESIDE if is_order and is_vague else reading), why


def _first(mine: Side, theirs: Side, found: Mapping[str, float], why: str, *, near: bool) -> Reading:
    """Return what the first reader says."""
    if near and why == "polarity":
        return Reading.CONFLICT
    named = any(found[rule] for rule in CLASHES if rule != "polarity")
    heard = weighing.first(found, same=not _differ_literally(mine, theirs), named=named)
    is_doubtful = heard is Reading.CONFLICT and not named and _ask_differently(mine, theirs)
    return Reading.BESIDE if is_doubtful else heard


def _ask_differently(mine: Side, theirs: Side) -> bool:
    """Whether two scenes ask two questions: each names its own side of a thing, or has a word of weight to itself."""
    own = mine.scene.words.keys() - theirs.scene.words.keys()
    foreign = theirs.scene.words.keys() - mine.scene.words.keys()
    weighty = all(
        any(side.words[word].weight >= Weight.WORD for word in words)
        for side, words in ((mine.scene, own), (theirs.scene, foreign))
    )
    return weighty or other_side(mine, theirs)


def _possible(mine: Side, theirs: Side, why: str) -> set[Reading]:
    """Return the readings that are not out of the question."""
    found = set(Reading)
    if _differ_literally(mine, theirs):
        found.remove(Reading.SAME)
    # A conflict that nothing names needs one question with two answers, of which neither says all of the other.
    says_all = _is_said_by(mine, theirs) or _is_said_by(theirs, mine)
    if why not in CLASHES and (says_all or _ask_differently(mine, theirs)):
        found.remove(Reading.CONFLICT)
    return found


def _is_said_by(one: Side, other: Side) -> bool:
    """Whether a choice says nothing but what the other says too, with the same yes and no and in the same order."""
    words = {word for word in _weighty(one.choice) if not _is_mode(word)}
    if not words:
        return one.choice.bare_no == other.choice.bare_no and one.choice.negative == other.choice.negative
    return all(agree(one.choice, other.topic, word) for word in words) and in_step(one.choice, other.choice)


def _weighty(of: Statement) -> list[str]:
    """Return the words of a statement that say something by themselves."""
    return [word for word, value in of.words.items() if value.weight > Weight.WEAK]


def _is_mode(word: str) -> bool:
    """Whether a word says no more than that something may be done, or must."""
    return any(pattern.fullmatch(word) for pattern in (vocabulary.ALLOWS, vocabulary.ENFORCES))


def _differ_literally(mine: Side, theirs: Side) -> bool:
    """Whether each note has a number, a version, an identifier, a path or a name that the other lacks."""
    own = mine.topic.names - theirs.whole.words.keys()
    foreign = theirs.topic.names - mine.whole.words.keys()
    return bool(own and foreign)


def _adds(mine: Side, theirs: Side, alike: Alike, limits: Floors) -> bool:
    """Whether the candidate has something that the note lacks. In doubt it has: what adds nothing is dropped."""
    known = statement.joined(theirs.whole, theirs.beside, *theirs.alternatives).words
    # Of two remarks of one sentence the sentences are read: what turns a choice may stand in its situation.
    said, told = mine.choice_text, theirs.remark or theirs.choice_text
    said = mine.remark if mine.remark and theirs.remark else said
    parts = (mine.scene, mine.beside, *mine.alternatives)
    return bool(
        mine.whole.literals - known.keys()
        or any(quoted not in theirs.choice_text for quoted in vocabulary.QUOTED.findall(mine.choice_text))
        or _says_more(told, said, mine)
        or _turns(said, told)
        or _crosses(mine, theirs)
        or _of_how_many(mine.scene_text) != _of_how_many(theirs.scene_text)
        or signs(mine.choice_text) != signs(theirs.choice_text)
        or any(word not in known for part in parts for word in _weighty(part))
        or not _is_said_by(mine, theirs)
        or min(alike.mine, alike.theirs) < limits.covers
    )


def _says_more(told: str, said: str, mine: Side) -> bool:
    """Whether a choice has a word that the other note lacks, or the same words in another order."""
    found, known = statement.read(told), lexicon.antonyms()
    lacking = (word for word in _weighty(found) if word not in mine.whole.words and not _is_mode(word))
    return any(not known.get(word, frozenset()) & mine.whole.words.keys() for word in lacking) or not in_step(
        found, statement.read(said)
    )


def _of_how_many(scene: str) -> set[str]:
    return {word.lower() for word in vocabulary.QUANTIFIES.findall(scene)}


def _crosses(mine: Side, theirs: Side) -> bool:
    """Whether each chooses what for the other is the situation: lint before you format, format before you lint."""
    own, foreign = (side.choice.words.keys() - side.scene.words.keys() for side in (mine, theirs))
    return bool((own - foreign) & theirs.scene.words.keys() and (foreign - own) & mine.scene.words.keys())


def _turns(one: str, other: str) -> bool:
    """Whether a little word, a no, an end or an "only" in one of two texts makes something else of its other words."""
    little = [[word.lower() for word in vocabulary.TURNS.findall(text)] for text in (one, other)]
    no = [len(vocabulary.SAYS_NO.findall(text)) + len(vocabulary.ENDS.findall(text)) for text in (one, other)]
    if little[0] != little[1] or (no[0] - no[1]) % 2:  # "do not skip" is "run"
        return True
    for told in (vocabulary.LISTS, vocabulary.SIZES, vocabulary.LETTERS):
        found = [told.findall(text) for text in (one, other)]
        if all(found) and found[0] != found[1]:
            return True
    parts = [[statement.read(part).words.keys() for part in vocabulary.ONLY.split(text)] for text in (one, other)]
    known = set[str]().union(*parts[1])
    return len(parts[0]) != len(parts[1]) or any(mine & known - theirs for mine, theirs in zip(*parts, strict=True))


# What stands between words and says something: comparisons, ranges, the sign of a number, a quotation mark by itself.
_SIGN = re.compile(r"[<>=≤≥≠~^±$|&%]+|(?<![0-9A-Za-z_.)\-])[-−+](?=\d)|(?<=\s)[\"'`](?=\s|$)")
_WORD = re.compile(rf"{_SIGN.pattern}|[0-9A-Za-z_]+|[^\W\d_]")
_SPELLED = str.maketrans({"≥": ">=", "≤": "<=", "≠": "!=", "−": "-"})
# Words of which one stands where the other stands in a text that says something else.
_OPPOSITES = frozenset(
    frozenset(pair.split("/"))
    for pair in """
    on/off up/down in/out all/any before/after with/without above/below over/under first/last more/less more/fewer
    most/least inside/outside left/right asc/desc ascending/descending and/or min/max minimum/maximum always/never
    开/关 上/下 前/后 内/外 左/右 大/小 多/少 高/低 升/降 先/后 或/和 或/与
    """.split()  # noqa: SIM905  pairs, not sixty quotes
)


def signs(text: str) -> list[str]:
    """Return the signs of a text, in order."""
    return [each.translate(_SPELLED) for each in _SIGN.findall(normalize("NFKC", text))]


def turned_by_little(one: str, other: str) -> str:
    """Return the rule by which texts clash that are the same but for signs, the case of names or little opposites."""
    mine, theirs = _words(one), _words(other)
    if [each for each in mine if _is_word(each)] == [each for each in theirs if _is_word(each)]:
        return "other_value" if mine != theirs else ""
    if len(mine) != len(theirs):
        return ""
    unlike = [frozenset(each) for each in zip(mine, theirs, strict=True) if each[0] != each[1]]
    if all(_is_one_name(*each) for each in unlike):
        return "other_value"
    return "opposites" if all(each in _OPPOSITES for each in unlike) else ""


def _words(text: str) -> list[str]:
    """Return the words and signs of a text; of case is kept what names things, not how a sentence begins."""
    found = (each.translate(_SPELLED) for each in _WORD.findall(normalize("NFKC", text)))
    return [each if _is_name(each) else each.casefold() for each in found]


def _is_word(text: str) -> bool:
    return text[0].isalnum() or text[0] == "_"


def _is_name(word: str) -> bool:
    """Whether a word is spelled as names in code are: with a capital within, or an underscore."""
    return "_" in word or (word != word.upper() and word[1:] != word[1:].lower())


def _is_one_name(one: str, other: str) -> bool:
    return one.casefold() == other.casefold() and _is_name(one) and _is_name(other)
