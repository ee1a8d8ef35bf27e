"""Put members and items into JSON with comments and take them out again, leaving every other byte alone."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tacit.hosts.jsonc_tree import BrokenText, gap_end, parse
from tacit.hosts.wiring import Put

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.hosts.jsonc_tree import Node
    from tacit.hosts.record import Spliced
    from tacit.hosts.wiring import Piece

_INDENT = re.compile(r"^([ \t]+)\S", re.MULTILINE)
_UNIT = "  "
_BLANKS = " \t\r\n"


class Taken(BrokenText):
    """Something else stands under the name that a piece needs."""


def put_in(document: Spliced, pieces: Sequence[Piece]) -> list[Put]:
    """Put in what is missing of the pieces and return that; raise BrokenText or Taken and change nothing."""
    if not document.text.strip("\ufeff \t\r\n"):
        document.put(0, "{}\n", until=len(document.text))
    return [put for piece in pieces if (put := _put(document, piece)) is not None]


def take_out(document: Spliced, puts: Sequence[Put]) -> list[Put]:
    """Take out what was put in, with containers made for it that are empty now; return what is no longer as it was."""
    changed = [put for put in puts if not _take(document, put)]
    made = {
        put.piece.path[:depth]: put.keeps_comma and depth == put.made_from
        for put in puts
        for depth in range(put.made_from, len(put.piece.container) + 1)
    }
    for path in sorted(made, key=len, reverse=True):
        _drop_empty(document, path, keeps_comma=made[path])
    return changed


def find(text: str, path: Sequence[str]) -> Node | None:
    """Return what stands at a path; None if it leads nowhere."""
    node: Node | None = parse(text)
    for key in path:
        node = node.member(key) if node is not None and node.is_object else None
    return node


def holds(text: str, piece: Piece) -> bool:
    """Whether a piece stands in a text, be it changed by the user."""
    container = find(text, piece.container)
    if container is None:
        return False
    return container.is_list and piece.is_in(container.value) if piece.is_item else piece.path[-1] in container.keys


def _put(document: Spliced, piece: Piece) -> Put | None:
    node, path = parse(document.text), piece.container
    for depth, key in enumerate(path):
        child = _must_be(document.text, node, path[:depth], dict).member(key)
        if child is None:  # from here on all is ours: one member holds it
            value: Any = [piece.value] if piece.is_item else {piece.path[-1]: piece.value}
            for name in reversed(path[depth + 1 :]):
                value = {name: value}
            return Put(piece, depth + 1, keeps_comma=_insert(document, node, key, value))
        node = child
    _must_be(document.text, node, path, list if piece.is_item else dict)
    own = None if piece.is_item else piece.path[-1]
    there = None if own is None else node.member(own)
    if there is not None and there.value != piece.value and not piece.is_default:
        raise Taken(_line(document.text, there.start), ".".join(piece.path))
    if there is not None or (piece.is_item and piece.is_in(node.value)):
        return None
    return Put(piece, len(path) + 1, keeps_comma=_insert(document, node, own, piece.value))


def _take(document: Spliced, put: Put) -> bool:
    """Take one piece out; False if it stands there no longer as it was put in, though something of the name does."""
    piece = put.piece
    container = find(document.text, piece.container)
    if container is None:
        return True
    if piece.is_item:
        if not container.is_list or piece.value not in container.value:
            return not container.is_list or not piece.is_in(container.value)
        index = container.value.index(piece.value)
    else:
        if not container.is_object or piece.path[-1] not in container.keys:
            return True
        index = len(container.keys) - 1 - container.keys[::-1].index(piece.path[-1])
        if container.children[index].value != piece.value:
            return False
    is_first = put.made_from <= len(piece.container)  # the comma is then before the container that was made
    _remove(document, container, index, keeps_comma=put.keeps_comma and not is_first)
    return True


def _drop_empty(document: Spliced, path: tuple[str, ...], *, keeps_comma: bool) -> None:
    """Take a container out if it is empty and holds no comment."""
    node, parent = find(document.text, path), find(document.text, path[:-1])
    if not path or node is None or parent is None or node.value not in ({}, []):
        return
    if document.text[node.start + 1 : node.end - 1].strip():
        return
    index = len(parent.keys) - 1 - parent.keys[::-1].index(path[-1])
    _remove(document, parent, index, keeps_comma=keeps_comma)


def _insert(document: Spliced, container: Node, key: str | None, value: Any) -> bool:  # noqa: ANN401  any JSON
    """Put a member or an item at the end of a container; return whether the user's own comma stood before it."""
    text = document.text
    newline = "\r\n" if "\r\n" in text else "\n"
    close = container.end - 1
    if container.children and "\n" not in text[container.start : close]:
        added = _rendered(key, value, None, "", newline)
        last = container.children[-1].end
        if container.has_comma:
            document.put(gap_end(text, last) + 1, f" {added}")
        else:
            document.put(last, f", {added}")
        return container.has_comma
    unit = found[1] if (found := _INDENT.search(text)) else _UNIT
    outer = _indent_at(text, container.start)
    inner = _indent_at(text, container.starts[0]) if container.children else outer + unit
    place = _end_of_content(text, container, close)
    added = f"{newline}{inner}{_rendered(key, value, unit, inner, newline)}"
    if "\n" in text[place:close]:
        document.put(place, added)
    else:
        document.put(place, f"{added}{newline}{outer}", until=close)
    if container.children and not container.has_comma:
        document.put(container.children[-1].end, ",")
    return container.has_comma


def _remove(document: Spliced, container: Node, index: int, *, keeps_comma: bool) -> None:
    """Take a child out with the blanks before it and one of the commas around it."""
    text = document.text
    start, end = container.starts[index], container.children[index].end
    begin = len(text[:start].rstrip(_BLANKS))
    comma = gap_end(text, end)
    if len(container.children) == 1 and not text[container.start + 1 : begin].strip() and text[comma] != ",":
        begin, end = container.start + 1, end + len(text[end:]) - len(text[end:].lstrip(_BLANKS))
        document.put(begin, "", until=end)
    elif text[comma] != ",":
        document.put(begin, "", until=end)
        if index and not keeps_comma:
            before = gap_end(text, container.children[index - 1].end)
            document.put(before, "", until=before + 1)
    elif text[end:comma].strip():  # a comment stands between the value and its comma
        document.put(comma, "", until=comma + 1)
        document.put(begin, "", until=end)
    else:
        document.put(begin, "", until=comma + 1)


def _end_of_content(text: str, container: Node, close: int) -> int:
    """Return where the last thing in a container ends, be it a comment."""
    begin = container.children[-1].end if container.children else container.start + 1
    return begin + len(text[begin:close].rstrip(_BLANKS))


def _indent_at(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _rendered(key: str | None, value: Any, unit: str | None, indent: str, newline: str) -> str:  # noqa: ANN401  any JSON
    body = json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", f"{newline}{indent}")
    return body if key is None else f"{json.dumps(key, ensure_ascii=False)}: {body}"


def _must_be(text: str, node: Node, path: Sequence[str], kind: type) -> Node:
    if not isinstance(node.value, kind):
        wanted = "an object" if kind is dict else "a list"
        raise BrokenText(_line(text, node.start), f"`{'.'.join(path) or 'the document'}` is not {wanted}")
    return node


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
