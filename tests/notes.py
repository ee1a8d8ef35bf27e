"""Notes that a line finds, for tests of what recall and a server say."""

from __future__ import annotations

from tacit.formats import native
from tacit.note.model import Note, from_plain


def note(name: str, line: str, **more: object) -> Note:
    """A note that a line finds."""
    plain = {"id": f"MEM-{name}", "title": name, "when_to_load": [line], "one_liner": line, "decision": line}
    return from_plain(Note, plain | {"kind": "decision", "layer": "L1", "tags": []} | more)


def written(name: str, line: str, **more: object) -> str:
    """The file of such a note."""
    return native.compose(note(name, line, **more)).decode()
