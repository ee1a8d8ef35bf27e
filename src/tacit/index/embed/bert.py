"""BERT models in ONNX files, and how they read text: ours, and any local folder of that kind."""

from __future__ import annotations

import os
import unicodedata
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.errors import ModelUnusable
from tacit.index.embed import tuned
from tacit.text import simplified

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.index.embed.port import Descriptor, Vector

_CJK = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)
_MAX_WORD_CHARS = 100
_REMEMBERED_WORDS = 50_000


class WordPiece:
    """A vocabulary and the way to cut words into its pieces."""

    def __init__(self, vocabulary: str, *, max_tokens: int = 512) -> None:
        lines = vocabulary.split("\n")
        self._numbers = {line.rstrip("\r"): number for number, line in enumerate(lines) if line}
        self._first = self._numbers["[CLS]"]
        self._last = self._numbers["[SEP]"]
        self._unknown = self._numbers["[UNK]"]
        self._room = max_tokens - 2
        self._pieces: dict[str, tuple[int, ...]] = {}

    def encode(self, text: str) -> list[int]:
        """Return the numbers of `text` between those of beginning and end, cut to what the model takes."""
        numbers: list[int] = []
        for word in _words(simplified.read(text)):
            numbers += self._of_word(word)
            if len(numbers) >= self._room:
                break
        return [self._first, *numbers[: self._room], self._last]

    def _of_word(self, word: str) -> tuple[int, ...]:
        known = self._pieces.get(word)
        if known is None:
            known = self._cut(word)
            if len(self._pieces) < _REMEMBERED_WORDS:
                self._pieces[word] = known
        return known

    def _cut(self, word: str) -> tuple[int, ...]:
        """Take the longest known piece from the left, again and again; a word with an unknown rest is unknown."""
        if len(word) > _MAX_WORD_CHARS:
            return (self._unknown,)
        pieces: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                number = self._numbers.get(mark + word[start:end])
                if number is not None:
                    pieces.append(number)
                    start = end
                    break
            else:
                return (self._unknown,)
        return tuple(pieces)


def _words(text: str) -> list[str]:
    """Return lower-case words without accents; punctuation and CJK characters are words of their own."""
    text = text.lower()
    if not text.isascii():
        plain = unicodedata.normalize("NFD", text)
        text = "".join(char for char in plain if unicodedata.category(char) != "Mn")
    return "".join(map(_spaced, text)).split()


@lru_cache(maxsize=8192)
def _spaced(char: str) -> str:
    """Return a character as it stands among words: as it is, between blanks, as a blank, or not at all."""
    code = ord(char)
    category = unicodedata.category(char)
    if char in "\t\n\r" or category == "Zs":
        return " "
    if code == 0xFFFD or category[0] == "C":  # noqa: PLR2004  the replacement character stands for lost text
        return ""
    if category[0] == "P" or (char.isascii() and not char.isalnum()) or any(low <= code <= high for low, high in _CJK):
        return f" {char} "
    return char


VOCABULARY = "vocab.txt"
NETWORK = "model.onnx"
# From so many tokens on a text leaves nothing behind of the memory that it took, some sixty megabytes in time.
_LONG_TOKENS = 64


class BertEmbedder:
    """A sentence model that onnxruntime runs on one thread, one text at a time.

    One at a time because int8 models scale their numbers by batch: the same text must always give the same vector.
    """

    def __init__(self, descriptor: Descriptor, folder: Path) -> None:
        try:
            import numpy
            import onnxruntime
        except ImportError as error:
            raise ModelUnusable(name=descriptor.name, reason=f"{error.name} is not installed") from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Where a processor multiplies bytes by adding in 16 bits, sums would run over: vectors would be others there.
        options.add_session_config_entry("session.x64quantprecision", "1")
        vocabulary = (fsio.read(folder / VOCABULARY) or b"").decode("utf-8")
        try:
            self._pieces = WordPiece(vocabulary)
            with _network(descriptor, folder) as network:
                self._session = onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
        except ModelUnusable:
            raise
        except Exception as error:  # noqa: BLE001  onnxruntime's own errors have no common root but Exception
            raise ModelUnusable(name=descriptor.name, reason=str(error).partition("\n")[0]) from None
        self._numpy = numpy
        self._sparing = onnxruntime.RunOptions()
        self._sparing.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
        self._inputs = {each.name for each in self._session.get_inputs()}
        self._prefix = descriptor.query_prefix
        self._segment = descriptor.query_segment
        self._mean = descriptor.pooling == "mean"

    def query(self, text: str) -> Vector:
        """Return the vector of what somebody is looking for."""
        return self._vector(self._prefix + text, self._segment)

    def passage(self, text: str) -> Vector:
        """Return the vector of what can be found."""
        return self._vector(text, 0)

    def _vector(self, text: str, segment: int) -> Vector:
        numpy = self._numpy
        numbers = numpy.array([self._pieces.encode(text)], dtype=numpy.int64)
        feed = {
            "input_ids": numbers,
            "attention_mask": numpy.ones_like(numbers),
            "token_type_ids": numpy.full_like(numbers, segment),
        }
        run_as = self._sparing if numbers.size >= _LONG_TOKENS else None
        output = self._session.run(None, {name: feed[name] for name in self._inputs}, run_as)[0]
        states = output[0]
        vector = states if states.ndim == 1 else states.mean(axis=0) if self._mean else states[0]
        unit: Vector = (vector / (numpy.linalg.norm(vector) or 1.0)).astype(numpy.float32)
        return unit


@contextmanager
def _network(descriptor: Descriptor, folder: Path) -> Iterator[str | bytes]:
    """Hand out the path of a network; one that was taught has a file in memory, or is handed out itself.

    The runtime would keep what it is handed for good, thirty megabytes of it.
    """
    if not descriptor.tuned:
        yield str(folder / NETWORK)
        return
    taught = tuned.network(fsio.read(folder / NETWORK) or b"", tuned.changes(descriptor))
    try:
        file = os.fdopen(os.memfd_create(NETWORK), "wb")
    except (AttributeError, OSError):  # not Linux, or not allowed
        yield taught
        return
    with file:
        file.write(taught)
        file.flush()
        path = Path("/proc/self/fd") / str(file.fileno())
        yield str(path) if path.exists() else taught
