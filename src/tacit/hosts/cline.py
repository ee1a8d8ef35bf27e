"""Cline: a plugin that hands its prompts on, executable hook files, a rule, the server in the user's list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.hosts import shipped, wiring
from tacit.hosts.wiring import EVENTS, Host, Own, Piece, Shared

if TYPE_CHECKING:
    from tacit.hosts.wiring import Part, Place

# Of its hook files only those around tools can say something to the model, and its command line does not fire that of
# the prompt: starts and prompts are the plugin's, and the rule is for where no plugin is loaded.
_EVENTS = {"UserPromptSubmit": "prompt", "PostToolUse": "post-tool", "PreCompact": "compact"}
# In seconds; by itself Cline waits for three, which a machine that starts many things at once may need.
_TIMEOUT_S = 60
_SERVERS = ".cline/data/settings/cline_mcp_settings.json"


def parts(place: Place) -> list[Part]:
    """Return what is put where; the list of servers is the user's in either scope, because Cline has no other."""
    command, *arguments = place.user_server
    server = {"type": "stdio", "command": command, "args": arguments, "disabled": False, "timeout": _TIMEOUT_S}
    hooks = [
        Own(
            place.pick(f".clinerules/hooks/{name}", f".cline/hooks/{name}"),
            f"#!/bin/sh\n{wiring.line(place, event, 'cline')}\n",
            0o755,
        )
        for name, event in _EVENTS.items()
    ]
    return [
        Shared(place.home / _SERVERS, (Piece(("mcpServers", "tacit"), server),)),
        Own(place.pick(".cline/plugins/tacit.js"), shipped.text("cline/tacit.js")),
        *hooks,
        Own(place.pick(".clinerules/tacit.md", ".cline/rules/tacit.md"), shipped.text("rules/tacit.md")),
        *shipped.skills(place.pick(".cline/skills")),
    ]


HOST = Host(
    id="cline",
    title="Cline",
    parts=parts,
    events=EVENTS,
    next_steps=("next.cline", "next.restart"),
)
