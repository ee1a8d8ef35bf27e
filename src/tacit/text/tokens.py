"""Text to search tokens: English stems, CJK characters and pairs, identifiers whole and in parts."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from unicodedata import normalize

from tacit.text import glossary, simplified
from tacit.text.stem import stem

CJK_TEXT = 0.15
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_ASCII_LETTER = "0-9A-Za-z_"
_LETTER = rf"{_ASCII_LETTER}\u00c0-\u024f\u0370-\u1fff"
_ASCII_RUN = re.compile(rf"[{_ASCII_LETTER}]+(?:[-./:+#@'\\]+[{_ASCII_LETTER}]+)*[+#]*")
# Compiled when first used: that takes milliseconds, and most prompts have none of it.
_RUN = rf"[{_LETTER}]+(?:[-./:+#@'\u2019\\]+[{_LETTER}]+)*[+#]*|[{_CJK}]+"
# Letters and digits as wide as Chinese characters, as its keyboards can write them, are those of ASCII.
_HALF_WIDTH = {ord(each) + 0xFEE0: each for each in map(chr, range(128)) if each.isalnum() or each == "_"}
_HAS_CJK = rf"[{_CJK}]"
_PART = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_VERSION = re.compile(r"v\d+(?:\.\d+)+")
_PLURAL = 2
_LATIN = re.compile(r"[A-Za-z]{2,}")
_LONGEST_TERM = 6
_SPLIT = re.compile(r"[-./:+#@'\u2019\\_]+")

STOP_EN = frozenset(
    """
    a an the this that these those it its he she they them his her their our we us you your i me my mine
    who whom whose is are was were be been being am do does did doing done has have had having will
    would shall should can could may might must of in on at by to for from with without into onto as
    than then so but and or nor if not no yes what which when where why how there here about any some
    all each both just also too very really please ve ll re don doesn didn isn aren wasn weren won
    wouldn couldn shouldn let lets get got go going im ive thing things something anything up out over
    off again once only own same such ok okay hey hi hello thanks thank
    """.split()  # noqa: SIM905  words, not a hundred lines of quotes
)
# A sentence that begins with one of these gets a capital; another short word may be the name of a command.
_OPENERS = STOP_EN | {"add", "ask", "keep", "log", "never", "put", "read", "run", "set", "tell", "test", "use", "wrap"}
_NAME_CHARS = 4
# "For now" in Chinese; the same word names what is made to be thrown away, 临时文件.
FOR_NOW_ZH = "临时(?!文件|目录|表|变量|数据|凭证|密钥|账号|环境|分支|缓存|路径|对象|存储)"
STOP_CJK_CHARS = frozenset(
    "的了是在吗呢吧啊呀哦嗯我你他她它们这那哪个么就都也还和与或及而但被把对从到给让向于之其么着过得地很太请"
)
STOP_CJK_PAIRS = frozenset(
    """
    什么 怎么 怎样 如何 为何 哪里 哪个 哪些 这个 那个 这些 那些 我们 你们 他们 她们 自己 可以 能够
    应该 需要 没有 不是 还是 或者 以及 因为 所以 如果 但是 然后 就是 一下 一个 一些 时候 现在 之前
    之后 关于 请问 知道 告诉 多少 是否 是不 不要 不能 有没 哪位 为什
    """.split()  # noqa: SIM905  words, not a hundred lines of quotes
)


def has_cjk(text: str) -> bool:
    """Return whether there is a Chinese, Japanese or Korean character."""
    return not text.isascii() and _compiled(_HAS_CJK).search(text) is not None


def cjk_share(text: str) -> float:
    """Share of CJK among the letters, a Latin word counted like two characters."""
    cjk = 0 if text.isascii() else len(_compiled(_HAS_CJK).findall(text))
    return cjk / (cjk + 2 * len(_LATIN.findall(text))) if cjk else 0.0


def as_sentence(text: str) -> str:
    """Return a text that begins and ends as a sentence does, with its names as they are written."""
    first = text.partition(" ")[0]
    if first.isascii() and first.isalpha() and first.islower() and (len(first) > _NAME_CHARS or first in _OPENERS):
        text = text[:1].upper() + text[1:]
    return text if text.endswith((*".!?…。！？",)) else f"{text}{'.' if is_latin(text) else '。'}"


def is_latin(text: str) -> bool:
    """Whether a text is written in Latin script rather than in Chinese, Japanese or Korean, with or without terms."""
    return cjk_share(text) < CJK_TEXT


def tokens(text: str) -> list[str]:
    """All tokens of a text, in order, with repetitions."""
    found: list[str] = []
    for run in _runs(text):
        found.extend(_cjk_tokens(run) if run[0] >= "\u3040" else _word_tokens(run))
    return found


def search_tokens(text: str) -> list[str]:
    """All tokens of a text as they are looked for: words of one meaning alike, Chinese terms in English too."""
    found: list[str] = []
    for run in _runs(text):
        if run[0] >= "\u3040":
            found += (*_cjk_tokens(run), *_terms(run))
        else:
            found += map(glossary.standing_for, _word_tokens(run))
    return found


def phrases(text: str) -> list[str]:
    """The stretches of CJK between question words and particles, as people would name them: no pieces of words."""
    if not has_cjk(text):
        return []
    text = simplified.read(text)
    words = ("为什么", *sorted(STOP_CJK_PAIRS), *sorted(STOP_CJK_CHARS))
    plain = _compiled("|".join(words)).sub(" ", text)
    return [run for run in _runs(plain) if run[0] >= "\u3040" and len(run) > 1]


def _runs(text: str) -> list[str]:
    """The words of a text with what holds them together, and the stretches of CJK."""
    if text.isascii():
        return _ASCII_RUN.findall(text)
    # A letter and its accent are one character here, as keyboards write them; macOS names files with two.
    return _compiled(_RUN).findall(normalize("NFC", text).translate(_alike()))


@cache
def _alike() -> dict[int, str]:
    """Return what is read as another character: letters by their width, Chinese characters by their script."""
    return {**_HALF_WIDTH, **simplified.table()}


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@lru_cache(maxsize=8192)
def _terms(run: str) -> tuple[str, ...]:
    """The English stems of the Chinese terms in a run, the longest first from the left."""
    terms = glossary.terms()
    found: list[str] = []
    start = 0
    while start < len(run) - 1:
        ends = range(min(len(run), start + _LONGEST_TERM), start + 1, -1)
        end = next((end for end in ends if run[start:end] in terms), 0)
        if end:
            found.append(terms[run[start:end]])
        start = end or start + 1
    return tuple(found)


@lru_cache(maxsize=32768)
def _word_tokens(run: str) -> tuple[str, ...]:
    """A plain word gives its stem; a compound gives itself and the stems of its parts."""
    lower = _singular(run).lower()
    if run.isalpha() and (run.islower() or run[1:].islower() or _singular(run).isupper()):
        return () if lower in STOP_EN else (stem(lower),)
    words = [_singular(w) for piece in _SPLIT.split(run) for w in _PART.findall(piece)]
    parts = [stem(w.lower()) for w in words if w.lower() not in STOP_EN and len(w) > 1]
    whole = lower.rstrip("'\u2019").removesuffix("'s").removesuffix("\u2019s").strip("_")
    if len(parts) == 1 and parts[0] == stem(whole):
        return tuple(parts)
    if not whole or "'" in whole or "\u2019" in whole or whole in STOP_EN:
        return tuple(parts)
    if _VERSION.fullmatch(whole):
        whole = whole[1:]
    return (whole, *parts) if whole not in parts else tuple(parts)


def _singular(word: str) -> str:
    """The word without the s of several that is put to capitals: APIs, userIDs."""
    return word[:-1] if len(word) > _PLURAL and word.isalpha() and word[-1] == "s" and word[:-1].isupper() else word


@lru_cache(maxsize=8192)
def _cjk_tokens(run: str) -> tuple[str, ...]:
    """Characters and neighbouring pairs that carry meaning."""
    keep = [c not in STOP_CJK_CHARS for c in run]
    found = [c for c, good in zip(run, keep, strict=True) if good]
    for i in range(len(run) - 1):
        pair = run[i : i + 2]
        if (keep[i] or keep[i + 1]) and pair not in STOP_CJK_PAIRS:
            found.append(pair)
    return tuple(found)
