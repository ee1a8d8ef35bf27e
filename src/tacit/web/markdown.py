"""The Markdown of a note as HTML that cannot run, load or send anything."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tacit.text import printable
from tacit.web.markup import Safe, link

if TYPE_CHECKING:
    from markdown_it.rules_core import StateCore

_TAGS = {
    *("a", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre"),
    *("s", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
_SCHEMES = {"http", "https", "mailto"}
_NOTES = "/notes/"
# What notes call each other by; an address of a note becomes a link to it on this page.
_MENTION = re.compile(
    r"mem://(?:[A-Za-z0-9_]+)/((?:MEM|CORE)-[\w-]+)(?:#[\w/-]*)?|\b(MEM-[A-Za-z0-9][A-Za-z0-9_-]{3,59})"
)


def render(text: str) -> Safe:
    """Return Markdown as HTML: no raw HTML, no pictures, no scheme but http, https and mailto."""
    made = _parser().render(printable(text.replace("\r\n", "\n").replace("\r", "\n")))
    return Safe(
        nh3.clean(
            made,
            tags=_TAGS,
            attributes=_ATTRIBUTES,
            attribute_filter=_followed,
            url_schemes=_SCHEMES,
            link_rel="noopener noreferrer nofollow",
            strip_comments=True,
        )
    )


def _followed(_tag: str, name: str, value: str) -> str | None:
    """Keep a link to a note or to another site; a path from the note's own place leads nowhere on this page."""
    return value if name != "href" or value.startswith((_NOTES, *(f"{scheme}:" for scheme in _SCHEMES))) else None


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])
    parser.disable(["image", "html_block", "html_inline"])
    parser.core.ruler.push("mentions", _mentions)
    return parser


def _mentions(state: StateCore) -> None:
    """Make links of the notes that a text mentions, outside of code and of other links, and put headings in order."""
    depth = 1
    for token in state.tokens:
        if token.type in {"heading_open", "heading_close"}:  # the page has the first level, and none is left out
            depth = min(max(int(token.tag[1]), 2), depth + (token.type == "heading_open"))
            token.tag = f"h{depth}"
        if token.type != "inline" or not token.children:
            continue
        made: list[Token] = []
        inside = 0
        for child in token.children:
            inside += child.nesting if child.type.startswith("link_") else 0
            made += [child] if inside or child.type != "text" else _linked(child)
        token.children = made


def _linked(token: Token) -> list[Token]:
    made: list[Token] = []
    at = 0
    for match in _MENTION.finditer(token.content):
        opened = Token("link_open", "a", 1, attrs={"href": link("/notes", match[1] or match[2])})
        made += [_text(token.content[at : match.start()]), opened, _text(match[0]), Token("link_close", "a", -1)]
        at = match.end()
    return [*made, _text(token.content[at:])] if made else [token]


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)
