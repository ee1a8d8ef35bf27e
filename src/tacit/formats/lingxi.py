"""LingXi's memory: INDEX.md and notes/ with a Meta list, read into notes and written from them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.errors import FieldRefused
from tacit.formats import fields, index_table
from tacit.formats.core_document import find_headings, find_parts, join, list_items, trim
from tacit.formats.decoding import decode
from tacit.formats.found import REFERENCES, Found, FoundDocument, FoundNote, Passed, standing
from tacit.formats.prose import Manner, first_sentence, stem_of
from tacit.formats.prose import read as read_prose
from tacit.note.model import MAX_TITLE_CHARS, Kind, Layer, Note, from_plain
from tacit.text import clip, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tacit.formats.found import Extra

NAME = "lingxi"
_META = re.compile(r"\s*[-*]\s+\*\*([^*]+?)\*\*\s*[:：]\s*(.*)|\s*[-*]\s+\*\*([^*]+?)[:：]\*\*\s*(.*)")
_SECTION = 2
_DEEPEST = 3
# Label of the Meta list → field of a note, in the order in which they are written.
_LABELS = {
    "Id": "id",
    "Kind": "kind",
    "Status": "status",
    "Strength": "strength",
    "Scope": "scope",
    "Audience": "audience",
    "Portability": "portability",
    "Source": "source",
    "Tags": "tags",
    "Supersedes": "supersedes",
    "CreatedAt": "created",
    "UpdatedAt": "updated",
    "Session": "session",
    "TriggerTiming": "timing",
    "Level": "level",
    "Layer": "layer",
    "Title": "title",
}
_BY_LABEL = {label.casefold(): key for label, key in _LABELS.items()} | {"timing": "timing"}
# Written only where they say something: LingXi's own notes have none of these.
_RARE = {"timing": "pre", "level": "principle"}
_LISTS = ("tags", "supersedes")
_PARTS = {"Decision": "decision", "Signals": "signals", "Alternatives": "alternatives"} | {
    "Counter-signals": "counter_signals"
}
_PART = re.compile(r"[-*] +\*\*(Decision|Signals|Alternatives|Counter-signals)\*\*\s*[:：]\s*(.*)", re.IGNORECASE)
_OTHERS = {"Fact": "fact", "Principle": "principle", "Evidence": "evidence", "Pointers": "pointers"}
_FOLDED = {name.casefold(): key for name, key in (_PARTS | _OTHERS).items()} | {"when to load": "when_to_load"}
_HOW_TO = frozenset({Kind.PATTERN, Kind.TROUBLESHOOTING})
_NOTHING = frozenset({"", "-", "—", "无", "none"})
_INDEX = "INDEX.md"
_PREFACE = """\
# Memory Index

> Notes are in `memory/notes/*.md`; this list is made of them.

## Memories

"""


def read(files: Mapping[str, bytes], name: str) -> Found:
    """Return the notes of a LingXi memory; its list and templates are kept beside them, other texts as documents."""
    found = Found(NAME, dated=True)
    listed = {row["Id"]: row for file in files if file.endswith(_INDEX) for row in index_table.parse(files[file])}
    for path in sorted(files):
        text = decode(files[path])
        if text is None or not text.strip():
            found.add(Passed(path, "binary" if text is None else "empty"))
        elif "/notes/" in f"/{path}" and _is_note(text):
            found.add(_note(path, text, listed))
        elif path.endswith(_INDEX) and text.startswith(_PREFACE):
            found.add(Passed(path, "derived"))  # an export of ours: it says nothing that the notes do not
        elif path.endswith(_INDEX) or "/references/" in f"/{path}":
            found.add(FoundDocument(path, f"{REFERENCES}/{name}/{path}", files[path]))
        else:
            found.add(read_prose(path, files[path], Manner(NAME)))
    return found


def _is_note(text: str) -> bool:
    return any(heading.title.casefold() == "meta" for heading, _ in find_parts(f"\n{text}", 0, _SECTION))


def _note(path: str, text: str, listed: Mapping[str, Mapping[str, str]]) -> FoundNote:
    """Return a note file as a note; what has no place in one is kept as a key or a section of its own."""
    parts = find_parts(f"\n{text}", 0, _SECTION)
    values = {"title": next((heading.title for heading, _ in parts if heading.level == 1), "") or stem_of(path)}
    texts: dict[str, str] = {}
    extra: Extra = {}
    tail: list[str] = []
    met: set[str] = set()
    for heading, end in parts:
        said = trim(f"\n{text}"[heading.end : end])
        title = heading.title.casefold()
        key = "" if title in met else title  # a second one of a name is a section of its own
        met.add(title)
        if key == "meta":
            for line in filter(str.strip, said.splitlines()):
                _take_meta(line, values, extra)
        elif key.startswith("one-liner"):
            texts["one_liner"] = join(said)
        elif key == "context / decision":
            texts |= _context(said)
        elif key in _FOLDED and heading.level == _SECTION:
            texts[_FOLDED[key]] = said
        elif said:
            tail.append(f"## {heading.title if heading.level == _SECTION else 'Preface'}\n\n{said}")
    for column, cell in listed.get(values.get("id", ""), {}).items():
        if column in _LABELS and cell not in _NOTHING:
            values.setdefault(_LABELS[column], cell)
    return FoundNote(path, _made(values, texts, extra), text, extra, "\n\n".join(tail))


def _take_meta(line: str, values: dict[str, str], extra: Extra) -> None:
    match = _META.fullmatch(line)
    if match is None:
        extra["meta"] = [*extra.get("meta", []), line.strip()]
        return
    label, value = (match[1] or match[3]).strip(), (match[2] or match[4] or "").strip()
    key = _BY_LABEL.get(label.casefold())
    if key is None:
        extra[re.sub(r"[^\w-]+", "_", label)] = value
    elif value not in _NOTHING:
        values[key] = value


def _context(text: str) -> dict[str, str]:
    """Return decision, signals, alternatives and counter-signals from the headings or the list that hold them."""
    found: dict[str, list[str]] = {}
    key = "decision"
    headings = {heading.start: heading for heading, _ in find_parts(f"\n{text}", 0, _DEEPEST)}
    is_headed = any(heading.title.casefold() in _FOLDED for heading in headings.values())
    offset = 0
    for line in text.split("\n"):
        heading = headings.get(offset)
        offset += len(line) + 1
        item = None if is_headed else _PART.fullmatch(line)
        if item:
            key = _FOLDED[item[1].casefold()]
            found.setdefault(key, []).append(item[2])
        elif heading and heading.title.casefold() in _FOLDED:
            key = _FOLDED[heading.title.casefold()]
        else:
            # A heading would end the section, so another one becomes a line in bold.
            found.setdefault(key, []).append(f"**{heading.title}**" if heading else line)
    return {name: trim("\n".join(lines)) for name, lines in found.items() if "".join(lines).strip()}


def _made(values: Mapping[str, str], texts: Mapping[str, str], extra: Extra) -> Note:
    """Return the note; a value that Tacit does not know goes to `extra`."""
    legal: dict[str, object] = {"id": "", "source": "import"}
    for key, value in values.items():
        given = [part.strip() for part in re.split("[,，]", value) if part.strip()] if key in _LISTS else value
        try:
            legal[key] = Layer.named(value).value if key == "layer" else fields.CHECKS[key](key, given)
        except (FieldRefused, ValueError):
            extra[f"original_{key}"] = value
    legal.setdefault("status", str(standing(values.get("status"))))
    title = str(legal.setdefault("title", clip(one_line(values["title"]), MAX_TITLE_CHARS // 2)))
    legal.setdefault("layer", "L2" if legal.get("kind") in _HOW_TO else "L1")
    legal["when_to_load"] = list_items(texts.get("when_to_load", "")) or (title,)
    legal["one_liner"] = texts.get("one_liner") or first_sentence(texts.get("decision") or title)
    return from_plain(Note, {**texts, **legal, "origin": "import"})


def write(notes: Iterable[tuple[Note, Extra, str]]) -> dict[str, bytes]:
    """Return the files of a LingXi memory that holds these notes, each with its other keys and sections."""
    files: dict[str, bytes] = {}
    rows = []
    for note, extra, tail in sorted(notes, key=lambda each: each[0].id):
        path = f"notes/{note.id}.md"
        files[path] = _written(note, extra, tail).encode()
        rows.append(index_table.row(replace(note, file=f"memory/{path}")))
    columns = index_table.COLUMNS
    head = f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}\n"
    files[_INDEX] = (_PREFACE + head + "".join(f"{row}\n" for row in rows)).encode()
    return files


def _written(note: Note, extra: Extra, tail: str) -> str:
    meta = []
    implied = {**_RARE, "layer": "L2" if note.kind in _HOW_TO else "L1"}
    # A heading loses the marks at its end, so a title that has some is said once more.
    if find_headings(f"\n# {note.title}")[0][0].title == note.title:
        implied["title"] = note.title
    for label, key in _LABELS.items():
        value = getattr(note, key)
        said = ", ".join(value) if key in _LISTS else str(value)
        if said and said != implied.get(key):
            meta.append(f"- **{label}**: {said}")
    for key, each in extra.items():
        # LingXi's labels are read in any case: a key that would pass for one is marked as somebody's own.
        label = f"x-{key}" if key.casefold() in _BY_LABEL else key
        meta.append(f"- **{label}**: {one_line(each if isinstance(each, str) else ', '.join(each))}")
    parts = {label: said for label, key in _PARTS.items() if (said := getattr(note, key))}
    headed = "\n".join(parts.values()).count("\n") >= len(parts)
    context = [f"### {label}\n\n{said}" if headed else f"- **{label}**: {said}" for label, said in parts.items()]
    pieces = [
        f"# {note.title}",
        "## Meta",
        "\n".join(meta),
        "## When to load",
        "\n".join(f"- {each}" for each in note.when_to_load),
        "## One-liner (for injection)",
        note.one_liner,
        *(["## Context / Decision", ("\n\n" if headed else "\n").join(context)] if parts else []),
        *(piece for name, key in _OTHERS.items() if (said := getattr(note, key)) for piece in (f"## {name}", said)),
        *([tail] if tail else []),
    ]
    return "\n\n".join(pieces) + "\n"
