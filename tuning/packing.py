"""How what was learned is written down: in few levels, so that it is small."""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import TYPE_CHECKING, Any

import numpy
import torch
import zopfli.zlib

if TYPE_CHECKING:
    from pathlib import Path

# Arrays of fewer numbers share what they are packed in with the one before: on its own each brings a table of codes.
_SMALL = 8_000


def quantised(numbers: torch.Tensor, axis: int, most: int) -> tuple[Any, Any]:
    """Return numbers as levels from minus `most` to `most`, and the size of a step along an axis."""
    step = numbers.abs().amax(axis, keepdim=True).clamp_min(1e-9) / most
    levels = torch.round(numbers / step).to(torch.int8)
    return levels.numpy(), step.squeeze(axis).numpy().astype(numpy.float32)


def thin(change: torch.Tensor, rank: int, most: int) -> tuple[Any, Any, Any]:
    """Return a change of a table as thin × steps × thin."""
    left, size, right = torch.linalg.svd(change.detach(), full_matrices=False)
    root = size[:rank].sqrt()
    one, one_step = quantised(left[:, :rank] * root, 0, most)
    other, other_step = quantised(root[:, None] * right[:rank], 1, most)
    return one, one_step * other_step, other


def packed(levels: Any, most: int) -> bytes:  # noqa: ANN401  an array
    """Return levels as bytes that hold several each, which pack tighter; `tacit.index.embed.tuned` takes them apart."""
    count = 2 * most + 1
    together = 3 if count**3 <= 256 else 2  # as many as a byte can tell apart
    flat = (levels.reshape(-1).astype(numpy.int16) + most).astype(numpy.uint8)
    digits = numpy.pad(flat, (0, -len(flat) % together)).reshape(-1, together)
    made: bytes = (digits * count ** numpy.arange(together)).sum(1).astype(numpy.uint8).tobytes()
    return made


def save(path: Path, most: int, levels: dict[str, Any], **arrays: Any) -> None:  # noqa: ANN401  arrays
    """Write a file of arrays, some of them in levels, and print what the catalogue has to say about it."""
    together: list[list[tuple[str, str | int, Any]]] = []
    for name, numbers in (levels | arrays).items():
        kind = 2 * most + 1 if name in levels else numbers.dtype.str
        if together and together[-1][-1][1] == kind and numbers.size < _SMALL:
            together[-1].append((name, kind, numbers))
        else:
            together.append([(name, kind, numbers)])
    listed: list[tuple[str, str | int, tuple[int, ...], int]] = []
    streams: list[bytes] = []
    for some in together:
        whole = numpy.concatenate([numbers.reshape(-1) for _, _, numbers in some])
        streams.append(_deflated(packed(whole, most) if isinstance(some[0][1], int) else whole.tobytes()))
        lengths = [len(streams[-1]), *[0] * (len(some) - 1)]
        listed += [(name, kind, each.shape, size) for (name, kind, each), size in zip(some, lengths, strict=True)]
    content = b"\n".join((json.dumps(listed, separators=(",", ":")).encode(), b"".join(streams)))
    path.write_bytes(content)
    print(f"{path}: {len(content)} bytes")
    print(f'    tuned="{hashlib.sha256(content).hexdigest()}",')


def _deflated(plain: bytes) -> bytes:
    # Levels repeat by chance alone: what looks for repetitions is mostly larger.
    plainly = zlib.compressobj(9, strategy=zlib.Z_HUFFMAN_ONLY)
    return min(plainly.compress(plain) + plainly.flush(), zopfli.zlib.compress(plain, numiterations=50), key=len)
