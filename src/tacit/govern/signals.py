"""What two notes have in common and where they differ, as numbers from nought to one that are weighed together."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from tacit.govern import lexicon, quantity, statement, vocabulary
from tacit.govern.scope import phrase, same_but_for_one
from tacit.govern.statement import Statement, Weight
from tacit.text.tokens import has_cjk

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from tacit.govern.side import Side

# Signals that are rules of their own, in the order in which they are named as the reason of a conflict.
CLASHES = ("polarity", "opposites", "other_value", "other_order")
_NO_WORD = re.compile(r"\W+")
_LONG = 30  # words of two choices that count as long
_MOST_CHANGES = 4


@dataclass(frozen=True, slots=True)
class Floors:
    """From where on two texts count as alike; shares of the weight of their words, nought to one."""

    near_scene: float = 0.45  # of the lighter scene: a situation near enough to compare conclusions
    topic: float = 0.35  # of scenes and choices together: near enough for a clash of yes and no
    order: float = 0.6  # of both choices: the same steps, whatever their order
    rejected: float = 0.6  # of a choice and a turned-down alternative
    covers: float = 0.6  # of the note's choice that the candidate says: it is the same choice, not a few of its words
    opposed: float = 0.3  # of the lighter choice: the opposites and what both say besides
    related: float = 0.3
    kin: float = 0.2  # of the lighter scene and of scenes and choices: enough to be the same or to clash
    topic_meaning: float = 0.55  # likeness of scenes and choices together by a model's reading
    choice_meaning: float = 0.4  # the same of the choices alone


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

    def is_near(self, limits: Floors) -> bool:
        """Whether two notes are about one thing, by their words or by a model's reading."""
        return self._is_meant(limits) or self.part >= limits.near_scene or self.topic >= limits.topic

    def is_kin(self, limits: Floors) -> bool:
        """Whether two notes have enough in common to be the same or to clash: what they are about, or most of all.

        A bank is full of notes that share a few words of what they choose and nothing of what it is about.
        """
        shares = self.part >= limits.kin and self.topic >= limits.kin
        return shares or self.topic >= limits.topic or self._is_meant(limits)

    def _is_meant(self, limits: Floors) -> bool:
        found = self.meaning
        return bool(found and found.topic >= limits.topic_meaning and found.choice >= limits.choice_meaning)


def measure(mine: Side, theirs: Side, meaning: Meaning | None) -> Alike:
    """Return how much two notes have in common."""
    # What both scenes say anyway is no part of what is chosen there.
    common = mine.scene.words.keys() & theirs.scene.words.keys()
    return Alike(
        _lighter(mine.scene, theirs.scene),
        _both(mine.topic, theirs.topic),
        said_by(mine.choice, theirs.topic, common),
        said_by(theirs.choice, mine.topic, common),
        meaning,
    )


def read(mine: Side, theirs: Side, alike: Alike, limits: Floors) -> dict[str, float]:
    """Return what speaks for or against each reading of two notes, each from nought to one."""
    choices, scenes = _Texts(mine.choice_text, theirs.choice_text), _Texts(mine.scene_text, theirs.scene_text)
    longest = max(len(mine.choice.words), len(theirs.choice.words), 1)
    longer = len(mine.choice.words) - len(theirs.choice.words)
    no = [len(vocabulary.SAYS_NO.findall(each)) for each in (mine.choice_text, theirs.choice_text)]
    only = [vocabulary.ONLY.search(each) is None for each in (mine.choice_text, theirs.choice_text)]
    numbers = [{word for word in of.choice.words if word[0].isdigit()} for of in (mine, theirs)]
    found: dict[str, float] = {
        "says_mine": alike.mine,
        "says_theirs": alike.theirs,
        "says_one": max(alike.mine, alike.theirs),
        "topic": alike.topic,
        "scene_part": alike.part,
        "scenes": _both(mine.scene, theirs.scene),
        "choices": _both(mine.choice, theirs.choice),
        # Words that stand nowhere in the other note, and those of one's choice that stand in the other's scene.
        "choice_only_mine": _beyond(mine.choice, theirs),
        "choice_only_theirs": _beyond(theirs.choice, mine),
        "scene_only_mine": _beyond(mine.scene, theirs),
        "scene_only_theirs": _beyond(theirs.scene, mine),
        "crossing": (_crossing(mine, theirs) + _crossing(theirs, mine)) / 2,
        # The same by three letters, or two Chinese characters, in a row.
        "letters": _shared(choices.one, choices.other),
        "letters_part": len(choices.both) / max(1, min(len(choices.one), len(choices.other))),
        "scene_letters": _shared(scenes.one, scenes.other),
        "scene_letters_part": len(scenes.both) / max(1, min(len(scenes.one), len(scenes.other))),
        "all_letters": _shared(choices.one | scenes.one, choices.other | scenes.other),
        # The same phrase, but for what was changed in it.
        "choice_phrase": choices.phrase.ratio(),
        "choice_replaced": min(_MOST_CHANGES, choices.replaced) / _MOST_CHANGES,
        "scene_phrase": scenes.phrase.ratio(),
        "scene_begins_alike": scenes.begin_alike,
        "one_scene": mine.scene.words.keys() == theirs.scene.words.keys(),
        "in_step": in_step(mine.choice, theirs.choice) and len(mine.choice.words.keys() & theirs.choice.words) > 1,
        "both_say_no": _says_no(mine) and _says_no(theirs),
        "one_says_no": bool(no[0]) != bool(no[1]),
        "no_turned": (no[0] - no[1]) % 2,
        "one_says_only": only[0] != only[1],
        "polarity": _denies(mine, theirs) or _denies(theirs, mine),
        "opposites": _opposed(mine.choice, theirs.choice, limits),
        "other_value": _other_value(mine, theirs, limits),
        "other_order": reordered(mine, theirs, limits),
        "other_numbers": bool(numbers[0] - theirs.whole.words.keys()) and bool(numbers[1] - mine.whole.words.keys()),
        "name_mine": bool(mine.choice.names - theirs.whole.words.keys()),
        "name_theirs": bool(theirs.choice.names - mine.whole.words.keys()),
        "long": min(1.0, (len(mine.choice.words) + len(theirs.choice.words)) / _LONG),
        "longer": max(0, longer) / longest,
        "shorter": max(0, -longer) / longest,
        "chinese": has_cjk(mine.choice_text),
        "two_languages": has_cjk(mine.choice_text) != has_cjk(theirs.choice_text),
    }
    if alike.meaning:
        found |= {"topic_meaning": alike.meaning.topic, "choice_meaning": alike.meaning.choice}
    return {name: float(value) for name, value in found.items()}


# ── Words ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


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


def said_by(one: Statement, other: Statement, aside: Collection[str] = ()) -> float:
    """Return the share of a statement that another says too, with the same yes and no; some words are left aside."""
    own = [word for word in one.words if word not in aside]
    if not any(one.words[word].weight > Weight.WEAK for word in own):
        own = list(one.words)
    common = [word for word in own if agree(one, other, word)]
    total = one.weight(own)
    return one.weight(common) / total if total else 0.0


def agree(one: Statement, other: Statement, word: str) -> bool:
    """Whether a word of one is said by the other with the same yes and no, or its opposite with the other."""
    found = other.words.get(word)
    same = found is not None and one.words[word].polarity * found.polarity >= 0
    return same or _turns(one, other, word)


def _turns(one: Statement, other: Statement, word: str) -> bool:
    """Whether one says no to a word and the other yes to its opposite, or the other way round: skip not, but run."""
    polarity = one.words[word].polarity
    return any(
        polarity * other.words[against].polarity < 0
        for against in lexicon.antonyms().get(word, frozenset()) & other.words.keys()
    )


def _beyond(words: Statement, other: Side) -> float:
    """Return the share of a statement that stands nowhere in another note."""
    return _share(words, [word for word in words.words if word not in other.whole.words])


def _crossing(one: Side, other: Side) -> float:
    """Return the share of one's choice that is in the other's scene alone: words that do another work there."""
    elsewhere = other.scene.words.keys() - other.choice.words.keys() - one.scene.words.keys()
    return _share(one.choice, elsewhere)


def _share(of: Statement, words: Iterable[str]) -> float:
    return of.weight(words) / (of.weight() or 1)


def _says_no(of: Side) -> bool:
    return of.choice.bare_no or of.choice.negative


# ── Clashes ───────────────────────────────────────────────────────────────────────────────────────────────────────────


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


def reordered(mine: Side, theirs: Side, limits: Floors) -> bool:
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


def in_step(one: Statement, other: Statement) -> bool:
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


# ── Letters ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class _Texts:
    """Two texts, held against each other letter by letter and as phrases."""

    def __init__(self, one: str, other: str) -> None:
        self.one, self.other = _letters(one), _letters(other)
        self.both = self.one & self.other
        one_phrase, other_phrase = (phrase(quantity.plain(each)) for each in (one, other))
        self.phrase = SequenceMatcher(None, one_phrase, other_phrase, autojunk=False)
        self.begin_alike = one_phrase[:1] == other_phrase[:1]
        self.replaced = sum(tag == "replace" for tag, *_ in self.phrase.get_opcodes())


@lru_cache(maxsize=4096)
def _letters(text: str) -> frozenset[str]:
    """Return every three letters in a row, or every two of a text with Chinese characters."""
    chinese = has_cjk(text)
    plain = _NO_WORD.sub("" if chinese else " ", text.lower()).strip()
    length = 2 if chinese else 3
    return frozenset(plain[at : at + length] for at in range(max(1, len(plain) - length + 1)))


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))
