"""Codex: hooks in hooks.json, the server in config.toml, skills where several hosts look for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.hosts import claude, shipped
from tacit.hosts.wiring import EVENTS, Host, Piece, Shared

if TYPE_CHECKING:
    from tacit.hosts.wiring import Part, Place

_EVENTS = {
    "SessionStart": ("session-start", ""),
    "UserPromptSubmit": ("prompt", ""),
    "PostToolUse": ("post-tool", "apply_patch|Edit|Write"),
    "PreCompact": ("compact", ""),
    "Stop": ("stop", ""),
}


def parts(place: Place) -> list[Part]:
    """Return what is put where."""
    command, *arguments = place.server
    server = {"command": command, "args": arguments, "startup_timeout_sec": 20}
    return [
        Shared(place.pick(".codex/hooks.json"), claude.hooks(place, "codex", _EVENTS)),
        Shared(place.pick(".codex/config.toml"), (Piece(("mcp_servers", "tacit"), server),)),
        *shipped.skills(place.pick(".agents/skills")),
    ]


HOST = Host(
    id="codex",
    title="Codex",
    parts=parts,
    events=(*EVENTS, "stop"),
    next_steps=("next.codex.trust", "next.restart"),
    has_mcp_hooks=True,
)
