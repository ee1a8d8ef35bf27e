"""Who is let in: this user's own browser, through a link that works once, from this page alone."""

from __future__ import annotations

import hmac
import os
import secrets
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from tacit.bank import Bank
    from tacit.govern.proposal import Proposal

    Address = tuple[str, int]
    Trust = Callable[[Address, Address], bool]

HOST = "127.0.0.1"
OPEN = "/open"
STATIC = "/static/"
SESSION = "tacit.session"
# A note has at most 64 KiB; as a form, a character may take nine bytes.
MAX_BODY_BYTES = 640 * 1024
_MAX_FIELDS = 32
_MAX_TOLD = 32
_FORM = "application/x-www-form-urlencoded"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not `no-referrer`: browsers then send `Origin: null` with our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Told:
    """What is said on the page after an act: a sentence, and how to take the act back."""

    text: str
    undo: str = ""
    again: str = ""


@dataclass(slots=True)
class Session:
    """One browser that came through a link. Nothing of it outlives the process."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    told: dict[str, Told] = field(default_factory=dict)
    declined: dict[str, tuple[Proposal, Bank]] = field(default_factory=dict)

    def tell(self, said: Told) -> str:
        """Keep what is to be said on the next page; return by what name."""
        while len(self.told) >= _MAX_TOLD:
            self.told.pop(next(iter(self.told)))
        name = secrets.token_hex(8)
        self.told[name] = said
        return name

    def put_aside(self, proposal: Proposal, asker: Bank) -> None:
        """Keep a proposal that was declined, so that the bank can ask it again."""
        while len(self.declined) >= _MAX_TOLD:
            self.declined.pop(next(iter(self.declined)))
        self.declined[proposal.id] = (proposal, asker)


class Refused(Exception):
    """A request that is not served, with its status and the reason, which tells nothing of the bank."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason

    def response(self) -> PlainTextResponse:
        """Return what is said to whoever asked."""
        return PlainTextResponse(f"{self.reason}\n", self.status, {"Connection": "close"})


class Doorkeeper:
    """Stands before the application: each request is looked at before anything of the bank is."""

    def __init__(self, port: int, trust: Trust | None) -> None:
        self._origins = {host: f"http://{host}" for host in (f"{HOST}:{port}", f"localhost:{port}")}
        self._port = port
        self._trust = trust
        self._keys: set[str] = set()
        self._sessions: dict[str, Session] = {}
        self._app: ASGIApp | None = None
        self.cookie = f"tacit_{port}"

    def before(self, app: ASGIApp) -> Doorkeeper:
        """Stand before an application."""
        self._app = app
        return self

    def new_link(self) -> str:
        """Return an address that lets one browser in, once."""
        key = secrets.token_urlsafe(32)
        self._keys.add(key)
        return f"http://{HOST}:{self._port}{OPEN}?key={key}"

    def redeem(self, key: str) -> Session | None:
        """Return a new session for the key of a link, which is void from then on; None if it is or was none."""
        if key not in self._keys:
            return None
        self._keys.remove(key)
        session = Session()
        self._sessions[session.token] = session
        return session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or say why not."""
        assert self._app is not None  # noqa: S101  set before anything is served
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return

        try:
            scope[SESSION] = self._admitted(scope)
        except Refused as refused:
            await refused.response()(scope, receive, guarded(send))
            return
        await self._app(scope, receive, guarded(send))

    def _admitted(self, scope: Scope) -> Session | None:
        """Return the session of a request, None for what needs none; raise Refused for all that is not ours."""
        client, server = scope.get("client"), scope.get("server")
        if self._trust is not None and not (client and server and self._trust(tuple(client), tuple(server))):
            raise Refused(403, "This page belongs to another user of this machine.")
        headers = insist(scope, self._origins, OPEN)
        method = scope["method"]
        session = self._session(headers)
        if session is None and not (method != "POST" and (scope["path"] == OPEN or scope["path"].startswith(STATIC))):
            raise Refused(403, "This page opens by the link that `tacit ui` prints; each works once.")
        return session

    def _session(self, headers: Headers) -> Session | None:
        for given in cookies(headers, self.cookie):
            for token, session in self._sessions.items():
                if hmac.compare_digest(token.encode(), given.encode()):
                    return session
        return None


def cookies(headers: Headers, name: str) -> Iterator[str]:
    """Yield what a browser sends back under a name; what cannot be read as cookies is passed over."""
    for given in headers.getlist("cookie"):
        try:
            found = SimpleCookie(given).get(name)
        except CookieError:
            continue
        if found is not None:
            yield found.value


def insist(scope: Scope, origins: Mapping[str, str], opening: str) -> Headers:
    """Return the headers of a request that a page of ours makes; raise Refused for every other one.

    `origins` has the names under which the page is served, each with its origin. A link on another site may lead to
    the path `opening` alone.
    """
    headers = Headers(scope=scope)
    host = headers.getlist("host")
    if len(host) != 1 or host[0] not in origins:
        raise Refused(421, "This page is not served under this name.")
    given = headers.getlist("origin")
    if any(origin != origins[host[0]] for origin in given):
        raise Refused(403, "This page takes nothing from other sites.")
    method = scope["method"]
    if method not in ("GET", "HEAD", "POST"):
        raise Refused(405, "This page is read by GET and changed by POST.")
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none") and not (
        method == "GET" and scope["path"] == opening
    ):
        raise Refused(403, "This page takes nothing from other sites.")
    if method == "POST":
        if len(given) != 1:
            raise Refused(403, "A change must say where it comes from.")
        if headers.get("content-type", "").split(";")[0].strip().lower() != _FORM:
            raise Refused(415, "A change is sent as a form.")
    return headers


def guarded(send: Send) -> Send:
    """Return a way to send that adds what browsers must know of every answer."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


async def form_of(request: Request, session: Session) -> dict[str, str]:
    """Return the fields of a form that was made by this session's own page; raise Refused otherwise."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise Refused(413, "This is too long.")
    try:
        fields = dict(
            parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_MAX_FIELDS)
        )
    except ValueError:
        raise Refused(400, "This form cannot be read.") from None
    if not hmac.compare_digest(fields.pop("csrf", "").encode(), session.csrf.encode()):
        raise Refused(403, "This form was not made by this page, or the page was opened anew since. Reload it.")
    return fields


_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_ROOT = 0
_UID = 7


def owner(client: Address, server: Address, tables: tuple[Path, ...] = _TABLES) -> int | None:
    """Return the user of the socket at `client` that is connected to `server`; None if the kernel does not say."""
    for table in tables:
        long = table.name.endswith("6")
        wanted = [_hexadecimal(client, long=long), _hexadecimal(server, long=long)]
        with suppress(OSError, ValueError, IndexError):
            for line in table.read_text(encoding="ascii").splitlines()[1:]:
                fields = line.split()
                if fields[1:3] == wanted:
                    return int(fields[_UID])
    return None


def is_trusted(client: Address, server: Address) -> bool:
    """Whether a connection is this user's own, or root's, who may read everything anyway."""
    return owner(client, server) in (os.getuid(), _ROOT)


def trust_for(listening: socket.socket) -> Trust | None:
    """Return how to tell whose a connection is, tried out on one of our own; None where the system does not tell."""
    address: Address = listening.getsockname()
    with suppress(OSError), socket.create_connection(address, timeout=1) as own:
        accepted, client = listening.accept()
        accepted.close()
        if client == own.getsockname() and owner(client, address) == os.getuid():
            return is_trusted
    return None


def _hexadecimal(address: Address, *, long: bool) -> str:
    """Return an address as the kernel's tables show it; IPv4 also stands in the table of IPv6, mapped."""
    host, port = address
    words = struct.unpack("=I", socket.inet_aton(host))[0]
    mapped = struct.unpack("=I", b"\x00\x00\xff\xff")[0]
    return f"{'0' * 16}{mapped:08X}{words:08X}:{port:04X}" if long else f"{words:08X}:{port:04X}"
