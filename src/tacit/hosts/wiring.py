"""What an installation consists of: pieces of shared files, files of our own, and where each belongs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

# The events of ours that most hosts fire.
EVENTS = ("session-start", "prompt", "post-tool", "compact")


class Scope(StrEnum):
    """For whom a host is wired: one project and all who work in it, or one user in all projects."""

    PROJECT = "project"
    USER = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where to install: the project's root, the user's home, and how a host calls Tacit there.

    `hook` is a word for a shell, `server` a command and its arguments, without a shell; `user_server` is the same for
    a file that is the user's in every scope.
    """

    scope: Scope
    root: Path
    home: Path
    hook: str
    server: tuple[str, ...]
    user_server: tuple[str, ...]
    is_mcp_hook: bool = False

    def pick(self, project: str, user: str = "") -> Path:
        """Return the path of this scope: below the root, or below the home, where it may be another."""
        return self.root / project if self.scope is Scope.PROJECT else self.home / (user or project)


@dataclass(frozen=True, slots=True)
class Piece:
    """A value at a path of a shared file: a member, or an item of the list that the path leads to.

    A default is put in only where its name is free, and is no reason to refuse where it is not. An item with the text
    `mark` somewhere in it counts as this one, though the user may have changed the rest.
    """

    path: tuple[str, ...]
    value: Any
    is_item: bool = False
    is_default: bool = False
    mark: str = ""

    def is_in(self, items: list[Any]) -> bool:
        """Whether a list has this item, or one with its mark."""
        return self.value in items or bool(self.mark and any(_has(each, self.mark) for each in items))

    @property
    def container(self) -> tuple[str, ...]:
        """The path of what it is put into."""
        return self.path if self.is_item else self.path[:-1]


def _has(value: Any, text: str) -> bool:  # noqa: ANN401  any JSON
    """Whether a text is one of the strings in a value."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return bool(value == text) or any(_has(each, text) for each in inner)


@dataclass(frozen=True, slots=True)
class Put:
    """A piece that was put in.

    From depth `made_from` of its path on, the containers were made for it. `keeps_comma` says that the comma before it
    is the user's, who ends lists with one.
    """

    piece: Piece
    made_from: int
    keeps_comma: bool = False


@dataclass(frozen=True, slots=True)
class Shared:
    """A file that belongs to the user or the host, with what we put into it."""

    file: Path
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Own:
    """A file that is ours alone."""

    file: Path
    text: str
    mode: int = 0o644


Part = Shared | Own


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """A host: its id and name, what is put where, and what the user has to do or know afterwards.

    `events` are those of ours that it fires, `next_steps` names of messages. A guided host has no parts: its steps are
    all there is.
    """

    id: str
    title: str
    parts: Callable[[Place], list[Part]]
    events: tuple[str, ...] = EVENTS
    next_steps: tuple[str, ...] = ()
    is_guided: bool = False
    has_mcp_hooks: bool = False


def line(place: Place, event: str, host: str) -> str:
    """Return the command line of a hook. It never changes: Codex trusts it by its hash. It never fails."""
    return f"{place.hook} hook {event} --host {host} || true"


def claude_style(place: Place, host: str, events: Mapping[str, tuple[str, str]], **more: object) -> tuple[Piece, ...]:
    """Return the hooks of a host that writes them as Claude Code does: event → (our event, matcher)."""
    pieces = []
    for name, (event, matcher) in events.items():
        group: dict[str, Any] = {"matcher": matcher} if matcher else {}
        group["hooks"] = [{"type": "command", "command": line(place, event, host), **more}]
        pieces.append(Piece(("hooks", name), group, is_item=True, mark=line(place, event, host)))
    return tuple(pieces)
