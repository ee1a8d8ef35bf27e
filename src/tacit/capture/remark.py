"""From one remark of the user to a payload: what it is about, what was chosen, what was turned down."""

from __future__ import annotations

import re

# Where a remark says when it holds: "when …, do X", "do X when …", "for the parser: X", "在……时，X".
_SCENE_FIRST = re.compile(
    r"(?is)^\s*((?:when|whenever|while|if|before|after|during|in|on|for|at)\b[^,:，：]{3,120})[,:，：]\s*(.+)$"
)
_SCENE_LAST = re.compile(r"(?is)^\s*(.{3,}?)[,，]?\s+((?:when|whenever|while|before|after|during)\b.{3,120})$")
_SCENE_ZH = re.compile(r"(?s)^\s*(?:在|当)?(.{2,40}?(?:时候|时|前|后|中|里|下))[,，:：]\s*(.+)$")
_TOPIC = re.compile(r"(?s)^\s*([^,.:;，。：；]{2,60})[:：]\s*(.+)$")
_INSTEAD = re.compile(r"(?i)\b(?:instead of|rather than)\s+(?P<en>[^,.;]+)|(?:而不是|而非)\s*(?P<zh>[^，。；]+)")


def payload(text: str, *, scene: str = "", choice: str = "", rejected: tuple[str, ...] = ()) -> dict[str, object]:
    """Return the payload of a remark; what the user named apart (`scene`, `choice`, `rejected`) is taken as named."""
    words = " ".join(text.split())
    found_scene, found_choice = _divided(words)
    chosen = choice or found_choice or words
    turned_down = list(rejected) or [found for found in _turned_down(words) if found]
    members: dict[str, object] = {
        "scene": scene or found_scene or words,
        "choice": chosen,
        "principles": [chosen, *(each for each in turned_down if each != chosen)],
        "source": "remember",
    }
    if words:
        members["origin"] = {"text": text.strip()}
    return members


def _divided(words: str) -> tuple[str, str]:
    for pattern, scene_first in ((_SCENE_FIRST, True), (_SCENE_ZH, True), (_SCENE_LAST, False), (_TOPIC, True)):
        if match := pattern.match(words):
            one, other = match[1].strip(), match[2].strip()
            return (one, other) if scene_first else (other, one)
    return "", ""


def _turned_down(words: str) -> list[str]:
    return [(match["en"] or match["zh"]).strip() for match in _INSTEAD.finditer(words)]
