"""A push to servers that behave oddly: nothing is told to strangers, and whatever comes back is a sentence."""

from __future__ import annotations

import json
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from tacit.bank import Bank, pushing
from tacit.errors import ForeignRefused
from tests.cli.runner import tacit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOKEN = "tacit_THESECRET"
NOTE = "L1_declarative/MEM-odd.md"
NOTHING: dict[str, Any] = {"commit": "", "files": {}, "changed": [], "dropped": [], "refused": {}}


class Server:
    """Answers as a test scripts it, and keeps what it was asked."""

    def __init__(self) -> None:
        self.status = 200
        self.answer: object = NOTHING
        self.raw: bytes | None = None
        self.moved = ""
        self.address = ""
        self.asked: list[tuple[str | None, Any]] = []


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Start servers on this machine."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    started: list[tuple[HTTPServer, threading.Thread]] = []

    def start() -> Server:
        script = Server()

        class Handler(BaseHTTPRequestHandler):
            """Answers as scripted."""

            def do_GET(self) -> None:
                """Answer one request."""
                length = int(self.headers.get("Content-Length", 0))
                body = json.loads(self.rfile.read(length)) if length else None
                script.asked.append((self.headers["Authorization"], body))
                if script.raw is not None:
                    self.wfile.write(script.raw)
                    return
                self.send_response(script.status)
                if script.moved:
                    self.send_header("Location", script.moved)
                self.end_headers()
                self.wfile.write(json.dumps(script.answer).encode())

            def do_POST(self) -> None:
                """Answer one that brings something."""
                self.do_GET()

            def log_message(self, *_: object) -> None:
                """Be silent."""

        server = HTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        started.append((server, thread))
        script.address = f"http://127.0.0.1:{server.server_port}/acme/shop"
        return script

    yield start
    for server, thread in started:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bank whose one note is in Latin-1, committed."""
    monkeypatch.chdir(tmp_path)
    made = Bank.init(tmp_path / ".memory").root
    (made / NOTE).write_bytes("---\nid: MEM-odd\n---\ncaf\u00e9\n".encode("latin-1"))
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words], check=True)
    return made


def refused(root: Path, address: str, token: str = TOKEN) -> tuple[str, str]:
    """Return the sentence and the next step of a push that must fail."""
    with pytest.raises(ForeignRefused) as error:
        pushing.push(root, address, token, "HEAD")
    assert "SECRET" not in error.value.message + error.value.next_step
    return error.value.message, error.value.next_step


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_gets_no_token(root: Path, serve: Any, status: int) -> None:  # noqa: ANN401
    """Y-03: another host that an answer names is told to the user, and nothing to it."""
    first, other = serve(), serve()
    first.status, first.moved = status, other.address.replace("/acme", "/v1/acme") + "/notes"
    message, step = refused(root, first.address)
    assert f"answers from elsewhere, {other.address}." in message
    assert "Use that address" in step
    assert (len(first.asked), other.asked) == (1, [])


def test_a_line_break_is_no_part_of_a_token(root: Path, serve: Any) -> None:  # noqa: ANN401
    """Y-03: a token read from a file comes with one."""
    server = serve()
    pushing.push(root, server.address, f" {TOKEN}\r\n", "HEAD")
    assert {asked for asked, _ in server.asked} == {f"Bearer {TOKEN}"}


@pytest.mark.parametrize("token", ["tacit_THE\nSECRET", "tacit_THESECRET\u00e9", "\ufefftacit_THESECRET", "SECRET\x7f"])
def test_a_token_that_cannot_be_sent_is_not_quoted(root: Path, serve: Any, token: str) -> None:  # noqa: ANN401
    """Y-03: the error names the variable alone, at the command too."""
    server = serve()
    message, _ = refused(root, server.address, token)
    assert "TACIT_TOKEN" in message
    assert server.asked == []


def test_the_command_quotes_no_token(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: neither for people nor for programs; one of blanks alone is none."""
    monkeypatch.setenv("TACIT_TOKEN", "tacit_THE\nSECRET")
    for words in ([], ["--json"]):
        done = tacit("push", "http://127.0.0.1:9/acme/shop", *words)
        assert (done.code, done.error_code, "SECRET" in done.out + done.err) == (3, "foreign.refused", False)
    monkeypatch.setenv("TACIT_TOKEN", "\n")
    assert "is not set" in tacit("push", "http://127.0.0.1:9/acme/shop").err
    assert root.is_dir()


def test_a_note_that_is_no_text_stays_here(root: Path, serve: Any) -> None:  # noqa: ANN401
    """Y-03: nothing is made up for what cannot be read, and what stood there before is forgotten."""
    server = serve()
    server.answer = NOTHING | {"files": {NOTE: "before"}}
    done = pushing.push(root, server.address, TOKEN, "HEAD")
    assert done.refused == {NOTE: "the file is not valid UTF-8"}
    ((_, sent),) = [each for each in server.asked if each[1]]
    assert (NOTE in sent["put"], sent["drop"]) == (False, [NOTE])


@pytest.mark.parametrize(
    "address",
    [
        "http://[::1/acme/shop",
        "http://127.0.0.1:1/ac me/shop",
        "http://127.0.0.1:x/acme/shop",
        "https:///acme/shop",
        "https://example.org/acme/shop/more",
    ],
)
def test_an_address_that_is_none_is_said(root: Path, address: str) -> None:
    """Y-03: a mistyped address is a sentence with the right form."""
    assert "an address is https://host/organisation/bank" in refused(root, address)[0]


@pytest.mark.parametrize(
    ("answer", "raw"),
    [
        ({}, None),
        ([], None),
        ({"files": []}, None),
        ({"files": {}}, None),
        (None, b"SSH-2.0-OpenSSH\r\n"),
        (None, b"HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n{"),
        (None, b"HTTP/1.1 200 OK\r\n\r\n\xff"),
        (None, b"HTTP/1.1 200 OK\r\n\r\n" + b"[" * 100_000),
    ],
)
def test_what_is_no_team_server_is_said(root: Path, serve: Any, answer: object, raw: bytes | None) -> None:  # noqa: ANN401
    """Y-03: whatever answers at an address, no traceback comes of it."""
    server = serve()
    server.answer, server.raw = answer, raw
    assert "no team server" in refused(root, server.address)[0]


@pytest.mark.parametrize(
    ("status", "answer", "said", "step"),
    [
        (429, {"error": {"message": "Too many\nrequests."}}, "it answers 429: Too many requests.", "in a while"),
        (503, {"error": {"message": "Come again."}}, "it answers 503: Come again.", "in a while"),
        (502, "no object", "it answers 502: Bad Gateway.", "in a while"),
        (403, {"error": {"message": "It is a reader's."}}, "it answers 403: It is a reader's.", "TACIT_TOKEN"),
        (404, {"error": []}, "it answers 404: Not Found.", "TACIT_TOKEN"),
    ],
)
def test_a_server_says_why_not_in_its_own_words(
    root: Path,
    serve: Any,  # noqa: ANN401
    status: int,
    answer: object,
    said: str,
    step: str,
) -> None:
    """Y-03: what passes by itself does not send the user to look at the token."""
    server = serve()
    server.status, server.answer = status, answer
    message, next_step = refused(root, server.address)
    assert message.endswith(said)
    assert step in next_step


def test_each_piece_names_the_commit_it_builds_on(root: Path, serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ANN401
    """Y-03: the first what the server said it has, the next the commit that is sent."""
    monkeypatch.setattr(pushing, "_FILES", 1)
    server = serve()
    server.answer = NOTHING | {"commit": "aa"}
    (root / "details/one.md").write_text("# One\n\nword\n", encoding="utf-8")
    for words in (["add", "-A"], ["commit", "-qm", "two"]):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words], check=True)
    name = pushing.push(root, server.address, TOKEN, "HEAD").commit
    assert [body["base"] for _, body in server.asked if body] == ["aa", name]


def test_who_was_overtaken_pushes_again(root: Path, serve: Any) -> None:  # noqa: ANN401
    """Y-03: a push that another one overtook says so, and what to do."""
    server = serve()
    server.status, server.answer = 409, {"error": {"message": "Another commit was pushed meanwhile."}}
    message, step = refused(root, server.address)
    assert "409: Another commit was pushed meanwhile" in message
    assert step.startswith("Push again")


def test_a_bank_that_is_not_committed_is_not_pushed(root: Path, serve: Any) -> None:  # noqa: ANN401
    """Y-03: the first push of a bank that git does not have is told, and is no success of nothing."""
    for words in (["rm", "-rq", "--cached", ".memory"], ["commit", "-qm", "none"]):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words], check=True)
    message, step = refused(root, serve().address)
    assert "holds nothing of this bank" in message
    assert step.startswith("Commit the bank with git first")
