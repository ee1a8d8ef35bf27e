"""The finished tasks of a bank as their files say them, and the INDEX.md of their folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit import fsio
from tacit.errors import InputRefused
from tacit.formats import episode
from tacit.note.model import Layer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.formats.episode import Episode
    from tacit.store.layout import Layout

FOLDER = Layer.EPISODIC.folder
INDEX = f"{FOLDER}/INDEX.md"


def read(
    layout: Layout, contents: Mapping[str, bytes | None] | None = None
) -> tuple[list[Episode], dict[str, InputRefused]]:
    """Return the episodes, with `contents` (None: no file) in place of what stands there, and what is wrong in others.

    Raises OSError if the folder or a file cannot be read.
    """
    instead = {path: content for path, content in (contents or {}).items() if path.startswith(f"{FOLDER}/")}
    folder = layout.root / FOLDER
    names = {f"{FOLDER}/{path.name}" for path in folder.iterdir()} if folder.is_dir() else set[str]()
    found: list[Episode] = []
    broken: dict[str, InputRefused] = {}
    for file in sorted({*names, *instead}):
        if not file.endswith(".md") or file == INDEX:
            continue
        try:
            place, limit = layout.place(file), episode.MAX_EPISODE_BYTES
            content = instead[file] if file in instead else fsio.read(place, limit=limit)
            if content is not None:
                found.append(episode.parse(content, file))
        except InputRefused as error:
            broken[file] = type(error)(**{**error.details, "file": file})
    return found, broken


def index(layout: Layout, contents: Mapping[str, bytes | None] | None = None) -> bytes | None:
    """Return what the INDEX.md of the episodes must be; None if there is nothing to list and no such file."""
    found, _ = read(layout, contents)
    return episode.index(found) if found or (layout.root / INDEX).exists() else None


def is_stale(layout: Layout) -> bool:
    """Whether the INDEX.md of the episodes does not say what they say."""
    return fsio.read(layout.place(INDEX)) != index(layout)
