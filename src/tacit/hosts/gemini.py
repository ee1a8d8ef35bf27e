"""Gemini CLI: hooks and server in its settings, skills, commands and agents beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.hosts import shipped, wiring
from tacit.hosts.wiring import EVENTS, Host, Piece, Shared

if TYPE_CHECKING:
    from tacit.hosts.wiring import Part, Place

_EVENTS = {
    "SessionStart": ("session-start", ""),
    "BeforeAgent": ("prompt", ""),
    "AfterTool": ("post-tool", "write_file|replace"),
    "PreCompress": ("compact", ""),
    "AfterAgent": ("stop", ""),
}
_TIMEOUT_MS = 10_000


def parts(place: Place) -> list[Part]:
    """Return what is put where."""
    command, *arguments = place.server
    server = Piece(("mcpServers", "tacit"), {"command": command, "args": arguments})
    hooks = wiring.claude_style(place, "gemini", _EVENTS, name="tacit", timeout=_TIMEOUT_MS)
    return [
        Shared(place.pick(".gemini/settings.json"), (*hooks, server)),
        *shipped.skills(place.pick(".gemini/skills")),
        *shipped.commands(place.pick(".gemini/commands"), "toml"),
        *shipped.agents(place.pick(".gemini/agents"), "gemini"),
    ]


HOST = Host(
    id="gemini", title="Gemini CLI", parts=parts, events=(*EVENTS, "stop"), next_steps=("next.gemini", "next.restart")
)
