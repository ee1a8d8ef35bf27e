"""Whether two scenes are about different things of a kind, or look at one thing from different sides."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import cache
from typing import TYPE_CHECKING

from tacit.govern import lexicon, quantity, statement, vocabulary
from tacit.text.tokens import STOP_EN, has_cjk

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tacit.govern.side import Side
    from tacit.govern.statement import Statement

_PARTS = re.compile(r"[-_/.]+")
_MOST_SLOTS = 2
_SAME_SUBJECT = 0.8  # of the weight of two scenes: what both say
_QUESTIONS = ("where", "who")
Slot = tuple[list[str], list[str]]
# What SequenceMatcher calls an opcode: tag, then a stretch of the first phrase and one of the second.
Block = tuple[str, int, int, int, int]


def other_scope(mine: Side, theirs: Side) -> str:
    """Return the rule by which two scenes are about different things of a kind, or nothing."""
    own, foreign = _beyond(mine, theirs), _beyond(theirs, mine)
    if _named(mine.scene, own, theirs.topic) and _named(theirs.scene, foreign, mine.topic):
        return "other_name"
    kinds = lexicon.kinds()
    for word in own:
        for other in kinds.get(word, frozenset()) & foreign:
            if mine.scene.words[word].polarity * theirs.scene.words[other].polarity > 0:
                return "other_kind"
    if _swapped(mine, theirs):
        return "other_direction"
    return "other_slot" if _differ_in_slots(mine, theirs) or _other_subjects(mine, theirs) else ""


def _other_subjects(mine: Side, theirs: Side) -> bool:
    """Whether both choices are whole sentences that begin with their scenes, about other subjects.

    "Rome is the capital of Italy" and "Dante was born in Italy" share their words, and no question.
    """
    if not all(side.scene.words and side.scene.words.keys() <= side.choice.words.keys() for side in (mine, theirs)):
        return False
    return not _one_scene(mine, theirs)


def _beyond(one: Side, other: Side) -> set[str]:
    """Return the words of a scene that the other note does not have."""
    return {word for word in one.scene.words if word not in other.topic.words}


def _named(of: Statement, words: set[str], other: Statement) -> bool:
    """Whether a name or number is among these words that is no longer or shorter form of a word of the other's."""
    names = [set(_PARTS.split(word)) for word in words & of.names]
    if not names:
        return False
    parts = [set(_PARTS.split(word)) for word in other.words if not word[0].isdigit()]
    return any(not any(name <= part or part <= name for part in parts) for name in names)


def _swapped(mine: Side, theirs: Side) -> bool:
    """Whether two scenes name the same two things the other way round: from A to B, from B to A."""
    if not (vocabulary.DIRECTED.search(mine.scene_text) and vocabulary.DIRECTED.search(theirs.scene_text)):
        return False
    common = {word for word in mine.scene.names & theirs.scene.names if not word[0].isdigit()}
    orders = [[word for word in side.scene.words if word in common] for side in (mine, theirs)]
    return orders[0] != orders[1] and has_cjk(mine.scene_text) == has_cjk(theirs.scene_text)


def _differ_in_slots(mine: Side, theirs: Side) -> bool:
    """Whether two scenes are the same phrase but for a stretch or two, and these are no mere aspects."""
    found = _slots(phrase(mine.scene_text), phrase(theirs.scene_text)), _heads(mine.scene_text, theirs.scene_text)
    return any(slots and all(_are_things(slot, mine, theirs) for slot in slots) for slots in found)


def same_but_for_one(mine: Side, theirs: Side) -> bool:
    """Whether two choices in one scene are the same phrase but for one stretch: the core crew owns it, the web crew."""
    if not _one_scene(mine, theirs):
        return False
    slots = _slots(*(phrase(quantity.plain(side.choice_text)) for side in (mine, theirs)))
    if len(slots) != 1:
        return False
    one, other = map(_stretch, slots[0])
    return one.shares(one) and other.shares(other) and not one.shares(other)


def other_figure(mine: Side, theirs: Side) -> bool:
    """Whether two remarks are one sentence but for a figure, a flag or of how many: 分页 20 条, 分页 200 条.

    A figure counts something or ends the sentence: where it names a thing, "release 2.4 is late", there are two things.
    """
    one, other = (_sentence(side.choice_text) for side in (mine, theirs))
    slots = _slots(one, other)
    if len(slots) != 1:
        return False
    values = ["".join(each) for each in slots[0]]
    behind = next(at for at, (own, foreign) in enumerate(zip(one[::-1], other[::-1], strict=False)) if own != foreign)
    counts = "第" not in one and (not behind or one[-behind] in _counters())
    if all(each[0] == "-" for each in values) or (counts and all(map(_is_figure, values))):
        return True
    groups = [next((group for group in _how_many() if each in group), []) for each in values]
    return bool(all(groups) and groups[0] != groups[1])


def _sentence(text: str) -> list[str]:
    return [each for each in map(str.casefold, statement.pieces(quantity.plain(text))) if each != "都"]


@cache
def _counters() -> frozenset[str]:
    return quantity.BESIDE_NUMBERS | {*quantity.COUNTERS, "a", "per", "times"}


def _is_figure(word: str) -> bool:
    return word[0].isdigit() or word == "once"


@cache
def _how_many() -> list[list[str]]:
    return lexicon.groups(vocabulary.HOW_MANY)


def _one_scene(mine: Side, theirs: Side) -> bool:
    common = mine.scene.words.keys() & theirs.scene.words.keys()
    total = mine.scene.weight() + theirs.scene.weight()
    return mine.scene.weight(common) + theirs.scene.weight(common) >= _SAME_SUBJECT * total


def _are_things(slots: Slot, mine: Side, theirs: Side) -> bool:
    """Whether two stretches name two things, neither of which the other's choice is about."""
    if any(map(_is_aspect, slots)):
        return False
    one, other = map(_stretch, slots)
    if not (one.weight() and other.weight()) or one.shares(other):
        return False
    return not (one.shares(theirs.choice) or other.shares(mine.choice))


def _heads(one: str, other: str) -> list[Slot]:
    """Return what stands before the same last 的 of two Chinese phrases, where neither holds the other."""
    (head, _, tail), (other_head, _, other_tail) = one.rpartition("的"), other.rpartition("的")
    if not (head and other_head) or tail.strip() != other_tail.strip() or head in other_head or other_head in head:
        return []
    return [(phrase(head), phrase(other_head))]


def _slots(one: list[str], other: list[str]) -> list[Slot]:
    """Return the one or two stretches by which two phrases differ, if at least half of both is the same."""
    blocks = _joined(SequenceMatcher(None, one, other, autojunk=False).get_opcodes())
    changed = [block for block in blocks if block[0] != "equal"]
    kept = sum(end - start for tag, start, end, _, _ in blocks if tag == "equal")
    if len(changed) > _MOST_SLOTS or 2 * kept < max(len(one), len(other)):
        return []
    if any(tag != "replace" for tag, *_ in changed):
        return []
    return [(one[start:end], other[at:until]) for _, start, end, at, until in changed]


def _joined(blocks: Sequence[Block]) -> list[Block]:
    """Return what differs with single pieces between two differences counted in: 测试 and 压测 share one by chance."""
    joined: list[Block] = []
    for place, block in enumerate(blocks):
        tag, start, end, at, until = block
        inside = 0 < place < len(blocks) - 1 and end - start == 1
        if tag == "equal" and not inside:
            joined.append(block)
        elif joined and joined[-1][0] != "equal":
            _, first, _, other, _ = joined.pop()
            joined.append((_tag(end - first, until - other), first, end, other, until))
        else:
            joined.append((_tag(end - start, until - at), start, end, at, until))
    return joined


def _tag(length: int, other: int) -> str:
    return "replace" if length and other else "delete" if length else "insert"


def _stretch(pieces: list[str]) -> Statement:
    return statement.read(" ".join(pieces) if pieces[0].isascii() else "".join(pieces))


def phrase(text: str) -> list[str]:
    """Return a phrase as the words and Chinese characters that it consists of."""
    found = [lexicon.normal(piece) for piece in statement.pieces(text)]
    return [piece for piece in found if not lexicon.is_weak(piece)]


def _is_aspect(pieces: list[str]) -> bool:
    text = "".join(pieces)
    known = _aspects() | STOP_EN
    return all(piece in known for piece in pieces) or any(word in text for word in vocabulary.ASPECTS_ZH)


@cache
def _aspects() -> frozenset[str]:
    return frozenset(lexicon.normal(word) for word in vocabulary.ASPECTS_EN)


def other_side(mine: Side, theirs: Side) -> bool:
    """Whether each scene names a side from which it looks at its thing, and not the same one."""
    one, other = (
        {number for word in (*_beyond(side, against), *_asked(side)) for number in _sides().get(word, ())}
        for side, against in ((mine, theirs), (theirs, mine))
    )
    return bool(one and other and not one & other)


def _asked(side: Side) -> list[str]:
    """Return the word with which a scene asks for its side: where a service writes its logs."""
    return [word for word in side.scene_text.lower().split()[:1] if word in _QUESTIONS]


@cache
def _sides() -> Mapping[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, group in enumerate(lexicon.groups(vocabulary.SIDES.replace("\n", " "))):
        for word in group:
            found.setdefault(lexicon.normal(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}
