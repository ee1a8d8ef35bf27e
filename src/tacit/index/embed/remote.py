"""A model behind an OpenAI-compatible embeddings endpoint, for those who have one; how a key goes to its host alone."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.request import HTTPRedirectHandler, Request, build_opener

from tacit import fsio
from tacit.errors import ForeignRefused, ModelUnusable

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.index.embed.port import Descriptor, Vector

# An endpoint that takes longer is of no use while somebody waits for an answer.
_TIMEOUT_S = 2.0
# One that failed is left alone for so long, by every process: a prompt must not wait for it again and again.
_REST_S = 60.0
_FAILED = "failed"
_MAX_ANSWER_BYTES = 4 * 1024 * 1024


class Elsewhere(OSError):
    """The server names another address; nothing was sent there."""

    def __init__(self, address: str) -> None:
        super().__init__(f"the server answers from elsewhere: use that address, {address}")
        self.address = address


class _Stays(HTTPRedirectHandler):
    """Follows no redirect: whoever it names would get the key that is meant for another."""

    def redirect_request(self, req: object, fp: Any, code: int, msg: str, headers: object, newurl: str) -> NoReturn:  # noqa: ANN401, ARG002, PLR0917  as Python calls it
        """Raise Elsewhere."""
        fp.close()
        raise Elsewhere(newurl)


def opened(request: Request | str, timeout_s: float) -> Any:  # noqa: ANN401  as `urlopen` gives it
    """Return the answer to a request, from the address that was asked; raise Elsewhere if it names another."""
    return build_opener(_Stays).open(request, timeout=timeout_s)


def headers(variable: str, key: str) -> dict[str, str]:
    """Return the headers of JSON that go with the key of a variable, if there is one.

    Raises ForeignRefused, without a word of the key, where no header can carry it.
    """
    key = key.strip()
    if not (key.isascii() and key.isprintable()):
        fix = "Set it to the key alone: letters, digits and signs of ASCII on one line."
        raise ForeignRefused(path=variable, reason="it holds a sign that no key has", fix=fix)
    return {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})


class RemoteEmbedder:
    """Asks the endpoint of its descriptor; the key comes from TACIT_EMBEDDINGS_KEY and is kept nowhere."""

    def __init__(self, descriptor: Descriptor, folder: Path) -> None:
        self._descriptor = descriptor
        self._failed = folder / _FAILED

    def query(self, text: str) -> Vector:
        """Return the vector of what somebody is looking for."""
        return self.passage(self._descriptor.query_prefix + text)

    def passage(self, text: str) -> Vector:
        """Return the vector of what can be found; ModelUnusable at once for a while after a failure."""
        import numpy

        if self._rests():
            raise ModelUnusable(
                name=self._descriptor.name, reason="it failed a moment ago and is left alone for a while"
            )
        address, _, model = self._descriptor.endpoint.rpartition("#")
        body = json.dumps({"model": model, "input": text}).encode()
        try:
            told = headers("TACIT_EMBEDDINGS_KEY", os.environ.get("TACIT_EMBEDDINGS_KEY", ""))
        except ForeignRefused as error:
            raise ModelUnusable(name=self._descriptor.name, reason=error.message.rstrip(".")) from None
        try:
            with opened(Request(address, body, told), _TIMEOUT_S) as answer:  # noqa: S310  the user's own
                members = json.loads(answer.read(_MAX_ANSWER_BYTES))
            vector = numpy.array(members["data"][0]["embedding"], dtype=numpy.float32)
        except (OSError, HTTPException, ValueError, RecursionError, KeyError, IndexError, TypeError) as error:
            with suppress(OSError):
                fsio.replace(self._failed, b"", sync=False)
            reason = str(error) if isinstance(error, OSError) else "its answer makes no sense"
            raise ModelUnusable(name=self._descriptor.name, reason=reason) from None
        unit: Vector = vector / (numpy.linalg.norm(vector) or 1.0)
        return unit

    def _rests(self) -> bool:
        try:
            return 0 <= time.time() - self._failed.stat().st_mtime < _REST_S
        except OSError:
            return False
