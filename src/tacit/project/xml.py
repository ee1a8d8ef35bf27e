"""The elements of an XML file of a build tool, read in one pass that no text can make slow."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Element:
    """One element: its name, the text right behind its start tag, and the elements right inside it."""

    name: str
    text: str
    inside: list[Element] = field(default_factory=list)

    def first(self, name: str) -> str:
        """Return the text of the first element of this name right inside, or nothing."""
        return next((each.text for each in self.inside if each.name == name), "")


def elements(text: str) -> list[Element]:
    """Return every element in the order of the text; what is not closed ends with what it stands in.

    A parser of the standard library would refuse a file for one wrong character, and would follow its entities.
    """
    found: list[Element] = []
    around: list[Element] = []
    depth: Counter[str] = Counter()
    for piece in _without_comments(text).split("<")[1:]:
        tag, _, behind = piece.partition(">")
        name = (tag.strip("/").split(maxsplit=1) or [""])[0]
        if tag.startswith("/"):
            while depth[name]:
                closed = around.pop()
                depth[closed.name] -= 1
                if closed.name == name:
                    break
        elif name and name[0] not in "?!":
            element = Element(name, behind.strip())
            found.append(element)
            if around:
                around[-1].inside.append(element)
            if not tag.endswith("/"):
                around.append(element)
                depth[name] += 1
    return found


def _without_comments(text: str) -> str:
    before, *comments = text.split("<!--")
    return "".join([before, *(each.partition("-->")[2] for each in comments)])
