"""Give back to the system what loading took and no longer needs."""

from __future__ import annotations

from contextlib import suppress


def give_back() -> None:
    """Return freed memory that the C library keeps for later; does nothing where that cannot be asked for."""
    import ctypes

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
