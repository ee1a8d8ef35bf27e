"""Text to token numbers, as BERT models with a lower-case vocabulary read it."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from tacit.text import simplified

_CJK = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)
_MAX_WORD_CHARS = 100
_REMEMBERED_WORDS = 50_000


class WordPiece:
    """A vocabulary and the way to cut words into its pieces."""

    def __init__(self, vocabulary: str, *, max_tokens: int = 512) -> None:
        lines = vocabulary.split("\n")
        self._numbers = {line.rstrip("\r"): number for number, line in enumerate(lines) if line}
        self._first = self._numbers["[CLS]"]
        self._last = self._numbers["[SEP]"]
        self._unknown = self._numbers["[UNK]"]
        self._room = max_tokens - 2
        self._pieces: dict[str, tuple[int, ...]] = {}

    def encode(self, text: str) -> list[int]:
        """Return the numbers of `text` between those of beginning and end, cut to what the model takes."""
        numbers: list[int] = []
        for word in _words(simplified.read(text)):
            numbers += self._of_word(word)
            if len(numbers) >= self._room:
                break
        return [self._first, *numbers[: self._room], self._last]

    def _of_word(self, word: str) -> tuple[int, ...]:
        known = self._pieces.get(word)
        if known is None:
            known = self._cut(word)
            if len(self._pieces) < _REMEMBERED_WORDS:
                self._pieces[word] = known
        return known

    def _cut(self, word: str) -> tuple[int, ...]:
        """Take the longest known piece from the left, again and again; a word with an unknown rest is unknown."""
        if len(word) > _MAX_WORD_CHARS:
            return (self._unknown,)
        pieces: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                number = self._numbers.get(mark + word[start:end])
                if number is not None:
                    pieces.append(number)
                    start = end
                    break
            else:
                return (self._unknown,)
        return tuple(pieces)


def _words(text: str) -> list[str]:
    """Return lower-case words without accents; punctuation and CJK characters are words of their own."""
    text = text.lower()
    if not text.isascii():
        plain = unicodedata.normalize("NFD", text)
        text = "".join(char for char in plain if unicodedata.category(char) != "Mn")
    return "".join(map(_spaced, text)).split()


@lru_cache(maxsize=8192)
def _spaced(char: str) -> str:
    """Return a character as it stands among words: as it is, between blanks, as a blank, or not at all."""
    code = ord(char)
    category = unicodedata.category(char)
    if char in "\t\n\r" or category == "Zs":
        return " "
    if code == 0xFFFD or category[0] == "C":  # noqa: PLR2004  the replacement character stands for lost text
        return ""
    if category[0] == "P" or (char.isascii() and not char.isalnum()) or any(low <= code <= high for low, high in _CJK):
        return f" {char} "
    return char
