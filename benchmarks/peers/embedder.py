"""An embeddings endpoint without a model, for peers that want vectors: hashed words and pairs of Chinese characters.

python -m benchmarks.peers.embedder     prints its port, and answers POST /v1/embeddings on this machine alone

Texts with the same words get near vectors and nothing else does, so it gives a peer what keywords give, not meaning.
"""

from __future__ import annotations

import base64
import json
import math
import re
import struct
import subprocess
import sys
import zlib
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

DIMENSIONS = 384
_WORD = re.compile(r"[a-z0-9]+|[\u4e00-\u9fff]+")


def vector(text: str) -> list[float]:
    """Return the text's words as a vector of length one."""
    found = [0.0] * DIMENSIONS
    for piece in _pieces(text.lower()):
        number = zlib.crc32(piece.encode())
        found[number % DIMENSIONS] += 1.0 if number >> 31 else -1.0
    length = math.sqrt(sum(each * each for each in found)) or 1.0
    return [each / length for each in found]


def _pieces(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        if word[0] < "\u4e00":
            yield word
        else:
            yield from (word[place : place + 2] for place in range(max(len(word) - 1, 1)))


class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Else the second of two small writes waits for the first to be acknowledged, 40 ms.
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_POST(self) -> None:
        """Answer as OpenAI's endpoint does."""
        given = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = [given["input"]] if isinstance(given["input"], str) else given["input"]
        is_packed = given.get("encoding_format") == "base64"
        rows = [
            {"object": "embedding", "index": number, "embedding": _packed(vector(text)) if is_packed else vector(text)}
            for number, text in enumerate(texts)
        ]
        usage = {"prompt_tokens": 0, "total_tokens": 0}
        body = json.dumps({"object": "list", "data": rows, "model": "hashed-words", "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _packed(numbers: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(numbers)}f", *numbers)).decode()


@contextmanager
def running() -> Iterator[str]:
    """Run the endpoint in a process of its own, and yield its address."""
    words = [sys.executable, "-m", "benchmarks.peers.embedder"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        finally:
            process.kill()


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    print(server.server_port, flush=True)
    server.serve_forever()
