"""From a task to its episode: the whole of what was found, with pointers to what was loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.formats.episode import MAX_SUMMARY_CHARS, Episode
from tacit.tasks.working import EntryKind
from tacit.text import clip, one_line

if TYPE_CHECKING:
    from tacit.tasks.working import Loaded, Task

# Where the notes of the project itself stand, and those of its team.
_OWN = ("L0_", "L1_", "L2_")
_TEAM = "share/"


def episode(task: Task, episode_id: str, finished: str) -> Episode:
    """Return the episode that a task ends as."""
    return Episode(
        id=episode_id,
        title=task.title,
        summary=summary(task),
        task=task.id,
        parent=task.parent,
        started=task.started,
        finished=finished,
        body=_body(task),
    )


def summary(task: Task) -> str:
    """Return what came of a task in one line: its last conclusion, else its last finding, else its title."""
    for kind in (EntryKind.CONCLUSION, EntryKind.FINDING):
        for entry in reversed(task.entries):
            if entry.kind is kind:
                return clip(one_line(entry.text), MAX_SUMMARY_CHARS)
    return task.title


def _body(task: Task) -> str:
    parts = ["## Summary", summary(task)]
    if task.entries:
        parts += ["## Entries", "\n".join(_item(f"{each.ts} {each.kind}", each.text) for each in task.entries)]
    if task.cards:
        parts += ["## Cards", "\n".join(f"- {each}" for each in task.cards)]
    if task.left_out:
        parts += ["## Left here", "\n".join(f"- {each}" for each in task.left_out)]
    loaded = [_loaded(each) for each in (*task.core, *task.notes) if each.file.startswith((*_OWN, _TEAM))]
    if loaded:
        parts += ["## Loaded", "\n".join(loaded)]
    return "\n\n".join(parts) + "\n"


def _loaded(each: Loaded) -> str:
    """Return where a note of the project or of its team is; the user's own and those further up stay unnamed."""
    place = f"mem://{each.file[:2]}/{each.id}" if each.file.startswith(_OWN) else each.file
    return f"- {place} sha256:{each.digest}"


def _item(head: str, text: str) -> str:
    """Return an entry as an item of a list; its lines are indented, so that no heading of its own counts."""
    return f"- {head}\n\n" + "\n".join(f"      {line}" if line else "" for line in text.split("\n")) + "\n"
