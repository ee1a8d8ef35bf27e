"""How four model APIs word a request and an answer: which tools the one offers, which events make up the other."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Body = Mapping[str, Any]
    # The name that the API gives an event (empty where it gives none), and what the event holds.
    Event = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Say:
    """The model answers with words, and its turn is over."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """The model calls a tool, by the name that the client offers."""

    tool: str
    arguments: Mapping[str, Any]

    @property
    def json(self) -> str:
        """The arguments as models send them."""
        return json.dumps(self.arguments, ensure_ascii=False)


Answer = Say | Call


class Api(Protocol):
    """One vendor's way."""

    def offered(self, body: Body) -> list[str]:
        """Return the names of the tools that a request offers."""

    def streamed(self, answer: Answer) -> Iterator[Event]:
        """Return an answer as the events of a stream."""

    def whole(self, answer: Answer) -> dict[str, Any]:
        """Return an answer in one piece."""


def api_of(path: str) -> Api | None:
    """Return which API a path belongs to; None for what is no question to a model."""
    plain = path.partition("?")[0]
    if plain.endswith("/messages"):
        return Anthropic()
    if plain.endswith("/chat/completions"):
        return ChatCompletions()
    if plain.endswith("/responses"):
        return Responses()
    return Gemini() if plain.endswith((":generateContent", ":streamGenerateContent")) else None


def _id(kind: str) -> str:
    return f"{kind}_{uuid4().hex[:20]}"


_USAGE = {"input_tokens": 1, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}


class Anthropic:
    """Messages, as Claude Code asks."""

    def offered(self, body: Body) -> list[str]:
        """Return the names of the tools that a request offers."""
        return [str(tool.get("name")) for tool in body.get("tools") or ()]

    def streamed(self, answer: Answer) -> Iterator[Event]:
        """Return an answer as the events of a stream."""
        message = self.whole(answer)
        (block,) = message["content"]
        if isinstance(answer, Call):
            begun = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": answer.json}
        else:
            begun = {**block, "text": ""}
            delta = {"type": "text_delta", "text": answer.text}
        ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
        for members in (
            {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
            {"type": "content_block_start", "index": 0, "content_block": begun},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": ending, "usage": _USAGE},
            {"type": "message_stop"},
        ):
            yield str(members["type"]), members

    def whole(self, answer: Answer) -> dict[str, Any]:
        """Return an answer in one piece."""
        if isinstance(answer, Call):
            block = {"type": "tool_use", "id": _id("toolu"), "name": answer.tool, "input": dict(answer.arguments)}
        else:
            block = {"type": "text", "text": answer.text}
        return {
            "id": _id("msg"),
            "type": "message",
            "role": "assistant",
            "model": "scripted",
            "content": [block],
            "stop_reason": "tool_use" if isinstance(answer, Call) else "end_turn",
            "stop_sequence": None,
            "usage": _USAGE,
        }


class ChatCompletions:
    """Chat completions, as Copilot, Qwen Code and OpenCode ask."""

    def offered(self, body: Body) -> list[str]:
        """Return the names of the tools that a request offers."""
        return [str(tool.get("function", {}).get("name")) for tool in body.get("tools") or ()]

    def streamed(self, answer: Answer) -> Iterator[Event]:
        """Return an answer as the events of a stream."""
        message = self.whole(answer)
        (choice,) = message.pop("choices")
        usage = message.pop("usage")
        delta = dict(choice["message"])
        if "tool_calls" in delta:
            delta["tool_calls"] = [{"index": 0, **call} for call in delta["tool_calls"]]
        chunk = {**message, "object": "chat.completion.chunk"}
        yield "", {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        yield "", {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]}
        yield "", {**chunk, "choices": [], "usage": usage}

    def whole(self, answer: Answer) -> dict[str, Any]:
        """Return an answer in one piece."""
        if isinstance(answer, Call):
            function = {"name": answer.tool, "arguments": answer.json}
            calls = [{"id": _id("call"), "type": "function", "function": function}]
            message: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": calls}
        else:
            message = {"role": "assistant", "content": answer.text}
        finished = "tool_calls" if isinstance(answer, Call) else "stop"
        return {
            "id": _id("chatcmpl"),
            "object": "chat.completion",
            "created": 0,
            "model": "scripted",
            "choices": [{"index": 0, "message": message, "finish_reason": finished}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }


class Responses:
    """Responses, as Codex asks; it puts the tools of an MCP server into a namespace of their own."""

    def offered(self, body: Body) -> list[str]:
        """Return the names of the tools that a request offers, those in a namespace as `namespace/name`."""
        names = []
        for tool in body.get("tools") or ():
            if tool.get("type") == "namespace":
                names += [f"{tool.get('name')}/{inner.get('name')}" for inner in tool.get("tools") or ()]
            else:
                names.append(str(tool.get("name")))
        return names

    def streamed(self, answer: Answer) -> Iterator[Event]:
        """Return an answer as the events of a stream."""
        response = self.whole(answer)
        (item,) = response["output"]
        place: dict[str, Any] = {"item_id": item["id"], "output_index": 0}
        begun = {**response, "status": "in_progress", "output": []}
        events: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
        if isinstance(answer, Call):
            empty = {**item, "arguments": "", "status": "in_progress"}
            events += [
                {"type": "response.output_item.added", "output_index": 0, "item": empty},
                {"type": "response.function_call_arguments.delta", **place, "delta": answer.json},
                {"type": "response.function_call_arguments.done", **place, "arguments": answer.json},
            ]
        else:
            place["content_index"] = 0
            empty = {**item, "content": [], "status": "in_progress"}
            part = {"type": "output_text", "text": "", "annotations": []}
            events += [
                {"type": "response.output_item.added", "output_index": 0, "item": empty},
                {"type": "response.content_part.added", **place, "part": part},
                {"type": "response.output_text.delta", **place, "delta": answer.text},
                {"type": "response.output_text.done", **place, "text": answer.text},
                {"type": "response.content_part.done", **place, "part": item["content"][0]},
            ]
        events += [
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": response},
        ]
        for number, members in enumerate(events):
            yield str(members["type"]), {**members, "sequence_number": number}

    def whole(self, answer: Answer) -> dict[str, Any]:
        """Return an answer in one piece."""
        if isinstance(answer, Call):
            namespace, _, name = answer.tool.rpartition("/")
            item: dict[str, Any] = {"type": "function_call", "id": _id("fc"), "call_id": _id("call"), "name": name}
            item |= {"arguments": answer.json, "status": "completed"}
            if namespace:
                item["namespace"] = namespace
        else:
            content = [{"type": "output_text", "text": answer.text, "annotations": []}]
            item = {"type": "message", "id": _id("msg"), "role": "assistant", "status": "completed", "content": content}
        return {
            "id": _id("resp"),
            "object": "response",
            "created_at": 0,
            "status": "completed",
            "model": "scripted",
            "output": [item],
            "parallel_tool_calls": False,
            "tools": [],
            "usage": {
                "input_tokens": 1,
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": 1,
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": 2,
            },
        }


class Gemini:
    """Generate content, as Gemini CLI asks; a stream is one piece."""

    def offered(self, body: Body) -> list[str]:
        """Return the names of the tools that a request offers."""
        tools = body.get("tools") or ()
        return [str(each.get("name")) for tool in tools for each in tool.get("functionDeclarations") or ()]

    def streamed(self, answer: Answer) -> Iterator[Event]:
        """Return an answer as the events of a stream."""
        yield "", self.whole(answer)

    def whole(self, answer: Answer) -> dict[str, Any]:
        """Return an answer in one piece."""
        if isinstance(answer, Call):
            # The signature says that this is no model that thinks: the client sends it back and looks no further.
            function = {"name": answer.tool, "args": dict(answer.arguments)}
            part: dict[str, Any] = {"functionCall": function, "thoughtSignature": "c2tpcA=="}
        else:
            part = {"text": answer.text}
        return {
            "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
            "modelVersion": "scripted",
            "responseId": _id("response"),
        }
