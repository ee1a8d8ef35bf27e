"""BERT models in ONNX files: ours, and any local folder of that kind."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.errors import ModelUnusable
from tacit.index.embed import tuned
from tacit.index.embed.wordpiece import WordPiece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.index.embed.port import Descriptor, Vector

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
