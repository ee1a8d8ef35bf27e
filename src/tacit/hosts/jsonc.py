"""JSON with comments: read, members and items put in and taken out again, every other byte left alone."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tacit.hosts.wiring import Put

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.hosts.record import Spliced
    from tacit.hosts.wiring import Piece

_DEEPEST = 200
_GAP = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_PLAIN = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")


class BrokenText(ValueError):
    """The text is not what its format allows; `line` is where."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


@dataclass(slots=True)
class Node:
    """One value: where it begins and ends, what it is, and for an object or a list what it holds.

    `starts` are where its members or items begin, a member at its key; `has_comma` says that the last one is followed
    by a comma.
    """

    start: int
    end: int
    value: Any
    keys: list[str] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    has_comma: bool = False

    @property
    def is_object(self) -> bool:
        """Whether this is an object."""
        return isinstance(self.value, dict)

    @property
    def is_list(self) -> bool:
        """Whether this is a list."""
        return isinstance(self.value, list)

    def member(self, key: str) -> Node | None:
        """Return the value of a member; of two with one name the last, as programs read it."""
        return next(
            (each for name, each in zip(self.keys[::-1], self.children[::-1], strict=True) if name == key), None
        )


def parse(text: str) -> Node:
    """Return the value that a text holds; raise BrokenText with the line if it is none."""
    start = gap_end(text, 0)
    node = _value(text, start, 0)
    end = gap_end(text, node.end)
    if end != len(text):
        raise _broken(text, end, "something follows the end of the document")
    return node


def gap_end(text: str, at: int) -> int:
    """Return where blanks and comments that begin at a place end."""
    found = _GAP.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, depth: int) -> Node:
    if depth > _DEEPEST:
        raise _broken(text, at, "it is nested too deeply")
    opening = text[at : at + 1]
    if opening == "{":
        return _object(text, at, depth)
    if opening == "[":
        return _list(text, at, depth)
    if opening == '"':
        value, end = _string(text, at)
        return Node(at, end, value)
    found = _PLAIN.match(text, at)
    if not found:
        raise _broken(text, at, "a value is missing" if at < len(text) else "it ends too early")
    try:
        return Node(at, found.end(), json.loads(found[0]))
    except ValueError:
        raise _broken(text, at, "a number is too long") from None


def _object(text: str, at: int, depth: int) -> Node:
    node = Node(at, at, {})
    place = gap_end(text, at + 1)
    while text[place : place + 1] != "}":
        if text[place : place + 1] != '"':
            raise _broken(
                text, place, 'a name in quotes or "}" is missing' if place < len(text) else "it ends too early"
            )
        key, end = _string(text, place)
        colon = gap_end(text, end)
        if text[colon : colon + 1] != ":":
            raise _broken(text, colon, "a colon is missing")
        child = _value(text, gap_end(text, colon + 1), depth + 1)
        node.keys.append(key)
        node.value[key] = child.value
        place = _add(text, node, place, child)
    node.end = place + 1
    return node


def _list(text: str, at: int, depth: int) -> Node:
    node = Node(at, at, [])
    place = gap_end(text, at + 1)
    while text[place : place + 1] != "]":
        child = _value(text, place, depth + 1)
        node.value.append(child.value)
        place = _add(text, node, place, child)
    node.end = place + 1
    return node


def _add(text: str, node: Node, start: int, child: Node) -> int:
    """Take a child in, pass over the comma behind it, and return where the next one or the end stands."""
    node.starts.append(start)
    node.children.append(child)
    place = gap_end(text, child.end)
    node.has_comma = text[place : place + 1] == ","
    if node.has_comma:
        return gap_end(text, place + 1)
    if text[place : place + 1] not in ("}", "]"):
        raise _broken(text, place, "a comma is missing" if place < len(text) else "it ends too early")
    return place


def _string(text: str, at: int) -> tuple[str, int]:
    found = _STRING.match(text, at)
    if not found:
        raise _broken(text, at, "a string does not end")
    try:
        return str(json.loads(found[0])), found.end()
    except ValueError:
        raise _broken(text, at, "a string has a wrong escape") from None


def _broken(text: str, at: int, reason: str) -> BrokenText:
    return BrokenText(text.count("\n", 0, at) + 1, reason)


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
