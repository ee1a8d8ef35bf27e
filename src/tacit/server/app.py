"""The application of the team server: who asks is looked at first, then the one bank that was named."""

from __future__ import annotations

import json
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Route

from tacit.bank.hosted import HostedBank
from tacit.errors import DatabaseUnusable
from tacit.server.accesses import Accesses
from tacit.server.limits import Rate
from tacit.server.log import Log, raised
from tacit.server.metrics import Board, Metrics
from tacit.server.openapi import DOCUMENT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from uuid import UUID

    from starlette.requests import Request

    from tacit.bank.meanings import LoadedModels
    from tacit.bank.wiring import Hosting
    from tacit.index.contract import Found
    from tacit.index.postgres.copies import Facts

    Act = Callable[["_Visit", Mapping[str, Any]], dict[str, object]]

MAX_BODY_BYTES = 8 * 1024 * 1024
_MAX_QUERY_CHARS = 200_000
_MOST_NOTES = 50
_GONE = 499  # seen by nobody; in the log it is told from a fault
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_COMMIT = re.compile(r"[0-9a-f]{0,64}")


class Refused(Exception):
    """A request that gets no answer but why."""

    def __init__(self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.headers = headers


class _Visit:
    """One request of a token for a bank."""

    def __init__(self, secret: str, token: str, role: str, bank: UUID | None, commit: str) -> None:
        self.secret = secret
        self.token = token
        self.role = role
        self.bank = bank
        self.commit = commit
        self.organisation = ""
        self.name = ""
        self.seen: Facts | None = None


class Server:
    """Answers for many banks; `models` are those of this machine, or None for keywords alone."""

    def __init__(
        self,
        hosting: Hosting,
        models: LoadedModels | None,
        *,
        a_minute: int = 600,
        log: Callable[[str], object] = sys.stderr.write,
        board: Board | None = None,
        worker: int = 0,
    ) -> None:
        self._hosting = hosting
        self._models = models
        self._rate = Rate(a_minute)
        self.log = Log(log)
        self.accesses = Accesses(hosting.access, self.log.fault)
        self._metrics = Metrics(board or Board(1), worker, self._looked_up)
        # Vectors of pushed notes follow one after the other, behind the answers.
        self._behind = ThreadPoolExecutor(1, thread_name_prefix="tacit-vectors")

    def application(self) -> Starlette:
        """Return what uvicorn runs."""
        bank = "/v1/{organisation}/{bank}"
        return Starlette(
            routes=[
                Route("/health", self._health),
                Route("/ready", self._ready),
                Route("/openapi.json", self._openapi),
                Route("/metrics", self._counted),
                Route(f"{bank}/recall", partial(self._answer, "recall", self._recall), methods=["POST"]),
                Route(f"{bank}/search", partial(self._answer, "search", self._search), methods=["POST"]),
                Route(f"{bank}/notes", partial(self._answer, "list", self._known), methods=["GET"]),
                Route(f"{bank}/notes", partial(self._answer, "push", self._push), methods=["POST"]),
            ]
        )

    def close(self) -> None:
        """Let what is under way come to its end."""
        self._behind.shutdown(cancel_futures=True)
        self.accesses.close()
        self._hosting.door.close()

    async def _health(self, request: Request) -> JSONResponse:  # noqa: ARG002  Starlette's signature
        return JSONResponse({"status": "ok"})

    async def _ready(self, request: Request) -> JSONResponse:  # noqa: ARG002  as above
        try:
            await run_in_threadpool(self._hosting.access.holder, "")
        except Exception:  # noqa: BLE001  whatever is wrong with the database, we are not ready
            return JSONResponse({"status": "the database does not answer"}, 503)
        return JSONResponse({"status": "ok"})

    async def _openapi(self, request: Request) -> JSONResponse:  # noqa: ARG002  as above
        return JSONResponse(DOCUMENT)

    async def _answer(self, name: str, act: Act, request: Request) -> JSONResponse:
        """Answer one request for a bank, log it, and keep in the list of accesses that it was made."""
        began = time.perf_counter()
        self._metrics.began()
        organisation, bank = request.path_params["organisation"], request.path_params["bank"]
        visit: _Visit | None = None
        try:
            secret = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
            visit = await run_in_threadpool(self._let_in, secret, organisation, bank)
            body = await _body(request) if request.method == "POST" else {}
            answer = JSONResponse(await run_in_threadpool(act, visit, body))
        except Refused as refused:
            answer = _failed(refused.status, refused.code, str(refused), refused.headers)
        except DatabaseUnusable as error:
            answer = _failed(503, error.code, "The database does not answer; come again.", {"Retry-After": "5"})
        except ClientDisconnect:
            answer = _failed(_GONE, "client.gone", "Nobody waits for an answer.")
        except Exception as error:  # noqa: BLE001  a fault of ours is told as one, and where it was
            self.log.say("error", "fault", act=name, **raised(error))
            answer = _failed(500, "server.fault", "The server failed; what was asked is not in its log.")
        token = visit.token if visit else ""
        took_s = time.perf_counter() - began
        self._metrics.ended(name, answer.status_code, took_s)
        line = {"act": name, "status": answer.status_code, "organisation": organisation, "bank": bank, "token": token}
        self.log.say("info", "request", **line, ms=round(took_s * 1000, 1))
        if token:
            self.accesses.note(token, organisation, bank, name, answer.status_code)
        return answer

    async def _counted(self, request: Request) -> PlainTextResponse:  # noqa: ARG002  Starlette's signature
        return PlainTextResponse(self._metrics.text(), media_type="text/plain; version=0.0.4")

    def _looked_up(self) -> dict[str, float]:
        """Return the counts that nobody counts along."""
        return {"tacit_accesses_waiting": len(self.accesses), **self._hosting.door.counts()}

    def _let_in(self, secret: str, organisation: str, bank: str) -> _Visit:
        """Return who asks; a bank that is not theirs is answered like one that is not there."""
        found = None
        if secret and _NAME.fullmatch(organisation) and _NAME.fullmatch(bank):
            found = self._hosting.access.admitted(secret, organisation, bank)
        holder = found.token if found else self._hosting.access.holder(secret) if secret else None
        if holder is None:
            raise Refused(401, "token.refused", "No valid token.", {"WWW-Authenticate": "Bearer"})
        wait_s = self._rate.wait_s(holder)
        if wait_s:
            raise Refused(429, "rate.exceeded", "Too many requests.", {"Retry-After": str(int(wait_s) + 1)})
        if found is None:
            raise Refused(404, "bank.not_found", "There is no such bank for this token.")
        visit = _Visit(secret, found.token, found.role, found.bank, found.commit)
        visit.organisation, visit.name, visit.seen = organisation, bank, found.facts
        return visit

    def _bank(self, visit: _Visit) -> HostedBank:
        if visit.bank is None:
            raise Refused(404, "bank.not_found", "There is no such bank for this token.")
        return HostedBank(self._hosting.index(visit.bank, visit.seen), visit.name, self._models)

    def _recall(self, visit: _Visit, body: Mapping[str, Any]) -> dict[str, object]:
        prompt = _text(body, "prompt")
        phase = body.get("phase", "pre")
        turns = body.get("turns", [])
        if phase not in ("pre", "post") or not _are_texts(turns):
            raise Refused(400, "payload.refused", "phase is pre or post; turns is a list of texts.")
        said = self._bank(visit).recall(prompt, phase, turns)
        return {"notes": [_note(found) for found in said.notes], "injection": said.injection}

    def _search(self, visit: _Visit, body: Mapping[str, Any]) -> dict[str, object]:
        query, limit = _text(body, "query"), body.get("limit", 10)
        if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= _MOST_NOTES:
            raise Refused(400, "payload.refused", f"limit is a whole number from 1 to {_MOST_NOTES}.")
        found = self._bank(visit).search(query, limit)
        return {"notes": [{**_note(each), "score": round(score, 4)} for each, score in found]}

    def _known(self, visit: _Visit, body: Mapping[str, Any]) -> dict[str, object]:
        del body
        files = self._bank(visit).digests() if visit.bank else {}
        return {"commit": visit.commit, "files": files}

    def _push(self, visit: _Visit, body: Mapping[str, Any]) -> dict[str, object]:
        if visit.role != "writer":
            raise Refused(403, "role.refused", "This token may only read.")
        commit, put, drop = body.get("commit"), body.get("put"), body.get("drop")
        if not isinstance(commit, str) or not _COMMIT.fullmatch(commit):
            raise Refused(400, "payload.refused", "commit is the name of a git commit, or empty.")
        if not isinstance(put, dict) or not _are_texts(list(put.values())) or not _are_texts(drop):
            raise Refused(400, "payload.refused", "put maps files to texts, drop is a list of files.")
        visit.seen = None  # what was known is not for long
        visit.bank = self._hosting.access.received(visit.secret, visit.organisation, visit.name, commit)
        bank = self._bank(visit)
        taken = bank.take({file: text.encode() for file, text in put.items()}, drop or [])
        if taken.changed and self._models is not None:
            self._behind.submit(bank.embed)
        return {"changed": list(taken.changed), "dropped": list(taken.dropped), "refused": dict(taken.refused)}


async def _body(request: Request) -> Mapping[str, Any]:
    """Return the JSON object that was sent; what is too large is not read to its end."""
    content = bytearray()
    async for piece in request.stream():
        content += piece
        if len(content) > MAX_BODY_BYTES:
            raise Refused(413, "body.too_large", f"A request has at most {MAX_BODY_BYTES} bytes.")
    try:
        found = json.loads(content)
        if b"\\ud" in content.lower():  # half a character can be written in JSON, and nowhere else
            json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise Refused(400, "payload.refused", "The body is no JSON.") from None
    if not isinstance(found, dict):
        raise Refused(400, "payload.refused", "The body is no JSON object.")
    return found


def _text(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not value.strip() or len(value) > _MAX_QUERY_CHARS:
        raise Refused(400, "payload.refused", f"{name} is a text of at most {_MAX_QUERY_CHARS} characters.")
    return value.replace("\0", " ")


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _note(found: Found) -> dict[str, object]:
    return {"id": found.note_id, "title": found.title, "one_liner": found.one_liner, "file": found.file}


def _failed(status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"error": {"code": code, "message": message}}, status, dict(headers or {}))
