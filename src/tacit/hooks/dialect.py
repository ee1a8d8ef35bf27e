"""How each host wants to hear what is to be said: its JSON, its names, its limits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tacit.hooks.event import Kind

if TYPE_CHECKING:
    from tacit.hooks.event import HostEvent

# Below the smallest limit of all hosts, beyond which one of them refuses the whole text.
MAX_CHARS = 9_000
# Codex counts bytes of UTF-8, and takes the middle out of what has more: of Chinese, the last limit has as many.
CODEX_BYTES = 10_000
LIMITS = (MAX_CHARS, 6_000, 4_500, 3_300)
_NAMES = {Kind.START: "SessionStart", Kind.PROMPT: "UserPromptSubmit", Kind.TOOL: "PostToolUse"}
# Only at these may something be said to an agent: what it is told at a stop makes it go on talking to itself.
_SPEAKING = frozenset(_NAMES)
# Hosts that show a message to the user at a stop, and to nobody else.
_SHOWING = frozenset({"claude", "codex", "gemini", "qwen"})


def said(event: HostEvent, text: str) -> bytes:
    """Return what to print for an event; nothing where there is nothing to say or nobody would hear it."""
    if text and event.kind is Kind.STOP and event.host in _SHOWING:
        return json.dumps({"systemMessage": text}, ensure_ascii=False).encode()
    if not text or event.kind not in _SPEAKING or event.host == "windsurf":  # it takes nothing in, and shows all of it
        return b""
    cut = text if len(text) <= MAX_CHARS else f"{text[: MAX_CHARS - 1]}…"
    name = event.name if _is_claude_name(event.name) else _NAMES[event.kind]
    nested: dict[str, object] = {"hookSpecificOutput": {"hookEventName": name, "additionalContext": cut}}
    members: dict[str, object]
    if event.host == "codex":
        members = nested  # one key more and it drops the whole answer without a word
    elif event.host == "cline":
        members = {"cancel": False, "contextModification": cut}
    elif event.host == "cursor":
        members = {"additional_context": cut, "additionalContext": cut, **nested}
        if event.kind is Kind.PROMPT:
            members["continue"] = True
    else:
        members = {"additionalContext": cut, "additional_context": cut, **nested}
    return json.dumps(members, ensure_ascii=False).encode()


def _is_claude_name(name: str) -> bool:
    return name[:1].isupper() and name.isalnum()
