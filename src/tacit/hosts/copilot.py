"""GitHub Copilot CLI: a hook file of our own, the server in its list, skills and agents."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tacit.hosts import shipped, wiring
from tacit.hosts.wiring import Host, Own, Piece, Shared

if TYPE_CHECKING:
    from tacit.hosts.wiring import Part, Place

_EVENTS = {
    "sessionStart": "session-start",
    "userPromptSubmitted": "prompt",
    "postToolUse": "post-tool",
    "preCompact": "compact",
}
_TIMEOUT_S = 10


def parts(place: Place) -> list[Part]:
    """Return what is put where."""
    command, *arguments = place.server
    # In a project this is the file and the entry that Claude Code has too; the last member is for that one.
    server = Piece(("mcpServers", "tacit"), {"command": command, "args": arguments, "alwaysLoad": True})
    return [
        hook_file(place),
        Shared(place.pick(".mcp.json", ".copilot/mcp-config.json"), (server,)),
        *skills_and_agents(place),
    ]


def hook_file(place: Place) -> Own:
    """Return the hook file, which VS Code reads as well."""
    hooks = {
        name: [{"type": "command", "bash": wiring.line(place, event, "copilot"), "timeoutSec": _TIMEOUT_S}]
        for name, event in _EVENTS.items()
    }
    text = json.dumps({"version": 1, "hooks": hooks}, indent=2) + "\n"
    return Own(place.pick(".github/hooks/tacit.json", ".copilot/hooks/tacit.json"), text)


def skills_and_agents(place: Place) -> list[Own]:
    """Return the skills and agents, which VS Code reads as well."""
    return [
        *shipped.skills(place.pick(".github/skills", ".copilot/skills")),
        *shipped.agents(place.pick(".github/agents", ".copilot/agents"), "copilot"),
    ]


HOST = Host(id="copilot", title="GitHub Copilot CLI", parts=parts, next_steps=("next.restart",))
