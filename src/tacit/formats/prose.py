"""A foreign Markdown document as one note, if it says one thing in short, or as a document that stays whole."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.errors import NoteSyntaxError
from tacit.formats import front_matter, native
from tacit.formats.core_document import end_of_front_matter, find_headings, join, trim
from tacit.formats.decoding import decode, is_utf8
from tacit.formats.fields import MAX_TAG_CHARS
from tacit.formats.found import DETAILS, FoundDocument, FoundNote, Passed, as_entry, standing
from tacit.note.blob import MAX_CODE_CHARS, MAX_CODE_LINES, MAX_TEXT_CHARS
from tacit.note.model import MAX_TAGS, MAX_TITLE_CHARS, Audience, Kind, Layer, Level, Note, Origin, Strength
from tacit.text import clip, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.formats.found import Extra

MAX_ONE_LINER_CHARS = 300
_MAX_FRONT_CHARS = 4_000
_DEEPEST_SECTION = 3
_KEY_LINE = re.compile(r"([A-Za-z_][\w.-]{0,63})[ \t]*:(?:[ \t]+(.*))?")
_ITEM = re.compile(r"[ \t]*-[ \t]+(.*)")
_MARKUP = re.compile(r"[*_`~]{1,3}|^\s*(?:[-*+>]|\d+[.)、])\s+|!?\[([^\]]*)\]\([^)]*\)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s|(?<=[。！？])")
_HOW_TO = re.compile(
    r"(?i)\b(?:how[ _-]?to|workflow|runbook|checklist|guide|steps?|procedure|recipe|commands?|troubleshoot\w*)\b"
    r"|流程|步骤|指南|清单|手册|排查|手順|ガイド"
)
_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*\n(.*?)^ {0,3}\1", re.MULTILINE | re.DOTALL)
_NO_NAME = re.compile(r"[\x00-\x1f\x7f/\\:*?\"<>|\ud800-\udfff]+")
# What a foreign key is called → what it says here.
_NAMES = ("title", "name")
_SUMMARIES = ("description", "summary")
_KINDS = {
    "feedback": Kind.PRINCIPLE,
    "preference": Kind.PRINCIPLE,
    "rule": Kind.PRINCIPLE,
    "project": Kind.BUSINESS,
    "user": Kind.OTHER,
    "guide": Kind.PATTERN,
    "procedure": Kind.PATTERN,
    "bug": Kind.TROUBLESHOOTING,
    **{kind.value: kind for kind in Kind},
}
_FACTS = frozenset({"project", "user", "reference"})


@dataclass(frozen=True, slots=True)
class Manner:
    """How the documents of one format are read: where whole ones go, and how firmly short ones hold."""

    folder: str
    strength: Strength = Strength.HYPOTHESIS
    kind: Kind = Kind.OTHER


def read(path: str, content: bytes, manner: Manner) -> FoundNote | FoundDocument | Passed:
    """Return what a file is: a note if it is short and undivided, a document otherwise, nothing if it says nothing."""
    text = decode(content)
    if text is None:
        return Passed(path, "binary")
    if not text.strip():
        return Passed(path, "empty")
    note = _note(path, text, manner)
    return note or whole(path, content, text, manner.folder)


def whole(path: str, content: bytes, text: str, folder: str = "") -> FoundDocument:
    """Return a file as a document below details/, byte for byte where it is UTF-8."""
    target = f"{DETAILS}/{folder}/{path}" if folder else f"{DETAILS}/{path}"
    kept = content if is_utf8(content) else text.encode()
    return FoundDocument(path, portable(target), kept)


def portable(path: str, ending: str = ".md") -> str:
    """Return a path whose names every file system can hold and that ends as documents of a bank do."""
    *folders, name = [_NO_NAME.sub("-", part).strip(". ")[:100] or "_" for part in path.split("/")]
    stem, dot, last = name.rpartition(".")
    known = dot and last.lower() in ("md", "mdc", "markdown", "mdx", "txt", "yaml", "yml", "json")
    return "/".join([*folders, (stem if known else name) + ending])


def divided(text: str) -> tuple[Extra, str]:
    """Return the keys of a document's front matter, however loosely it is written, and the text below it."""
    end = end_of_front_matter(text)
    if not end:
        return {}, text
    front = text[text.index("\n") + 1 : text.rindex("\n", 0, end) + 1]
    loose = _loose(front)
    if loose is not None:
        return loose, text[end:].removeprefix("\n")
    try:
        found = front_matter.values(front, file="", first_line=2)
    except NoteSyntaxError:
        return {}, text
    return {key: as_entry(value) for key, value in found.items()}, text[end:].removeprefix("\n")


def _loose(front: str) -> Extra | None:
    """Return keys and values of ordinary lines, colons and hashes in a value being part of it; None for anything else.

    People and agents write `description: use X: never Y #1` without quotes, which YAML cuts or refuses.
    """
    found: Extra = {}
    open_key = ""
    for line in front.splitlines():
        key, item = _KEY_LINE.fullmatch(line), _ITEM.fullmatch(line)
        if key:
            value = (key[2] or "").strip()
            if key[1] in found or value[:1] in ("|", ">", "{", "&", "*", "!"):
                return None
            found[key[1]] = _flow(value) if value[:1] == "[" and value[-1:] == "]" else _unquoted(value)
            open_key = "" if value else key[1]
        elif item and open_key:
            found[open_key] = [*(found[open_key] or []), _unquoted(item[1].strip())]
        elif line.strip() and not line.startswith("#"):
            return None
    return found


def _flow(value: str) -> list[str]:
    return [_unquoted(item.strip()) for item in value[1:-1].split(",") if item.strip()]


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted and value[0] not in value[1:-1] and "\\" not in value else value


def _note(path: str, text: str, manner: Manner) -> FoundNote | None:
    """Return a document as a note; None if it has parts of its own, is too long or would not stay as it is."""
    keys, body = divided(text)
    heading, said = _headed(body)
    if not said or len(said) > MAX_TEXT_CHARS or len(text) - len(said) > _MAX_FRONT_CHARS or is_divided(said):
        return None
    named = [key for key in _NAMES if isinstance(keys.get(key), str) and str(keys[key]).strip()]
    told = [key for key in _SUMMARIES if isinstance(keys.get(key), str) and str(keys[key]).strip()]
    title = clip(one_line(str(keys[named[0]]) if named else heading or stem_of(path)), MAX_TITLE_CHARS // 2)
    summary = one_line(str(keys[told[0]])) if told else first_sentence(said)
    tags, kept = _tags(keys)
    word = str(keys.get("type", "")).casefold()
    kind = _KINDS.get(word, manner.kind)
    how_to = kind is Kind.PATTERN or _HOW_TO.search(f"{stem_of(path)} {title}")
    note = Note(
        id="",
        title=title,
        layer=Layer.PROCEDURAL if how_to else Layer.DECLARATIVE,
        kind=kind,
        level=Level.FACT if word in _FACTS else Level.PRINCIPLE,
        status=standing(keys.get("status")),
        strength=manner.strength,
        audience=Audience.PROJECT,
        source="import",
        origin=Origin.IMPORT,
        tags=tags,
        when_to_load=_when(title, keys),
        one_liner=clip(summary, MAX_ONE_LINER_CHARS),
        decision=said,
    )
    # Every key of the source is kept, and the heading where it is not the title, so that no line is lost.
    extra = {f"original_{key}" if key in native.KEYS else key: value for key, value in kept.items()}
    if heading and one_line(heading) != title:
        extra["heading"] = heading
    return FoundNote(path, note, text, extra)


def _headed(body: str) -> tuple[str, str]:
    """Return the heading that a text begins with, and what stands below it."""
    text = trim(body)
    first, _, rest = text.partition("\n")
    headings, _ = find_headings(f"\n{first}")
    return (headings[0].title, trim(rest)) if headings else ("", text)


def is_divided(text: str) -> bool:
    """Whether a text has sections of its own, an open code fence, or code that is too long for a note."""
    headings, is_open = find_headings(f"\n{text}")
    long_code = any(
        match[2].count("\n") > MAX_CODE_LINES or len(match[0]) > MAX_CODE_CHARS for match in _FENCED.finditer(text)
    )
    return is_open or long_code or any(heading.level <= _DEEPEST_SECTION for heading in headings)


def _tags(keys: Mapping[str, str | list[str]]) -> tuple[tuple[str, ...], Extra]:
    """Return the tags of a document, and its keys without them where all of them can be kept as tags."""
    given = keys.get("tags", [])
    items = [part.strip() for part in given.split(",")] if isinstance(given, str) else given
    tags = tuple(dict.fromkeys(item for item in items if item))
    legal = len(tags) <= MAX_TAGS and all(len(tag) <= MAX_TAG_CHARS and one_line(tag) == tag for tag in tags)
    kept = {key: value for key, value in keys.items() if key != "tags" or not legal}
    return (tags if legal else ()), kept


def _when(title: str, keys: Mapping[str, str | list[str]]) -> tuple[str, ...]:
    """Return when a note matters: its title, and the files that a rule is bound to."""
    globs = keys.get("globs") or keys.get("applyTo") or keys.get("paths") or ""
    files = one_line(globs if isinstance(globs, str) else ", ".join(globs))
    return (title, files) if files and files != title else (title,)


def first_sentence(text: str) -> str:
    """Return the first sentence of a text without its markup, or what there is."""
    for line in text.splitlines():
        plain = one_line(_MARKUP.sub(lambda match: match[1] or "", line)).strip(" |:：")
        if any(char.isalnum() for char in plain):
            return _SENTENCE_END.split(plain, maxsplit=1)[0]
    return join(text)[:MAX_ONE_LINER_CHARS]


def stem_of(path: str) -> str:
    """Return the name of a file as words."""
    name = path.rpartition("/")[2].lstrip(".")
    stem = name.rpartition(".")[0] or name
    return one_line(re.sub(r"[_\s-]+", " ", stem)) or name
