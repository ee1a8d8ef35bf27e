"""The application of the team server: who asks is looked at first, then the one bank that was named."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tacit.bank.hosted import HostedBank, HostedReader
from tacit.errors import DatabaseUnusable, TacitError
from tacit.server.log import Accesses, Log, raised
from tacit.server.mcp_bank import AskedBank, Spoken
from tacit.server.mcp_door import Mcp
from tacit.server.metrics import Board, Metrics
from tacit.server.openapi import DOCUMENT
from tacit.server.page import Page
from tacit.server.readers import Readers
from tacit.server.visit import Rate, Refused, Visit
from tacit.server.writing import Writing
from tacit.store.layout import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from starlette.types import ASGIApp, Receive, Scope, Send

    from tacit.bank.hosted import Heard
    from tacit.bank.meanings import LoadedModels
    from tacit.bank.wiring import Admitted, Hosting
    from tacit.server.oauth import People

    Answer = dict[str, object] | Response
    Act = Callable[[Visit, Mapping[str, Any]], Answer]
    # A token, and the organisation and the bank that it is shown for.
    Asked = tuple[str, str, str]
    Look = Callable[[str, str, str], Admitted | None]

MAX_BODY_BYTES = 8 * 1024 * 1024
_MAX_QUERY_CHARS = 200_000
_SHORT_BYTES = 64 * 1024
_MOST_NOTES = 50
_NO_METHOD = 405
_GONE = 499  # seen by nobody; in the log it is told from a fault
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
# What is asked all the time and answered in a moment.
_READ = re.compile("/v1/([^/]+)/([^/]+)/(recall|search)")
_SCHEME = re.compile("^Bearer ", re.IGNORECASE)
# Our own tokens have none.
_JWT_DOTS = 2
_COMMIT = re.compile(r"[0-9a-f]{0,64}")
# Exit codes of the commands → what HTTP calls the same.
_STATUS = {4: 404, 5: 409, 6: 503, 7: 500, 8: 403, 9: 403}


class Server:
    """Answers for many banks; `models` are those of this machine, or None for keywords alone.

    `key`, the same in all processes of a server, seals what MCP clients keep for it.
    """

    def __init__(
        self,
        hosting: Hosting,
        models: LoadedModels | None,
        *,
        a_minute: int = 600,
        log: Callable[[str], object] = sys.stderr.write,
        people: People | None = None,
        board: Board | None = None,
        worker: int = 0,
        clones: Path | None = None,
        origins: Mapping[str, str] | None = None,
        key: bytes = b"",
    ) -> None:
        self._hosting = hosting
        self._models = models
        self._rate = Rate(a_minute)
        self.log = Log(log)
        self.accesses = Accesses(hosting.access, self.log.fault)
        self._metrics = Metrics(board or Board(1), worker, self._looked_up)
        self._people = people
        self._mcp = Mcp(MAX_BODY_BYTES, key or os.urandom(32))
        self._spoken = Spoken()
        self.writing = Writing(hosting, clones)
        self._page = Page(hosting, self.writing, origins or {}, rate=self._rate, noting=self.accesses.note)
        self._readers: Readers[Asked, Admitted | None, Answer] = Readers(hosting.access.all_admitted)
        self._reads: dict[str, Act] = {"recall": self._recall, "search": self._search}
        # Vectors of pushed notes follow one after the other, behind the answers.
        self._behind = ThreadPoolExecutor(1, thread_name_prefix="tacit-vectors")

    def application(self) -> ASGIApp:
        """Return what uvicorn runs: what is asked all the time goes a shorter way than through all routes."""
        routed = self._routed()

        async def application(scope: Scope, receive: Receive, send: Send) -> None:
            found = _READ.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
            if found is None:
                await routed(scope, receive, send)
                return
            scope["path_params"] = {"organisation": found[1], "bank": found[2]}
            answer = await self._answer(found[3], self._reads[found[3]], Request(scope, receive))
            await answer(scope, receive, send)

        return application

    def _routed(self) -> Starlette:
        bank = "/v1/{organisation}/{bank}"
        routed = Starlette(
            exception_handlers={HTTPException: _nowhere},
            routes=[
                Route("/health", self._health),
                Route("/ready", self._ready),
                Route("/openapi.json", self._openapi),
                Route("/metrics", self._counted),
                Route(f"/.well-known/oauth-protected-resource{bank}/mcp", self._metadata),
                *(
                    Route(f"{bank}/{name}", partial(self._answer, name, self._reads[name]), methods=["POST"])
                    for name in self._reads
                ),
                Route(f"{bank}/notes", partial(self._answer, "list", self._known), methods=["GET"]),
                Route(f"{bank}/notes", partial(self._answer, "push", self._push), methods=["POST"]),
                Route(f"{bank}/mcp", partial(self._answer, "mcp", None), methods=["POST"]),
                *(
                    Route(f"{bank}{path}", partial(self._answer, name, act), methods=[method])
                    for path, method, name, act in self.writing.acts()
                ),
                *self._page.routes(),
            ],
        )
        # Behind a proxy it would lead a token from https:// to http://.
        routed.router.redirect_slashes = False
        return routed

    def close(self) -> None:
        """Let what is under way come to its end."""
        self._behind.shutdown(cancel_futures=True)
        self._readers.close()
        self.writing.benches.close()
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

    async def _metadata(self, request: Request) -> JSONResponse:
        """Tell an OAuth client who gives tokens for a bank; everybody may know, whether there is such a bank or not."""
        organisation, bank = request.path_params["organisation"], request.path_params["bank"]
        if self._people is None or not (_NAME.fullmatch(organisation) and _NAME.fullmatch(bank)):
            return _failed(404, "issuer.none", "This server lets in by its own tokens alone.")
        return JSONResponse(self._people.metadata(organisation, bank), headers={"Access-Control-Allow-Origin": "*"})

    async def _answer(self, name: str, act: Act | None, request: Request) -> Response:
        """Answer one request for a bank, log it, and keep in the list of accesses that it was made.

        Without an act it speaks MCP, which says itself what is to be done.
        """
        began = time.perf_counter()
        self._metrics.began()
        organisation, bank = request.path_params["organisation"], request.path_params["bank"]
        secret = _SCHEME.sub("", request.headers.get("authorization", "")).strip()
        coming = _Coming((secret, organisation, bank), self._let_in)
        detail: dict[str, str] = {}
        try:
            answer = await self._acted(name, act, request, coming)
        except Refused as refused:
            answer = _failed(refused.status, refused.code, str(refused), refused.headers)
            detail = {"detail": refused.detail} if refused.detail else {}
        except DatabaseUnusable as error:
            answer = _failed(503, error.code, "The database does not answer; come again.", {"Retry-After": "5"})
        except TacitError as error:
            answer = _failed(_STATUS.get(error.exit_code, 400), error.code, f"{error.message} {error.next_step}")
        except ClientDisconnect:
            answer = _failed(_GONE, "client.gone", "Nobody waits for an answer.")
        except Exception as error:  # noqa: BLE001  a fault of ours is told as one, and where it was
            self.log.say("error", "fault", act=name, **raised(error))
            answer = _failed(500, "server.fault", "The server failed; what was asked is not in its log.")
        visit = coming.visit
        token, name = (visit.token, visit.act or name) if visit else ("", name)
        took_s = time.perf_counter() - began
        self._metrics.ended(name, answer.status_code, took_s)
        line = {"act": name, "status": answer.status_code, "organisation": organisation, "bank": bank, "token": token}
        self.log.say("info", "request", **line, **detail, ms=round(took_s * 1000, 1))
        if token:
            self.accesses.note(token, organisation, bank, name, answer.status_code)
        return answer

    async def _acted(self, name: str, act: Act | None, request: Request, coming: _Coming) -> Response:
        """Let a request in and do what it asks for: if it is short, both on a thread at once."""
        if act is None or not _is_short(request):  # nobody sends much before it is known who does
            await run_in_threadpool(coming.enter)
        content = await _content(request)
        if act is None:
            visit = coming.enter()
            visit.found()  # refused here, and not in the middle of the protocol
            return await self._mcp.answer(visit, request, content, partial(self._visited, visit))

        def work(visit: Visit) -> Answer:
            visit.names = request.path_params
            return act(visit, _body(content) if request.method == "POST" else {})

        if name in self._reads and coming.visit is None and self._is_plain(coming.asked):
            found = await self._readers.read(coming.asked, lambda admitted: work(coming.enter(lambda *_: admitted)))
        else:
            found = await run_in_threadpool(lambda: work(coming.enter()))
        return found if isinstance(found, Response) else JSONResponse(found)

    async def _counted(self, request: Request) -> PlainTextResponse:  # noqa: ARG002  Starlette's signature
        return PlainTextResponse(self._metrics.text(), media_type="text/plain; version=0.0.4")

    def _looked_up(self) -> dict[str, float]:
        """Return the counts that nobody counts along."""
        return {"tacit_accesses_waiting": len(self.accesses), **self._hosting.door.counts()}

    def _is_plain(self, asked: Asked) -> bool:
        """Whether a request has a token of ours, for what may be the name of a bank."""
        secret, organisation, bank = asked
        return bool(secret and not self._is_person(secret) and _NAME.fullmatch(organisation) and _NAME.fullmatch(bank))

    def _is_person(self, secret: str) -> bool:
        return self._people is not None and secret.count(".") == _JWT_DOTS

    def _let_in(self, asked: Asked, look: Look | None = None) -> Visit:
        """Return who asks; a bank that is not theirs is answered like one that is not there.

        `look` says what a token is good for; without it the database is asked.
        """
        secret, organisation, bank = asked
        person = None
        if self._people is not None and self._is_person(secret):
            person = self._people.person(secret, organisation, bank)
            secret = self._people.secret
        found = None
        if secret and _NAME.fullmatch(organisation) and _NAME.fullmatch(bank):
            found = (look or self._hosting.access.admitted)(secret, organisation, bank)
        holder = found.token if found else self._hosting.access.holder(secret) if secret else None
        if holder is None:
            headers = self._people.challenge(organisation, bank) if self._people else {"WWW-Authenticate": "Bearer"}
            raise Refused(401, "token.refused", "No valid token.", headers)
        self._rate.insist(person.name if person else holder)
        if found is None:
            raise Refused(404, "bank.not_found", "There is no such bank for this token.")
        # Scopes take away from what the server's own token may do, and never add to it.
        name, role = found.token, found.role
        if person is not None:
            name, role = person.name, person.role if role == "writer" else "reader"
        visit = Visit(secret, name, role, found.bank, found.commit, organisation, bank)
        visit.seen, visit.is_alone = found.facts, found.is_alone
        return visit

    def _bank(self, visit: Visit) -> HostedBank:
        return HostedBank(self._hosting.index(visit.found(), visit.seen), visit.name, self._models)

    def _in_company(self, visit: Visit) -> tuple[HostedBank, HostedReader]:
        """Return the bank with those beside it, of which a token for this one hears and reads notes and no more."""
        own, files = self._bank(visit), {visit.name: self._hosting.contents(visit.found())}
        beside = [] if visit.is_alone else self._hosting.company.beside(*visit.asked)
        own.beside = [HostedBank(self._hosting.index(bank), name, self._models) for bank, name in beside]
        return own, HostedReader(files | {name: self._hosting.contents(bank) for bank, name in beside})

    def _visited(self, visit: Visit) -> AskedBank:
        """Return the same as MCP knows a bank."""
        return AskedBank(*self._in_company(visit), self._spoken, visit, self.writing)

    def _recall(self, visit: Visit, body: Mapping[str, Any]) -> dict[str, object]:
        prompt = _text(body, "prompt")
        phase = body.get("phase", "pre")
        turns = body.get("turns", [])
        if phase not in ("pre", "post") or not _are_texts(turns):
            raise Refused(400, "payload.refused", "phase is pre or post; turns is a list of texts.")
        said = self._in_company(visit)[0].recall(prompt, phase, turns)
        return {"notes": [_note(each) for each in said.notes], "injection": said.injection}

    def _search(self, visit: Visit, body: Mapping[str, Any]) -> dict[str, object]:
        query, limit = _text(body, "query"), body.get("limit", 10)
        if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= _MOST_NOTES:
            raise Refused(400, "payload.refused", f"limit is a whole number from 1 to {_MOST_NOTES}.")
        found = self._in_company(visit)[0].search(query, limit)
        return {"notes": [_hit(each) for each in found]}

    def _known(self, visit: Visit, body: Mapping[str, Any]) -> dict[str, object]:
        del body
        files = self.writing.source.known(visit.bank) if visit.bank else {}
        return {"commit": visit.commit, "files": files}

    def _push(self, visit: Visit, body: Mapping[str, Any]) -> dict[str, object]:
        visit.must_be("writer")
        commit, put, drop = body.get("commit"), body.get("put"), body.get("drop")
        base = body.get("base", "")
        if not (
            isinstance(commit, str) and isinstance(base, str) and _COMMIT.fullmatch(commit) and _COMMIT.fullmatch(base)
        ):
            raise Refused(400, "payload.refused", "commit, and base, is the name of a git commit, or empty.")
        if not isinstance(put, dict) or not isinstance(drop, list) or not _are_texts([*put.values(), *drop]):
            raise Refused(400, "payload.refused", "put maps files to texts, drop is a list of files.")
        visit.seen = None  # what was known is not for long
        files = {file: text.encode() for file, text in put.items()}
        notes = {file: content for file, content in files.items() if file != SETTINGS}
        # Commit, index and contents change at one moment: no other push of this bank comes in between.
        with self._hosting.door.together(f"{visit.organisation}/{visit.name}"):
            if "base" in body and self._hosting.access.commit(*visit.asked) not in (base, commit):
                raise Refused(409, "push.behind", "Another commit was pushed meanwhile.")
            visit.bank = self._hosting.access.received(*visit.asked, commit)
            bank = self._bank(visit)
            taken = bank.take(notes, drop)
            refused = self.writing.source.keep(visit.found(), files, drop, taken.refused)
        if taken.changed and self._models is not None:
            self._behind.submit(bank.embed)
        return {"changed": list(taken.changed), "dropped": list(taken.dropped), "refused": dict(refused)}


class _Coming:
    """Somebody who asks; `visit` is there once they are let in."""

    def __init__(self, asked: Asked, let_in: Callable[[Asked, Look | None], Visit]) -> None:
        self.asked = asked
        self._let_in = let_in
        self.visit: Visit | None = None

    def enter(self, look: Look | None = None) -> Visit:
        """Let them in, once; raise Refused if they may not."""
        if self.visit is None:
            self.visit = self._let_in(self.asked, look)
        return self.visit


def _is_short(request: Request) -> bool:
    """Whether a request says that its body is short; uvicorn reads no more of it than it said."""
    length = request.headers.get("content-length", "")
    return length.isdecimal() and int(length) <= _SHORT_BYTES


async def _content(request: Request) -> bytes:
    """Return what was sent; what is too large is not read to its end."""
    content = bytearray()
    async for piece in request.stream():
        content += piece
        if len(content) > MAX_BODY_BYTES:
            raise Refused(413, "body.too_large", f"A request has at most {MAX_BODY_BYTES} bytes.")
    return bytes(content)


async def _nowhere(request: Request, error: Exception) -> Response:
    """Say as all else is said that there is no such address, or that it does not take such a request."""
    del request
    assert isinstance(error, HTTPException)  # noqa: S101  it is the handler of these
    code = "method.refused" if error.status_code == _NO_METHOD else "address.not_found"
    return _failed(error.status_code, code, f"{error.detail}.", error.headers)


def _body(content: bytes) -> Mapping[str, Any]:
    """Return the JSON object that was sent."""
    try:
        found = json.loads(content.decode())  # what is no UTF-8 is no text for json to guess at
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


def _note(heard: Heard) -> dict[str, object]:
    found = heard.found
    return {"id": found.note_id, "title": found.title, "one_liner": found.one_liner, "file": heard.file}


def _hit(heard: Heard) -> dict[str, object]:
    return _note(heard) | {"score": round(heard.candidate.score, 4), "verdict": heard.verdict}


def _failed(status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"error": {"code": code, "message": message}}, status, dict(headers or {}))
