"""An issuer of access tokens on this machine, as an outside one behaves: metadata, keys, clients, codes, tokens."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

if TYPE_CHECKING:
    from collections.abc import Iterator

KID = "first"


class Issuer:
    """What an issuer knows: its key, and the codes that it gave out."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.codes: dict[str, dict[str, str]] = {}
        self.asked: list[str] = []

    def token(self, audience: str, scope: object = "tacit:reader", **claims: Any) -> str:  # noqa: ANN401  any JSON
        """Return a signed access token; a claim that is None is left out, `key`, `kid` and `alg` make its signature."""
        key, kid = claims.pop("key", self.key), claims.pop("kid", KID)
        algorithm = claims.pop("alg", "ES256")
        said = {
            "iss": self.address,
            "aud": audience,
            "sub": "alice",
            "exp": int(time.time()) + 300,
            "scope": scope,
            **claims,
        }
        headers = {"kid": kid} if kid else {}
        present = {name: value for name, value in said.items() if value is not None}
        return jwt.encode(present, key, algorithm=algorithm, headers=headers)

    def authorize(self, address: str) -> tuple[str, str]:
        """Return code and state, as if a person had said yes on the page at that address."""
        asked = {name: value for name, (value,) in parse_qs(urlsplit(address).query).items()}
        code = f"code{len(self.codes)}"
        self.codes[code] = asked
        return code, asked["state"]

    def answer(self, path: str, body: str) -> dict[str, Any] | None:
        """Return the document at a path; None if there is none."""
        self.asked.append(path)
        if path == "/.well-known/oauth-authorization-server":
            return {
                "issuer": self.address,
                "authorization_endpoint": f"{self.address}/authorize",
                "token_endpoint": f"{self.address}/token",
                "registration_endpoint": f"{self.address}/register",
                "jwks_uri": f"{self.address}/keys",
                "response_types_supported": ["code"],
                "code_challenge_methods_supported": ["S256"],
            }
        if path == "/keys":
            return {"keys": [{**ECAlgorithm.to_jwk(self.key.public_key(), as_dict=True), "kid": KID, "use": "sig"}]}
        if path == "/register":
            return {**json.loads(body), "client_id": "agent"}
        if path == "/token":
            given = {name: value for name, (value,) in parse_qs(body).items()}
            asked = self.codes.pop(given["code"])
            digest = hashlib.sha256(given["code_verifier"].encode()).digest()
            assert base64.urlsafe_b64encode(digest).decode().rstrip("=") == asked["code_challenge"]
            token = self.token(given["resource"], asked["scope"])
            return {"access_token": token, "token_type": "Bearer", "expires_in": 300, "scope": asked["scope"]}
        return None


@contextmanager
def issuing() -> Iterator[Issuer]:
    """Give an issuer that answers on a port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer("")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers["Content-Length"])).decode())

        def _answer(self, body: str) -> None:
            found = issuer.answer(urlsplit(self.path).path, body)
            content = json.dumps(found).encode()
            self.send_response(404 if found is None else 201 if self.path == "/register" else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        issuer = Issuer(f"http://127.0.0.1:{listening.server_port}")
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield issuer
        finally:
            listening.shutdown()
            thread.join()
