"""Read JSON with comments and trailing commas, keeping where each part stands in the text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

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
