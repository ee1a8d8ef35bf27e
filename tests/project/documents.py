"""The documents as tests read them: their text, their tables, and the commands that they are to show."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from scripts import make_reference

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]


def text_of(name: str) -> str:
    """Return a document."""
    return (ROOT / name).read_text(encoding="utf-8")


def tables(markdown: str) -> Iterator[list[list[str]]]:
    """Yield the tables of a document as rows of cells, without head and rule."""
    rows: list[list[str]] = []
    for line in [*markdown.split("\n"), ""]:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
        elif rows:
            yield rows[2:]
            rows = []


def table_after(markdown: str, heading: str) -> list[list[str]]:
    """Return the first table below a heading."""
    return next(tables(markdown.split(f"\n{heading}\n", 1)[1]))


def command_words() -> set[str]:
    """Return the words of every command that does something: `list`, `trash empty` …."""
    words = {path.removeprefix("tacit").strip() for path, _ in make_reference.commands()}
    return {word for word in words if word and not any(other.startswith(f"{word} ") for other in words)}
