"""A model behind an OpenAI-compatible embeddings endpoint, for those who have one."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import Request, urlopen

from tacit.errors import ModelUnusable

if TYPE_CHECKING:
    from tacit.index.embed.port import Descriptor, Vector

_TIMEOUT_S = 10.0
_MAX_ANSWER_BYTES = 4 * 1024 * 1024


class RemoteEmbedder:
    """Asks the endpoint of its descriptor; the key comes from TACIT_EMBEDDINGS_KEY and is kept nowhere."""

    def __init__(self, descriptor: Descriptor) -> None:
        self._descriptor = descriptor

    def query(self, text: str) -> Vector:
        """Return the vector of what somebody is looking for."""
        return self.passage(self._descriptor.query_prefix + text)

    def passage(self, text: str) -> Vector:
        """Return the vector of what can be found."""
        import numpy

        address, _, model = self._descriptor.endpoint.rpartition("#")
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get("TACIT_EMBEDDINGS_KEY"):
            headers["Authorization"] = f"Bearer {key}"
        body = json.dumps({"model": model, "input": text}).encode()
        try:
            with urlopen(Request(address, body, headers), timeout=_TIMEOUT_S) as answer:  # noqa: S310  the user's own
                members = json.loads(answer.read(_MAX_ANSWER_BYTES))
            vector = numpy.array(members["data"][0]["embedding"], dtype=numpy.float32)
        except (URLError, OSError, ValueError, KeyError, IndexError, TypeError) as error:
            raise ModelUnusable(name=self._descriptor.name, reason=str(error)) from None
        unit: Vector = vector / (numpy.linalg.norm(vector) or 1.0)
        return unit
