"""Two notes into one that keeps every fact of both, and the count of what an old note had and a new one lacks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.errors import FieldRefused
from tacit.formats.fields import MAX_SUPERSEDED
from tacit.govern import mapping
from tacit.govern.proposal import BOTH, CANCEL, CONFIRM, KEEP_OLD, TAKE_NEW, Change, FileChange
from tacit.note.model import MAX_TAGS, Strength
from tacit.note.payload import MAX_WHEN_LINES

if TYPE_CHECKING:
    from collections.abc import Collection

    from tacit.formats.native import Document
    from tacit.note.model import Note

_LISTS = ("signals", "alternatives", "counter_signals", "evidence", "pointers")
_TEXTS = ("decision", "fact", "principle")
_SETTINGS = ("title", "kind", "layer", "level", "scope", "timing")
_STRENGTHS = tuple(Strength)
_POINTER = re.compile(r"mem://\S+|https?://\S+|`[^`]+`")
_SENTENCE_END = re.compile(r"\n|(?<=[.!?;])\s+|(?<=[。！？；])")
_FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.MULTILINE | re.DOTALL)
_SECTIONS = {
    "decision": "Decision",
    "signals": "Signals",
    "alternatives": "Alternatives",
    "counter_signals": "Counter-signals",
    "fact": "Fact",
    "principle": "Principle",
    "evidence": "Evidence",
    "pointers": "Pointers",
}


def merged(old: Document, new: Note, *, ts: str) -> Document:
    """Return `old` with everything that `new` has beyond it; its id, its own words and its unknown parts stay."""
    note = old.note
    document = old
    when, beyond = _when(note, new)
    if when != note.when_to_load:
        document = document.with_section("When to load", "\n".join(f"- {line}" for line in when))
    if _fuller(new.one_liner, note.one_liner):
        document = document.with_section("One-liner", new.one_liner)
        beyond = beyond if _put_together(note) else (*beyond, note.one_liner)
    elif not _put_together(new) and not _says(f"{note.one_liner}\n{note.decision}", new.one_liner):
        beyond = (*beyond, new.one_liner)
    for name in _TEXTS:
        document = _grown(document, name, _joined(getattr(note, name), getattr(new, name), "\n\n"))
    for name in _LISTS:
        more = "\n".join(f"- {line}" for line in beyond) if name == "signals" else ""
        text = _joined(getattr(note, name), getattr(new, name), "\n")
        document = _grown(document, name, _joined(text, more, "\n"))
    strength = max(note.strength, new.strength, key=_STRENGTHS.index)
    tags = tuple(dict.fromkeys((*note.tags, *new.tags)))[:MAX_TAGS]  # those without room are shown as lost
    return document.with_fields(tags=tags, strength=str(strength), updated=ts)


def lost(old: Note, new: Note) -> tuple[str, ...]:
    """Return what `old` has and `new` lacks, each as a short line: items, code, pointers, conditions."""
    text = _whole(new)
    gone = [f"when: {line}" for line in old.when_to_load if not _says("\n".join(new.when_to_load), line)]
    gone += [f"code: {block.splitlines()[0]} …" for block in _blocks(old) if block not in text]
    gone += [f"pointer: {each}" for each in _POINTER.findall(_whole(old)) if each not in _POINTER.findall(text)]
    for name in (*_LISTS, *_TEXTS, *(() if _put_together(old) else ("one_liner",))):
        for line in _FENCE.sub("", getattr(old, name)).splitlines():
            item = line.strip(" -*>")
            if not _says(text, line) and f"pointer: {item}" not in gone:
                gone.append(f"{name}: {item}")
    gone += [f"tag: {tag}" for tag in old.tags if tag not in new.tags]
    return tuple(dict.fromkeys(gone))


def set_aside(new: Note, given: Collection[str], kept: Note) -> tuple[str, ...]:
    """Return what a payload says about its note as a whole that the merged note does not."""
    names = {"apply": "audience", **{name: name for name in _SETTINGS}}
    said = [field for name, field in names.items() if name in given]
    return tuple(f"{name}: {getattr(new, name)}" for name in said if getattr(new, name) != getattr(kept, name))


def in_order(one: Document, other: Document) -> tuple[Document, Document]:
    """Return two notes, the older first."""
    first, second = sorted((one, other), key=lambda each: (each.note.created, each.note.id))
    return first, second


def which(older: Document, newer: Document, ts: str) -> dict[str, Change | None]:
    """Return the answers for two notes that contradict each other."""
    return {TAKE_NEW: _instead(newer, older, ts), KEEP_OLD: _instead(older, newer, ts), BOTH: None, CANCEL: None}


def one_of(older: Document, newer: Document, ts: str) -> dict[str, Change | None]:
    """Return the answers for two notes that say the same; kept is the one that holds more firmly, else the older."""
    kept, gone = sorted((older, newer), key=lambda each: -_STRENGTHS.index(each.note.strength))
    grown = merged(kept, gone.note, ts=ts).with_fields(supersedes=_superseded(kept, gone))
    return {CONFIRM: _put(kept, grown, gone, "merge"), CANCEL: None}


def _instead(kept: Document, gone: Document, ts: str) -> Change:
    return _put(kept, kept.with_fields(supersedes=_superseded(kept, gone), updated=ts), gone, "replace")


def _put(kept: Document, grown: Document, gone: Document, operation: str) -> Change:
    files = (FileChange.edit(kept, grown), FileChange.removal(gone))
    return Change(operation, files, kept.note.id, (gone.note.id,), lost(gone.note, grown.note))


def _superseded(kept: Document, gone: Document) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*kept.note.supersedes, *gone.note.supersedes, gone.note.id)))[-MAX_SUPERSEDED:]


def _when(old: Note, new: Note) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the lines of when-to-load, and those for which there is no room any more."""
    lines = list(old.when_to_load)
    lines += [line for line in new.when_to_load if not _says("\n".join(lines), line)]
    return tuple(lines[:MAX_WHEN_LINES]), tuple(lines[MAX_WHEN_LINES:])


def _grown(document: Document, name: str, text: str) -> Document:
    if text == getattr(document.note, name):
        return document
    try:
        return document.with_section(_SECTIONS[name], text)
    except FieldRefused:  # two texts that cannot stand in one section: theirs stays whole, ours is shown as lost
        return document


def _joined(old: str, new: str, between: str) -> str:
    """Return both texts, without the lines of the second that the first already says."""
    if not old or not new:
        return old or new
    if "```" in new or "~~~" in new:
        return old if new in old else f"{old}{between}{new}"
    fresh = [line for line in new.splitlines() if line.strip() and not _says(old, line)]
    return f"{old}{between}" + "\n".join(fresh) if fresh else old


def _says(text: str, line: str) -> bool:
    """Whether one line or sentence of a text is this line; white space, case, bullets and end marks do not matter.

    Likeness would not do: "5 s" stands in "15 s", "use tabs" in "never use tabs", and order matters too.
    """
    wanted = _plain(line)
    pieces = (*text.splitlines(), *_SENTENCE_END.split(text))
    return not wanted or any(_plain(each) == wanted for each in pieces)


def _plain(line: str) -> str:
    return " ".join(line.strip(" \t-*>").casefold().rstrip(".。;； ").split())


def _fuller(new: str, old: str) -> bool:
    """Whether a one-liner says all that another says, and more: in a sentence of its own, or behind its words."""
    goes_on = _plain(new).startswith(tuple(f"{_plain(old)}{mark}" for mark in ",;，；"))
    return new != old and (_says(new, old) or goes_on) and not _says(old, new)


def _put_together(note: Note) -> bool:
    """Whether a one-liner only joins the scene and the decision, which are kept each on its own."""
    return note.one_liner == mapping.one_liner(next(iter(note.when_to_load), ""), note.decision)


def _whole(note: Note) -> str:
    parts = [note.title, *note.when_to_load, note.one_liner]
    return "\n".join((*parts, *(getattr(note, name) for name in (*_TEXTS, *_LISTS))))


def _blocks(note: Note) -> list[str]:
    return [match[0] for match in _FENCE.finditer("\n".join(getattr(note, name) for name in (*_TEXTS, *_LISTS)))]
