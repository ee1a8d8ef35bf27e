"""A model behind an OpenAI-compatible embeddings endpoint, for those who have one."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import Request, urlopen

from tacit import fsio
from tacit.errors import ModelUnusable

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.index.embed.port import Descriptor, Vector

# An endpoint that takes longer is of no use while somebody waits for an answer.
_TIMEOUT_S = 2.0
# One that failed is left alone for so long, by every process: a prompt must not wait for it again and again.
_REST_S = 60.0
_FAILED = "failed"
_MAX_ANSWER_BYTES = 4 * 1024 * 1024


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
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get("TACIT_EMBEDDINGS_KEY"):
            headers["Authorization"] = f"Bearer {key}"
        body = json.dumps({"model": model, "input": text}).encode()
        try:
            with urlopen(Request(address, body, headers), timeout=_TIMEOUT_S) as answer:  # noqa: S310  the user's own
                members = json.loads(answer.read(_MAX_ANSWER_BYTES))
            vector = numpy.array(members["data"][0]["embedding"], dtype=numpy.float32)
        except (URLError, OSError, ValueError, RecursionError, KeyError, IndexError, TypeError) as error:
            with suppress(OSError):
                fsio.replace(self._failed, b"", sync=False)
            raise ModelUnusable(name=self._descriptor.name, reason=str(error)) from None
        unit: Vector = vector / (numpy.linalg.norm(vector) or 1.0)
        return unit

    def _rests(self) -> bool:
        try:
            return 0 <= time.time() - self._failed.stat().st_mtime < _REST_S
        except OSError:
            return False
