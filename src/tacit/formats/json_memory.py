"""Memories as JSON: the graph of MCP's memory server, and what mem0 exports; each thing that is known is one note."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tacit.formats.decoding import decode
from tacit.formats.found import Found, FoundDocument, FoundNote, Passed
from tacit.formats.prose import first_sentence, is_divided, portable
from tacit.note.blob import MAX_TEXT_CHARS
from tacit.note.model import MAX_TITLE_CHARS, Level, Note, Origin
from tacit.text import clip, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.formats.found import Extra

GRAPH, MEM0 = "mcp-memory", "mem0"
_TEXTS = ("memory", "text", "content", "data")
_WRAPPERS = ("results", "memories", "data", "items")


def kind_of(content: bytes) -> str:
    """Return which kind of memory a JSON or JSON Lines file holds; empty for neither."""
    values = _values(content)
    if values is None:
        return ""
    if any(_is_entity(value) or _is_relation(value) for value in values):
        return GRAPH
    return MEM0 if any(_said(value) for value in values) else ""


def read(files: Mapping[str, bytes], name: str) -> Found:
    """Return the entities of a graph with their relations, or the memories of an export, one note each."""
    values = {path: _values(files[path]) for path in sorted(files)}
    graph = any(_is_entity(value) or _is_relation(value) for each in values.values() for value in each or ())
    found = Found(GRAPH if graph else MEM0)
    for path, known in values.items():
        if known is None:
            found.add(Passed(path, "json"))
            continue
        relations = [value for value in known if _is_relation(value)]
        told: set[int] = set()
        for number, value in enumerate(known, 1):
            if _is_entity(value):
                own = [each for each in relations if each["from"] == value["name"]]
                told |= {id(each) for each in own}
                found.add(_entity(path, value, own, name))
            elif not _is_relation(value):
                found.add(_memory(f"{path}#{number}", value, name))
        loose = [each for each in relations if id(each) not in told]
        if loose:
            text = "# Relations\n\n" + "".join(f"- {_relation(each)}\n" for each in loose)
            found.add(FoundDocument(path, portable(f"details/{name}/relations.md"), text.encode()))
    return found


def _values(content: bytes) -> list[Any] | None:
    """Return the things in a file: of an array, of the object around one, or one a line; None if it is no JSON.

    A line that is broken counts as a thing that says nothing, as long as another one holds an object.
    """
    text = decode(content)
    if text is None:
        return None
    try:
        whole = _loaded(text)
    except (ValueError, RecursionError):
        whole = [_of_line(line) for line in text.split("\n") if line.strip()]
        if None in whole and not any(isinstance(value, dict) for value in whole):
            return None
    if isinstance(whole, dict):
        if isinstance(whole.get("entities"), list):
            relations = whole.get("relations")
            return [*whole["entities"], *(relations if isinstance(relations, list) else [])]
        inner = next((whole[key] for key in _WRAPPERS if isinstance(whole.get(key), list)), None)
        return inner if inner is not None else [whole]
    return whole if isinstance(whole, list) else None


def _of_line(line: str) -> Any:  # noqa: ANN401  any JSON
    """Return the value of one line, None if it is no JSON."""
    try:
        return _loaded(line)
    except (ValueError, RecursionError):
        return None


def _loaded(text: str) -> Any:  # noqa: ANN401  any JSON
    """Return the value of a JSON text, a question mark for each half of a surrogate pair: no file can hold one."""
    value = json.loads(text)
    if "\\ud" not in text.lower():
        return value
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


def _is_entity(value: object) -> bool:
    return (
        isinstance(value, dict) and isinstance(value.get("name"), str) and isinstance(value.get("observations"), list)
    )


def _is_relation(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(key), str) for key in ("from", "to", "relationType"))


def _said(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return next((value[key] for key in _TEXTS if isinstance(value.get(key), str) and value[key].strip()), "")
    return ""


def _relation(each: Mapping[str, Any]) -> str:
    return f"{one_line(each['from'])} {one_line(each['relationType'])} {one_line(each['to'])}"


def _entity(path: str, value: Mapping[str, Any], relations: list[Any], name: str) -> FoundNote | FoundDocument:
    title = clip(one_line(value["name"]), MAX_TITLE_CHARS // 2)
    said = [_text(each) for each in value["observations"]]
    lines = [*(f"- {each}" for each in said if each), *(f"- {_relation(each)}" for each in relations)]
    kind = value.get("entityType")
    extra: Extra = {"entity_type": kind} if isinstance(kind, str) and kind else {}
    if title != value["name"]:
        extra["name"] = value["name"]
    content = json.dumps([value, *relations], ensure_ascii=False, sort_keys=True)
    item = FoundNote(f"{path}#{title}", _note(title, "\n".join(lines) or title), content, extra)
    return _fitting(item, name)


def _memory(path: str, value: object, name: str) -> FoundNote | FoundDocument | Passed:
    said = _said(value).strip()
    if not said:
        return Passed(path, "json")
    members = value if isinstance(value, dict) else {}
    extra: Extra = {}
    for key, each in members.items():
        if key not in _TEXTS and each not in (None, "", [], {}):
            extra[f"mem0_{key}"] = (
                each if isinstance(each, str) else json.dumps(each, ensure_ascii=False, sort_keys=True)
            )
    content = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return _fitting(
        FoundNote(path, _note(clip(first_sentence(said), MAX_TITLE_CHARS // 2), said), content, extra), name
    )


def _note(title: str, said: str) -> Note:
    return Note(
        id="",
        title=title,
        level=Level.FACT,
        source="import",
        origin=Origin.IMPORT,
        when_to_load=(title,),
        one_liner=first_sentence(said),
        decision=said,
    )


def _fitting(item: FoundNote, name: str) -> FoundNote | FoundDocument:
    """Return one memory as a note, or as a document of its own where it is too long or divided."""
    said, title = item.note.decision, item.note.title
    if len(said) <= MAX_TEXT_CHARS and not is_divided(said):
        return item
    return FoundDocument(item.path, portable(f"details/{name}/{title}.md"), f"# {title}\n\n{said}\n".encode())


def _text(observation: object) -> str:
    return one_line(observation) if isinstance(observation, str) else json.dumps(observation, ensure_ascii=False)
