"""Texts that are the same but for something little that turns them: a sign, the case of an identifier, on and off."""

from __future__ import annotations

import re
from unicodedata import normalize

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


def clash(one: str, other: str) -> str:
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
