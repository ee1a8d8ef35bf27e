"""A language model's judgement of neighbours, from an endpoint on this machine: it can only make Tacit more careful."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from tacit.bank import judging
from tacit.errors import ForeignRefused
from tests.unit.bank.talk import NPM, Talk, payload, shared_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tacit.bank import Bank


class Endpoint:
    """Says what a test scripts, and keeps what it was asked."""

    def __init__(self) -> None:
        self.says: str | bytes = ""
        self.status = 200
        self.hangs = False
        self.moved = ""
        self.asked: list[tuple[dict[str, str], dict[str, Any]]] = []
        self.over = threading.Event()

    def relations(self, **found: str) -> None:
        """Answer with a judgement for each note."""
        listed = [{"id": note_id.replace("_", "-"), "relation": word} for note_id, word in found.items()]
        self.content(json.dumps({"relations": listed}))

    def content(self, text: str) -> None:
        """Answer with a text, as a chat does."""
        self.says = json.dumps({"choices": [{"message": {"content": text}}]})


@pytest.fixture
def endpoint(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """An endpoint on loopback that the environment of the bank names."""
    assert bank.state == "ON"
    script = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        """Answers as scripted."""

        def do_POST(self) -> None:
            """Answer one request."""
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            script.asked.append(({**self.headers}, {"path": self.path, **body}))
            if script.hangs:
                script.over.wait(30)
                return
            content = script.says.encode() if isinstance(script.says, str) else script.says
            self.send_response(script.status)
            self.send_header("Content-Length", str(len(content)))
            if script.moved:
                self.send_header("Location", script.moved)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Be silent."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    monkeypatch.setenv("TACIT_LLM_URL", f"http://127.0.0.1:{server.server_port}/v1/#small-model")
    monkeypatch.setenv("TACIT_LLM_KEY", "key-of-the-user")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    yield script
    script.over.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def talk(endpoint: Endpoint, bank: Bank) -> Talk:
    """A conversation over a bank with one note, before which the model was not asked."""
    talk = Talk(bank)
    talk.written()
    assert endpoint.asked == []
    return talk


def test_no_judge_without_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """C-02: nothing is asked of anybody unless the user named an endpoint and a model."""
    for address in ("", "http://127.0.0.1/v1", "#model"):
        monkeypatch.setenv("TACIT_LLM_URL", address)
        assert judging.configured() is None


def test_a_stricter_judgement_raises_a_question(talk: Talk, endpoint: Endpoint) -> None:
    """G-04: where the model sees a conflict that the rules do not see, the user is asked."""
    (note,) = talk.bank.notes()
    endpoint.content(f'Sure! {{"relations": [{{"id": "{note.id}", "relation": "conflicting"}}]}} Anything else?')
    made = talk.agent()

    assert made.decision == "replace"
    assert "relation.caller" in made.rules
    ((headers, asked),) = endpoint.asked
    assert (asked["path"], asked["model"], asked["temperature"]) == ("/v1/chat/completions", "small-model", 0)
    assert headers["Authorization"] == "Bearer key-of-the-user"
    notes = json.loads(asked["messages"][1]["content"])
    assert [each["id"] for each in notes["neighbours"]] == [note.id]
    assert set(notes["candidate"]) == {"when", "one_liner", "decision", "alternatives"}


@pytest.mark.parametrize("word", ["unrelated", "complementary", "same"])
def test_a_milder_judgement_changes_nothing(talk: Talk, endpoint: Endpoint, word: str) -> None:
    """G-04: a model cannot wave a question away."""
    (note,) = talk.bank.notes()
    endpoint.content(json.dumps({"relations": [{"id": note.id, "relation": word}]}))

    assert talk.user(f"{NPM} in the web client.").agent(choice=NPM).decision == "veto"


GARBAGE: dict[str, Callable[[Endpoint], None]] = {
    "no JSON": lambda endpoint: setattr(endpoint, "says", "I cannot help with that."),
    "nothing": lambda endpoint: setattr(endpoint, "says", ""),
    "not UTF-8": lambda endpoint: setattr(endpoint, "says", b"\xff\xfe"),
    "a list": lambda endpoint: setattr(endpoint, "says", "[]"),
    "no choices": lambda endpoint: setattr(endpoint, "says", '{"choices": []}'),
    "no object": lambda endpoint: endpoint.content("they are the same"),
    "no relations": lambda endpoint: endpoint.content("{}"),
    "relations of numbers": lambda endpoint: endpoint.content('{"relations": [5]}'),
    "an unknown relation": lambda endpoint: endpoint.content('{"relations": [{"id": "MEM-x", "relation": "friend"}]}'),
    "an unknown note": lambda endpoint: endpoint.relations(MEM_x="conflicting"),
    "an error": lambda endpoint: setattr(endpoint, "status", 500),
    "a refusal": lambda endpoint: setattr(endpoint, "status", 401),
    "a flood": lambda endpoint: setattr(endpoint, "says", b"[" * 2_000_000),
}


@pytest.mark.parametrize("name", sorted(GARBAGE))
def test_garbage_changes_nothing(talk: Talk, endpoint: Endpoint, name: str) -> None:
    """G-04: a model that fails or talks nonsense leaves the decision as the rules made it."""
    GARBAGE[name](endpoint)
    before = shared_files(talk.bank.root)
    made = talk.agent()

    assert len(endpoint.asked) == 1
    assert made.decision == "dedupe"
    assert shared_files(talk.bank.root) == before


def test_a_model_that_does_not_answer(talk: Talk, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """G-04: after its time a model counts as silent."""
    monkeypatch.setattr(judging, "_TIMEOUT_S", 0.05)
    endpoint.hangs = True

    assert talk.agent().decision == "dedupe"


def test_nobody_is_there(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """G-04: an endpoint that is down changes nothing."""
    monkeypatch.setenv("TACIT_LLM_URL", "http://127.0.0.1:9/v1#model")
    monkeypatch.delenv("TACIT_LLM_KEY", raising=False)
    talk = Talk(bank)
    talk.written()

    assert talk.agent().decision == "dedupe"


def test_the_lock_is_free_while_a_model_is_asked(talk: Talk, endpoint: Endpoint) -> None:
    """T-02: no lock is held across a model's answer: somebody else can write meanwhile, and is seen."""
    (note,) = talk.bank.notes()
    endpoint.relations()
    seen: list[str] = []

    def judge(*_: object) -> dict[str, Any]:
        talk.bank.delete(note.id)
        seen.append("deleted")
        return {}

    talk.bank.governor._judge = judge
    made = talk.agent()

    assert seen == ["deleted"]
    assert (made.decision, made.neighbours) == ("new", ())


def test_a_redirect_is_not_followed(endpoint: Endpoint) -> None:
    """C-02: the key goes to the host that the user named, and to no other."""
    endpoint.status, endpoint.moved = 307, "http://127.0.0.1:9/v1"
    with pytest.raises(OSError, match=r"answers from elsewhere: use that address, http://127\.0\.0\.1:9/v1"):
        judging.ask("", {})
    assert len(endpoint.asked) == 1


def test_a_key_that_cannot_be_sent_is_not_quoted(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """C-02: a line break around a key is none of it; one inside is refused without a word of the key."""
    endpoint.content("{}")
    monkeypatch.setenv("TACIT_LLM_KEY", "key-of-the-user\n")
    judging.ask("", {})
    assert endpoint.asked[0][0]["Authorization"] == "Bearer key-of-the-user"
    monkeypatch.setenv("TACIT_LLM_KEY", "SEC\nRET")
    with pytest.raises(ForeignRefused, match=r"^TACIT_LLM_KEY: it holds a sign that no key has\.$"):
        judging.ask("", {})


def test_a_dry_run_asks_too(talk: Talk, endpoint: Endpoint) -> None:
    """G-06: a dry run shows the decision that the real one would make."""
    (note,) = talk.bank.notes()
    endpoint.content(json.dumps({"relations": [{"id": note.id, "relation": "conflicting"}]}))
    (made,) = talk.bank.propose([payload(talk.words)], talk.context, dry_run=True)
    assert made.decision == "replace"
