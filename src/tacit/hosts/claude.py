"""Claude Code: hooks in its settings, the server in .mcp.json, skills and agents beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.hosts import shipped, wiring
from tacit.hosts.wiring import EVENTS, Host, Piece, Scope, Shared

if TYPE_CHECKING:
    from tacit.hosts.wiring import Part, Place

_EVENTS = {
    "SessionStart": ("session-start", ""),
    "UserPromptSubmit": ("prompt", ""),
    "PostToolUse": ("post-tool", "Write|Edit|MultiEdit|NotebookEdit"),
    "PreCompact": ("compact", ""),
    "Stop": ("stop", ""),
}
_TIMEOUT_S = 10
# The server's own tool answers a prompt without a process; see docs/hosts/claude.md for what that leaves out.
MCP_HOOK = {
    "type": "mcp_tool",
    "server": "tacit",
    "tool": "recall",
    "input": {"prompt": "${prompt}", "conversation_id": "${session_id}", "hook": True},
}


def parts(place: Place) -> list[Part]:
    """Return what is put where."""
    command, *arguments = place.server
    server = Piece(("mcpServers", "tacit"), {"command": command, "args": arguments, "alwaysLoad": True})
    found: list[Part] = [
        Shared(place.pick(".claude/settings.json"), hooks(place, "claude", _EVENTS)),
        Shared(place.pick(".mcp.json", ".claude.json"), (server,)),
        *shipped.skills(place.pick(".claude/skills")),
        *shipped.agents(place.pick(".claude/agents"), "claude"),
    ]
    if place.scope is Scope.PROJECT:  # the user's own yes to the server that they are installing; git leaves it out
        allowed = Piece(("enabledMcpjsonServers",), "tacit", is_item=True)
        found.insert(2, Shared(place.root / ".claude/settings.local.json", (allowed,)))
    return found


def hooks(place: Place, host: str, events: dict[str, tuple[str, str]]) -> tuple[Piece, ...]:
    """Return the hooks; on request the one for prompts as a tool of the server."""
    pieces = wiring.claude_style(place, host, events, timeout=_TIMEOUT_S)
    if not place.is_mcp_hook:
        return pieces
    by_server = Piece(("hooks", "UserPromptSubmit"), {"hooks": [MCP_HOOK]}, is_item=True, mark="mcp_tool")
    return tuple(by_server if each.path == by_server.path else each for each in pieces)


HOST = Host(
    id="claude",
    title="Claude Code",
    parts=parts,
    events=(*EVENTS, "stop"),
    next_steps=("next.restart",),
    has_mcp_hooks=True,
)
