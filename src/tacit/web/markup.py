"""HTML put together so that no text of a note or a request can become markup."""

from __future__ import annotations

from html import escape
from string import Formatter
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from tacit.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Safe(str):
    """HTML that may be sent as it is; only this module makes it, and what sanitises Markdown."""

    __slots__ = ()


EMPTY = Safe("")


class _Filling(Formatter):
    """Escapes whatever is put into a blank, unless it is HTML already."""

    def format_field(self, value: object, format_spec: str) -> str:
        if isinstance(value, Safe):
            return value
        text = format(value, format_spec) if format_spec else "" if value is None else str(value)
        return escape(printable(text))


_FILLING = _Filling()


def h(template: str, /, **values: object) -> Safe:
    """Return a template of ours with its blanks filled; attributes in it are always in double quotes."""
    return Safe(_FILLING.vformat(template, (), values))


def joined(parts: Iterable[Safe], between: str = "") -> Safe:
    """Return pieces of HTML, one after the other."""
    return Safe(escape(between).join(parts))


def quiet(text: str) -> Safe:
    """Return a line that is said beside the rest."""
    return h('<p class="quiet">{it}</p>', it=text)


def each(template: str, items: Iterable[object]) -> Safe:
    """Return a template for every item, which fills the blank `item`."""
    return joined(h(template, item=item) for item in items)


def exact(text: str) -> Safe:
    """Return a text to be sent back unchanged, as in a text area: nothing is replaced, only escaped."""
    return Safe(escape(text))


def link(path: str, *parts: str, **query: object) -> str:
    """Return an address on the page: parts of a path and of a query, each quoted; what is empty is left out."""
    named = {name: str(value) for name, value in query.items() if value not in ("", None)}
    address = "/".join((path.rstrip("/"), *(quote(part, safe="") for part in parts)))
    return f"{address or '/'}?{urlencode(named)}" if named else address or "/"


def classes(**wanted: bool) -> str:
    """Return the names that hold, for an attribute `class`."""
    return " ".join(name.replace("_", "-") for name, holds in wanted.items() if holds)


def hidden(fields: Mapping[str, str]) -> Safe:
    """Return the fields of a form that nobody sees."""
    return joined(h('<input type="hidden" name="{name}" value="{value}">', name=n, value=v) for n, v in fields.items())
