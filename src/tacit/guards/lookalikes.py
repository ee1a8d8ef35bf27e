"""Words in which letters of another script pose as familiar ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.guards.anchors import compiled
from tacit.guards.finding import Spot, Tier

if TYPE_CHECKING:
    from collections.abc import Iterator

GUARD = "lookalike"

_CYRILLIC = "аеорсухкмтвнԁһԛԝѕіјӏґүъАВЕКМНОРСТУХІЈЅҮԌԚԜ"
_GREEK = "αικνορτυχηωΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳ"
_OTHERS = "\u0561\u0570\u0578\u057d\u0581\u0585\u13a0-\u13ef\ua4d0-\ua4fd"
_SUSPECT = f"[{_CYRILLIC}{_GREEK}{_OTHERS}\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff]"
_WORD = r"[^\W\d_]{2,64}"
_LATIN = r"[A-Za-z\u00c0-\u024f]"
_FOREIGN = f"[{_CYRILLIC}{_GREEK}{_OTHERS}]"
_OTHER_LETTER = r"[^\W\d_A-Za-z\u00c0-\u024f]"
# `PDFка` in Russian, and a sign of mathematics at the edge of a unit or a variable.
_ENDING = r"[A-Z]{2,16}[\u0430-\u044f\u0451]{1,16}"
_SYMBOL = r"[\u0370-\u03ff][A-Za-z]{0,3}|[A-Za-z]{1,2}[\u0370-\u03ff]"
_WIDE = r"[\uff21-\uff3a\uff41-\uff5a]"
_STYLED = r"[\U0001d400-\U0001d7ff]{3}"


def find(text: str) -> Iterator[Spot]:
    """Yield the first word of each kind; a word counts only if it mixes what nobody mixes."""
    if text.isascii() or compiled(_SUSPECT).search(text) is None:
        return
    seen = set()
    for word in compiled(_WORD).finditer(text):
        rule = _rule(word.group())
        if rule and rule not in seen:
            seen.add(rule)
            yield Spot(GUARD, rule, Tier.QUARANTINE, word.start(), word.end())


def _rule(word: str) -> str:
    """Return what is wrong with the word, or nothing."""
    if word.isascii():
        return ""
    if compiled(_STYLED).search(word):
        return "styled-letters"
    if not compiled(_LATIN).search(word):
        return ""
    if compiled(_WIDE).search(word):
        return "mixed-width"
    others = compiled(_OTHER_LETTER).findall(word)
    if (
        not others
        or not all(map(compiled(_FOREIGN).match, others))
        or compiled(_ENDING).fullmatch(word)
        or compiled(_SYMBOL).fullmatch(word)
    ):
        return ""
    return "mixed-script"
