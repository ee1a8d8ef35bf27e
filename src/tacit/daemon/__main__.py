"""Run the daemon: take the place if nobody holds it, then serve."""

from __future__ import annotations

import fcntl
import gc
import os
import sys
from pathlib import Path

_TURN_S = 0.001
# A bank keeps tens of thousands of small values that stay: garbage is looked for among them seldom.
_GARBAGE = 10_000


def main() -> int:
    """Serve until idle; return at once if another daemon of this code is there."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from tacit import fsio, link

    path = link.address()
    if not path:
        return 1
    held = fsio.open_lock(Path(f"{path}.lock"))
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return 0
    from tacit.daemon.banks import WarmBanks
    from tacit.daemon.server import Server

    # Whoever types waits for a thread that writes at most so long.
    sys.setswitchinterval(_TURN_S)
    banks = WarmBanks()
    gc.freeze()
    gc.set_threshold(_GARBAGE)
    server = Server(path, banks)
    if "mcp" in sys.argv[1:]:
        server.load_mcp()
    if sys.argv[1:2] == [link.FOLLOW]:
        banks.follow(Path(sys.argv[2]))
    server.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
