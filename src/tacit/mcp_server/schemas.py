"""The schemas of the tools, short, as a host sends them to its model with every request, and kept to."""

from __future__ import annotations

from functools import partial
from typing import Any, NoReturn

from mcp.server.mcpserver.tools import Tool

from tacit.errors import PayloadRefused
from tacit.note.model import Audience, Kind

# What a payload may hold, in the words an agent needs; the bank itself says what is wrong with one.
PAYLOAD: dict[str, Any] = {
    "type": "object",
    "properties": {
        "scene": {"type": "string"},
        "principles": {"type": "array", "items": {"type": "string"}},
        "choice": {"type": "string"},
        "source": {"enum": ["auto", "remember", "extract", "choice", "init", "distill"]},
        "origin": {
            "type": "object",
            "properties": {"text": {"type": "string"}},
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
        "relations": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "relation": {"enum": ["same", "complementary", "conflicting"]},
                },
            },
        },
    },
    "required": ["scene", "principles", "choice", "source"],
}


class Strict(Tool):
    """A tool that refuses what it does not take: a misspelt argument must not pass for one that was heeded."""

    async def run(self, arguments: dict[str, Any], context: Any, convert_result: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002  the SDK's
        """Run the tool; an argument that it does not know is an error with the names that it does."""
        known = self.parameters["properties"]
        for name in arguments.keys() - known.keys():
            await context.request_context.lifespan_context(partial(_unknown, self.name, name, ", ".join(known)))
        return await super().run(arguments, context, convert_result)


def _unknown(tool: str, name: str, known: str, _: object) -> NoReturn:
    raise PayloadRefused(field=name, reason=f"is no argument of {tool}", fix=f"give one of {known}")


def slim(tool: Tool) -> Tool:
    """Return the tool with schemas that say nothing twice, and with what a payload is."""
    known = {"payloads": {"type": "array", "items": PAYLOAD}, "relations": {"type": "array"}}
    given = tool.parameters["properties"]
    given.update({name: known[name] for name in known.keys() & given.keys()})
    _slimmed(tool.parameters)
    _slimmed(tool.output_schema or {}, unsaid=("required",))
    tool.description = " ".join(tool.description.split())
    return tool


def _slimmed(schema: dict[str, Any], unsaid: tuple[str, ...] = ()) -> None:
    """Take out titles that repeat the names of fields, docstrings of our own types, empty defaults, and `unsaid`.

    What we give back always has all its fields: no client needs to be told that they are required.
    """
    for name in ("title", "description", *unsaid):
        if name in schema and not isinstance(schema[name], dict) and (name == "title" or "properties" in schema):
            del schema[name]
    if schema.get("default") == "":
        del schema["default"]
    for value in schema.values():
        if isinstance(value, dict):
            _slimmed(value, unsaid)
