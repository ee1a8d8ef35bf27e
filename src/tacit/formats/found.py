"""What a foreign memory is read into: notes, documents, and what is passed over with its reason."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tacit.formats import front_matter, native
from tacit.formats.fields import CHECKS
from tacit.note.model import Layer, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.note.model import Note

# The key of an imported note that says where it came from, and by which content it is known again.
IMPORTED = "imported"
DETAILS = "details"
# For files of a foreign memory that are no memory themselves, such as its list of notes: kept, never recalled.
REFERENCES = "references/imported"

_OVER = frozenset(
    {"archived", "deprecated", "disabled", "inactive", "obsolete", "outdated", "retired", "superseded"}
) | {
    "archive",
    "废弃",
    "已废弃",
    "归档",
    "已归档",
    "过时",
}
# What the name of a key may not hold.
_NO_KEY = re.compile(r"[^\w-]+")

Extra = dict[str, "str | list[str]"]


@dataclass(frozen=True, slots=True)
class FoundNote:
    """A note of a foreign memory. Its id is empty where the source has none that Tacit can keep.

    `extra` are keys of the source that Tacit does not know, `tail` its other sections, as Markdown; `content` is what
    the source says, by which the same item is known again. A note in Tacit's own format keeps its `document`.
    """

    path: str
    note: Note
    content: str
    extra: Extra = field(default_factory=dict)
    tail: str = ""
    document: native.Document | None = None


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A document that stays whole, and the file of a bank that it becomes."""

    path: str
    target: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Passed:
    """A file that is not taken, and the name of the reason."""

    path: str
    reason: str


@dataclass(slots=True)
class Found:
    """All that one foreign memory holds; `dated` says that its notes bring their own times, or have none."""

    format: str
    notes: list[FoundNote] = field(default_factory=list)
    documents: list[FoundDocument] = field(default_factory=list)
    passed: list[Passed] = field(default_factory=list)
    dated: bool = False

    def add(self, item: FoundNote | FoundDocument | Passed) -> None:
        """Take one more item in."""
        if isinstance(item, FoundNote):
            self.notes.append(item)
        elif isinstance(item, FoundDocument):
            self.documents.append(item)
        else:
            self.passed.append(item)


def compose(note: Note, extra: Mapping[str, str | list[str]], tail: str = "") -> bytes:
    """Return a new file that reads back as `note`, with keys of other names in its front matter and other sections.

    FieldRefused as `native.compose` raises it.
    """
    content = native.compose(note).decode()
    end = content.index("\n---\n") + 1
    named = {_NO_KEY.sub("_", key)[:60] or "_": value for key, value in extra.items()}
    lines = [line for key, value in named.items() for line in front_matter.render_entry(key, value)]
    below = f"\n{tail}\n" if tail else ""
    whole = f"{content[:end]}{''.join(lines)}{content[end:]}{below}".encode()
    if lines or tail:
        native.parse(whole, note.file or f"{note.id}.md")
    return whole


def composed(item: FoundNote, note: Note, stamp: str) -> bytes:
    """Return the file of an imported note, which `note` is as it will stand here, with `stamp` as its `imported` key.

    A note in Tacit's own format keeps every byte that does not change.
    """
    if item.document is None:
        return compose(note, {**item.extra, IMPORTED: stamp}, item.tail)
    document = item.document.with_fields(id=note.id, origin=note.origin, confirmed=None, **{IMPORTED: stamp})
    for name, key in native.SECTIONS.items():
        if getattr(note, key) != getattr(document.note, key):
            document = document.with_section(name, getattr(note, key))
    return document.render()


def split(document: native.Document) -> tuple[Extra, str]:
    """Return the keys and the sections of a note of ours that Tacit does not know, as `compose` takes them."""
    keys = front_matter.values(document.front, file=document.note.file, first_line=2)
    extra = {key: as_entry(value) for key, value in keys.items() if key not in CHECKS and key != IMPORTED}
    sections = [each for each in document.sections if each.name not in native.SECTIONS]
    return extra, "\n\n".join(f"## {each.name}\n\n{each.text}".rstrip() for each in sections)


def as_entry(value: object) -> str | list[str]:
    """Return a value as one key of front matter can carry it: a text, or a list of texts."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def standing(word: object) -> Status:
    """Return the status of a note that another memory gives this one: what is over there is archived here."""
    return Status.ARCHIVE if isinstance(word, str) and word.strip().casefold() in _OVER else Status.ACTIVE


def layer_of(path: str) -> Layer | None:
    """Return the layer that a folder in a path names."""
    folders = {layer.folder: layer for layer in Layer}
    return next((folders[part] for part in path.split("/")[:-1] if part in folders), None)
