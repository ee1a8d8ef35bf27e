"""Which user of this machine holds the other end of a connection, as the kernel knows it."""

from __future__ import annotations

import os
import socket
import struct
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Address = tuple[str, int]
    # Whether a connection from the first address to the second one may be served.
    Trust = Callable[[Address, Address], bool]

_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_ROOT = 0
_UID = 7


def owner(client: Address, server: Address, tables: tuple[Path, ...] = _TABLES) -> int | None:
    """Return the user of the socket at `client` that is connected to `server`; None if the kernel does not say."""
    for table in tables:
        long = table.name.endswith("6")
        wanted = [_hexadecimal(client, long=long), _hexadecimal(server, long=long)]
        with suppress(OSError, ValueError, IndexError):
            for line in table.read_text(encoding="ascii").splitlines()[1:]:
                fields = line.split()
                if fields[1:3] == wanted:
                    return int(fields[_UID])
    return None


def is_trusted(client: Address, server: Address) -> bool:
    """Whether a connection is this user's own, or root's, who may read everything anyway."""
    return owner(client, server) in (os.getuid(), _ROOT)


def trust_for(listening: socket.socket) -> Trust | None:
    """Return how to tell whose a connection is, tried out on one of our own; None where the system does not tell."""
    address: Address = listening.getsockname()
    with suppress(OSError), socket.create_connection(address, timeout=1) as own:
        accepted, client = listening.accept()
        accepted.close()
        if client == own.getsockname() and owner(client, address) == os.getuid():
            return is_trusted
    return None


def _hexadecimal(address: Address, *, long: bool) -> str:
    """Return an address as the kernel's tables show it; IPv4 also stands in the table of IPv6, mapped."""
    host, port = address
    words = struct.unpack("=I", socket.inet_aton(host))[0]
    mapped = struct.unpack("=I", b"\x00\x00\xff\xff")[0]
    return f"{'0' * 16}{mapped:08X}{words:08X}:{port:04X}" if long else f"{words:08X}:{port:04X}"
