"""The schemas of the tools, short: a host sends them to its model with every request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tacit.note.model import Audience, Kind

if TYPE_CHECKING:
    from mcp.server.mcpserver.tools import Tool

# What a payload may hold, in the words an agent needs; the bank itself says what is wrong with one.
PAYLOAD: dict[str, Any] = {
    "type": "object",
    "properties": {
        "scene": {"type": "string", "description": "when it matters"},
        "principles": {"type": "array", "items": {"type": "string"}, "description": "what was weighed"},
        "choice": {"type": "string", "description": "one of the principles"},
        "source": {"enum": ["auto", "remember", "extract", "choice", "init", "distill"]},
        "origin": {
            "type": "object",
            "properties": {"text": {"type": "string", "description": "the user's words, unchanged"}},
            "required": ["text"],
        },
        "evidence": {"type": "string"},
        "confidence": {"enum": ["low", "medium", "high"]},
        "apply": {"enum": [str(each) for each in Audience]},
        "kind": {"enum": [str(each) for each in Kind]},
        "layer": {"enum": ["L1", "L2"]},
        "title": {"type": "string"},
        "when_to_load": {"type": "array", "items": {"type": "string"}},
        "one_liner": {"type": "string"},
        "fact": {"type": "string"},
        "principle": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["scene", "principles", "choice", "source"],
}


def slim(tool: Tool) -> Tool:
    """Return the tool with schemas that say nothing twice, and with what a payload is."""
    if "payloads" in tool.parameters["properties"]:
        tool.parameters["properties"]["payloads"]["items"] = PAYLOAD
    _without_titles(tool.parameters)
    _without_titles(tool.output_schema or {})
    tool.description = " ".join(tool.description.split())
    return tool


def _without_titles(schema: dict[str, Any]) -> None:
    """Take out the titles that repeat the names of fields, and the docstrings of our own types."""
    for name in ("title", "description"):
        if isinstance(schema.get(name), str) and (name == "title" or "properties" in schema):
            del schema[name]
    for value in schema.values():
        if isinstance(value, dict):
            _without_titles(value)
