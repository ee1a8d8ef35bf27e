"""Bugs on purpose: each is put into the running product by name, and must be caught."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def applied(name: str) -> Iterator[None]:
    """Put the bug of that name into the product for a while; the empty name stands for none."""
    yield
