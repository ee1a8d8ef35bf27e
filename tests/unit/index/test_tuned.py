"""What models were taught is put on their weights, and only on the file that it was made for."""

from __future__ import annotations

import json
import sys
import zlib
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy
import pytest

from tacit import fsio
from tacit.errors import ModelUnusable
from tacit.index.embed import tuned
from tacit.index.embed.catalogue import CATALOGUE, load
from tacit.index.embed.port import PAIRS, Descriptor
from tests.unit.index.runtimes import FakeOptions

TAUGHT = [descriptor for descriptor in CATALOGUE.values() if descriptor.tuned]
TABLE = numpy.array([[64, -20, 3], [-8, 64, 64]], numpy.int8)
SCALE = numpy.array([0.5, 0.25, 1.0], "<f4")
BIAS = numpy.array([1.0, -1.0], "<f4")
HEAD = b"head"


def file() -> bytes:
    """A file of numbers: a table, its scales, a bias, and two segments of three."""
    return HEAD + TABLE.tobytes() + SCALE.tobytes() + BIAS.tobytes() + bytes(range(6))


def lesson() -> dict[str, Any]:
    """What changes all of them."""
    at = len(HEAD)
    return {
        "at": numpy.array([at]),
        "at_scale": numpy.array([at + 6]),
        "scale_length": numpy.array([3]),
        "one": numpy.array([[[1, -2]]], numpy.int8),
        "step": numpy.array([[0.5]], numpy.float32),
        "other": numpy.array([[[3, 0, 1]]], numpy.int8),
        "at_bias": numpy.array([at + 18]),
        "bias_length": numpy.array([2]),
        "bias_step": numpy.array([0.25], numpy.float32),
        "bias": numpy.array([2, -3], numpy.int8),
        "at_segment": numpy.array([at + 29]),
        "segment": numpy.array([7, 8, 9], numpy.uint8),
    }


def test_a_network_has_what_it_was_taught() -> None:
    """F-08: thin tables are added to the weights, which stay 8-bit numbers with a scale for each column."""
    made = tuned.network(file(), lesson())
    assert (len(made), made[:4]) == (len(file()), HEAD)
    table = numpy.frombuffer(made, "i1", 6, 4).reshape(2, 3)
    scale = numpy.frombuffer(made, "<f4", 3, 10)
    wanted = TABLE * SCALE + 0.5 * numpy.array([[3, 0, 1], [-6, 0, -2]])
    assert numpy.allclose(table * scale, wanted, atol=scale.max() / 2)
    assert numpy.abs(table).max() == 64
    assert numpy.frombuffer(made, "<f4", 2, 22).tolist() == [1.5, -1.75]
    assert made[30:] == bytes([0, 1, 2, 7, 8, 9])


def test_a_table_may_have_one_scale_for_all() -> None:
    """F-08: where a file has one scale for all columns, it has one afterwards too."""
    made = tuned.network(file(), {**lesson(), "scale_length": numpy.array([1])})
    scale = numpy.frombuffer(made, "<f4", 3, 10)
    wanted = TABLE * SCALE[0] + 0.5 * numpy.array([[3, 0, 1], [-6, 0, -2]])
    assert numpy.allclose(numpy.frombuffer(made, "i1", 6, 4).reshape(2, 3) * scale[0], wanted, atol=scale[0] / 2)
    assert scale[1:].tolist() == SCALE[1:].tolist()


def test_a_model_in_memory_has_what_it_was_taught() -> None:
    """F-08: the same for a model whose tables are attributes."""
    one, step, other = numpy.array([[2], [1]], numpy.int8), numpy.array([0.5]), numpy.array([[1, -1]], numpy.int8)
    model = SimpleNamespace(d0=numpy.zeros((2, 2), numpy.float32), d1="as it was")
    model.w1 = [numpy.zeros((2, 2), numpy.float32), numpy.ones((2, 2), numpy.float32)]
    parts = (("one", one), ("step", step), ("other", other))
    tuned.tables(model, {f"{name}.{part}": numbers for name in ("d0", "w1:1") for part, numbers in parts})
    assert (model.d0.tolist(), model.d1) == ([[1.0, -1.0], [0.5, -0.5]], "as it was")
    assert [each.tolist() for each in model.w1] == [[[0.0, 0.0], [0.0, 0.0]], [[2.0, 0.0], [1.5, 0.5]]]


@pytest.mark.parametrize("memory", [True, False])
def test_a_taught_network_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, memory: bool) -> None:
    """F-08: the runtime reads it from a file in memory, or where there are none from what it is handed."""
    seen: list[bytes] = []

    class Session:
        def __init__(self, network: str | bytes, options: object, providers: list[str]) -> None:
            del options, providers
            seen.append(Path(network).read_bytes() if isinstance(network, str) else network)

        def get_inputs(self) -> list[SimpleNamespace]:
            return []

    module = ModuleType("onnxruntime")
    module.SessionOptions = module.RunOptions = FakeOptions  # type: ignore[attr-defined]
    module.InferenceSession = Session  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "onnxruntime", module)
    monkeypatch.setattr(tuned, "changes", lambda _: lesson())
    if not memory:
        monkeypatch.delattr("os.memfd_create")
    (tmp_path / "model.onnx").write_bytes(file())
    (tmp_path / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]", encoding="utf-8")
    load(Descriptor(name="taught", kind="bert", pairs=PAIRS, tuned="0"), tmp_path)
    assert seen == [tuned.network(file(), lesson())]


@pytest.mark.parametrize("descriptor", TAUGHT, ids=lambda each: each.name)
def test_what_was_taught_is_there(descriptor: Descriptor) -> None:
    """F-08: each model that was taught has its file, and vectors of before and after are told apart."""
    assert tuned.changes(descriptor)
    assert descriptor.identity != replace(descriptor, tuned="").identity


@pytest.mark.parametrize(
    ("packed", "count", "levels"), [([0 + 5 * 1 + 25 * 4, 2], 5, [-2, -1, 2, 0]), ([6 + 7 * 0, 3], 7, [3, -3, 0])]
)
def test_levels_stand_as_digits_in_bytes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, packed: list[int], count: int, levels: list[int]
) -> None:
    """F-08: what was learned is kept in a few levels a number, as many in a byte as it can tell apart."""
    streams = [zlib.compress(bytes(packed)), zlib.compress(numpy.array([0.5], "<f4").tobytes())]
    listed = [["one", count, [len(levels)], len(streams[0])], ["step", "<f4", [1], len(streams[1])]]
    content = b"".join((json.dumps(listed).encode(), b"\n", *streams))
    (tmp_path / "taught.taught").write_bytes(content)
    monkeypatch.setattr(tuned, "_FOLDER", tmp_path)

    changes = tuned.changes(Descriptor(name="taught", kind="bert", pairs=PAIRS, tuned=fsio.digest(content)))

    assert {name: numbers.tolist() for name, numbers in changes.items()} == {"one": levels, "step": [0.5]}


def test_another_lesson_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """F-05: a file that is missing or was changed makes the model unusable, with the reason."""
    with pytest.raises(ModelUnusable, match="wrong hash"):
        tuned.changes(replace(TAUGHT[0], tuned="0" * 64))
    monkeypatch.setattr(tuned, "_FOLDER", tmp_path)
    with pytest.raises(ModelUnusable, match="missing"):
        tuned.changes(TAUGHT[0])
