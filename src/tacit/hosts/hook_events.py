"""The command lines of hooks: which event of ours each event of a host is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tacit.hosts.wiring import Piece

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.hosts.wiring import Place


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
