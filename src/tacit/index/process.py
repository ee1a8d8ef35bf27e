"""The process that all of this runs in: set up to stay and serve, and memory given back that nothing needs."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress

# Whoever waits for an answer waits for a thread that does something else at most so long.
_TURN_S = 0.001
# A bank keeps tens of thousands of small values that stay: garbage is looked for among them seldom.
_GARBAGE = 10_000


def settle() -> None:
    """Set this process up to stay; before a model is loaded, for numpy counts its threads when it is imported."""
    # Requests are small and many: threads of numpy would only be in each other's way.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.setswitchinterval(_TURN_S)
    gc.freeze()
    gc.set_threshold(_GARBAGE)


def give_back() -> None:
    """Return freed memory that the C library keeps for later; does nothing where that cannot be asked for."""
    import ctypes

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
