"""The keys of a note's front matter: which there are, what is a legal value of each, and what a value becomes."""

from __future__ import annotations

import re
from dataclasses import fields
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, NoReturn

from tacit.errors import FieldRefused
from tacit.formats import front_matter
from tacit.note.model import (
    MAX_TAGS,
    MAX_TITLE_CHARS,
    SOURCES,
    Audience,
    Kind,
    Level,
    Note,
    Origin,
    Portability,
    Scope,
    Status,
    Strength,
    Timing,
    is_note_id,
)
from tacit.text import clip, one_line, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from enum import StrEnum

    Check = Callable[[str, object], str]

MAX_TAG_CHARS = 64
MAX_SUPERSEDED = 200  # older ones are in the log

_BREAK = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_TIME = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?Z)?")
_CHANNEL = re.compile(r"\S{1,64}")
_NAME_AT_VERSION = re.compile(r"@?[^\s@]{1,100}@[^\s@]{1,60}")


def refuse(name: str, reason: str) -> NoReturn:
    """Raise FieldRefused for the key or section called `name`."""
    raise FieldRefused(field=name, reason=reason)


def _shown(value: object) -> str:
    return f"'{clip(one_line(printable(value)), 60)}'" if isinstance(value, str) else "a list or mapping"


def _text(is_legal: Callable[[str], object], otherwise: str) -> Check:
    def check(key: str, value: object) -> str:
        if isinstance(value, str) and is_legal(value):
            return value
        refuse(key, f"{_shown(value)} is {otherwise}")

    return check


def _one_line(limit: int) -> Check:
    def is_legal(text: str) -> bool:
        return 0 < len(text) <= limit and not text.isspace() and (text.isprintable() or not _BREAK.search(text))

    return _text(is_legal, f"not one line of 1 to {limit} characters")


def _one_of(choices: type[StrEnum]) -> Check:
    members: dict[str, str] = {member.value: member for member in choices}

    def check(key: str, value: object) -> str:
        member = members.get(value) if isinstance(value, str) else None
        if member is None:
            refuse(key, f"{_shown(value)} is not one of {', '.join(members)}")
        return member

    return check


def _list_of(check_item: Check, limit: int) -> Callable[[str, object], tuple[str, ...]]:
    def check(key: str, value: object) -> tuple[str, ...]:
        # Without a comma there is no doubt that one item is meant.
        items = [value] if isinstance(value, str) and "," not in value else value
        if not isinstance(items, list | tuple):
            refuse(key, "must be a list, one `- item` a line")
        if len(items) > limit:
            refuse(key, f"there are {len(items)}, more than the {limit} allowed")
        return tuple([check_item(key, item) for item in items])

    return check


def _is_source(text: str) -> bool:
    return text in SOURCES or _NAME_AT_VERSION.fullmatch(text) is not None


def _is_time(text: str) -> bool:
    match = _TIME.fullmatch(text)
    try:
        return match is not None and date.fromisoformat(match[1]) <= date.max
    except ValueError:
        return False


def _is_confirmation(text: str) -> bool:
    channel, _, time = text.partition(" ")
    return _CHANNEL.fullmatch(channel) is not None and _is_time(time)


check_line = _one_line(MAX_TITLE_CHARS)
_check_id = _text(is_note_id, "no note id (MEM- and up to 60 letters, digits, - or _)")
_check_time = _text(_is_time, "no time in UTC such as 2026-11-15T21:00:00Z")

# The keys that Tacit knows, in the order in which they are written, and what makes a value of each.
CHECKS: dict[str, Callable[[str, object], str | tuple[str, ...]]] = {
    "id": _check_id,
    "title": check_line,
    "kind": _one_of(Kind),
    "level": _one_of(Level),
    "status": _one_of(Status),
    "strength": _one_of(Strength),
    "scope": _one_of(Scope),
    "audience": _one_of(Audience),
    "portability": _one_of(Portability),
    "timing": _one_of(Timing),
    "source": _text(_is_source, f"neither name@version nor one of {', '.join(sorted(SOURCES))}"),
    "origin": _one_of(Origin),
    "confirmed": _text(_is_confirmation, "no channel and time such as 'terminal 2026-11-15T21:00:00Z'"),
    "tags": _list_of(_one_line(MAX_TAG_CHARS), MAX_TAGS),
    "supersedes": _list_of(_check_id, MAX_SUPERSEDED),
    "created": _check_time,
    "updated": _check_time,
    "session": check_line,
}
KEYS = tuple(CHECKS)
RANK = {key: rank for rank, key in enumerate(KEYS)}
# The name comes along because the call of Note is slow for names that equal its own but are not the same object.
_KNOWN = {key: (key, check) for key, check in CHECKS.items()}
# What a Note holds beside the front matter.
_NO_KEYS = frozenset(field.name for field in fields(Note)) - CHECKS.keys()


def checked(key: str, given: str | Sequence[str] | None) -> str | Sequence[str] | None:
    """Return the value to write for `key`, None to remove it; FieldRefused if it is not legal."""
    if not _KEY.fullmatch(key) or key in _NO_KEYS:
        refuse(key, "is no key of the front matter")
    if check := CHECKS.get(key):
        return check(key, given) if given else None
    return given if given is None or isinstance(given, str) else list(given)


# How many entries of front matter are remembered, so that a word that stands in every note is judged once.
_REMEMBERED = 4096


def read_fields(text: str, *, file: str, first_line: int) -> dict[str, str | tuple[str, ...]]:
    """Return the legal value of each key that Tacit knows and `text`, a note's front matter, has a value for.

    FieldRefused for the first value that is not legal; NoteSyntaxError as `front_matter.values` raises it.
    """
    found = _read_known(text)
    if found is not None:
        return found
    found = {}
    for key, value in front_matter.values(text, file=file, first_line=first_line).items():
        if value and (known := _KNOWN.get(key)):
            name, check = known
            found[name] = check(name, value)
    return found


def _read_known(text: str) -> dict[str, str | tuple[str, ...]] | None:
    """Return what `read_fields` returns if each entry is as Tacit writes it, and None if there is any doubt.

    An entry is a line with those below it that begin with a blank; such entries mean the same wherever they stand.
    """
    # No tab may stand in front matter, so it can hold the lines of an entry together.
    if "\t" in text or len(text) * 4 > front_matter.MAX_FRONT_MATTER_BYTES:
        return None
    entries = text[:-1].replace("\n ", "\t").split("\n")
    found: dict[str, str | tuple[str, ...]] = {}
    for entry in entries:
        known = _known_entry(entry)
        if known is None:
            return None
        found[known[0]] = known[1]
    return found if len(found) == len(entries) else None


@lru_cache(maxsize=_REMEMBERED)
def _known_entry(entry: str) -> tuple[str, str | tuple[str, ...]] | None:
    """Return key and legal value of an entry; None if it is not ordinary, not known, empty or not legal."""
    key, value = _parted(entry)
    if not value or key not in _KNOWN:
        return None
    name, check = _KNOWN[key]
    try:
        return name, check(name, value)
    except FieldRefused:
        return None


def _parted(entry: str) -> tuple[str, front_matter.Value]:
    key, _, text = entry.partition(": ")
    if entry.isprintable() and front_matter.is_plain(text):
        return key, text
    values = front_matter.read_ordinary(entry.replace("\t", "\n ") + "\n")
    return next(iter(values.items())) if values else ("", "")
