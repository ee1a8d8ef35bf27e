"""The application: which address leads to which view or act."""

from __future__ import annotations

import asyncio
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from tacit.errors import TacitError, unwritable
from tacit.messages import prefer, speaking
from tacit.web import acts, audit, frame, health, inbox, note, notes, search, tasks
from tacit.web.doorkeeper import OPEN, SESSION, Refused, Session, form_of
from tacit.web.keeper import Kept
from tacit.web.visit import Moved, Preferred, Visit, preferred

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from starlette.requests import Request

    from tacit.web.doorkeeper import Doorkeeper
    from tacit.web.keeper import Keeper, Slow
    from tacit.web.visit import Answer

    Handler = Callable[[Visit], Answer]
    Sleep = Callable[[float], Awaitable[None]]

_STATIC = Path(__file__).parent / "static"
_TYPES = {"page.css": "text/css", "page.js": "text/javascript", "icon.svg": "image/svg+xml"}
_YEAR_S = 365 * 24 * 3600
_MOST_LISTENERS = 32

READS: dict[str, Handler] = {
    "/": inbox.show,
    "/inbox/{proposal}": inbox.show,
    "/notes": notes.show,
    "/notes/{note}": note.show,
    "/notes/{note}/edit": note.edit,
    "/search": search.show,
    "/health": health.show,
    "/audit": audit.show,
    "/audit/{operation}": audit.operation,
    "/tasks": tasks.show,
    "/tasks/{task}": tasks.one,
}
ACTS: dict[str, Handler] = {
    "/answer": acts.answer,
    "/again": acts.again,
    "/undo": acts.undo,
    "/notes/{note}/edit": note.save,
    "/notes/{note}/archive": acts.archive,
    "/notes/{note}/delete": acts.delete,
    "/state": acts.state,
    "/link": acts.new_link,
    "/language": acts.language,
    "/theme": acts.theme,
}


class Site:
    """The review page of one bank, behind its doorkeeper."""

    def __init__(
        self, keeper: Keeper, slow: Slow, door: Doorkeeper, pulse: Callable[[], str], is_over: Callable[[], bool] = bool
    ) -> None:
        self._keeper = keeper
        self._slow = slow
        self._kept = Kept()
        self._door = door
        self._pulse = pulse
        self._is_over = is_over
        self._listeners = 0

    def application(self) -> Doorkeeper:
        """Return what a server runs."""
        routes = [
            Route(OPEN, self._open, methods=["GET"]),
            Route("/live", self._live, methods=["GET"]),
            Route("/static/{name}", static, methods=["GET"]),
            *(Route(path, partial(self._read, view), methods=["GET"]) for path, view in READS.items()),
            *(Route(path, partial(self._act, act), methods=["POST"]) for path, act in ACTS.items()),
        ]
        return self._door.before(Starlette(routes=routes))

    async def _open(self, request: Request) -> Response:
        """Let a browser in by its link, and show it the inbox; a link that was used leads on who is in already."""
        if request.scope[SESSION] is not None:
            return RedirectResponse("/", 303)
        session = self._door.redeem(request.query_params.get("key", ""))
        if session is None:
            return PlainTextResponse("This link was used already, or is none. Run `tacit ui` for another one.\n", 403)
        # Not a redirect: a browser that came from another program would leave the new cookie out of it.
        response = await self._answer(request, session, inbox.show, {})
        response.set_cookie(self._door.cookie, session.token, httponly=True, samesite="strict", path="/")
        return response

    async def _read(self, view: Handler, request: Request) -> Response:
        return await self._answer(request, request.scope[SESSION], view, {})

    async def _act(self, act: Handler, request: Request) -> Response:
        session: Session = request.scope[SESSION]
        try:
            form = await form_of(request, session)
        except Refused as refused:
            return refused.response()
        return await self._answer(request, session, act, form)

    async def _answer(self, request: Request, session: Session, handler: Handler, form: dict[str, str]) -> Response:
        language, theme = preferred(request)
        is_view = request.method != "POST" and request.url.path != OPEN  # neither is an address to come back to
        visiting = partial(
            Visit,
            session=session,
            door=self._door,
            slow=self._slow,
            kept=self._kept,
            path=request.url.path if is_view else "/",
            language=language,
            theme=theme,
            query=dict(request.query_params) if is_view else {},
            form=form,
            names=request.path_params,
        )
        return await self._keeper.run(lambda bank: answered(visiting(bank=bank), handler))

    async def _live(self, request: Request) -> Response:  # noqa: ARG002  Starlette's signature
        if self._listeners >= _MOST_LISTENERS:
            return PlainTextResponse("Too many pages are open.\n", 503)

        async def listening() -> AsyncIterator[str]:
            self._listeners += 1
            try:
                async for line in news(lambda: f"{self._pulse()}.{self._slow.rounds}", self._is_over):
                    yield line
            finally:
                self._listeners -= 1

        return StreamingResponse(listening(), media_type="text/event-stream")


async def static(request: Request) -> Response:
    """Return a file that the pages are shown with."""
    name = request.path_params["name"]
    if name not in _TYPES:
        return PlainTextResponse("There is no such file.\n", 404)
    return Response(_file(name), media_type=_TYPES[name])


@cache
def _file(name: str) -> bytes:
    return (_STATIC / name).read_bytes()


def answered(visit: Visit, handler: Handler) -> Response:
    """Return what a view or an act says, in the reader's language; an error becomes a page that explains it."""
    prefer(visit.bank.settings.text("language"))
    with speaking(visit.language), visit.bank.at_once():
        try:
            answer = handler(visit)
        except (TacitError, OSError) as error:
            answer = acts.failed(error if isinstance(error, TacitError) else unwritable(error))
        match answer:
            case Moved(to):
                return RedirectResponse(to, 303)
            case Preferred(name, value, to):
                response: Response = RedirectResponse(to, 303)
                response.set_cookie(f"tacit_{name}", value, max_age=_YEAR_S, httponly=True, samesite="strict", path="/")
                return response
            case view:
                return HTMLResponse(frame.page(visit, view), view.status)


# How often the end of the log is looked at, which costs next to nothing, and after how long a line says "still here".
LOOK_S = 0.5
STILL_HERE_S = 15.0


async def news(
    pulse: Callable[[], str], is_over: Callable[[], bool] = bool, *, sleep: Sleep = asyncio.sleep
) -> AsyncIterator[str]:
    """Yield server-sent events: the bank's pulse now, and again each time it differs, until all is over."""
    last = ""
    quiet = 0.0
    while not is_over():
        now = pulse()
        if now != last:
            last, quiet = now, 0.0
            yield f"data: {now}\n\n"
        elif quiet >= STILL_HERE_S:
            quiet = 0.0
            yield ": still here\n\n"
        await sleep(LOOK_S)
        quiet += LOOK_S
