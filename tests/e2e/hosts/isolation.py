"""A network of loopback alone, and processes that end with the run: what a client is let loose in."""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import subprocess
from pathlib import Path

# Linux: read and set the flags of a network interface.
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1
_ENTER = ["unshare", "--net", "--pid", "--mount", "--fork", "--kill-child", "--mount-proc"]


def missing() -> str:
    """Return why clients cannot be isolated here, or nothing."""
    try:
        done = subprocess.run([*_ENTER, "true"], capture_output=True, encoding="utf-8", timeout=30, check=False)
    except FileNotFoundError:
        return "there is no `unshare` here: namespaces need Linux"
    return f"namespaces need root ({done.stderr.strip()})" if done.returncode else ""


def inside(words: list[str]) -> list[str]:
    """Return the command line that runs words in namespaces of their own; their processes end with the first one."""
    return [*_ENTER, *words]


def settle() -> None:
    """Bring up loopback, and give this run a daemon of its own; called inside."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        name = b"lo".ljust(16, b"\0")
        found = fcntl.ioctl(any_socket, _GET_FLAGS, name + bytes(16))
        (flags,) = struct.unpack("16xH14x", found)
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sH14x", name, flags | _UP))
    # Hosts hand their servers a bare environment, so the daemon's usual place is the one to cover.
    runtime = Path(f"/tmp/tacit-{os.getuid()}")  # noqa: S108  where tacit.link looks by itself
    runtime.mkdir(mode=0o700, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=700", "tmpfs", str(runtime)], check=True, timeout=30)
