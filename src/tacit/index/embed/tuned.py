"""What the models that Tacit knows were taught (tuning/README.md): small changes, put on while a model is loaded.

For every bias there are a few numbers, for every table of weights two thin ones whose product is added to it. A file
begins with a line of JSON that lists the arrays (name, type or number of levels, shape, length); then each of them is
packed by itself, which takes a twentieth less than together, but for small ones: those of length 0 follow in what the
one before was packed in.
"""

from __future__ import annotations

import json
import math
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit import fsio
from tacit.errors import ModelUnusable

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy

    from tacit.index.embed.port import Descriptor

    Changes = Mapping[str, numpy.ndarray[Any, Any]]

_FOLDER = Path(__file__).parent / "tuning"


def changes(descriptor: Descriptor) -> Changes:
    """Return what a model was taught; ModelUnusable where the file is missing, or not the one that is named."""
    import numpy

    try:
        content = (_FOLDER / f"{descriptor.name}.taught").read_bytes()
    except OSError as error:
        raise ModelUnusable(name=descriptor.name, reason=f"what it was taught is missing: {error.strerror}") from None
    if fsio.digest(content) != descriptor.tuned:
        raise ModelUnusable(name=descriptor.name, reason="what it was taught is not the file it should be (wrong hash)")
    listed, _, packed = content.partition(b"\n")
    found: dict[str, numpy.ndarray[Any, Any]] = {}
    numbers = numpy.empty(0)
    for name, kind, shape, length in json.loads(listed):
        if length:
            plain, packed = zlib.decompress(packed[:length]), packed[length:]
            numbers = _levels(plain, kind) if isinstance(kind, int) else numpy.frombuffer(plain, kind)
        size = math.prod(shape)
        found[name], numbers = numbers[:size].reshape(shape), numbers[size:]
    return found


def network(content: bytes, taught: Changes) -> bytes:
    """Return an ONNX file with the changes in it; `at…` are the places of its numbers, known since its hash is."""
    import numpy

    changed = bytearray(content)  # arrays over it write into it

    def numbers(kind: str, at: int, count: int) -> numpy.ndarray[Any, Any]:
        return numpy.frombuffer(changed, kind, count, int(at))

    places = zip(taught["at"], taught["at_scale"], taught["scale_length"], strict=True)
    thin_ones = zip(taught["one"], taught["step"], taught["other"], strict=True)
    # The first of each two lies on its side: its columns of nought, take no room then.
    for (at, at_scale, length), (one, step, other) in zip(places, thin_ones, strict=True):
        thin = _product(one.T, step, other)
        table = numbers("i1", at, thin.size).reshape(thin.shape)
        scale = numbers("<f4", at_scale, length)  # one a column, or one for all
        whole = table * scale + thin
        # Some files keep weights within half of what a byte holds, so that sums fit where processors add in 16 bits.
        scale[:] = numpy.abs(whole).max(axis=0 if length > 1 else None) / numpy.abs(table).max()
        table[:] = numpy.rint(whole / scale)
    place = 0
    for at, length, step in zip(taught["at_bias"], taught["bias_length"], taught["bias_step"], strict=True):
        numbers("<f4", at, length)[:] += step * taught["bias"][place : place + length]
        place += length
    segment = taught["segment"]
    numbers("u1", taught["at_segment"][0], segment.size)[:] = segment
    return bytes(changed)


def tables(model: object, taught: Changes) -> None:
    """Put the changes into the tables that a model has as attributes; `name:2` is the third of several."""
    for place in {each.partition(".")[0] for each in taught}:
        change = _product(*(taught[f"{place}.{part}"] for part in ("one", "step", "other")))
        name, _, number = place.partition(":")
        if number:
            getattr(model, name)[int(number)] += change
        else:
            setattr(model, name, getattr(model, name) + change)


def _levels(packed: bytes, count: int) -> numpy.ndarray[Any, Any]:
    """Return levels around nought, of which there are so many, that stand as digits in bytes."""
    import numpy

    together = 3 if count**3 <= 256 else 2  # noqa: PLR2004  as many as a byte can tell apart
    digits = numpy.frombuffer(packed, numpy.uint8)[:, None] // count ** numpy.arange(together) % count
    whole: numpy.ndarray[Any, Any] = (digits.reshape(-1) - count // 2).astype(numpy.int8)
    return whole


def _product(one: Any, step: Any, other: Any) -> numpy.ndarray[Any, Any]:  # noqa: ANN401  arrays
    """Return what is added to a table: thin × step × thin."""
    import numpy

    whole: numpy.ndarray[Any, Any] = ((one * step).astype(numpy.float64) @ other).astype(numpy.float32)
    return whole
