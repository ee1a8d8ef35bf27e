"""Which of the user's sentences are worth keeping, and why: each candidate bears its sentence and its rule."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tacit.capture import remark
from tacit.capture.keeps import ENOUGH, KEEPS, POINTS, SCREEN
from tacit.capture.sentences import sentences
from tacit.capture.signs import BARS, REQUEST, STANDING, STYLE, Content
from tacit.note.model import Kind
from tacit.text import clip, simplified

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.capture.sentences import Sentence

_FEWEST_CHARS = {"latin": 12, "chinese": 6}
_LONGEST_CHARS = 600
_TITLE_COLUMNS = 90
_OF_SCREENS = frozenset({"limit", "convention", "meaning", "procedure"})
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_KINDS = {
    Content.PREFERENCE: Kind.PRINCIPLE,
    Content.DECISION: Kind.DECISION,
    Content.DOMAIN: Kind.TECH,
    Content.PRODUCT_RULE: Kind.BUSINESS,
    Content.CONVENTION: Kind.PRINCIPLE,
    Content.HEURISTIC: Kind.HEURISTIC,
    Content.PATTERN: Kind.PATTERN,
    Content.REJECTION: Kind.PRINCIPLE,
    Content.ROOT_CAUSE: Kind.TROUBLESHOOTING,
}
# Words before the point: they greet, agree or ask to remember, and say nothing themselves.
_LEAD_IN = re.compile(
    r"""(?ix) ^(?:
        (?:no|yes|ok(?:ay)?|well|so|and|but|also|btw|by\sthe\sway|hey|hi|right|sure|great|thanks|please\snote|note|fyi
          |found\sit|got\sit|actually|one\smore\sthing)\s*[,.:;!—-]+\s*
      | (?:also|and|so|but)\s(?=(?:please|never|always|we|don't|do\snot|no|our)\b)
      | (?:and\s)?by\sthe\sway,?\s | (?:just\s)?so\syou\sknow(?:\sfor\s(?:next\stime|the\sfuture))?\s*[,:]?\s
      | (?:please\s)?(?:remember|keep\sin\smind|note|bear\sin\smind)(?:\sthat|\s?[:,])\s
      | [/$](?:tacit:)?remember\s(?:that\s)?  # the command, as a host's user types it
      | for\s(?:the\srecord|next\stime)\s*[,:]\s
      | (?:另外|还有|对了|顺便|哦|嗯|好的?|不对|查到了|那)\s*[，,：:]\s*
      | (?:另外|还有|顺便)?(?:请)?(?:记住|记一下|记得|注意|提醒一下)\s*[，,：:]\s*
    )"""
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something worth keeping: the sentence of the user that says it, in which turn, what it is and by which rule."""

    turn: int
    sentence: str
    content: Content
    rule: str

    @property
    def point(self) -> str:
        """The sentence without the words that lead up to it."""
        return point(self.sentence)

    def payload(self) -> dict[str, object]:
        """Return the payload that this candidate becomes; its evidence is the sentence, word for word."""
        given = remark.payload(self.point)
        if given["scene"] == given["choice"]:  # it names no situation of its own
            said = self.point.rstrip("。.")
            given |= {"title": clip(said, _TITLE_COLUMNS), "one_liner": said}
        spans = [{"start": 0, "end": len(self.sentence), "label": str(self.content)}]
        origin = {"text": self.sentence, "spans": spans, "turn": self.turn}
        return {**given, "source": "extract", "kind": str(_KINDS[self.content]), "origin": origin}


@dataclass(frozen=True, slots=True)
class Judged:
    """One sentence and the rule that kept it or left it; `content` is None for one that is left."""

    sentence: str
    rule: str
    content: Content | None = None


def candidates(turns: Sequence[str]) -> list[Candidate]:
    """Return what is worth keeping of the user's turns, in their order; what was said twice is one candidate."""
    found: dict[str, Candidate] = {}
    for number, turn in enumerate(turns, 1):
        for judged in judge(turn):
            if judged.content is not None:
                key = "".join(judged.sentence.casefold().split())
                found.setdefault(key, Candidate(number, judged.sentence, judged.content, judged.rule))
    return list(found.values())


def judge(turn: str) -> Iterator[Judged]:
    """Yield each sentence of a turn with the rule that decided about it.

    "That's the rule here" says nothing itself: the sentence before it is what is kept.
    """
    before: Judged | None = None
    for sentence in sentences(turn):
        judged = _judged(sentence)
        if judged.rule == "as_agreed" and before is not None and before.content is None:
            judged = replace(judged, sentence=before.sentence)
        yield judged
        before = judged


def point(sentence: str) -> str:
    """Return a sentence without the words that lead up to its point."""
    there, back = simplified.both_ways(sentence)
    text = sentence.strip().translate(there)
    while (shorter := _LEAD_IN.sub("", text, count=1)) != text and shorter:
        text = shorter
    return text.strip().translate(back)


def _judged(sentence: Sentence) -> Judged:
    bare = point(sentence.bare)
    least = _FEWEST_CHARS["chinese" if _CHINESE.search(bare) else "latin"]
    if not least <= len(bare) <= _LONGEST_CHARS:
        return Judged(sentence.text, "too_short" if len(bare) < least else "too_long")
    for bar in BARS:
        if bar.pattern.search(bare):
            return Judged(sentence.text, bar.name)
    if REQUEST.pattern.search(bare) and not (STANDING.pattern.search(bare) or STYLE.pattern.search(bare)):
        return Judged(sentence.text, REQUEST.name)
    for sign in KEEPS:
        if sign.name in _OF_SCREENS and SCREEN.pattern.search(bare):
            continue  # what a page should show is a task, however firmly it is worded
        if sign.pattern.search(sentence.bare if sign.content is None else bare):
            return Judged(sentence.text, sign.name, sign.content or _content(bare))
    found = [(points, sign.name) for points, sign in POINTS if sign.pattern.search(bare)]
    if sum(points for points, _ in found) >= ENOUGH:
        return Judged(sentence.text, f"statement: {', '.join(name for _, name in found)}", Content.CONVENTION)
    return Judged(sentence.text, "no_sign")


def _content(bare: str) -> Content:
    """Return what a sentence holds that the user asked to remember, whatever it is."""
    return next((sign.content for sign in KEEPS if sign.content and sign.pattern.search(bare)), Content.CONVENTION)
