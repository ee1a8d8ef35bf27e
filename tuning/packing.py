"""How what was learned is written down: in few levels, so that it is small."""

from __future__ import annotations

import hashlib
import zlib
from typing import TYPE_CHECKING, Any

import numpy
import torch

if TYPE_CHECKING:
    from pathlib import Path


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


def save(path: Path, **arrays: Any) -> None:  # noqa: ANN401  arrays
    """Write a file of arrays, and print what the catalogue has to say about it."""
    numpy.savez(path, **arrays)
    content = path.read_bytes()
    print(f"{path}: {len(content)} bytes, {len(zlib.compress(content))} packed")
    print(f'    tuned="{hashlib.sha256(content).hexdigest()}",')
