"""Hosts that cannot be told what is remembered by a hook: what to do there by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.hosts.wiring import Host

if TYPE_CHECKING:
    from tacit.hosts.wiring import Part, Place


def nothing(_: Place) -> list[Part]:
    """Return no parts."""
    return []


WINDSURF = Host(id="windsurf", title="Windsurf", parts=nothing, next_steps=("next.windsurf",), is_guided=True)
ZED = Host(id="zed", title="Zed", parts=nothing, next_steps=("next.zed",), is_guided=True)
