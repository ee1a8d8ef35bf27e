"""People of an outside issuer: what their access tokens let them do, as MCP asks of an OAuth resource server."""

from __future__ import annotations

import json
import threading
import time
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import jwt
from mcp.server.auth.provider import AccessToken
from mcp.shared.auth import ProtectedResourceMetadata

from tacit.index.embed.remote import opened
from tacit.server.visit import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

# Scopes say a role, and may say one bank: `tacit:reader`, `tacit:writer:shop`. The stronger role last.
_ROLES = ("reader", "writer")
_SCOPE = "tacit:"
_LEEWAY_S = 30
_MOST_NAME_CHARS = 100


class Person(NamedTuple):
    """Who brought an access token, and the role that it gives them in the bank they ask for."""

    name: str
    role: str


class People:
    """Lets in whom `issuer` vouches for, to the banks that the server's own token, `secret`, is good for.

    `audience` is the server's public address: what tokens must be meant for, and where clients find what they need.
    """

    def __init__(self, issuer: str, audience: str, secret: str, keys: Keys) -> None:
        self.secret = secret
        self._issuer = issuer
        self._audience = audience.rstrip("/")
        self._keys = keys

    def resource(self, organisation: str, bank: str) -> str:
        """Return the address of a bank's MCP, by which tokens and metadata name it."""
        return f"{self._audience}/v1/{organisation}/{bank}/mcp"

    def challenge(self, organisation: str, bank: str, error: str = "") -> dict[str, str]:
        """Return the header that tells a client without a good token where to get one."""
        parts = urlsplit(self.resource(organisation, bank))
        place = f"{parts.scheme}://{parts.netloc}/.well-known/oauth-protected-resource{parts.path}"
        told = [f'resource_metadata="{place}"', *([f'error="{error}"'] if error else [])]
        if error == "insufficient_scope":
            told.append(f'scope="{_scope(_ROLES[0])}"')
        return {"WWW-Authenticate": f"Bearer {', '.join(told)}"}

    def metadata(self, organisation: str, bank: str) -> dict[str, object]:
        """Return the document that describes a bank's MCP to OAuth clients (RFC 9728), whether it exists or not."""
        made = ProtectedResourceMetadata.model_validate(
            {
                "resource": self.resource(organisation, bank),
                "authorization_servers": [self._issuer],
                "scopes_supported": [_scope(role) for role in _ROLES],
                "resource_name": "Tacit",
            }
        )
        return made.model_dump(mode="json", exclude_none=True)

    def person(self, token: str, organisation: str, bank: str) -> Person:
        """Return who brought a token; raise Refused if it is no good, or not for this bank."""
        found = self._verified(token, organisation, bank)
        if found is None:
            headers = self.challenge(organisation, bank, "invalid_token")
            raise Refused(401, "token.refused", "No valid token.", headers)
        roles = [role for role in _ROLES for scope in found.scopes if scope in (_scope(role), _scope(role, bank))]
        if not roles:
            headers = self.challenge(organisation, bank, "insufficient_scope")
            raise Refused(403, "role.refused", f"The token needs the scope {_scope(_ROLES[0])}.", headers)
        return Person(f"sub:{found.subject}", roles[-1])

    def _verified(self, token: str, organisation: str, bank: str) -> AccessToken | None:
        """Return what a token says, if the issuer signed it for this server or this bank and it is still good."""
        meant = [self._audience, f"{self._audience}/", self.resource(organisation, bank)]
        try:
            signed_by = self._keys.key(str(jwt.get_unverified_header(token).get("kid", "")))
            if signed_by is None:
                return None
            claims = jwt.decode(
                token,
                signed_by.key,
                algorithms=list(signed_by.algorithms),
                issuer=self._issuer,
                audience=meant,
                leeway=_LEEWAY_S,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )
        except (jwt.PyJWTError, ValueError):
            return None
        if "cnf" in claims:  # bound to a key that its bearer would have to prove
            return None
        return AccessToken(
            token=token,
            client_id=str(claims.get("client_id", claims.get("azp", ""))),
            scopes=_scopes(claims.get("scope", claims.get("scp", ""))),
            subject=_name(str(claims["sub"])),
        )


def _scope(role: str, bank: str = "") -> str:
    return f"{_SCOPE}{role}:{bank}" if bank else f"{_SCOPE}{role}"


def _scopes(said: object) -> list[str]:
    """Return scopes, which issuers write as words or as a list."""
    return [str(each) for each in said] if isinstance(said, list) else str(said).split()


def _name(subject: str) -> str:
    """Return a subject as the log and the list of accesses can show it."""
    return "".join(each if each.isprintable() else "?" for each in subject[:_MOST_NAME_CHARS])


_TIMEOUT_S = 3.0
_MOST_BYTES = 1024 * 1024
# Keys are fetched anew after this long; a key that nobody knows makes us look again, but not more often than this.
_FRESH_S = 600.0
_AGAIN_S = 30.0
# For so long keys are good that cannot be fetched anew.
_STALE_S = 24 * 3600.0
# Only such as need no secret of ours: what one signs, everybody can check and nobody make.
_ALGORITHMS = {
    "RSA": ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    "EC": ("ES256", "ES384", "ES512"),
    "OKP": ("EdDSA",),
}


class Key(NamedTuple):
    """A public key, and what it may be used with."""

    key: Any
    algorithms: tuple[str, ...]


class Keys:
    """The keys of one issuer, by their names."""

    def __init__(
        self, issuer: str, fetch: Callable[[str], Any] | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._issuer = issuer
        self._fetch = fetch or _fetched
        self._clock = clock
        self._turn = threading.Lock()
        self._keys: dict[str, Key] = {}
        self._taken = self._tried = float("-inf")
        # Why no keys were had when they were last looked for.
        self._wrong = ""

    def key(self, name: str) -> Key | None:
        """Return the key of that name, or the only one where no name is given; raise Refused while none can be had."""
        if self._is_due(name):
            with self._turn:
                if self._is_due(name):
                    self._look()
        if self._clock() - self._taken > _STALE_S:
            message = "The issuer of tokens does not answer; come again."
            raise Refused(503, "issuer.unusable", message, {"Retry-After": str(int(_AGAIN_S))}, detail=self._wrong)
        if not name and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        return self._keys.get(name)

    def _is_due(self, name: str) -> bool:
        now = self._clock()
        is_wanting = now - self._taken > _FRESH_S or bool(name and name not in self._keys)
        return is_wanting and now - self._tried > _AGAIN_S

    def _look(self) -> None:
        """Fetch the keys; where that fails, those of before stay."""
        try:
            found = _keys(self._fetch(self._place()))
        except (OSError, HTTPException, ValueError, KeyError, TypeError, AttributeError) as error:
            found, self._wrong = {}, str(error)
        self._tried = self._clock()
        if found:
            self._keys, self._taken = found, self._tried

    def _place(self) -> str:
        """Return where the issuer says that its keys are: as OAuth (RFC 8414) or as OpenID puts it."""
        parts = urlsplit(self._issuer)
        path = parts.path.rstrip("/")
        host = f"{parts.scheme}://{parts.netloc}"
        message = "the issuer does not say where its keys are"
        for place in (
            f"{host}/.well-known/oauth-authorization-server{path}",
            f"{host}{path}/.well-known/openid-configuration",
        ):
            try:
                told = self._fetch(place)
            except (OSError, HTTPException, ValueError) as error:
                message = f"{message}; {place}: {error}"
                continue
            if told["issuer"] == self._issuer:
                return str(told["jwks_uri"])
        raise ValueError(message)


def is_private(address: str) -> bool:
    """Whether an address can be asked without others listening: TLS, or this machine."""
    parts = urlsplit(address)
    here = parts.hostname in ("localhost", "127.0.0.1", "::1")
    return bool(parts.hostname) and (parts.scheme == "https" or (parts.scheme == "http" and here))


def _keys(told: Any) -> dict[str, Key]:  # noqa: ANN401  JSON of somebody else's
    """Return the keys of a set that can be used to check signatures."""
    found = {}
    for each in told["keys"]:
        algorithms = _ALGORITHMS.get(each.get("kty"), ())
        if each.get("use", "sig") != "sig" or (each.get("alg") and each["alg"] not in algorithms):
            continue
        try:
            key = jwt.PyJWK(each).key
        except jwt.PyJWTError:
            continue  # of a kind that is not known here
        found[str(each.get("kid", ""))] = Key(key, (each["alg"],) if each.get("alg") else algorithms)
    return found


def _fetched(address: str) -> Any:  # noqa: ANN401  as above
    if not is_private(address):
        message = "keys are fetched over TLS alone"
        raise ValueError(message)
    with opened(address, _TIMEOUT_S) as answer:
        return json.loads(answer.read(_MOST_BYTES))
