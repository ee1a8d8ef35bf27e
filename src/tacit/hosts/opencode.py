"""OpenCode: a plugin that hands its events on, the server in its configuration, skills, commands and agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.hosts import shipped
from tacit.hosts.wiring import Host, Own, Piece, Shared

if TYPE_CHECKING:
    from tacit.hosts.wiring import Part, Place

_FOLDER = (".opencode", ".config/opencode")
_NAMES = ("opencode.json", "opencode.jsonc")
_TIMEOUT_MS = 20_000


def parts(place: Place) -> list[Part]:
    """Return what is put where; the configuration file is the one that is there."""
    server = {"type": "local", "command": list(place.server), "enabled": True, "timeout": _TIMEOUT_MS}
    files = [place.pick(name, f"{_FOLDER[1]}/{name}") for name in _NAMES]
    pieces = (
        Piece(("$schema",), "https://opencode.ai/config.json", is_default=True),
        Piece(("mcp", "tacit"), server),
    )
    project, user = _FOLDER
    return [
        Shared(next((file for file in files if file.exists()), files[0]), pieces),
        Own(place.pick(f"{project}/plugins/tacit.js", f"{user}/plugins/tacit.js"), shipped.text("opencode/tacit.js")),
        *shipped.skills(place.pick(f"{project}/skills", f"{user}/skills")),
        *shipped.commands(place.pick(f"{project}/commands", f"{user}/commands"), "md"),
        *shipped.agents(place.pick(f"{project}/agents", f"{user}/agents"), "opencode"),
    ]


HOST = Host(id="opencode", title="OpenCode", parts=parts, next_steps=("next.restart",))
