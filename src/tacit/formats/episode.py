"""An episode: a finished task as one Markdown file, and the list of episodes that follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.errors import NoteNotUtf8, NoteSyntaxError, NoteTooLarge
from tacit.formats import front_matter, index_table
from tacit.formats.core_document import end_of_front_matter, unify_line_ends
from tacit.note.pointer import is_episode_id

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_EPISODE_BYTES = 1024 * 1024
MAX_SUMMARY_CHARS = 300
_KEYS = ("id", "title", "summary", "task", "parent", "started", "finished")
_COLUMNS = ("Id", "Title", "Summary", "Started", "Finished", "File")
# As in INDEX.md: no time stamp and no count, so that two branches differ in the rows of their own episodes alone.
_PREFACE = f"""\
# Index of episodes

<!-- Tacit makes this file from the episodes; what is changed here by hand is replaced. -->

| {" | ".join(_COLUMNS)} |
|{" --- |" * len(_COLUMNS)}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """A finished task: what is read of it first, and its whole text below."""

    id: str
    title: str
    summary: str = ""
    task: str = ""
    parent: str = ""
    started: str = ""
    finished: str = ""
    file: str = ""
    body: str = ""


def render(episode: Episode) -> bytes:
    """Return the file of an episode."""
    lines = ["---\n"]
    for key in _KEYS:
        if value := getattr(episode, key):
            lines += front_matter.render_entry(key, value)
    return ("".join([*lines, "---\n\n"]) + episode.body).encode()


def parse(content: bytes, file: str) -> Episode:
    """Return the episode in a file; raise NoteTooLarge, NoteNotUtf8 or NoteSyntaxError if it is none."""
    if len(content) > MAX_EPISODE_BYTES:
        raise NoteTooLarge(file=file, size=len(content), limit=MAX_EPISODE_BYTES)
    try:
        text = unify_line_ends(content.decode()).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise NoteNotUtf8(file=file, line=content.count(b"\n", 0, error.start) + 1, offset=error.start) from None
    end = end_of_front_matter(text)
    if not end:
        raise NoteSyntaxError(file=file, line=1, reason="an episode begins with front matter between two lines ---")
    front = text[:end].strip("\n").removeprefix("---").removesuffix("---")
    found = front_matter.values(front.strip("\n") + "\n", file=file, first_line=2)
    values = {key: str(found[key]) for key in _KEYS if found.get(key)}
    for key in ("id", "title"):
        if key not in values:
            raise NoteSyntaxError(file=file, line=1, reason=f"{key} is missing")
    if not is_episode_id(values["id"]):
        raise NoteSyntaxError(file=file, line=1, reason=f"{values['id']!r} is no id of an episode (EP-…)")
    return Episode(**values, file=file, body=text[end:].lstrip("\n"))


def index(episodes: Iterable[Episode]) -> bytes:
    """Return L3_episodic/INDEX.md for these episodes: one row each, in the order in which they ended."""
    rows = sorted((each.finished, each.id, _row(each)) for each in episodes)
    return (_PREFACE + "".join(f"{row}\n" for *_, row in rows)).encode()


def _row(episode: Episode) -> str:
    cells = (episode.id, episode.title, episode.summary, episode.started, episode.finished, episode.file)
    return f"| {' | '.join(index_table.escaped(cell) for cell in cells)} |"
