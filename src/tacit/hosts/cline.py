"""Cline: executable hook files, a rule in place of what its hooks cannot say, the server in the user's list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.hosts import hook_events, shipped
from tacit.hosts.wiring import Host, Own, Piece, Shared

if TYPE_CHECKING:
    from tacit.hosts.wiring import Part, Place

# What it hears at a task's start is lost, so no hook is put there; the rule says what to do instead.
_EVENTS = {"UserPromptSubmit": "prompt", "PostToolUse": "post-tool", "PreCompact": "compact"}
_SERVERS = ".cline/data/settings/cline_mcp_settings.json"


def parts(place: Place) -> list[Part]:
    """Return what is put where; the list of servers is the user's in either scope, because Cline has no other."""
    command, *arguments = place.user_server
    server = {"type": "stdio", "command": command, "args": arguments, "disabled": False}
    hooks = [
        Own(
            place.pick(f".clinerules/hooks/{name}", f".cline/hooks/{name}"),
            f"#!/bin/sh\n{hook_events.line(place, event, 'cline')}\n",
            0o755,
        )
        for name, event in _EVENTS.items()
    ]
    return [
        Shared(place.home / _SERVERS, (Piece(("mcpServers", "tacit"), server),)),
        *hooks,
        Own(place.pick(".clinerules/tacit.md", ".cline/rules/tacit.md"), shipped.text("rules/tacit.md")),
        *shipped.skills(place.pick(".cline/skills", ".cline/skills")),
    ]


HOST = Host(
    id="cline",
    title="Cline",
    parts=parts,
    events=tuple(_EVENTS.values()),
    next_steps=("next.cline", "next.restart"),
)
