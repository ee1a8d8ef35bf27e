"""Secrets in a text by their shape, for which the write is refused; passwords in commands, which are asked about."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from tacit.guards import credentials
from tacit.guards.anchors import Rulebook, compiled
from tacit.guards.finding import Spot, Tier
from tacit.guards.secret_rules import FORMATS, SHAPES, Format
from tacit.guards.values import is_filler, is_ordinary, is_placeholder, is_random

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

GUARD = "secret"
_BOOK = Rulebook(SHAPES)
_BY_HEAD: dict[str, list[tuple[str, Format]]] = {}
for _format in FORMATS:
    for _prefix in _format.prefixes.split():
        _BY_HEAD.setdefault(_prefix[:3], []).append((_prefix, _format))

# A run begins behind another kind of character, which is cheap to look for.
_LONG = r"[^\x21-\x7e]([\x21-\x7e]{20,})"
_HEAD = r"(?<![0-9A-Za-z])(?=([0-9A-Za-z][\x21-\x7e]{2}))"
_KEY_BEGIN = (
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:"
    r"|BEGIN SSH2 ENCRYPTED PRIVATE"
)
_KEY_END = r"-----END [A-Z0-9 ]{1,40}-----|Private-MAC: [0-9a-f]{1,128}|(?=-----BEGIN |PuTTY-User-Key)"
_KEY_BODY = r"[A-Za-z0-9+/]{48}"
_MAX_KEY = 16_000
# How far behind the first line its body may begin, and how much is taken for one that has no last line.
_KEY_HEADERS = 400
_OPEN_KEY = 4_000


def find(text: str) -> Iterator[Spot]:
    """Yield every secret of the text, the surest rules first; one value may be found by several."""
    yield from _key_blocks(text)
    yield from _formats(text)
    yield from _shapes(text)
    yield from credentials.find(text)


def _spot(rule: str, start: int, end: int) -> Spot:
    return Spot(GUARD, rule, Tier.REFUSE, start, end)


def _key_blocks(text: str) -> Iterator[Spot]:
    """Private keys from their first to their last line; a key that is only hinted at has no body."""
    at = 0
    while ("PRIVATE" in text or "PuTTY-User" in text) and (begin := compiled(_KEY_BEGIN).search(text, at)):
        last = compiled(_KEY_END).search(text, begin.end(), begin.end() + _MAX_KEY)
        at = last.end() if last else begin.end()
        end = last.end() if last else len(text)
        body = compiled(_KEY_BODY).search(text, begin.end(), min(end, begin.end() + _KEY_HEADERS))
        if body and not is_filler(body.group()):
            yield _spot("private-key", begin.start(), at if last else min(len(text), at + _OPEN_KEY))


def _formats(text: str) -> Iterator[Spot]:
    text = f" {text}"
    for run in compiled(_LONG).finditer(text):
        for head in compiled(_HEAD).finditer(text, run.start(1), run.end()):
            for prefix, form in _BY_HEAD.get(head[1], ()):
                start = head.start()
                if text.startswith(prefix, start):
                    body = _body(form).match(text, start + len(prefix))
                    if body and len(body.group()) <= form.longest and not _is_mock(body.group()):
                        yield _spot(form.rule, start - 1, body.end() - 1)
                        break


def _body(form: Format) -> re.Pattern[str]:
    """Return the pattern of a body that may be one too long; it never reads further than that."""
    return compiled(f"[{form.alphabet}]{{{form.shortest},{form.longest + 1}}}")


def _is_mock(body: str) -> bool:
    return is_filler(body) or body.endswith("EXAMPLE") or "xxxx" in body.lower()


def _shapes(text: str) -> Iterator[Spot]:
    for name, offset, match in _BOOK.matches(text, text):
        if _is_meant(name, match["value"]):
            spot = _spot(name, offset + match.start("value"), offset + match.end("value"))
            # A word that a person chose may be the default of a container on their machine: theirs to say.
            chosen = name == "command-password" and not is_random(match["value"])
            yield spot._replace(tier=Tier.ASK) if chosen else spot


def _is_meant(name: str, value: str) -> bool:
    """Whether the value is there, and not only the place for one."""
    if name == "authorization":
        return (is_random(value) and not is_placeholder(value)) or _is_basic(value)
    return not is_placeholder(value) and not (name == "connection-string" and is_ordinary(value))


def _is_basic(value: str) -> bool:
    """Whether this is `user:password` in base64."""
    try:
        return ":" in base64.b64decode(value, validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        return False
