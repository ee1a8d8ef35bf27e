"""The description of proposals and answers that programs can read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_ONE = {"name": "proposal", "in": "path", "required": True, "schema": _TEXT}
_ASKED = {
    "type": "object",
    "required": ["proposal", "status", "asked_by", "asked", "expires"],
    "properties": {
        "status": {"enum": ["waiting", "applied", "declined", "void", "expired"]},
        **dict.fromkeys(
            (
                *("proposal", "decision", "title", "commit", "asked_by", "asked", "expires", "answered_by"),
                *("answered", "option", "channel", "branch", "result", "successor", "digest", "diff"),
            ),
            _TEXT,
        ),
        "question": {"type": "object"},
    },
}
_OUTCOME = {
    "type": "object",
    "required": ["payload", "decision", "proposal_id", "note_id", "reasons"],
    "properties": {
        "payload": {"type": "integer"},
        "decision": _TEXT,
        "proposal_id": _TEXT,
        "note_id": _TEXT,
        "reasons": _TEXTS,
        "question": {"type": ["object", "null"]},
    },
}
_ANSWERED = {
    "type": "object",
    "required": ["proposal", "status", "decision", "branch", "commit", "patch"],
    "properties": {
        "proposal": _TEXT,
        "status": {"enum": ["applied", "declined", "asked_again", "decided_anew"]},
        "decision": _TEXT,
        "note_id": _TEXT,
        "superseded": _TEXTS,
        "question": {"type": ["object", "null"]},
        "branch": _TEXT,
        "commit": _TEXT,
        "patch": {"type": "boolean"},
    },
}


def paths(act: Callable[..., dict[str, Any]], place: str) -> dict[str, object]:
    """Return the addresses below that of a bank; `act` describes one: its summary, its answer and its body."""
    asking = {
        "type": "object",
        "required": ["payloads"],
        "properties": {
            "payloads": {"type": "array", "minItems": 1, "maxItems": 20, "items": {"type": "object"}},
            "conversation_id": {"type": "string", "maxLength": 200},
            "generation_id": {"type": "string", "maxLength": 200},
        },
    }
    listed = {"type": "object", "properties": {"proposals": {"type": "array", "items": _ASKED}}}
    results = {"type": "object", "properties": {"results": {"type": "array", "items": _OUTCOME}}}
    word = {
        "type": "object",
        "required": ["option", "shown"],
        "properties": {"option": _TEXT, "shown": {"type": "string", "minLength": 1}},
    }
    patch = act("the change of an answer, as `git am --directory` of the bank's folder takes it", _TEXT)
    patch["responses"]["200"]["content"] = {"text/x-patch": {"schema": _TEXT}}
    return {
        f"{place}/proposals": {
            "get": act("the last questions, and what came of them", listed),
            "post": act("let payloads pass the pipeline; what it would write waits for a person", results, asking),
        },
        f"{place}/proposals/{{proposal}}": {"get": _of_one(act("a question, to be shown to a person", _ASKED))},
        f"{place}/proposals/{{proposal}}/answer": {
            "post": _of_one(act("a person's answer; `shown` is the digest of the question", _ANSWERED, word))
        },
        f"{place}/proposals/{{proposal}}/patch": {"get": _of_one(patch)},
    }


def _of_one(act: dict[str, Any]) -> dict[str, object]:
    """Return an act whose address names a question, and that can meet another state of it."""
    conflict = {"409": act["responses"]["404"]}
    return {**act, "parameters": [*act["parameters"], _ONE], "responses": {**act["responses"], **conflict}}
