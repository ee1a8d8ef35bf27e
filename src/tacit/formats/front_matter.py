"""The YAML front matter of a note: a small, safe subset, read line by line and written back line by line.

Ordinary lines are read by one regular expression; whatever it does not know goes to PyYAML, whose events are
checked one by one. Both ways give the same entries for the same text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeAlias, cast

from tacit.errors import FieldRefused, NoteSyntaxError

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from yaml import Event, Mark, ScalarEvent

__all__ = ["MAX_DEPTH", "MAX_FRONT_MATTER_BYTES", "Entry", "Value", "parse", "render_entry", "values", "with_comments"]

MAX_FRONT_MATTER_BYTES = 16 * 1024
MAX_DEPTH = 8

Value: TypeAlias = "str | list[Value] | dict[str, Value]"


class Entry(NamedTuple):
    """One top-level key, its value, and the lines it stands on: from 0, `end` excluded, no comments after it."""

    key: str
    value: Value
    start: int
    end: int


# What YAML does not allow as it stands; tabs, on which its parsers disagree; and the line breaks that only YAML
# knows, which would make our count of lines differ from the parser's.
_FORBIDDEN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_ESCAPED = re.compile(rf'["\\\n]|{_FORBIDDEN.pattern}')
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")

# No two neighbouring repetitions below share a character, so that a line is refused in linear time.
_FIRST = r"""[^ \n\-?:,\[\]{}#&*!|>'"%@`]"""
_PLAIN = rf"""{_FIRST}[^:#\n]*(?:(?::(?![ \n])|(?<!\x20)\#)[^:#\n]*)*"""
_QUOTED = r""""[^"\\\n]*"|'[^'\n]*(?:''[^'\n]*)*'"""
_FLOW_ITEM = rf"""(?:{_FIRST}[^\n?:,\[\]{{}}#]*|"[^"\\,\n]*"[ ]*|'[^',\n]*'[ ]*)"""
_FLOW = rf"\[[ ]*(?:{_FLOW_ITEM}(?:,[ ]*{_FLOW_ITEM})*)?\]"
_COMMENT = r"(?:(?<=[ ])\#.*)?"
_ORDINARY_KEY = r"[A-Za-z_][A-Za-z0-9_-]{0,63}"
_LINE = re.compile(
    rf"""({_ORDINARY_KEY}):(?:[ ]+({_PLAIN}|(?:{_QUOTED}|{_FLOW})[ ]*)|[ ]*){_COMMENT}\n
    | ([ ]*)-[ ]+({_PLAIN}|(?:{_QUOTED})[ ]*){_COMMENT}\n
    | (?:[ ]*(?:\#.*)?|(.+))\n""",
    re.VERBOSE,
)
_WHOLE_PLAIN = re.compile(_PLAIN)
_KEY = re.compile(_ORDINARY_KEY)

# How PyYAML puts it → how we put it.
_REASONS = (
    ("mapping values are not allowed", "a value that contains ': ' must be quoted"),
    ("cannot start any token", "a value that begins with a reserved character must be quoted"),
    ("found unexpected end of stream", "a quote is opened and never closed"),
    ("could not find expected ':'", "the line is neither `key: value` nor part of a value"),
)


def values(text: str, *, file: str, first_line: int) -> dict[str, Value]:
    r"""Return the value of each key of `text`, in its order; every scalar is a string.

    `text` has `\n` line ends only and ends with one, unless it is empty. NoteSyntaxError names `file` and the
    line in it, where the first line of `text` counts as `first_line`.
    """
    found = read_ordinary(text)
    if found is not None:
        return found
    return {entry.key: entry.value for entry in read_any(text, file=file, first_line=first_line)}


def parse(text: str, *, file: str, first_line: int) -> list[Entry]:
    """Return what `values` returns, each with the lines it stands on."""
    found = read_ordinary(text)
    return read_any(text, file=file, first_line=first_line) if found is None else _with_lines(text, found)


def read_ordinary(text: str) -> dict[str, Value] | None:
    """Return the values of `text` if all its lines are ordinary ones, None if it takes PyYAML to read or refuse it."""
    if _is_out_of_bounds(text):
        return None
    found: dict[str, Value] = {}
    open_key = margin = ""
    items: list[Value] = []
    for key, value, indent, item, other in _LINE.findall(text):
        if key:
            if key in found:
                return None
            open_key = "" if value else key
            found[key] = _token(value.rstrip(" ")) if value and (value[0] in "\"'[" or value[-1] == " ") else value
        elif item:
            if not open_key:
                return None
            if not found[open_key]:
                found[open_key] = items = []
                margin = indent
            elif indent != margin:
                return None
            items.append(_token(item.rstrip(" ")))
        elif other:
            return None
    return found


def is_plain(text: str) -> bool:
    """Whether a text without line breaks and forbidden characters may stand as a value without quotes."""
    return not text.endswith((" ", ":")) and _WHOLE_PLAIN.fullmatch(text) is not None


def _is_out_of_bounds(text: str) -> bool:
    # Of each pair the first question is quick and settles nearly every note; the second is the one that is meant.
    return (len(text) * 4 > MAX_FRONT_MATTER_BYTES and len(text.encode()) > MAX_FRONT_MATTER_BYTES) or (
        not text.replace("\n", " ").isprintable() and _FORBIDDEN.search(text) is not None
    )


def _with_lines(text: str, found: dict[str, Value]) -> list[Entry]:
    entries: list[Entry] = []
    for number, line in enumerate(text.split("\n")):
        if line.lstrip(" ").startswith("-"):
            entries[-1] = entries[-1]._replace(end=number + 1)
        elif line and line[0] not in " #":
            key = line.partition(":")[0]
            entries.append(Entry(key, found[key], number, number + 1))
    return entries


def _token(token: str) -> Value:
    match token[:1]:
        case '"':
            return token[1:-1]
        case "'":
            return token[1:-1].replace("''", "'")
        case "[":
            inner = token[1:-1].strip(" ")
            return [_token(item.strip(" ")) for item in inner.split(",")] if inner else []
        case _:
            return token


def read_any(text: str, *, file: str, first_line: int) -> list[Entry]:
    """Return the entries of `text` as PyYAML reads it, or raise NoteSyntaxError for what the subset leaves out."""
    if len(text.encode()) > MAX_FRONT_MATTER_BYTES:
        reason = f"the front matter has more than the {MAX_FRONT_MATTER_BYTES} bytes allowed"
        raise NoteSyntaxError(file=file, line=first_line, reason=reason)
    if bad := _FORBIDDEN.search(text):
        line = first_line + text.count("\n", 0, bad.start())
        what = "a tab" if bad[0] == "\t" else f"the character U+{ord(bad[0]):04X}"
        reason = f"{what} may stand in front matter only as an escape in double quotes"
        raise NoteSyntaxError(file=file, line=line, reason=reason)
    # Imported here because hardly any note comes this way, and a hook must not pay for it.
    import yaml

    try:
        return _Events(text, file, first_line).entries()
    except yaml.MarkedYAMLError as error:
        # What went wrong while scanning began where the scan began; the parser's own context is the whole mapping.
        scanning = error.context_mark if str(error.context).startswith("while scanning") else None
        mark = scanning or error.problem_mark
        line = first_line + (mark.line if mark else 0)
        raise NoteSyntaxError(file=file, line=line, reason=_reason(str(error.problem))) from None
    except (ValueError, OverflowError):
        # The pure Python parser lets these through for an escape such as "\UFFFFFFFF".
        reason = "an escape names no character"
        raise NoteSyntaxError(file=file, line=first_line, reason=reason) from None


def _reason(problem: str) -> str:
    for theirs, ours in _REASONS:
        if theirs in problem:
            return ours
    return f"the front matter is no valid YAML: {problem}"


class _Events:
    """PyYAML's events turned into entries; everything outside the subset is refused where it stands."""

    def __init__(self, text: str, file: str, first_line: int) -> None:
        import yaml

        self._yaml = yaml
        self._file = file
        self._first_line = first_line
        loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
        self._events: Iterator[Event] = iter(yaml.parse(text, Loader=loader))

    def entries(self) -> list[Entry]:
        yaml = self._yaml
        next(self._events)
        start = next(self._events)
        if not isinstance(start, yaml.DocumentStartEvent):
            return []
        if start.explicit:
            self._refuse(start, "only one YAML document is allowed")
        root = self._next()
        if not isinstance(root, yaml.MappingStartEvent) or root.flow_style:
            self._refuse(root, "the front matter must be lines of the form `key: value`")
        found: dict[str, Entry] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._key(event, found)
            if _start(event).column:
                self._refuse(event, f"the key {key!r} must stand at the start of its line")
            value, end = self._value(self._next(), 2)
            found[key] = Entry(key, value, _start(event).line, end)
        end_of_document = next(self._events)
        if getattr(end_of_document, "explicit", False) or not isinstance(next(self._events), yaml.StreamEndEvent):
            self._refuse(end_of_document, "only one YAML document is allowed")
        return list(found.values())

    def _next(self) -> Event:
        event = next(self._events)
        if isinstance(event, self._yaml.AliasEvent):
            self._refuse(event, "aliases (*name) are not allowed")
        if getattr(event, "anchor", None) is not None:
            self._refuse(event, "anchors (&name) are not allowed")
        if getattr(event, "tag", None) is not None:
            self._refuse(event, "tags (!name) are not allowed")
        return event

    def _value(self, event: Event, depth: int) -> tuple[Value, int]:
        """Return the value that begins with `event`, and the line after its last one."""
        yaml = self._yaml
        if isinstance(event, yaml.ScalarEvent):
            return self._text(event), _line_after(event)
        if depth > MAX_DEPTH:
            self._refuse(event, f"values are nested more than {MAX_DEPTH} levels deep")
        end = _start(event).line + 1
        value: Value
        if isinstance(event, yaml.SequenceStartEvent):
            value = []
            while not isinstance(inner := self._next(), yaml.SequenceEndEvent):
                item, end = self._value(inner, depth + 1)
                value.append(item)
        else:
            value = {}
            while not isinstance(inner := self._next(), yaml.MappingEndEvent):
                key = self._key(inner, value)
                value[key], end = self._value(self._next(), depth + 1)
        # A block ends where the next token begins, comments and blank lines later; a flow ends at its bracket.
        return value, _line_after(inner) if getattr(event, "flow_style", False) else end

    def _key(self, event: Event, known: Container[str]) -> str:
        if not isinstance(event, self._yaml.ScalarEvent):
            self._refuse(event, "a key must be plain text")
        key = self._text(event)
        if key == "<<":
            self._refuse(event, "merge keys (<<) are not allowed")
        if key in known:
            self._refuse(event, f"the key {key!r} stands twice")
        return key

    def _text(self, event: ScalarEvent) -> str:
        text = str(event.value)
        if _NO_TEXT.search(text):
            self._refuse(event, "a value holds NUL or half of a surrogate pair")
        return text

    def _refuse(self, event: Event, reason: str) -> NoReturn:
        raise NoteSyntaxError(file=self._file, line=self._first_line + _start(event).line, reason=reason)


def _start(event: Event) -> Mark:
    return cast("Mark", event.start_mark)


def _line_after(event: Event) -> int:
    mark = cast("Mark", event.end_mark)
    # The mark after a block scalar is the start of the line below it.
    return mark.line if mark.column == 0 and mark.line > _start(event).line else mark.line + 1


def render_entry(key: str, value: str | Sequence[str], newline: str = "\n") -> list[str]:
    """Return the lines, each with its end, that read back as exactly `value`; a list takes a line for each item.

    FieldRefused if the text holds NUL or half of a surrogate pair, which no file could carry.
    """
    name = key if _KEY.fullmatch(key) else _quoted(key)
    if isinstance(value, str):
        return [f"{name}: {_scalar(key, value)}{newline}"]
    if not value:
        return [f"{name}: []{newline}"]
    return [f"{name}:{newline}", *(f"  - {_scalar(key, item)}{newline}" for item in value)]


def with_comments(old: Sequence[str], new: list[str], items: Sequence[str]) -> list[str]:
    """Return the lines `new` of an entry with the comments of its lines `old`; without, if items change their order."""
    first, *rest = _LINE.findall("\n".join(line.rstrip("\r\n") for line in old) + "\n")
    key, value, *_ = first
    if key and not rest:
        said = old[0][: old[0].index(value, len(key) + 1) + len(value)].rstrip(" ")
        comment, line = old[0].rstrip("\r\n")[len(said) :].rstrip(" "), new[0].rstrip("\r\n")
        return [f"{line}{comment}{new[0][len(line) :]}", *new[1:]]
    if len(new) < 2 or first[1] or any(other for *_, other in (first, *rest)):  # noqa: PLR2004  a key and an item
        return new
    lines, margin, done = [old[0]], "  ", 0
    for line, (_, _, indent, item, _) in zip(old[1:], rest, strict=True):
        margin = indent if item else margin
        if not item or items[done : done + 1] == (_token(item.rstrip(" ")),):
            lines.append(line)
            done += bool(item)
        elif _token(item.rstrip(" ")) in items:
            return new
    return [*lines, *(margin + line.lstrip(" ") for line in new[1 + done :])]


def _scalar(key: str, text: str) -> str:
    if _NO_TEXT.search(text):
        raise FieldRefused(field=key, reason="the text holds NUL or half of a surrogate pair")
    if "\n" in text or _FORBIDDEN.search(text):
        return _quoted(text)
    if is_plain(text):
        return text
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def _quoted(text: str) -> str:
    return '"' + _ESCAPED.sub(_escape, text) + '"'


_SHORT = {'"': '\\"', "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}


def _escape(match: re.Match[str]) -> str:
    return _SHORT.get(match[0]) or f"\\u{ord(match[0]):04x}"
