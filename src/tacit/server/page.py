"""The review page of a server: its door, and inbox, notes and search of the bank that a reviewer signed in for."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from tacit.audit.record import Channel
from tacit.errors import DatabaseUnusable, TacitError
from tacit.messages import speaking
from tacit.server import page_views
from tacit.server.page_views import SIGN_IN, SIGN_OUT
from tacit.server.visit import Rate, Refused, Visit
from tacit.server.writing_answer import Word
from tacit.web import acts, app, doorkeeper, inbox, note, notes, search
from tacit.web.doorkeeper import Doorkeeper, Session, cookies, form_of, guarded, insist
from tacit.web.keeper import Kept, Slow
from tacit.web.visit import Visit as PageVisit
from tacit.web.visit import preferred

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

    from tacit.bank.wiring import Hosting
    from tacit.server.writing import Writing
    from tacit.web.visit import Answer

    Handler = Callable[[PageVisit], Answer]
    Noting = Callable[[str, str, str, str, int], None]

PARTS = ("inbox", "notes", "search")
READS: dict[str, Handler] = {
    "/": inbox.show,
    "/inbox/{proposal}": inbox.show,
    "/notes": notes.show,
    "/notes/{note}": note.show,
    "/search": search.show,
}
WISHES: dict[str, Handler] = {"/language": acts.language, "/theme": acts.theme}
# So many a minute get the form once more; a token that is good gets in however many try others.
_SIGN_INS = 60
SESSION = "tacit.page"
_LOCAL = ("127.0.0.1", "localhost")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request for the page: the browser's session and wishes, what was asked for, and the form that was sent."""

    path: str
    origin: str
    session: str
    language: str
    theme: str
    query: Mapping[str, str]
    names: Mapping[str, str]
    form: Mapping[str, str] = field(default_factory=dict)


class Page:
    """The page of all banks of a server; `origins` are the names it is served under, each with its origin."""

    def __init__(
        self, hosting: Hosting, writing: Writing, origins: Mapping[str, str], *, rate: Rate, noting: Noting
    ) -> None:
        self._hosting = hosting
        self._writing = writing
        self._origins = origins
        self._rate = rate
        self._sign_ins = Rate(_SIGN_INS)
        self._noting = noting

    def routes(self) -> list[Route]:
        """Return the addresses of the page, all behind its door."""
        get, post = ["GET"], ["POST"]
        inner = [
            Route(SIGN_IN, self._form, methods=get),
            Route(SIGN_IN, self._sign_in, methods=post),
            Route(SIGN_OUT, partial(self._answered, "sign-out", self._sign_out), methods=post),
            Route("/answer", partial(self._answered, "answer", self._answer), methods=post),
            Route("/inbox/{proposal}/patch", partial(self._answered, "patch", self._patch), methods=get),
            Route("/live", _nothing, methods=get),
            Route("/static/{name}", app.static, methods=get),
            *(self._page(path, view, "GET") for path, view in READS.items()),
            *(self._page(path, wish, "POST") for path, wish in WISHES.items()),
        ]
        door = PageDoor(Starlette(routes=inner), self._origins)
        return [Route(path, endpoint=door) for path in dict.fromkeys(each.path for each in inner)]

    def _page(self, path: str, handler: Handler, method: str) -> Route:
        return Route(path, partial(self._answered, "page", partial(self._seen, handler)), methods=[method])

    async def _form(self, request: Request) -> Response:
        wanted = self._wanted(request)
        return page_views.sign_in(wanted.language, wanted.theme)

    async def _sign_in(self, request: Request) -> Response:
        """Let a browser in with a reviewer's token; it gets a session of its own and never sees the token again."""
        wanted = self._wanted(request)
        try:
            form = await form_of(request, Session(token="", csrf=""))
            given = [form.get(name, "").strip() for name in ("token", "organisation", "bank")]
            session = None if "\0" in "".join(given) else await run_in_threadpool(self._hosting.sessions().open, *given)
        except doorkeeper.Refused as refused:
            return refused.response()
        except DatabaseUnusable:
            return _unready()
        if session is None and self._sign_ins.wait_s(""):
            return PlainTextResponse("Too many have tried to sign in; come again in a minute.\n", 429)
        if session is None:
            return page_views.sign_in(wanted.language, wanted.theme, refused=True)
        response = RedirectResponse("/", 303)
        let_in(response, session, wanted.origin)
        return response

    async def _answered(self, name: str, act: Callable[[Visit, Wanted], Response], request: Request) -> Response:
        """Answer one request of a browser that is signed in, and note it in the list of accesses."""
        wanted = self._wanted(request)
        visit: Visit | None = None
        try:
            visit = await run_in_threadpool(self._entered, wanted.session)
            if visit is None:
                return RedirectResponse(SIGN_IN, 303)
            if request.method == "POST":
                form = await form_of(request, session_of(wanted.session))
                wanted = self._wanted(request, form)
            answer = await run_in_threadpool(act, visit, wanted)
        except doorkeeper.Refused as refused:
            answer = refused.response()
        except Refused as refused:
            answer = PlainTextResponse(f"{refused}\n", refused.status, dict(refused.headers or {}))
        except DatabaseUnusable:
            return _unready()
        except TacitError as error:  # as where the settings that were pushed cannot be read
            answer = PlainTextResponse(f"{error.message} {error.next_step}\n", 409)
        if visit is not None:
            self._noting(visit.token, visit.organisation, visit.name, name, answer.status_code)
        return answer

    def _wanted(self, request: Request, form: Mapping[str, str] | None = None) -> Wanted:
        language, theme = preferred(request)
        return Wanted(
            path="/" if request.method == "POST" else request.url.path,
            origin=self._origins[request.headers["host"]],
            session=request.scope[SESSION],
            language=language,
            theme=theme,
            query=dict(request.query_params),
            names=request.path_params,
            form=form or {},
        )

    def _entered(self, session: str) -> Visit | None:
        """Return for whom a session stands; None if it is none, or its token was taken back."""
        found = self._hosting.sessions().of(session) if session else None
        if found is None:
            return None
        token, organisation, bank = found
        admitted = self._hosting.access.admitted(token, organisation, bank)
        if admitted is None or admitted.role != "reviewer":
            return None
        self._rate.insist(admitted.token)
        visit = Visit(token, admitted.token, admitted.role, admitted.bank, admitted.commit, organisation, bank)
        visit.seen = admitted.facts
        return visit

    def _seen(self, handler: Handler, visit: Visit, wanted: Wanted) -> Response:
        """Return a view of the bank as it was pushed, with the questions that wait."""
        session = session_of(wanted.session)
        with speaking(wanted.language):
            aside = page_views.aside(session, f"{visit.organisation}/{visit.name}")
        with self._writing.bench(visit) as bank:
            seen = PageVisit(
                bank=bank,
                session=session,
                door=Doorkeeper(0, None),
                slow=Slow(bank.root),
                kept=Kept(),
                path=wanted.path,
                language=wanted.language,
                theme=wanted.theme,
                query=wanted.query,
                form=wanted.form,
                names=wanted.names,
                parts=PARTS,
                aside=aside,
            )
            return app.answered(seen, handler)

    def _answer(self, visit: Visit, wanted: Wanted) -> Response:
        """Carry out an answer to what was shown, and say what came of it."""
        form = wanted.form
        shown = form.get("shown") or "nothing"  # an answer counts for what was shown, never for whatever waits
        word = Word(form.get("proposal", "").replace("\0", ""), form.get("option", ""), shown, Channel.WEB)
        view: Handler
        try:
            view = partial(page_views.answered, self._writing.answering.answer(visit, word).document())
        except Refused as refused:
            view = partial(page_views.refused, refused)
        except DatabaseUnusable:
            raise
        except TacitError as error:
            view = partial(page_views.failed, error)
        return self._seen(view, visit, wanted)

    def _patch(self, visit: Visit, wanted: Wanted) -> Response:
        visit.names = wanted.names
        return self._writing.patch(visit, {})

    def _sign_out(self, visit: Visit, wanted: Wanted) -> Response:
        del visit
        self._hosting.sessions().close(wanted.session)
        response = RedirectResponse(SIGN_IN, 303)
        let_out(response, wanted.origin)
        return response


async def _nothing(request: Request) -> Response:
    """Tell a page that there are no news to wait for: it is brought up to date by opening it again."""
    del request
    return Response(status_code=204)


def _unready() -> Response:
    return PlainTextResponse("The database does not answer; come again.\n", 503, {"Retry-After": "5"})


def origins(public: str, port: int) -> dict[str, str]:
    """Return the names under which a page is served, each with its origin: on this machine, and the public address."""
    known = {f"{name}:{port}": f"http://{name}:{port}" for name in _LOCAL}
    parts = urlsplit(public)
    return known | ({parts.netloc: f"{parts.scheme}://{parts.netloc}"} if parts.netloc else {})


class PageDoor:
    """Stands before the page: each request is looked at before anything of a bank is."""

    def __init__(self, app: ASGIApp, known: Mapping[str, str]) -> None:
        self._app = app
        self._origins = known

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or say why not."""
        try:
            headers = insist(scope, self._origins, SIGN_IN)
        except doorkeeper.Refused as refused:
            await refused.response()(scope, receive, guarded(send))
            return
        name, _ = _name(self._origins[headers["host"]])
        scope[SESSION] = next(cookies(headers, name), "")
        await self._app(scope, receive, guarded(send))


def let_in(response: Response, session: str, origin: str) -> None:
    """Give a browser its session, which no other site and no script gets to see."""
    name, secure = _name(origin)
    response.set_cookie(name, session, httponly=True, samesite="strict", secure=secure, path="/")


def let_out(response: Response, origin: str) -> None:
    """Take a browser's session back."""
    name, secure = _name(origin)
    response.delete_cookie(name, path="/", httponly=True, samesite="strict", secure=secure)


def session_of(secret: str) -> Session:
    """Return the session as the page's views know it; its forms are known by a token that only its secret gives."""
    return Session(token=secret, csrf=hmac.digest(secret.encode(), b"tacit form", "sha256").hex())


def _name(origin: str) -> tuple[str, bool]:
    """Return the name of the cookie, and whether it goes over TLS alone; then no other host can set it."""
    secure = origin.startswith("https:")
    return ("__Host-tacit" if secure else "tacit_page", secure)
