"""Characters that deceive: unseen or turning the direction of reading where nothing needs it, or posing as others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.guards.anchors import compiled
from tacit.guards.finding import Spot, Tier

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GUARD = "unicode"

_BIDI = "\u202a-\u202e\u2066-\u2069"
_MARKS = "\u200e\u200f\u061c"
_TAGS = "\U000e0000-\U000e007f"
_JOINERS = "\u200c\u200d"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_HIDDEN = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\U0001d173-\U0001d17a"
)
_CONTROLS = "\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u2028\u2029"
_PRIVATE = "\U000f0000-\U0010ffff"
_SUSPECT = f"[{_BIDI}{_MARKS}{_TAGS}{_JOINERS}{_SELECTORS}{_HIDDEN}{_CONTROLS}{_PRIVATE}]"
_RULES = (
    ("direction", f"[{_BIDI}{_MARKS}]"),
    ("tag-characters", f"[{_TAGS}]"),
    ("control-character", f"[{_CONTROLS}]"),
    ("private-use", f"[{_PRIVATE}]"),
    ("variation-selector", f"[{_SELECTORS}]"),
)

# Where such a character is a part of ordinary writing.
_RTL = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_JOINED = "\u0600-\u06ff\u0750-\u077f\u0870-\u08ff\u0900-\u0dff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u1800-\u18af"
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_EMOJI = "\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff"
_IDEOGRAPHS = "\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_ALLOWED = (
    f"(?<=[{_JOINED}])[{_JOINERS}]|[{_JOINERS}](?=[{_JOINED}])"
    f"|(?<=[{_EMOJI}\ufe0f\U0001f3fb-\U0001f3ff])\u200d(?=[{_EMOJI}])"
    f"|(?<=[{_EMOJI}0-9#*{_IDEOGRAPHS}\u2190-\u2bff])[\ufe0e\ufe0f]"
    f"|(?<=[{_IDEOGRAPHS}\u1000-\u109f\u1800-\u18af])[\ufe00-\ufe02\U000e0100-\U000e01ef\u180b-\u180f]"
    "|\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
    f"|(?<=[{_UNSPACED}])\u200b|(?<=[\u2801-\u28ff])\u2800+|\u2800+(?=[\u2801-\u28ff])"
    "|\u115f(?=[\u1160-\u11a7\ud7b0-\ud7c6])|(?<=[\u1100-\u115f\ua960-\ua97c])\u1160"
)
_RIGHT_TO_LEFT = f"[{_RTL}]"
_NEAR = 80
_WIDE = "[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]"
# As models and editors write Markdown: a stroke before a sign that could mean emphasis, a list or a number.
_ESCAPE = r"\\{1,4}(?=[_\-*.~])"
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}


def find(text: str, hidden: Sequence[int]) -> Iterator[Spot]:
    """Yield the first place of each kind of hidden character."""
    seen = set()
    for place in hidden:
        rule = next((name for name, kind in _RULES if compiled(kind).match(text, place)), "invisible")
        if rule not in seen:
            seen.add(rule)
            yield Spot(GUARD, rule, Tier.QUARANTINE, place, place + 1)


def plain(text: str, hidden: Sequence[int]) -> tuple[str, Sequence[int]]:
    """Return the text as it reads, without what is hidden and in narrow letters, and where each character was."""
    if not text.isascii() and compiled(_WIDE).search(text):
        text = text.translate(_NARROW)
    if not hidden:
        return text, range(len(text))
    left_out = set(hidden)
    places = [place for place in range(len(text)) if place not in left_out]
    return "".join(text[place] for place in places), places


def unescaped(text: str, places: Sequence[int]) -> tuple[str, Sequence[int]] | None:
    """Return the text as Markdown shows it, and where each character was, or nothing if that is how it stands."""
    if "\\" not in text:
        return None
    pieces: list[str] = []
    kept: list[int] = []
    at = 0
    for escape in compiled(_ESCAPE).finditer(text):
        pieces.append(text[at : escape.start()])
        kept += places[at : escape.start()]
        at = escape.end()
    return ("".join([*pieces, text[at:]]), [*kept, *places[at:]]) if at else None


def hidden(text: str) -> list[int]:
    """Return the places of characters that have no business where they stand."""
    found = []
    at = 1 if text.startswith("\ufeff") else 0
    while suspect := compiled(_SUSPECT).search(text, at):
        start = suspect.start()
        at = start + 1
        # A flag begins one character before its first tag.
        allowed = compiled(_ALLOWED).match(text, start) or (
            compiled(_ALLOWED).match(text, start - 1) if start else None
        )
        if allowed and allowed.end() > start:
            at = allowed.end()
        elif suspect.group() not in _MARKS or not _is_right_to_left(text, start):
            found.append(start)
    return found


def _is_right_to_left(text: str, place: int) -> bool:
    return compiled(_RIGHT_TO_LEFT).search(text, max(0, place - _NEAR), place + _NEAR) is not None


LOOKALIKE = "lookalike"

_CYRILLIC = "аеорсухкмтвнԁһԛԝѕіјӏґүъАВЕКМНОРСТУХІЈЅҮԌԚԜ"
_GREEK = "αικνορτυχηωΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳ"
_OTHERS = "\u0561\u0570\u0578\u057d\u0581\u0585\u13a0-\u13ef\ua4d0-\ua4fd"
_POSING = f"[{_CYRILLIC}{_GREEK}{_OTHERS}\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff]"
_WORD = r"[^\W\d_]{2,64}"
_LATIN = r"[A-Za-z\u00c0-\u024f]"
_FOREIGN = f"[{_CYRILLIC}{_GREEK}{_OTHERS}]"
_OTHER_LETTER = r"[^\W\d_A-Za-z\u00c0-\u024f]"
# `PDFка` in Russian, and a sign of mathematics at the edge of a unit or a variable.
_ENDING = r"[A-Z]{2,16}[\u0430-\u044f\u0451]{1,16}"
_SYMBOL = r"[\u0370-\u03ff][A-Za-z]{0,3}|[A-Za-z]{1,2}[\u0370-\u03ff]"
_WIDE_LETTER = r"[\uff21-\uff3a\uff41-\uff5a]"
_STYLED = r"[\U0001d400-\U0001d7ff]{3}"


def lookalikes(text: str) -> Iterator[Spot]:
    """Yield the first word of each kind; a word counts only if it mixes what nobody mixes."""
    if text.isascii() or compiled(_POSING).search(text) is None:
        return
    seen = set()
    for word in compiled(_WORD).finditer(text):
        rule = _rule(word.group())
        if rule and rule not in seen:
            seen.add(rule)
            yield Spot(LOOKALIKE, rule, Tier.QUARANTINE, word.start(), word.end())


def _rule(word: str) -> str:
    """Return what is wrong with the word, or nothing."""
    if word.isascii():
        return ""
    if compiled(_STYLED).search(word):
        return "styled-letters"
    if not compiled(_LATIN).search(word):
        return ""
    if compiled(_WIDE_LETTER).search(word):
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
