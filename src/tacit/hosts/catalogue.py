"""All hosts, by their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.hosts import claude, cline, codex, copilot, cursor, gemini, opencode, qwen, vscode
from tacit.hosts.wiring import Host

if TYPE_CHECKING:
    from tacit.hosts.wiring import Part, Place


def _nothing(_: Place) -> list[Part]:
    return []


# Hosts that cannot be told what is remembered by a hook: what to do there is by hand.
_WINDSURF = Host(id="windsurf", title="Windsurf", parts=_nothing, next_steps=("next.windsurf",), is_guided=True)
_ZED = Host(id="zed", title="Zed", parts=_nothing, next_steps=("next.zed",), is_guided=True)
HOSTS = {
    host.id: host
    for host in (
        claude.HOST,
        cursor.HOST,
        codex.HOST,
        copilot.HOST,
        vscode.HOST,
        gemini.HOST,
        qwen.HOST,
        opencode.HOST,
        cline.HOST,
        _WINDSURF,
        _ZED,
    )
}
