"""The description of the server's addresses that programs can read."""

from __future__ import annotations

from typing import Any

from tacit import __version__

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


_BANK = [
    {
        "name": name,
        "in": "path",
        "required": True,
        "schema": {"type": "string", "pattern": "^[a-z0-9][a-z0-9._-]{0,63}$"},
    }
    for name in ("organisation", "bank")
]
_LINE = {"id": _TEXT, "title": _TEXT, "one_liner": _TEXT, "file": _TEXT}
_NOTE = {"type": "object", "required": [*_LINE], "properties": _LINE}
# What is quarantined must not be handed to an agent without a word.
_VERDICTS = ["would be said", "quarantined", "too little evidence", "behind the others"]
_HIT = {
    "type": "object",
    "required": [*_LINE, "score", "verdict"],
    "properties": {**_LINE, "score": {"type": "number"}, "verdict": {"enum": _VERDICTS}},
}
_FAILED = {
    "type": "object",
    "required": ["error"],
    "properties": {"error": {"type": "object", "properties": {"code": _TEXT, "message": _TEXT}}},
}


def _object(required: list[str], **properties: object) -> dict[str, object]:
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


def _answers(schema: dict[str, object], *codes: int) -> dict[str, object]:
    failed = {"description": "refused", "content": {"application/json": {"schema": _FAILED}}}
    good = {"description": "the answer", "content": {"application/json": {"schema": schema}}}
    return {"200": good, **{str(code): failed for code in codes}}


def _act(summary: str, answer: dict[str, Any], body: dict[str, Any] | None = None) -> dict[str, Any]:
    made: dict[str, Any] = {
        "summary": summary,
        "parameters": _BANK,
        "security": [{"token": []}],
        "responses": _answers(answer, 400, 401, 403, 404, 413, 429, 503),
    }
    if body is not None:
        made["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return made


def _of_proposals() -> dict[str, object]:
    """Return the addresses of proposals and answers."""
    place = "/v1/{organisation}/{bank}/proposals"
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
    patch = _act("the change of an answer, as `git am --directory` of the bank's folder takes it", _TEXT)
    patch["responses"]["200"]["content"] = {"text/x-patch": {"schema": _TEXT}}
    return {
        place: {
            "get": _act("the last questions, and what came of them", listed),
            "post": _in_conflict(_act("let payloads pass the pipeline; what it would write waits", results, asking)),
        },
        f"{place}/{{proposal}}": {"get": _of_one(_act("a question, to be shown to a person", _ASKED))},
        f"{place}/{{proposal}}/answer": {
            "post": _of_one(_act("a person's answer; `shown` is the digest of the question", _ANSWERED, word))
        },
        f"{place}/{{proposal}}/patch": {"get": _of_one(patch)},
    }


def _of_one(act: dict[str, Any]) -> dict[str, Any]:
    """Return an act whose address names a question."""
    return _in_conflict({**act, "parameters": [*act["parameters"], _ONE]})


def _in_conflict(act: dict[str, Any]) -> dict[str, Any]:
    """Return an act that can meet a question, a clone or notes in another state than it needs."""
    return {**act, "responses": {**act["responses"], "409": act["responses"]["404"]}}


DOCUMENT: dict[str, object] = {
    "openapi": "3.1.0",
    "info": {"title": "Tacit team server", "version": __version__},
    "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    "paths": {
        "/health": {
            "get": {"summary": "the process answers", "responses": _answers(_object(["status"], status=_TEXT))}
        },
        "/ready": {
            "get": {"summary": "the database answers", "responses": _answers(_object(["status"], status=_TEXT), 503)}
        },
        "/openapi.json": {"get": {"summary": "this document", "responses": _answers({"type": "object"})}},
        "/metrics": {
            "get": {
                "summary": "counts for Prometheus, of all processes together; no name of a bank or of a token",
                "responses": {"200": {"description": "the counts", "content": {"text/plain": {"schema": _TEXT}}}},
            }
        },
        "/v1/{organisation}/{bank}/recall": {
            "post": _act(
                "up to two notes worth saying for a prompt",
                _object(["notes", "injection"], notes={"type": "array", "items": _NOTE}, injection=_TEXT),
                _object(["prompt"], prompt=_TEXT, phase={"enum": ["pre", "post"]}, turns=_TEXTS),
            )
        },
        "/v1/{organisation}/{bank}/search": {
            "post": _act(
                "the best notes for a query, each with what a recall of the same words would do with it",
                _object(["notes"], notes={"type": "array", "items": _HIT}),
                _object(["query"], query=_TEXT, limit={"type": "integer", "minimum": 1, "maximum": 50}),
            )
        },
        "/v1/{organisation}/{bank}/notes": {
            "get": _act(
                "which content of which file is known, and of which commit; an empty digest asks for the file anew",
                _object(["commit", "files"], commit=_TEXT, files={"type": "object", "additionalProperties": _TEXT}),
            ),
            "post": _act(
                "take in files and forget those that are gone, unless a commit other than `base` came; twice is once",
                _object(
                    ["changed", "dropped", "refused"],
                    changed=_TEXTS,
                    dropped=_TEXTS,
                    refused={"type": "object", "additionalProperties": _TEXT},
                ),
                _object(
                    ["commit", "put", "drop"],
                    commit=_TEXT,
                    base=_TEXT,
                    put={"type": "object", "additionalProperties": _TEXT},
                    drop=_TEXTS,
                ),
            ),
        },
        **_of_proposals(),
    },
}
