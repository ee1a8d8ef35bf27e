"""What a candidate lacks and the project around the bank says, read-only: where it points to, and its tags.

Nothing is guessed about what the user wanted: a path is taken that the payload names and that is there, and the name of
a dependency that the payload names and a manifest declares.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.bank.wiring import BANK_DIRECTORY
from tacit.project import manifests, survey

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.note.model import Note
    from tacit.note.payload import Payload

_PATH = re.compile(r"(?<![\w/.:@-])(?:[\w.@+-]+/)+[\w.@+-]+(?<!\.)|(?<![\w/.:@-])[\w-]+\.[a-z]{1,5}(?![\w/.])")
_WORD = re.compile(r"[A-Za-z][\w.+#-]*")
_MOST = 3  # of a kind: more would say little


def project_of(root: Path) -> Path | None:
    """Return the project that a bank stands in; None for a bank that stands by itself."""
    return root.parent if root.name == BANK_DIRECTORY else None


def completed(note: Note, payload: Payload, project: Path | None) -> tuple[Note, tuple[str, ...]]:
    """Return a note with what the project adds to it, and the names of the fields that were filled."""
    if project is None:
        return note, ()
    text = f"{payload.scene}\n{payload.choice}\n{payload.signals}\n{payload.fact}"
    paths = () if payload.pointers else _paths(text, project)
    tags = payload.tags or _tags(text, project)
    pointers = "\n".join(f"- {path}" for path in paths) or note.pointers
    names = [name for name, found in (("pointers", paths), ("tags", tags and not payload.tags)) if found]
    return replace(note, pointers=pointers, tags=tags), tuple(names)


def _paths(text: str, project: Path) -> list[str]:
    """Return the files of the project that a text names by their path."""
    named = dict.fromkeys(path for path in _PATH.findall(text) if ".." not in path.split("/"))
    inside = (path for path in named if not survey.is_secret(path) and _is_file(project / path))
    return [path for path, _ in zip(inside, range(_MOST), strict=False)]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that no file can have
        return False


def _tags(text: str, project: Path) -> tuple[str, ...]:
    """Return the dependencies, declared in the manifests at the root of the project, that a text names."""
    words = dict.fromkeys(word.lower() for word in _WORD.findall(text))
    found: set[str] = set()
    for entry in sorted(project.iterdir()) if words else ():
        if manifests.is_manifest(entry.name) and _is_file(entry):
            manifest = manifests.parse(entry.name, survey.read(project, entry.name))
            found |= {name.lower() for name in manifest.versions} if manifest else set()
    return tuple(word for word in words if word in found)[:_MOST]
