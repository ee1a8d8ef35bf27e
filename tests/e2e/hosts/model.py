"""A model on loopback that answers from a script and keeps every request that reached it."""

from __future__ import annotations

import gzip
import json
import re
import threading
from collections import deque
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from tests.e2e.hosts.wire import Call, Say, api_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.e2e.hosts.wire import Answer

# What a model reads in the context of its session and hands on: the id is told to it, never given by the test.
_CONVERSATION = re.compile(r"conversation_id: ([^\s\\(（]+)")


@dataclass(frozen=True, slots=True)
class Asked:
    """One request to the model: every text in its body, the tools that it offers, and what it got."""

    texts: tuple[str, ...]
    tools: tuple[str, ...]
    answer: Answer

    def says(self, what: str) -> bool:
        """Whether something stands anywhere in the request."""
        return any(what in text for text in self.texts)

    def passage(self, what: str) -> str:
        """Return the last text with something in it, from there on; empty if there is none."""
        return next((text[text.index(what) :] for text in reversed(self.texts) if what in text), "")


class Model:
    """The scripted model. Requests without tools are the client's own (titles, summaries) and get one word."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self._script: deque[Answer] = deque()
        self._lock = threading.Lock()
        model = self

        class Handler(_Handler):
            scripted = model

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def rehearse(self, *script: Answer) -> None:
        """Set what to answer from now on, and forget what was asked before."""
        with self._lock:
            self._script = deque(script)
            self.asked = []

    def questions(self) -> list[Asked]:
        """Return the requests of the agent itself, those with tools, in order."""
        with self._lock:
            return [each for each in self.asked if each.tools]

    def reply(self, body: Mapping[str, Any], offered: list[str]) -> Answer:
        """Return the next answer of the script for a request of the agent."""
        texts = tuple(_texts(body))
        with self._lock:
            answer = self._next(texts, offered) if offered else Say("ok")
            self.asked.append(Asked(texts, tuple(offered), answer))
        return answer

    def _next(self, texts: tuple[str, ...], offered: list[str]) -> Answer:
        planned = self._script.popleft() if self._script else Say("That is all.")
        if isinstance(planned, Say):
            return planned
        # Every host puts something of its own before the name of a tool.
        found = next((name for name in offered if re.search(rf"tacit.*[^a-z]{planned.tool}$", name)), None)
        if found is None:
            return Say(f"The tool {planned.tool} is not offered.")
        told = [found for text in texts for found in _CONVERSATION.findall(text)]
        return Call(found, {**planned.arguments, **({"conversation_id": told[-1]} if told else {})})


def _texts(value: object) -> Iterator[str]:
    """Return every string in a JSON value, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


class _Handler(BaseHTTPRequestHandler):
    """Speaks HTTP for the model."""

    protocol_version = "HTTP/1.1"
    scripted: Model

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the library's signature
        """Say nothing on standard error."""

    def do_HEAD(self) -> None:
        """Be there."""
        self._give({})

    def do_GET(self) -> None:
        """List one model to whoever asks for a list."""
        self._give({"object": "list", "data": [{"id": "scripted", "object": "model"}], "has_more": False, "models": []})

    def do_POST(self) -> None:
        """Answer a question to the model; anything else is accepted and ignored."""
        body = self._body()
        api = api_of(self.path)
        if api is None:
            self._give({"input_tokens": 1, "totalTokens": 1})
            return
        answer = self.scripted.reply(body, api.offered(body))
        if not (body.get("stream") or ":stream" in self.path):
            self._give(api.whole(answer))
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for name, members in api.streamed(answer):
            head = f"event: {name}\n" if name else ""
            self.wfile.write(f"{head}data: {json.dumps(members, ensure_ascii=False)}\n\n".encode())
        if self.path.partition("?")[0].endswith("/chat/completions"):
            self.wfile.write(b"data: [DONE]\n\n")

    def _body(self) -> dict[str, Any]:
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            given = b"".join(self._chunks())
        else:
            given = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Content-Encoding") == "gzip":
            given = gzip.decompress(given)
        try:
            found = json.loads(given or b"{}")
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def _chunks(self) -> list[bytes]:
        found = []
        while size := int(self.rfile.readline().partition(b";")[0], 16):
            found.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return found

    def _give(self, members: Mapping[str, Any]) -> None:
        content = json.dumps(members).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)
