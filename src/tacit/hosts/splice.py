"""A text that is changed in places, with a list of the changes by which it can be changed back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Splice:
    """At `at`, `old` made way for `new`."""

    at: int
    old: str
    new: str


class Spliced:
    """A text and what was done to it, in order."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.splices: list[Splice] = []

    def put(self, at: int, new: str, *, until: int | None = None) -> None:
        """Put `new` at a place, over what stands there up to `until`."""
        end = at if until is None else until
        self.splices.append(Splice(at, self.text[at:end], new))
        self.text = self.text[:at] + new + self.text[end:]


def reverted(text: str, splices: list[Splice]) -> str | None:
    """Return the text as it was before the splices; None if it is not the text that they led to."""
    for each in reversed(splices):
        end = each.at + len(each.new)
        if text[each.at : end] != each.new:
            return None
        text = text[: each.at] + each.old + text[end:]
    return text
