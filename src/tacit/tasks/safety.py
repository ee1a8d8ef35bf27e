"""What must not reach a working memory, an episode or a blob."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit import guards
from tacit.errors import GuardRefused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# A task may keep what the user orders, who is asked about it; whether such a text may become a note is asked later.
_ALLOWED = "instruction"


def refuse(texts: Mapping[str, str] | Iterable[tuple[str, str]]) -> None:
    """Raise GuardRefused for the first named text that a guard finds something in: its kind and place, no value."""
    for finding in guards.inspect(texts):
        if finding.guard != _ALLOWED:
            place = f"{finding.field}, line {finding.line}"
            raise GuardRefused(place=place, kind=f"{finding.guard} ({finding.rule})")


def kept(text: str) -> str:
    """Return the text of a file that people wrote as a task may load it: with secrets cut out."""
    return guards.redact(text)
