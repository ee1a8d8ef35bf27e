"""A layered memory: YAML files by layer with an index.json of summaries each, read into notes and written from them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tacit.errors import FieldRefused
from tacit.formats import episode, fields, native
from tacit.formats.core_document import find_headings
from tacit.formats.decoding import decode
from tacit.formats.found import Found, FoundDocument, FoundNote, Passed, as_entry, layer_of, standing
from tacit.formats.prose import Manner, first_sentence, portable, stem_of
from tacit.formats.prose import read as read_prose
from tacit.note.model import MAX_TITLE_CHARS, Layer, Note, from_plain
from tacit.note.pointer import is_episode_id
from tacit.text import clip, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tacit.formats.episode import Episode
    from tacit.formats.found import Extra

NAME = "layered"
INDEX = "index.json"
_YAML = (".yaml", ".yml")
_LEFT = {"staging": "staging", ".trash": "trash", Layer.WORKING.folder: "working", ".local": "private"}
# Names that others use for a field of a note.
_OTHER_NAMES = {
    "name": "title",
    "summary": "one_liner",
    "description": "one_liner",
    "content": "decision",
    "type": "kind",
    "when": "when_to_load",
    "triggers": "when_to_load",
    "created_at": "created",
    "updated_at": "updated",
}
_TEXTS = tuple(key for key in native.SECTIONS.values() if key != "when_to_load")
_NO_FIELDS = frozenset({"layer", "origin", "confirmed"})
_MAX_DEPTH = 40


def read(files: Mapping[str, bytes], name: str) -> Found:
    """Return the notes, core documents and episodes of a layered memory; working memory and rubbish stay behind."""
    found = Found(NAME, dated=True)
    summaries = _summaries(files)
    for path in sorted(files):
        found.add(_item(path, files[path], summaries, name))
    return found


def _item(path: str, content: bytes, summaries: Mapping[str, str], name: str) -> FoundNote | FoundDocument | Passed:
    parts = path.split("/")
    for folder, reason in _LEFT.items():
        if folder in parts[:-1]:
            return Passed(path, reason)
    if parts[-1] in (INDEX, "memory.lock"):
        return Passed(path, "derived" if parts[-1] == INDEX else "state")
    text = decode(content)
    if text is None or not text.strip():
        return Passed(path, "binary" if text is None else "empty")
    layer = layer_of(path)
    members = loaded(text) if path.endswith(_YAML) else None
    if layer is Layer.CORE:
        return FoundDocument(path, f"{layer.folder}/{portable(parts[-1])}", _core(path, text).encode())
    if layer is Layer.EPISODIC and members and is_episode_id(str(members.get("id", ""))):
        return FoundDocument(path, f"{layer.folder}/{members['id']}.md", episode.render(_episode(members)))
    if members is not None and layer in (Layer.DECLARATIVE, Layer.PROCEDURAL):
        note = _note(path, text, members, layer, summaries)
        if note:
            return note
    if path.endswith(_YAML):
        return FoundDocument(path, portable(f"details/{name}/{path}"), _fenced(path, text).encode())
    return read_prose(path, content, Manner(name))


def loaded(text: str) -> dict[str, Any] | None:
    """Return the mapping that a YAML text is, every scalar as text; None for anything else, and for tricks.

    Aliases could make a small file large, and mere nesting a reader slow.
    """
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    depth = 0
    try:
        for event in yaml.parse(text, Loader=loader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if isinstance(event, yaml.AliasEvent) or depth > _MAX_DEPTH:
                return None
        members = yaml.load(text, Loader=loader)  # noqa: S506  the base loader makes texts, lists and mappings alone
    except (yaml.YAMLError, ValueError, OverflowError):
        return None
    return members if isinstance(members, dict) and all(isinstance(key, str) for key in members) else None


def _summaries(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return id or file name → summary of every index.json, whatever its exact shape."""
    found: dict[str, str] = {}
    for path in files:
        if path.rpartition("/")[2] == INDEX:
            try:
                _collect(json.loads(files[path]), "", found)
            except (ValueError, RecursionError):
                continue
    return found


def _collect(value: object, key: str, found: dict[str, str]) -> None:
    if isinstance(value, list):
        for each in value:
            _collect(each, "", found)
    elif isinstance(value, dict):
        summary = value.get("summary")
        for name in (value.get("id"), value.get("file"), key):
            if isinstance(summary, str) and isinstance(name, str) and name:
                found[name.rpartition("/")[2]] = summary
        for name, each in value.items():
            _collect(each, name, found)


def _note(
    path: str, text: str, members: Mapping[str, Any], layer: Layer, summaries: Mapping[str, str]
) -> FoundNote | None:
    """Return a YAML file as a note, what Tacit does not know as keys of its own; None if it would not fit."""
    legal: dict[str, object] = {"id": "", "source": "import"}
    extra: Extra = {}
    given = {**members}
    for theirs, ours in _OTHER_NAMES.items():
        if theirs in given and ours not in given:
            given[ours] = given.pop(theirs)
    for key, value in given.items():
        if key in _NO_FIELDS or not value:
            continue
        try:
            legal[key] = _legal(key, value)
        except (FieldRefused, KeyError):
            extra[key if key not in native.KEYS and key not in _TEXTS else f"original_{key}"] = as_entry(value)
    legal.setdefault("status", str(standing(given.get("status"))))
    stem = path.rpartition("/")[2]
    told = summaries.get(str(given.get("id", ""))) or summaries.get(stem) or summaries.get(stem.rpartition(".")[0])
    title = str(legal.setdefault("title", clip(one_line(stem_of(path)), MAX_TITLE_CHARS // 2)))
    said = str(legal.get("decision") or legal.get("fact") or legal.get("principle") or title)
    legal.setdefault("one_liner", one_line(told or "") or first_sentence(said))
    legal.setdefault("when_to_load", (title,))
    if told and one_line(told) != legal["one_liner"]:
        extra["index_summary"] = told
    tail = extra.pop("sections", "")
    note = from_plain(Note, {**legal, "layer": str(layer), "origin": "import"})
    return FoundNote(path, note, text, extra, str(tail)) if _fits(note) else None


def _legal(key: str, value: object) -> object:
    if key == "when_to_load":
        lines = value if isinstance(value, list) else str(value).splitlines()
        return tuple(one_line(str(line)) for line in lines if str(line).strip())
    if key in _TEXTS:
        if not isinstance(value, str):
            raise FieldRefused(field=key, reason="is no text")
        return one_line(value) if key == "one_liner" else value
    return fields.CHECKS[key](key, value)


def _fits(note: Note) -> bool:
    """Whether every text of a note can stand in a section."""
    for key in _TEXTS:
        headings, is_open = find_headings(f"\n{getattr(note, key)}")
        if is_open or any(heading.level <= 3 for heading in headings):  # noqa: PLR2004  deeper ones are no sections
            return False
    return True


def _core(path: str, text: str) -> str:
    return _fenced(path, text) if path.endswith(_YAML) else text


def _fenced(path: str, text: str) -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in text.split() if set(run) == {"`"}), default=0))
    return f"# {stem_of(path)}\n\n{fence}yaml\n{text.rstrip()}\n{fence}\n"


def _episode(members: Mapping[str, Any]) -> Episode:
    named = {key: str(members[key]) for key in ("summary", "task", "parent", "started", "finished") if members.get(key)}
    title = str(members.get("title") or members["id"])
    return episode.Episode(id=str(members["id"]), title=title, body=str(members.get("content", "")), **named)


def write(
    notes: Iterable[tuple[Note, Extra, str]], core: Mapping[str, bytes], episodes: Iterable[Episode]
) -> dict[str, bytes]:
    """Return the files of a layered memory with these notes, core documents (by file name) and episodes."""
    files = {f"{Layer.CORE.folder}/{name}": content for name, content in core.items()}
    listed: dict[str, list[dict[str, object]]] = {}
    for note, extra, tail in sorted(notes, key=lambda each: each[0].id):
        members: dict[str, object] = {}
        for key in (*native.KEYS, *native.SECTIONS.values()):
            value = getattr(note, key)
            if value and key not in _NO_FIELDS:
                members[key] = list(value) if isinstance(value, tuple) else str(value)
        members |= {**extra, **({"sections": tail} if tail else {})}
        _put(files, listed, note.layer, members, note.one_liner)
    for each in sorted(episodes, key=lambda one: one.id):
        keys = ("id", "title", "summary", "task", "parent", "started", "finished")
        members = {key: said for key in keys if (said := getattr(each, key))} | {"content": each.body}
        _put(files, listed, Layer.EPISODIC, members, each.summary)
    for folder, rows in listed.items():
        text = json.dumps({"layer": folder, "memories": rows}, ensure_ascii=False, indent=2)
        files[f"{folder}/{INDEX}"] = f"{text}\n".encode()
    return files


def _put(
    files: dict[str, bytes],
    listed: dict[str, list[dict[str, object]]],
    layer: Layer,
    members: dict[str, object],
    summary: str,
) -> None:
    name = f"{members['id']}.yaml"
    files[f"{layer.folder}/{name}"] = dumped(members)
    row = {"id": members["id"], "title": members["title"], "summary": summary, "file": name}
    listed.setdefault(layer.folder, []).append(row)


def dumped(members: Mapping[str, object]) -> bytes:
    """Return a mapping of texts and lists of texts as YAML, long texts as blocks."""
    import yaml

    class Dumper(yaml.SafeDumper):
        """Writes texts of several lines as blocks."""

    def text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)

    Dumper.add_representer(str, text)
    made: str = yaml.dump(
        dict(members), Dumper=Dumper, allow_unicode=True, sort_keys=False, default_flow_style=False, width=10**6
    )
    return made.encode()
