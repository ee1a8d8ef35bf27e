"""A real daemon for tests: its own process in a directory of its own, known to be ready without waiting and looking."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.mcp.clients import SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Says "ready" at the moment from which connections are accepted, then goes on as the daemon does.
_PROGRAM = """
import socket, sys
class Heard(socket.socket):
    def listen(self, *backlog):
        super().listen(*backlog)
        print("ready", flush=True)
socket.socket = Heard
from tacit.daemon.__main__ import main
sys.exit(main())
"""


@contextmanager
def daemon(runtime: Path) -> Iterator[subprocess.Popen[str]]:
    """A daemon that serves in `runtime` until the end of the block."""
    runtime.mkdir(mode=0o700, exist_ok=True)
    environment = {**os.environ, "TACIT_RUNTIME_DIR": str(runtime), "PYTHONPATH": str(SOURCE)}
    with subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, "mcp"], env=environment, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()
