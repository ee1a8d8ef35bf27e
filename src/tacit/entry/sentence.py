"""A sentence before it is spoken: the name of a message and what fills its blanks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Say = Callable[..., str]  # from the name of a message and its blanks to what the reader sees


# What a document can name that is not there; each has a word in both languages.
Thing = Literal[
    "binary",
    "environment",
    "example",
    "feature",
    "file",
    "module",
    "name",
    "package",
    "profile",
    "recipe",
    "script",
    "service",
    "session",
    "target",
    "task",
    "variable",
]


class Sentence(NamedTuple):
    """What is to be said, in whatever language; `kind` among the values is itself a word that has a message."""

    name: str
    values: Mapping[str, str]

    def spoken(self, say: Say) -> str:
        """Return the sentence as the reader sees it."""
        kind = self.values.get("kind")
        word = {"kind": say(f"drift.kind.{kind}")} if kind else {}
        return say(f"drift.{self.name}", **{**self.values, **word})


def phrase(name: str, /, **values: str) -> Sentence:
    """Return a sentence by its name."""
    return Sentence(name, values)


def changed(old: str, new: str) -> Sentence:
    """Return the fix that exchanges words."""
    return phrase("change", old=old, new=new)


def replaced(kind: Thing, name: str) -> Sentence:
    """Return the fix where nobody can say what took the place of something."""
    return phrase("name_it", kind=kind, name=name)


# Whom to trust, where it is no single file.
FILES, SOURCES = phrase("files"), phrase("sources")
