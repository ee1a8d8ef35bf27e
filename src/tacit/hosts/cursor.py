"""Cursor: hooks.json, mcp.json, skills and agents in its folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tacit.hosts import shipped, wiring
from tacit.hosts.wiring import Host, Piece, Shared

if TYPE_CHECKING:
    from tacit.hosts.wiring import Part, Place

# An event that Cursor does not know makes the whole file invalid.
_EVENTS = {
    "sessionStart": ("session-start", ""),
    "beforeSubmitPrompt": ("prompt", ""),
    "postToolUse": ("post-tool", "Write"),
    "preCompact": ("compact", ""),
}
_TIMEOUT_S = 10


def parts(place: Place) -> list[Part]:
    """Return what is put where."""
    command, *arguments = place.server
    server = Piece(("mcpServers", "tacit"), {"command": command, "args": arguments})
    hooks = [Piece(("version",), 1, is_default=True)]
    for name, (event, matcher) in _EVENTS.items():
        command = wiring.line(place, event, "cursor")
        entry: dict[str, Any] = {"command": command, "timeout": _TIMEOUT_S}
        entry |= {"matcher": matcher} if matcher else {}
        hooks.append(Piece(("hooks", name), entry, is_item=True, mark=command))
    return [
        Shared(place.pick(".cursor/hooks.json"), tuple(hooks)),
        Shared(place.pick(".cursor/mcp.json"), (server,)),
        *shipped.skills(place.pick(".cursor/skills")),
        *shipped.agents(place.pick(".cursor/agents"), "cursor"),
    ]


HOST = Host(id="cursor", title="Cursor", parts=parts, next_steps=("next.cursor", "next.restart"))
