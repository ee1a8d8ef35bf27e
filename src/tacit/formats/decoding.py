"""Foreign bytes as text: UTF-8 with or without a mark, UTF-16, and the older encodings of East Asia and the West."""

from __future__ import annotations

import codecs
import re

from tacit.formats.core_document import unify_line_ends

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Encoding → the first bytes of its everyday characters; a text read in a wrong encoding has rare ones in between.
# Korean first: its everyday characters are a part of the Chinese range, which a text of any length leaves.
_OLDER = {
    "euc_kr": (0xB0, 0xC8),
    "gb18030": (0xB0, 0xD7),
    "cp932": (0x88, 0x97),
    "euc_jp": (0xB0, 0xCF),
    "big5": (0xA4, 0xC6),
}
# Kana, and the punctuation that all of them share.
_SHARED = re.compile("[\u3041-\u3093\u30a1-\u30fc、。「」（），：；！？“”]")
# Bytes that are UTF-8 are hardly ever anything but text, and a note may hold a control character; a guess needs more.
_BINARY = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_ENOUGH = 0.7


def decode(content: bytes) -> str | None:
    r"""Return a file as text with `\n` line ends and no byte order mark; None if it is no text."""
    plain = None if b"\0" in content else _as(content, "utf-8-sig")
    if plain is not None:
        return unify_line_ends(plain)
    mark = next((name for start, name in _MARKS if content.startswith(start)), "")
    text = _as(content, mark) if mark else _guessed(content)
    return None if text is None or _BINARY.search(text) else unify_line_ends(text)


def is_utf8(content: bytes) -> bool:
    """Whether a file can be kept byte for byte: it is UTF-8, and no byte in it is foreign to text."""
    text = _as(content, "utf-8")
    return text is not None and not _BINARY.search(text)


def _guessed(content: bytes) -> str | None:
    if b"\0" in content:
        return None
    guesses = {name: guess for name in _OLDER if (guess := _as(content, name)) is not None}
    best = max(guesses, key=lambda name: _likely(guesses[name], name), default="")
    return guesses[best] if best and _likely(guesses[best], best) >= _ENOUGH else _as(content, "cp1252")


def _likely(text: str, encoding: str) -> float:
    """Return which share of a text's characters beyond ASCII are everyday ones in an encoding."""
    first, last = _OLDER[encoding]
    others = [char for char in text if char > "\x7f"]
    usual = sum(1 for char in others if _SHARED.match(char) or first <= char.encode(encoding)[0] <= last)
    return usual / len(others)


def _as(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return None
