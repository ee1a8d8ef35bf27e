"""How a process is set up that stays and serves, where others wait for what goes on behind."""

from __future__ import annotations

import gc
import os
import sys

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
