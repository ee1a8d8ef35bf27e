"""Whether the user said it: a payload's quotes against the prompts that were seen on this machine."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.govern import signals, statement, vocabulary
from tacit.govern.statement import Weight, turned_down
from tacit.note.payload import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.note.payload import Payload

# Which share of the choice must stand in the user's words for "nearly word for word".
_NEARLY = 0.8
# A situation or an alternative of the agent's own that is longer, or has an end of a clause, says more than its name.
_NAME_CHARS = 60
_SAYS_MORE = re.compile(r"[;；。!！?？]|[.:：]\s")
_CLAUSE_END = re.compile(r"[,;:.，；：。](?:\s|$|(?=[\u3040-\uffff]))")
_PART = re.compile(r"[,;.，；。](?:\s|$|(?=[\u3040-\uffff]))|\s(?:because|since|after|before|during)\s|因为|由于")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|(?<![:：])\n+")  # what a colon introduces belongs to it


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the user's own words say about a payload.

    `missing` names what an automatic payload lacks so that it is dropped, `doubt` why its words do not count as the
    user's. `words` are those that do; `decides` and `hedged` say what is in them, `literal` that the choice is
    and nothing was added.
    """

    missing: str = ""
    doubt: str = ""
    words: str = ""
    decides: bool = False
    hedged: bool = False
    literal: bool = False

    @property
    def verified(self) -> bool:
        """Whether the words are the user's, as far as this machine can tell."""
        return bool(self.words) and not self.doubt


def weigh(payload: Payload, prompts: Sequence[str], *, by_hand: bool) -> Evidence:
    """Return what the user's words say; `prompts` are those seen in this conversation, the last one last.

    What the user typed into a command of ours (`by_hand`) needs no other witness.
    """
    said = payload.origin
    words = said.text if said else ""
    if by_hand:
        return _read(payload, words or payload.choice, "")
    if payload.source is Source.AUTO:
        missing = _missing(payload)
        if missing:
            return Evidence(missing=missing)
    if not words:
        return Evidence(doubt="no_words")
    if said and not all(0 <= span.start < span.end <= len(said.text) for span in said.spans):
        return _read(payload, words, "span_outside")
    if not prompts:
        return _read(payload, words, "no_prompt_seen")
    heard = [(number, found) for number, prompt in enumerate(prompts) if (found := _heard(words, prompt))]
    if not heard:
        return _read(payload, words, "not_typed")
    number, found = heard[-1]
    later = [each.replace("’", "'") for each in prompts[number + 1 :]]
    if any(vocabulary.RETRACTS.search(each) or vocabulary.CORRECTS.match(each) for each in later):
        return _read(payload, words, "taken_back", found)
    earlier = payload.source is Source.AUTO and number < len(prompts) - 1
    return _read(payload, words, "other_turn" if earlier else "", found)


def _missing(payload: Payload) -> str:
    """Return the first thing that an automatic payload must bring and does not."""
    if payload.origin is None or not payload.origin.text:
        return "origin.text"
    if not payload.origin.spans:
        return "origin.spans"
    if payload.claim is None or not payload.claim.id or not payload.claim.digest:
        return "claim"
    return "" if payload.confidence else "confidence"


@dataclass(frozen=True, slots=True)
class _Heard:
    """A prompt with a quote in it: the whole sentences that it was cut from, and the others."""

    sentences: str
    others: tuple[str, ...] = ()

    @property
    def hedged(self) -> bool:
        """Whether there is doubt in what was said; a question about something else is none."""
        others = (each.rstrip("?？吗 ") for each in self.others)
        said = [each.replace("’", "'") for each in (self.sentences, *others)]
        return any(pattern.search(each) for each in said for pattern in (vocabulary.HEDGES, vocabulary.RETRACTS))


def _heard(quote: str, prompt: str) -> _Heard | None:
    """Return where a quote stands in a prompt. A quote may leave out a "never" or a "maybe", its sentences do not."""
    sentences = [each for each in _SENTENCE_END.split(prompt) if each]
    wanted, keys = _key(quote), [_key(each) for each in sentences]
    whole = "".join(keys)
    touched: list[str] = []
    others: list[str] = []
    start = 0
    places = list(_places(wanted, whole)) if wanted else []
    for sentence, key in zip(sentences, keys, strict=True):
        inside = any(place < start + len(key) and place + len(wanted) > start for place in places)
        (touched if inside else others).append(sentence)
        start += len(key)
    return _Heard("\n".join(touched), tuple(others)) if places else None


def _places(wanted: str, text: str) -> Iterator[int]:
    """Yield where a text stands in another, also where two places overlap."""
    place = text.find(wanted)
    while place >= 0:
        yield place
        place = text.find(wanted, place + 1)


def _read(payload: Payload, words: str, doubt: str, heard: _Heard | None = None) -> Evidence:
    said = heard or _Heard(words)
    chosen = _stands_in(payload.choice, said.sentences) and _in_step(payload.choice, said.sentences)
    literal = chosen and not _adds(payload, said.sentences) and not _leaves_out(payload, said.sentences)
    # "From now on X" decides for X, not for whatever else the payload chose.
    decides = chosen and not said.hedged and vocabulary.DECIDES.search(said.sentences) is not None
    return Evidence("", doubt, words, decides, said.hedged, literal)


def _adds(payload: Payload, words: str) -> bool:
    """Whether a payload says more than the user's words and the name of the situation do."""
    known = f"{words}\n{payload.scene}\n{payload.choice}"
    texts = (payload.title, payload.one_liner, payload.fact, payload.principle, payload.evidence)
    lists = (payload.signals, payload.counter_signals, *payload.when_to_load)
    names = (payload.scene, *payload.principles, *payload.tags)
    own = (each for each in names if len(each) > _NAME_CHARS or (_SAYS_MORE.search(each) and each != payload.choice))
    whose = vocabulary.AUDIENCES.get(payload.apply)
    return (
        any(each and not _stands_in(each, known) for each in (*texts, *lists))
        or any(not _stands_in(each, words) for each in (*own, *payload.pointers))
        or bool(whose and not whose.search(words))
    )


def _in_step(choice: str, words: str) -> bool:
    """Whether a choice says things in the order in which they were said: "A before B" is not "B before A"."""
    chosen = statement.read(choice)
    # A word may come twice, first in the situation: "when adding a package, use uv add".
    parts = (words, *_SENTENCE_END.split(words), *_CLAUSE_END.split(words))
    said = (statement.read(each) for each in parts)
    return any(signals.in_step(chosen, each) for each in said if chosen.weight(each.words) >= _NEARLY * chosen.weight())


def _leaves_out(payload: Payload, words: str) -> bool:
    """Whether the sentences with the choice say more, limit it or tell no rule, and the payload is silent about it."""
    texts = (payload.scene, payload.choice, payload.counter_signals, payload.one_liner)
    own = statement.read("\n".join((*texts, *payload.when_to_load)))
    weighed, gone = [*map(statement.read, payload.principles)], turned_down(words)
    known, chosen = statement.joined(own, *weighed).words, statement.read(payload.choice)
    # What the words ask for besides is no alternative; what they turn down is.
    named = statement.joined(own, *(each for each in weighed if any(map(each.shares, gone)))).words
    for sentence in _SENTENCE_END.split(words):
        if not _stands_in(payload.choice, sentence) and _stands_in(payload.choice, words.replace(sentence, "")):
            continue  # it is about something else
        if (found := vocabulary.TELLS_NO_RULE.search(sentence)) and found[0].casefold() not in f"{texts}".casefold():
            return True
        for limit in vocabulary.LIMITS.finditer(sentence):
            before = statement.read(_CLAUSE_END.split(sentence[: limit.start()])[-1]).words
            if before and chosen.weight(before) < chosen.weight() / 2:
                continue  # in the middle of a reason
            clause = statement.read(_CLAUSE_END.split(sentence[limit.end() :])[0]).words
            if any(value.weight > Weight.WEAK and word not in known for word, value in clause.items()):
                return True
        for part in _PART.split(sentence):  # "Bob wants us to", "write a test that": who says so, or what is asked for
            said = statement.read(vocabulary.FRAMES.sub(" ", part)).words
            beyond = (each for word, each in said.items() if word not in named and each.weight > Weight.WEAK)
            if chosen.weight(said) >= chosen.weight() / 2 and any(each.polarity >= 0 for each in beyond):
                return True
    return False


def _stands_in(choice: str, words: str) -> bool:
    """Whether a choice stands nearly word for word in a text, with every literal and every yes and no."""
    chosen, said = statement.read(choice), statement.read(words)
    common = {
        word
        for word in chosen.words.keys() & said.words.keys()
        if chosen.words[word].polarity * said.words[word].polarity > 0
    }
    weighty = {word for word, value in chosen.words.items() if value.weight >= Weight.NAME}
    return bool(common) and weighty <= common and chosen.weight(common) >= _NEARLY * chosen.weight()


def _key(text: str) -> str:
    """Return a text without what does not matter to whether it was typed: white space, width, case."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())
