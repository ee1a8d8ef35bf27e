"""People of an outside issuer: what their access tokens let them do, as MCP asks of an OAuth resource server."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import jwt
from mcp.server.auth.provider import AccessToken
from mcp.shared.auth import ProtectedResourceMetadata

from tacit.server.visit import Refused

if TYPE_CHECKING:
    from tacit.server.oauth_keys import Keys

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
