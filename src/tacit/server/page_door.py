"""Who sees the review page of a server: a browser that a reviewer signed in, and from the page itself alone."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tacit.web.doorkeeper import Refused, Session, cookies, guarded, insist

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

SIGN_IN, SIGN_OUT = "/sign-in", "/sign-out"
SESSION = "tacit.page"
_LOCAL = ("127.0.0.1", "localhost")


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
        except Refused as refused:
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
