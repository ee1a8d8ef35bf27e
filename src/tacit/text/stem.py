"""English words to their stems, in the manner of Porter."""

from __future__ import annotations

from functools import lru_cache

# "add" ends in two consonants of its own; "stopp" does not.
_SHORTEST_DOUBLED = 3
_VOWELS = frozenset("aeiou")
# Shorter words are their own stems, and a plural of this length keeps its i: ties, but studi(es).
_SHORT = 4
_SYLLABLE = 3
_STEP2 = (
    ("ational", "ate"),
    ("ization", "ize"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("biliti", "ble"),
    ("tional", "tion"),
    ("ation", "ate"),
    ("alism", "al"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("entli", "ent"),
    ("ousli", "ous"),
    ("izer", "ize"),
    ("ator", "ate"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("abli", "able"),
    ("alli", "al"),
    ("logi", "log"),
    ("eli", "e"),
)
_STEP3 = (("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ness", ""), ("ful", ""))
_STEP4 = (
    "ement",
    "ance",
    "ence",
    "able",
    "ible",
    "ment",
    "ant",
    "ent",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
    "ion",
    "al",
    "er",
    "ic",
    "ou",
)


def _is_vowel(word: str, index: int) -> bool:
    char = word[index]
    return char in _VOWELS or (char == "y" and index > 0 and not _is_vowel(word, index - 1))


def _measure(stem: str) -> int:
    """How often a run of vowels is followed by a consonant."""
    count, previous = 0, False
    for index in range(len(stem)):
        vowel = _is_vowel(stem, index)
        if previous and not vowel:
            count += 1
        previous = vowel
    return count


def _has_vowel(stem: str) -> bool:
    return any(_is_vowel(stem, i) for i in range(len(stem)))


def _double_consonant(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and not _is_vowel(word, len(word) - 1)


def _short_end(word: str) -> bool:
    """Consonant, vowel, consonant that is not w, x or y: a short syllable wants its e."""
    n = len(word)
    return (
        n >= _SYLLABLE
        and not _is_vowel(word, n - 1)
        and _is_vowel(word, n - 2)
        and not _is_vowel(word, n - 3)
        and word[-1] not in "wxy"
    )


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2] if len(word) > _SHORT else word[:-1]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _past_and_progressive(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        stem = word[: -len(suffix)]
        if word.endswith(suffix) and _has_vowel(stem):
            if stem.endswith(("at", "bl", "iz")):
                return stem + "e"
            if _double_consonant(stem) and stem[-1] not in "lsz" and len(stem) > _SHORTEST_DOUBLED:
                return stem[:-1]
            return stem + "e" if _measure(stem) == 1 and _short_end(stem) else stem
    return word


def _replace(word: str, rules: tuple[tuple[str, str], ...]) -> str:
    for suffix, new in rules:
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            return stem + new if _measure(stem) > 0 else word
    return word


def _strip_residue(word: str) -> str:
    for suffix in _STEP4:
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            if _measure(stem) > 1 and (suffix != "ion" or stem.endswith(("s", "t"))):
                return stem
            return word
    return word


def _tidy(word: str) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        if _measure(stem) > 1 or (_measure(stem) == 1 and not _short_end(stem)):
            word = stem
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a lower-case English word; other words come back as they are."""
    if len(word) < _SHORT or not word.isascii() or not word.isalpha():
        return word
    word = _past_and_progressive(_plural(word))
    if word.endswith("y") and not _is_vowel(word, len(word) - 2):
        word = word[:-1] + "i"
    word = _replace(_replace(word, _STEP2), _STEP3)
    return _tidy(_strip_residue(word))
