"""Qwen Code: hooks and server in its settings, skills, commands and agents beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.hosts import shipped, wiring
from tacit.hosts.wiring import EVENTS, Host, Piece, Shared

if TYPE_CHECKING:
    from tacit.hosts.wiring import Part, Place

_EVENTS = {
    "SessionStart": ("session-start", ""),
    "UserPromptSubmit": ("prompt", ""),
    "PostToolUse": ("post-tool", "write_file|edit|replace|notebook_edit"),
    "PreCompact": ("compact", ""),
    "Stop": ("stop", ""),
}
_TIMEOUT_MS = 10_000


def parts(place: Place) -> list[Part]:
    """Return what is put where."""
    command, *arguments = place.server
    server = {"command": command, "args": arguments, "alwaysLoadTools": True}
    hooks = wiring.claude_style(place, "qwen", _EVENTS, name="tacit", timeout=_TIMEOUT_MS)
    return [
        Shared(place.pick(".qwen/settings.json"), (*hooks, Piece(("mcpServers", "tacit"), server))),
        *shipped.skills(place.pick(".qwen/skills")),
        *shipped.commands(place.pick(".qwen/commands"), "md"),
        *shipped.agents(place.pick(".qwen/agents"), "qwen"),
    ]


HOST = Host(id="qwen", title="Qwen Code", parts=parts, events=(*EVENTS, "stop"), next_steps=("next.restart",))
