"""VS Code: the server in mcp.json; hooks, skills and agents as for the Copilot CLI."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tacit.hosts import copilot
from tacit.hosts.wiring import Host, Piece, Shared

if TYPE_CHECKING:
    from tacit.hosts.wiring import Part, Place

_USER = "Library/Application Support/Code/User" if sys.platform == "darwin" else ".config/Code/User"


def parts(place: Place) -> list[Part]:
    """Return what is put where."""
    command, *arguments = place.server
    server = Piece(("servers", "tacit"), {"type": "stdio", "command": command, "args": arguments})
    return [
        Shared(place.pick(".vscode/mcp.json", f"{_USER}/mcp.json"), (server,)),
        copilot.hook_file(place),
        *copilot.skills_and_agents(place),
    ]


HOST = Host(id="vscode", title="VS Code", parts=parts, next_steps=("next.vscode", "next.restart"))
