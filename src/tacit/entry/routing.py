"""From a question to the few documents worth reading: routing rules, titles and words, best first."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from tacit.text import simplified
from tacit.text.tokens import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_DIRECT = 3
MOST_LINES = 300
LONG_LINES, HEAD_LINES, TAIL_LINES = 200, 100, 50
_PATH = re.compile(r"(?:details/)?[\w./-]*\.md\b")
_EVIDENCE = re.compile(
    r"\b(?:why|evidence|cite|citations?|prove|proof|according to|where does it say|how do (?:we|you) know)\b"
    r"|(?<!open )(?<!from )(?<!data )(?<!open-)\bsources?\b(?! (?:code|files?|folders?|trees?|maps?|control|director))"
    r"|为什么|为何|出处|依据|证据|来源|引用|凭什么",
    re.IGNORECASE,
)
_CONFLICT = re.compile(
    r"\b(?:(?<!merge )conflict\w*|contradict\w*|inconsisten\w*|outdated|out of date|stale|disagree\w*|mismatch\w*"
    r"|still (?:true|valid|right|hold|holds|correct|used)|drift(?:ed)?)\b"
    r"|矛盾|冲突|不一致|过时|过期|还对吗|是否仍|还有效",
    re.IGNORECASE,
)
# A document counts as meant from this share of the best one's score on.
_SHARE = 0.5
_RULE_WEIGHT, _TITLE_WEIGHT, _BODY_WEIGHT = 3.0, 2.0, 1.0


@dataclass(frozen=True, slots=True)
class Page:
    """A document that may be read: its path inside the bank, its text and when it was changed."""

    file: str
    text: str
    mtime: str = ""

    @property
    def lines(self) -> list[str]:
        """Its lines."""
        return self.text.splitlines()

    @property
    def folder(self) -> str:
        """The topic folder it stands in; empty for what stands right in details/ or in the bank."""
        parts = self.file.split("/")
        return parts[1] if parts[0] == "details" and len(parts) > 2 else ""  # noqa: PLR2004  details/FOLDER/FILE


def choose(question: str, entry: str, pages: Sequence[Page]) -> list[Page]:
    """Return the documents that a question is about, best first; none if no rule, title or text fits."""
    asked = set(tokens(question))
    rules = _rules(entry)
    words = {page.file: Counter(tokens(page.text)) for page in pages}
    spread = Counter(word for counted in words.values() for word in counted)
    weight = {word: log(1 + len(pages) / spread[word]) if spread[word] else 1.0 for word in asked}
    scored = []
    for page in pages:
        intent = set(tokens(" ".join(rules.get(page.file, ()))))
        named = set(tokens(" ".join([page.file, *re.findall(r"^#{1,4} +(.+)$", page.text, re.MULTILINE)])))
        score = sum(
            weight[word]
            * (
                _RULE_WEIGHT * (word in intent)
                + _TITLE_WEIGHT * (word in named)
                + _BODY_WEIGHT * (word in words[page.file])
            )
            for word in asked
        )
        if score:
            scored.append((score, page))
    scored.sort(key=lambda pair: (-pair[0], pair[1].file))
    return [page for score, page in scored if score >= _SHARE * scored[0][0]]


def escalates(question: str, chosen: Sequence[Page]) -> str:
    """Return why a context pack is needed; empty where reading directly is enough."""
    question = simplified.read(question)
    if _EVIDENCE.search(question):
        return "evidence"
    if _CONFLICT.search(question):
        return "conflict"
    if len(chosen) > MOST_DIRECT:
        return "files"
    if sum(len(page.lines) for page in chosen) > MOST_LINES:
        return "lines"
    return "folders" if len({page.folder for page in chosen if page.folder}) > 1 else ""


def topic(question: str) -> str:
    """Return a question without the words that only say how it is to be answered."""
    return _CONFLICT.sub(" ", _EVIDENCE.sub(" ", question))


def excerpt(page: Page) -> tuple[str, int]:
    """Return a document to read, and how many of its lines that are: a long one without its middle."""
    lines = page.lines
    if len(lines) <= LONG_LINES:
        return page.text, len(lines)
    left_out = f"… lines {HEAD_LINES + 1} to {len(lines) - TAIL_LINES} of {len(lines)} are left out …"
    return "\n".join([*lines[:HEAD_LINES], left_out, *lines[-TAIL_LINES:], ""]), HEAD_LINES + TAIL_LINES


def _rules(entry: str) -> dict[str, list[str]]:
    """Return document → the intents of the routing rules that lead to it, whoever wrote them."""
    found: dict[str, list[str]] = {}
    for line in entry.splitlines():
        if not re.match(r"\s*(?:[-*|]|\d+\.)\s", line):
            continue
        paths = _PATH.findall(line)
        for path in paths:
            found.setdefault(path.removeprefix("./"), []).append(_PATH.sub(" ", line))
    return found
