"""mem:// pointers: parse and render."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tacit.errors import PointerRefused
from tacit.note.model import Layer, is_core_id, is_note_id

_SHAPE = re.compile(r"mem://([^/#\s]+)/([^/#\s]+)(?:#(\S+))?")
_EPISODE = re.compile(r"EP-[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
_TASK = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")

# Pointers as they stand in running text: no closing bracket or sentence mark at the end.
IN_TEXT = re.compile(r"mem://[^\s<>()\[\]{}\"'`|]+[^\s<>()\[\]{}\"'`|.,;:!?，。；：！？、]")


# The address of a blob: long text that was taken out of a note and is kept once, by its fingerprint.
BLOB = re.compile(r"mem://blobs/([0-9a-f]{64})(?![0-9A-Za-z#])")


def is_episode_id(text: str) -> bool:
    """Whether `text` has the shape of the id of a finished task (`EP-…`)."""
    return _EPISODE.fullmatch(text) is not None


def of_id(name: str) -> str:
    """Return the pointer to an episode or a task that is named by its id alone; anything else as it is."""
    if is_episode_id(name):
        return f"mem://{Layer.EPISODIC.value}/{name}"
    return f"mem://{Layer.WORKING.value}/{name}" if name.startswith("T-") and is_task_id(name) else name


def is_task_id(text: str) -> bool:
    """Whether `text` has the shape of the id of a running task."""
    return _TASK.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Pointer:
    """The address of a note (`path` empty), or of one of its sections or fields."""

    layer: Layer
    id: str
    path: str = ""

    def __str__(self) -> str:
        return f"mem://{self.layer.value}/{self.id}" + (f"#{self.path}" if self.path else "")

    @classmethod
    def parse(cls, text: str) -> Pointer:
        """Return the pointer that `text` is; raise PointerRefused if it is none."""
        match = _SHAPE.fullmatch(text)
        if match is None:
            raise PointerRefused(pointer=text, reason="it does not read mem://<layer>/<id>#<path>")
        try:
            layer = Layer.named(match[1])
        except ValueError:
            raise PointerRefused(pointer=text, reason=f"{match[1]!r} is no layer (L0 to L4)") from None
        if not _fits(layer, match[2]):
            raise PointerRefused(pointer=text, reason=f"{match[2]!r} is no id of layer {layer.value}")
        return cls(layer, match[2], match[3] or "")


def _fits(layer: Layer, ident: str) -> bool:
    match layer:
        case Layer.CORE:
            return is_core_id(ident)
        case Layer.DECLARATIVE | Layer.PROCEDURAL:
            return is_note_id(ident)
        case Layer.EPISODIC:
            return is_episode_id(ident)
        case Layer.WORKING:
            return is_task_id(ident)
