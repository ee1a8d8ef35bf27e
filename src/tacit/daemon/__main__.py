"""Run the daemon: take the place if nobody holds it, then serve."""

from __future__ import annotations

import fcntl
import sys
from pathlib import Path


def main() -> int:
    """Serve until idle; return at once if another daemon of this code is there."""
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
    from tacit.index import process

    process.settle()
    banks = WarmBanks()
    server = Server(path, banks)
    if "mcp" in sys.argv[1:]:
        server.load_mcp()
    if sys.argv[1:2] == [link.FOLLOW]:
        banks.follow(Path(sys.argv[2]))
    server.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
