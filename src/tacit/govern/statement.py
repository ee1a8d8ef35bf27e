"""What a sentence says, word by word: which things, said yes or no to, and which of them must be taken literally."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from tacit.govern import vocabulary
from tacit.text import glossary
from tacit.text.stem import stem
from tacit.text.tokens import STOP_CJK_CHARS, STOP_EN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_RUN = re.compile(rf"--?[A-Za-z][\w-]*|[^\W{_CJK}]+(?:[-./:+#@'\u2019\\]+[^\W{_CJK}]+)*[+#%]*|[{_CJK}]+")
_CLAUSE = re.compile(r"[;!?,()\[\]\n\u3001\uff0c\u3002\uff1b\uff01\uff1f\uff08\uff09]|[.:](?=\s|$)|\uff1a| - ")
_LITERAL = re.compile(r"\d|[_/\\@#+]|^-|[a-z][A-Z]|\w\.\w|^[A-Z]{2,}s?$")
_NUMBER = re.compile(r"v?(\d+(?:[.,]\d+)*)([A-Za-z%]{0,7})")
_UNITS = {
    **dict.fromkeys(("ms", "millis", "millisecond", "milliseconds", "毫秒"), "millisecond"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds", "秒", "秒钟"), "second"),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes", "分钟"), "minute"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours", "小时"), "hour"),
    **dict.fromkeys(("d", "day", "days", "天", "日"), "day"),
    **dict.fromkeys(("w", "week", "weeks", "周", "星期"), "week"),
    **dict.fromkeys(("month", "months", "个月", "月"), "month"),
    **dict.fromkeys(("%", "percent"), "percent"),
    **dict.fromkeys(("char", "chars", "character", "characters", "字符"), "character"),
}
_WORD_NUMBERS = {
    word: str(number)
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())  # noqa: SIM905
    if number > 1
}
_ZH_DIGITS = {char: str(number) for number, char in enumerate("零一二三四五六七八九十")} | {"两": "2"}
_ZH_NUMBER = re.compile(r"([两二三四五六七八九十])(?=个|次|天|分钟|秒|小时|周|位|人|行|条|份|层|台|名|遍|格|年|月)")
_LONGEST = 6
# Names that would be little words if they were not written so.
_NAMES = frozenset({"IT", "US", "Go"})
_WISH = re.compile(r"(?i)\b(?:use|using|prefer|choose|go with|we)\b")


class Weight(IntEnum):
    """How much a word tells about which thing is meant, in tenths."""

    WEAK = 2
    PAIR = 5  # two Chinese characters next to each other: pairs overlap, so each counts for half a word
    WORD = 10
    NAME = 14
    LITERAL = 18


@dataclass(frozen=True, slots=True)
class Word:
    """One word: its weight, whether it is said yes (1), no (-1) or both (0) to, and whether a no is right before it."""

    weight: int
    polarity: int
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """The words of a text, each once in the order in which they come."""

    words: Mapping[str, Word]

    @property
    def literals(self) -> frozenset[str]:
        """Numbers, versions, identifiers, paths and the like."""
        return frozenset(word for word, value in self.words.items() if value.weight == Weight.LITERAL)

    def weight(self, among: Iterable[str] | None = None) -> int:
        """Return how much these words weigh together, or all."""
        return sum(self.words[word].weight for word in (self.words if among is None else among) if word in self.words)


@lru_cache(maxsize=4096)
def read(text: str) -> Statement:
    """Return what a text says."""
    found: dict[str, Word] = {}
    plain = unicodedata.normalize("NFKC", text).replace("`", " ")
    for pattern, word in vocabulary.PHRASES:
        plain = pattern.sub(word, plain)
    for clause in _CLAUSE.split(plain):
        first_no = True
        for token, weight, polarity in _passive(clause):
            denied = polarity < 0 and first_no and weight > Weight.WEAK
            first_no = first_no and not denied if polarity < 0 else True
            before = found.get(token)
            if before is None:
                found[token] = Word(weight, polarity, denied)
            else:
                both = polarity if before.polarity == polarity else 0
                found[token] = Word(max(weight, before.weight), both, denied or before.denied)
    return Statement(found)


def pieces(text: str) -> list[str]:
    """Return the words and the single Chinese characters of a text, in order."""
    found: list[str] = []
    for run in _RUN.findall(unicodedata.normalize("NFKC", text)):
        found += run if run[0] >= "\u3040" else [run]
    return found


def normal(word: str) -> str:
    """Return the form in which a word is compared: its stem, or the word that stands for all that mean the same."""
    lower = word.lower()
    if term := glossary.terms().get(lower):
        return term
    root = stem(lower) if lower.isascii() else lower
    return glossary.same().get(root, root)


@cache
def opposites() -> Mapping[str, frozenset[str]]:
    """Return word → the words that say the opposite of it, or that are taken instead of it."""
    found: dict[str, set[str]] = {}
    for table in (vocabulary.ANTONYMS, vocabulary.ANTONYMS_ZH, vocabulary.RIVALS):
        for group in table.split(" / "):
            members = {normal(word) for word in group.split()}
            for member in members:
                found.setdefault(member, set()).update(members - {member})
    return {word: frozenset(others) for word, others in found.items()}


def _passive(clause: str) -> Iterator[tuple[str, int, int]]:
    """Yield the words of a clause; "X is forbidden" says no to what comes before it."""
    passive = vocabulary.PASSIVE_NO.search(clause)
    if passive is None:
        yield from _clause(clause)
        return
    turn = 1 if vocabulary.TURNED_NO.search(passive[0]) else -1
    yield from ((token, weight, turn * polarity) for token, weight, polarity in _clause(clause[: passive.start()]))
    yield from _clause(clause[passive.end() :])


def _clause(clause: str) -> Iterator[tuple[str, int, int]]:
    """Yield the words of a clause with their weights and whether a negation reaches them."""
    rejected = vocabulary.REJECTS.search(clause)
    if rejected:
        yield from _clause(clause[: rejected.start()])
        # "instead of X use Y": what is turned down ends where the wish begins; "never use X" has no such end.
        turned_down, wish = _divided(clause[rejected.end() :])
        yield from _turned(turned_down, polarity=-1)
        yield from _turned(wish, polarity=1)
        return
    yield from _turned(clause, polarity=1)


def _turned(clause: str, polarity: int) -> Iterator[tuple[str, int, int]]:
    first = True
    for run in _RUN.findall(clause):
        if run[0] >= "\u3040":
            for token, weight, is_turn, is_stop in _chinese(run):
                if is_turn:
                    polarity = -polarity
                elif is_stop:
                    polarity = 1
                if token:
                    yield token, weight, polarity
            first = False
            continue
        lower = run.lower().replace("\u2019", "'")
        if lower in vocabulary.NEGATORS_EN:
            polarity = -polarity
        elif lower in vocabulary.STOPS_EN:
            polarity = 1
        for token, weight in _latin(run, first=first):
            yield token, weight, polarity
        first = False


def _divided(text: str) -> tuple[str, str]:
    found = _WISH.search(text)
    return (text[: found.start()], text[found.start() :]) if found else (text, "")


def _latin(run: str, *, first: bool) -> Iterator[tuple[str, int]]:
    lower = run.lower().replace("\u2019", "'").removesuffix("'s")
    if number := _NUMBER.fullmatch(lower):
        yield number[1].replace(",", ""), Weight.LITERAL
        if unit := number[2]:
            yield normal(_UNITS.get(unit, unit)), Weight.WORD
        return
    if lower in _WORD_NUMBERS:
        yield _WORD_NUMBERS[lower], Weight.LITERAL
        return
    if lower in _UNITS and len(lower) > 1:
        yield normal(_UNITS[lower]), Weight.WORD
        return
    if lower in vocabulary.NEGATORS_EN or (lower in STOP_EN and run not in _NAMES):
        return
    token = normal(lower)
    if _LITERAL.search(run) and token not in opposites():
        yield token, Weight.LITERAL
    elif lower in vocabulary.WEAK_EN or token in _weak():
        yield token, Weight.WEAK
    elif run[0].isupper() and not first:
        yield token, Weight.NAME
    else:
        yield token, Weight.WORD


def is_weak(token: str) -> bool:
    """Whether a word says little about which thing is meant."""
    return token in _weak() or token in vocabulary.WEAK_ZH


@cache
def _weak() -> frozenset[str]:
    return frozenset(normal(word) for word in vocabulary.WEAK_EN)


@cache
def _lexicon() -> Mapping[str, tuple[str, int, bool, bool]]:
    """Return Chinese word → its token, weight, and whether it turns the meaning or ends a turn."""
    known: dict[str, tuple[str, int, bool, bool]] = {
        term: (word, int(Weight.WORD), False, False) for term, word in glossary.terms().items()
    }
    for table in (vocabulary.ANTONYMS_ZH, vocabulary.RIVALS):
        for word in table.replace("/", " ").split():
            if not word.isascii():
                known.setdefault(word, (word, int(Weight.WORD), False, False))
    for word, unit in _UNITS.items():
        if not word.isascii():
            known[word] = (normal(unit), int(Weight.WORD), False, False)
    for word in vocabulary.WEAK_ZH:
        known[word] = (word, int(Weight.WEAK), False, False)
    for word in vocabulary.NEGATORS_ZH:
        known[word] = ("", 0, True, False)
    for word in vocabulary.STOPS_ZH:
        known[word] = ("", 0, False, True)
    return known


def _chinese(run: str) -> Iterator[tuple[str, int, bool, bool]]:
    """Yield the words of a Chinese run: known ones, the longest first from the left, and pairs of the rest."""
    lexicon = _lexicon()
    rest = ""
    start = 0
    while start < len(run):
        if number := _ZH_NUMBER.match(run, start):
            yield from _pairs(rest)
            rest = ""
            yield _ZH_DIGITS[number[1]], Weight.LITERAL, False, False
            start += 1
            continue
        ends = range(min(len(run), start + _LONGEST), start, -1)
        end = next((end for end in ends if run[start:end] in lexicon), 0)
        if end:
            yield from _pairs(rest)
            rest = ""
            yield lexicon[run[start:end]]
            start = end
        else:
            rest += run[start]
            start += 1
    yield from _pairs(rest)


def _pairs(rest: str) -> Iterator[tuple[str, int, bool, bool]]:
    kept = "".join(char for char in rest if char not in STOP_CJK_CHARS)
    if len(kept) == 1:
        yield kept, Weight.PAIR, False, False
    for at in range(len(kept) - 1):
        yield kept[at : at + 2], Weight.PAIR, False, False
