"""What a sentence says, word by word: which things, said yes or no to, and which of them must be taken literally."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from tacit.govern import lexicon, quantity, synonyms, vocabulary
from tacit.govern import opposites as against
from tacit.text import glossary, simplified
from tacit.text.tokens import STOP_CJK_CHARS, STOP_EN, has_cjk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_RUN = re.compile(
    rf"--?[A-Za-z][\w-]*|[^\W{_CJK}]+(?:[-./:+#@'\u2019\\]+[^\W{_CJK}]+)*(?:[+#%]+|/(?![^\W{_CJK}]))?|[{_CJK}]+"
)
_CLAUSE = re.compile(r"[;!?,()\[\]\n\u3001\uff0c\u3002\uff1b\uff01\uff1f\uff08\uff09]|[.:](?=\s|$)|\uff1a| - ")
_LITERAL = re.compile(
    r"\d|[_/\\@#+]|^-|[a-z][A-Z]|\w\.\w|^[A-Z]{2,}s?$|-(?:service|job|api|worker|app|server|db|web|client|gateway|core)s?$"
)
_NUMBER = re.compile(r"v?(\d+(?:[.,]\d+)*)")
_LONGEST = 6
_LATIN = re.compile(r"[A-Za-z]")
_DESCRIBES = re.compile(
    r"(?i)[a-z-]+-(?:[a-z]+(?:ed|ing)|side|only|based|level|free|wide|term|time|run|end|call|up|in|out|off)|(?:multi|single|non|pre|post|cross|self|long|short|high|low|full|half)-[a-z-]+"
)
_COMPOUND = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)+")
_SPACES = re.compile(" {2,}")
# Stands between texts that are read together; no pattern reaches across it.
_BETWEEN = "\n\x1f\n"
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


Effect = IntEnum("Effect", "NONE TURN STOP EXCEPT")  # what a word does to the yes and no of the words after it


@dataclass(frozen=True, slots=True)
class Word:
    """One word: its weight, whether it is said yes (1), no (-1) or both (0) to, and whether a no is right before it."""

    weight: int
    polarity: int
    denied: bool = False

    def with_(self, other: Word) -> Word:
        """Return the word as it stands in two places: yes and no together are both, an exception is neither."""
        agreed = self.polarity == other.polarity or not (self.polarity and other.polarity)
        polarity = (self.polarity or other.polarity) if agreed else 0
        return Word(max(self.weight, other.weight), polarity, self.denied or other.denied)


@dataclass(frozen=True, slots=True)
class Statement:
    """The words of a text, each once in the order in which they come; `bare_no` if a no stands alone ("never")."""

    words: Mapping[str, Word]
    bare_no: bool = False

    @property
    def literals(self) -> frozenset[str]:
        """Numbers, versions, identifiers, paths and the like."""
        return frozenset(word for word, value in self.words.items() if value.weight == Weight.LITERAL)

    @property
    def names(self) -> frozenset[str]:
        """Literals, and names besides."""
        return frozenset(word for word, value in self.words.items() if value.weight >= Weight.NAME)

    @property
    def negative(self) -> bool:
        """Whether it says no to anything."""
        return any(word.polarity < 0 for word in self.words.values())

    def shares(self, other: Statement) -> bool:
        """Whether both have a word that is not a little one."""
        return any(self.words[word].weight > Weight.WEAK for word in self.words.keys() & other.words.keys())

    def weight(self, among: Iterable[str] | None = None) -> int:
        """Return how much these words weigh together, or all."""
        if among is None:
            return sum([word.weight for word in self.words.values()])
        return sum([self.words[word].weight for word in among if word in self.words])


def read(text: str) -> Statement:
    """Return what a text says."""
    return read_all((text,))[0]


@lru_cache(maxsize=4096)
def read_all(texts: tuple[str, ...]) -> tuple[Statement, ...]:
    """Return what each of several texts says; to look for set phrases in all at once is many times faster."""
    return tuple(_statement(part) for part in _plain(_BETWEEN.join(texts)).split(_BETWEEN))


def _statement(plain: str) -> Statement:
    found: dict[str, Word] = {}
    bare_no = False
    for clause in _CLAUSE.split(plain):
        first_no = True
        for token, weight, polarity in _passive(clause):
            if not token:
                bare_no = True
                continue
            denied = polarity < 0 and first_no and weight > Weight.WEAK
            first_no = first_no and not denied if polarity < 0 else True
            word = Word(weight, polarity, denied)
            found[token] = found[token].with_(word) if token in found else word
    return Statement(found, bare_no)


def _plain(text: str) -> str:
    """Return a text with set phrases, names of several words and quantities brought to one form."""
    plain = simplified.read(unicodedata.normalize("NFKC", text)).replace("`", " ")
    for pattern, word in _patterns(has_cjk(plain), _LATIN.search(plain) is not None):
        plain = pattern.sub(word, plain)
    return _SPACES.sub(" ", quantity.plain(plain))


@cache
def _patterns(chinese: bool, latin: bool) -> list[tuple[re.Pattern[str], str]]:  # noqa: FBT001  the two scripts
    """Return the patterns that can be found in a text of these scripts; the others would be tried for nothing."""
    known = (*synonyms.NAMES, *vocabulary.PHRASES)
    return [
        (pattern, word)
        for pattern, word in known
        if (chinese and has_cjk(pattern.pattern)) or (latin and "\\b" in pattern.pattern)
    ]


def joined(*statements: Statement) -> Statement:
    """Return what several statements say together."""
    found: dict[str, Word] = {}
    for each in statements:
        for token, word in each.words.items():
            found[token] = found[token].with_(word) if token in found else word
    return Statement(found, any(each.bare_no for each in statements))


def pieces(text: str) -> list[str]:
    """Return the words and the single Chinese characters of a text, in order."""
    found: list[str] = []
    for run in _RUN.findall(simplified.read(unicodedata.normalize("NFKC", text))):
        found += run if run[0] >= "\u3040" else [run]
    return found


def _passive(clause: str) -> Iterator[tuple[str, int, int]]:
    """Yield the words of a clause; "X is forbidden" says no to what comes before it."""
    passive = vocabulary.PASSIVE_NO.search(clause)
    if passive is None:
        yield from _clause(clause)
        return
    turn = 1 if vocabulary.TURNED_NO.search(passive[0]) else -1
    if turn < 0 and not clause[: passive.start()].strip():
        yield "", 0, -1
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
    waiting = False
    for token, weight, effect in _words(clause):
        if effect is Effect.TURN:
            polarity, waiting = -polarity, True
        elif effect is Effect.STOP:
            polarity = 1
        elif effect is Effect.EXCEPT:
            polarity = 0
        if token:
            yield token, weight, polarity
            waiting = waiting and weight <= Weight.WEAK
    if waiting and polarity < 0:
        yield "", 0, -1


def _words(clause: str) -> Iterator[tuple[str, int, Effect]]:
    first, chinese = True, has_cjk(clause)
    for run in _RUN.findall(clause):
        if run[0] >= "\u3040":
            yield from _chinese(run)
        else:
            yield from _english(run, first=first, chinese=chinese)
        first = False


@lru_cache(maxsize=32768)  # a bank says the same few thousand words over and over
def _english(run: str, *, first: bool, chinese: bool) -> tuple[tuple[str, int, Effect], ...]:
    found: list[tuple[str, int, Effect]] = []
    # Among Chinese words an English compound is a name.
    for word in [run] if chinese else _parted(run):
        effect = _effects_en().get(word.lower().replace("\u2019", "'"), Effect.NONE)
        if effect is not Effect.NONE:
            found.append(("", 0, effect))
        found += ((token, weight, Effect.NONE) for token, weight in _latin(word, first=first))
    return tuple(found)


def _parted(run: str) -> list[str]:
    """Return the words of a compound that describes, "multi-threaded"; one that names stays whole, "media-store".

    So does a flag, "--dry-run".
    """
    is_flag = run.startswith("-")
    return [run] if is_flag or not _DESCRIBES.fullmatch(run) else [part for part in run.split("-") if part]


@cache
def _effects_en() -> Mapping[str, Effect]:
    return {
        **dict.fromkeys(vocabulary.NEGATORS_EN, Effect.TURN),
        **dict.fromkeys(vocabulary.STOPS_EN, Effect.STOP),
        **dict.fromkeys(vocabulary.EXCEPTS_EN, Effect.EXCEPT),
    }


def _divided(text: str) -> tuple[str, str]:
    found = _WISH.search(text)
    return (text[: found.start()], text[found.start() :]) if found else (text, "")


def _latin(run: str, *, first: bool) -> Iterator[tuple[str, int]]:
    lower = run.lower().replace("\u2019", "'").removesuffix("'s")
    if "/" in lower[:-1]:
        lower = lower.rstrip("/")
    if number := _NUMBER.fullmatch(lower):
        yield number[1].replace(",", ""), Weight.LITERAL
        return
    if lower in vocabulary.NEGATORS_EN or (lower in STOP_EN and run not in _NAMES):
        return
    token = lexicon.normal(lower)
    if _LITERAL.search(run) and not (token in lexicon.opposites() or token in lexicon.known()):
        yield token, Weight.LITERAL
    elif lower in vocabulary.WEAK_EN or (lexicon.term(lower) in lexicon.weak() and lower not in lexicon.apart()):
        yield token, Weight.WEAK
    elif (run[0].isupper() and not first and token not in lexicon.known()) or _COMPOUND.fullmatch(run):
        yield token, Weight.NAME
    else:
        yield token, Weight.WORD


@cache
def _lexicon() -> Mapping[str, tuple[str, int, Effect]]:
    """Return Chinese word → its token, its weight and what it does to the polarity."""
    known: dict[str, tuple[str, int, Effect]] = {}
    tables = (synonyms.SYNONYMS, against.ANTONYMS, against.RIVALS, against.SCOPES)
    words = {word for table in tables for word in table.split() if not word.isascii()}
    for word in (*glossary.terms(), *words, *vocabulary.NO_NEGATION_ZH):
        if len(word) > 1:
            known[word] = (lexicon.normal(word), int(Weight.WORD), Effect.NONE)
    for word in vocabulary.WEAK_ZH:
        known[word] = (lexicon.normal(word), int(Weight.WEAK), Effect.NONE)
    for table, effect in (
        (vocabulary.NEGATORS_ZH, Effect.TURN),
        (vocabulary.STOPS_ZH, Effect.STOP),
        (vocabulary.EXCEPTS_ZH, Effect.EXCEPT),
    ):
        known.update(dict.fromkeys(table, ("", 0, effect)))
    return known


def _chinese(run: str) -> Iterator[tuple[str, int, Effect]]:
    """Yield the words of a Chinese run: known ones, the longest first from the left, and pairs of the rest."""
    lexicon = _lexicon()
    rest = ""
    start = 0
    while start < len(run):
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


def _pairs(rest: str) -> Iterator[tuple[str, int, Effect]]:
    kept = "".join(char for char in rest if char not in STOP_CJK_CHARS)
    if len(kept) == 1:
        yield kept, Weight.PAIR, Effect.NONE
    for at in range(len(kept) - 1):
        yield kept[at : at + 2], Weight.PAIR, Effect.NONE


# What words turn down besides what they choose: "instead of X", "switch from X to Y", 不再用 X. The thing is a few
# words of a clause, up to what is wanted instead.
_THING = r"(?P<thing>[^,.;:!?\n()]{1,60}?(?:\.\w[^,.;:!?\n()]{0,40}?)*)"
_NEXT = "to|with|by|and|we|i|in favou?r|for|any\\s?more|any\\slonger|now|because|since|as|so"
_END = rf"(?=\s(?:{_NEXT})\b|\.(?:\s|$)|[,;:!?\n()]|$)"
_LEAVE = "(?:dropp|ditch|scrapp|retir|abandon)(?:ed|ing)|drop|ditch|scrap|retire|abandon"
_TURNED_DOWN_EN = (
    rf"\b(?:instead\sof|rather\sthan|no\smore)\s{_THING}{_END}",
    rf"\b(?:stop(?:ped)?\s(?:using|doing)|get\srid\sof|forget(?:\sabout)?|{_LEAVE})\s{_THING}{_END}",
    rf"\bno\slonger\s(?:use|support|want|need|do|run|keep|write|deploy|ship|accept)?s?\s?{_THING}{_END}",
    rf"\b(?:switch|mov|migrat|chang|went|go)(?:e|es|ed|ing|s)?\s(?:\w+\s){{0,3}}?(?:away\s)?from\s{_THING}{_END}",
    rf"\breplac(?:e|es|ed|ing)\s{_THING}\s(?:with|by)\b",
    rf"(?:^|[,;:.]\s?)(?:the\s)?{_THING}\sis\s(?:dead|gone|out|history|obsolete|deprecated|retired|end\sof\slife|too\sold)\b",
)
_THING_ZH = r"(?P<thing>[^，。；：、！？,;:!?\n（）]{1,24}?)"
_END_ZH = r"(?=[了吧啦，。；：！？,;:!?\n]|$)"
_TURNED_DOWN_ZH = (
    rf"(?:不再|别再|不要再)(?:继续)?(?:使用|采用|支持|用|走|写|放|往)?{_THING_ZH}(?:里|放)?{_END_ZH}",
    rf"(?:不用|不使用|弃用|停用|废弃|下掉|去掉|放弃){_THING_ZH}{_END_ZH}",
    rf"(?:而不是|而非|不是){_THING_ZH}{_END_ZH}",
    rf"(?:从|由|把|将){_THING_ZH}(?:全部|都|统一|直接|先)?(?:换|改|切|迁移?|替换|升级?|调整?|提高|降低?)(?:用|成|为|到|掉|至)",
    rf"(?:取代|替代|代替|替换掉?){_THING_ZH}{_END_ZH}",
    rf"(?:^|[，。；,;\s]){_THING_ZH}(?:那套|那个)?(?:不要|不用|不支持|废弃|作废|下线|停用|退役)了",
)


@lru_cache  # asked for every neighbour
def turned_down(words: str) -> tuple[Statement, ...]:
    """Return what the user's words turn down, each as a statement of its own."""
    words = simplified.read(words)
    patterns = _compiled(*_TURNED_DOWN_EN, *_TURNED_DOWN_ZH) if has_cjk(words) else _compiled(*_TURNED_DOWN_EN)
    things = dict.fromkeys(found["thing"].strip() for pattern in patterns for found in pattern.finditer(words))
    found = (read(thing) for thing in things if thing)
    return tuple(each for each in found if each.shares(each))


@lru_cache
def _compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(f"(?im){pattern}") for pattern in patterns)
