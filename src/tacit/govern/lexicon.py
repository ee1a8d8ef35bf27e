"""What governance knows about words: which mean the same, which stand against each other, which say little."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from tacit.govern import opposites as against
from tacit.govern import synonyms, vocabulary
from tacit.text import glossary
from tacit.text.stem import stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# What plurals, past and continuous forms end in; shorter words are no forms of others.
_ENDINGS = ("s", "es", "ed", "d", "ing")
_SHORTEST = 3
_BASES = frozenset({"second", "month", "kilobyte", "percent", "persecond"})


@lru_cache(maxsize=8192)
def normal(word: str) -> str:
    """Return the form in which a word is compared: its stem, or the word that stands for all that mean the same."""
    lower = word.lower()
    for form in _forms(lower):
        if own := _listed().get(form):
            return own
    found = term(lower)
    return _by_stem().get(found, found)


def term(word: str) -> str:
    """Return the word of the glossary that stands for a word, or its stem."""
    lower = word.lower()
    if found := glossary.terms().get(lower):
        return found
    root = stem(lower) if lower.isascii() else lower
    return glossary.standing_for(root)


def _forms(word: str) -> Iterator[str]:
    """Yield a word and, of an English one, what it may be the plural, the past or the continuous form of."""
    yield word
    for ending in _ENDINGS:
        if word.isascii() and word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            base = word.removesuffix(ending)
            yield from (base, base + "e", base[:-1] + "y" if base[-1] == "i" else base)
            if base[-1] == base[-2]:
                yield base[:-1]


@cache
def _listed() -> Mapping[str, str]:
    """Return word of the table of synonyms, as it is written there → what stands for its group; others themselves."""
    return {word: word for word in apart()} | {
        word: _head(group[0]) for group in groups(synonyms.SYNONYMS) for word in group
    }


@cache
def apart() -> frozenset[str]:
    """Return the words that mean something else than others of their stem."""
    return frozenset(synonyms.APART.split())


def _head(first: str) -> str:
    """Return what stands for a group: the stem of its first word, or the word where others have that stem too."""
    root = term(first)
    return first if root in _shared() or root in apart() else root


@cache
def _shared() -> frozenset[str]:
    """Return the stems of words of several groups: product and production, several and severity."""
    owners: dict[str, set[str]] = {}
    for first, *others in groups(synonyms.SYNONYMS):
        for word in (first, *others):
            owners.setdefault(term(word), set()).add(first)
    return frozenset(root for root, firsts in owners.items() if len(firsts) > 1)


@cache
def _by_stem() -> Mapping[str, str]:
    """Return stem → what stands for the one group that has words of this stem."""
    found = {term(word): _head(group[0]) for group in groups(synonyms.SYNONYMS) for word in group}
    return {root: head for root, head in found.items() if root not in _shared()}


def groups(table: str) -> list[list[str]]:
    """Return the groups of a table of words."""
    return [group.split() for group in table.split("/") if group.strip()]


@cache
def antonyms() -> Mapping[str, frozenset[str]]:
    """Return word → the words that say the opposite of it."""
    found: dict[str, set[str]] = {}
    for group in against.ANTONYMS.split("/"):
        sides = [{normal(word) for word in words.split()} for words in group.split(":")]
        for one, other in (sides, sides[::-1]):
            for word in one - other:
                found.setdefault(word, set()).update(other - one)
    return {word: frozenset(others) for word, others in found.items()}


@cache
def opposites() -> Mapping[str, frozenset[str]]:
    """Return word → the words that say the opposite of it, or that are taken instead of it."""
    return _joined(antonyms(), against.RIVALS)


@cache
def kinds() -> Mapping[str, frozenset[str]]:
    """Return word → the words that in a scene say that it is another one of a kind."""
    return _joined(opposites(), against.SCOPES)


@lru_cache(maxsize=8192)
def opposed_to(word: str) -> frozenset[str]:
    """Return the words that stand against a word, by the tables or by how they are made."""
    listed = opposites().get(word, frozenset())
    if word.isascii():
        longer = {prefix + word for prefix in against.PREFIXES_EN}
        return listed | longer | {word[len(each) :] for each in against.PREFIXES_EN if word.startswith(each)}
    return listed | {first + word[1:] for first in _morphemes().get(word[0], ())}


@cache
def _morphemes() -> Mapping[str, frozenset[str]]:
    """Return character → those that make the opposite of a word that begins with it."""
    found: dict[str, set[str]] = {}
    for one, other in groups(against.MORPHEMES_ZH):
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {first: frozenset(others) for first, others in found.items()}


def _joined(known: Mapping[str, frozenset[str]], table: str) -> Mapping[str, frozenset[str]]:
    found = {word: set(others) for word, others in known.items()}
    for group in groups(table):
        members = {normal(word) for word in group}
        for member in members:
            found.setdefault(member, set()).update(members - {member})
    return {word: frozenset(others) for word, others in found.items()}


@cache
def known() -> frozenset[str]:
    """Return the words that are written with capitals at times and name nothing: API, PR, CI."""
    words = {word for group in groups(synonyms.SYNONYMS) for word in group}
    return frozenset(map(normal, words | glossary.terms().keys())) | antonyms().keys()


def is_weak(token: str) -> bool:
    """Whether a word says little about which thing is meant."""
    return token in weak() or token in vocabulary.WEAK_ZH


@cache
def weak() -> frozenset[str]:
    """Return the words that say little about which thing is meant, and the units of `quantity`."""
    return frozenset(map(term, vocabulary.WEAK_EN)) | _BASES
