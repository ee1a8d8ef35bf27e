"""The way to the daemon: where its socket is, how messages are framed, how it is started on demand.

Also run as a script, by `python -I -S`, for every prompt that a person types: nothing but what Python itself has
loaded anyway is imported on that way.

A message is eight hexadecimal digits, the length of what follows, and then fields separated by NUL bytes; the last
field is the rest, whatever it holds: `verb NUL … NUL body`.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # `typing` is not loaded yet
if TYPE_CHECKING:
    from collections.abc import Callable

PROTOCOL = 1
FOLLOW = "follow"
# What tells hosts and workspaces apart; nothing else of the environment leaves the process.
ENVIRONMENT = (
    "CLAUDECODE",
    "CLAUDE_PROJECT_DIR",
    "CODEX_MANAGED_BY_NPM",
    "COPILOT_CLI",
    "CURSOR_PROJECT_DIR",
    "CURSOR_VERSION",
    "GEMINI_PROJECT_DIR",
    "GEMINI_SESSION_ID",
    "QWEN_PROJECT_DIR",
    "TACIT_BANK",
    "TACIT_DRY",
    "TACIT_LANG",
    "TACIT_ROLE",
)
MAX_MESSAGE_BYTES = 8 * 1024 * 1024
_ANSWER_S = 5.0
_MAX_SOCKET_PATH = 100
_PRIVATE = 0o077
_KIND, _DIRECTORY = 0o170000, 0o040000


def directory() -> str:
    """Return where the daemon's socket lives: private to the user, made if it is missing; empty if it cannot be."""
    own = os.environ.get("TACIT_RUNTIME_DIR") or ""
    home = os.environ.get("TACIT_HOME")
    if not own and home:
        own = f"{home}/run"
    if not own:
        runtime = os.environ.get("XDG_RUNTIME_DIR")
        own = f"{runtime}/tacit" if runtime else f"/tmp/tacit-{os.getuid()}"  # noqa: S108  checked below to be ours alone
    try:
        os.makedirs(own, mode=0o700, exist_ok=True)
        found = os.lstat(own)
    except OSError:
        return ""
    is_directory = found.st_mode & _KIND == _DIRECTORY
    is_private = found.st_uid == os.getuid() and not found.st_mode & _PRIVATE
    return own if is_directory and is_private else ""


def address() -> str:
    """Return the path of the socket of the daemon that runs this very code; empty where there can be none."""
    place = directory()
    code = os.stat(os.path.join(os.path.dirname(os.path.abspath(__file__)), "__init__.py"))
    path = f"{place}/d{PROTOCOL}-{code.st_ino:x}-{code.st_mtime_ns:x}.sock"
    return path if place and len(path) <= _MAX_SOCKET_PATH else ""


def ask(*fields: bytes, timeout_s: float = _ANSWER_S) -> bytes | None:
    """Return the daemon's answer, None if there is none: no daemon, a dead one, or one that takes too long."""
    path = address()
    if not path or not hasattr(os, "fork"):
        return None
    import _socket

    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.settimeout(timeout_s)
        connection.connect(path)
        connection.sendall(framed(*fields))
        head = _exactly(connection, 8)
        size = int(head, 16)
        return _exactly(connection, size) if 0 <= size <= MAX_MESSAGE_BYTES else None
    except (OSError, ValueError):
        return None
    finally:
        connection.close()


def framed(*fields: bytes) -> bytes:
    """Return a message; only its last field may hold NUL bytes."""
    body = b"\0".join(fields)
    return b"%08x" % len(body) + body


def start(*arguments: str) -> None:
    """Start a daemon in the background, owned by nobody's terminal; whoever starts second finds the place taken."""
    if hasattr(os, "fork") and address():
        words = [sys.executable, "-P", "-m", "tacit.daemon", *arguments]
        behind(lambda: os.execv(sys.executable, words))


def follow(place: str) -> None:
    """Let a daemon make the vectors that the bank at a place lacks; one is started if none is there."""
    if ask(FOLLOW.encode(), os.fsencode(place)) is None:
        start(FOLLOW, place)


def behind(act: Callable[[], object]) -> None:
    """Do something in a process of its own, which no terminal owns and nobody waits for."""
    if os.fork():
        return
    try:
        os.setsid()
        if os.fork():
            os._exit(0)
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
        os.chdir("/")
        act()
    finally:
        os._exit(1)


def hook(arguments: list[str]) -> int:
    """Answer one event of a host: through the daemon if it is there, else in a process of its own."""
    if os.environ.get("TACIT_DISABLE"):
        return 0
    given = _read_all(0)
    environment = b"\n".join(
        f"{name}={value}".encode() for name in ENVIRONMENT if (value := os.environ.get(name)) is not None
    )
    answer = ask(b"hook", "\n".join(arguments).encode(), environment, given)
    if answer is None:
        is_dry = bool(os.environ.get("TACIT_DRY"))
        if not is_dry:
            start()
        if is_dry or not _at_once(arguments, given):
            _alone(arguments, given)
        return 0
    os.write(1, answer)
    return 0


def _at_once(arguments: list[str], given: bytes) -> bool:
    """Answer in this very process if the bank is as usual; return whether it did."""
    import gc

    gc.disable()  # all that is made here lives as long as the process, which is not long
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    try:
        cold = __import__("tacit.hooks.cold", fromlist=["answer"])
        return bool(cold.answer(arguments, given))
    except Exception:  # noqa: BLE001  then the long way round tells what is wrong
        return False


def _alone(arguments: list[str], given: bytes) -> None:
    """Become the process that answers by itself, with what was read on its standard input."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("event")
    else:
        name = f"{directory() or '/tmp'}/event-{os.getpid()}"  # noqa: S108  removed in the same breath
        descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        os.unlink(name)
    os.write(descriptor, given)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.dup2(descriptor, 0)
    os.execv(sys.executable, [sys.executable, "-P", "-m", "tacit.hooks", *arguments])


def _exactly(connection: object, size: int) -> bytes:
    found = b""
    while len(found) < size:
        part = connection.recv(min(1 << 16, size - len(found)))  # type: ignore[attr-defined]
        if not part:
            raise ConnectionError
        found += part
    return found


def _read_all(descriptor: int) -> bytes:
    if os.isatty(descriptor):
        return b""
    found = b""
    while len(found) < MAX_MESSAGE_BYTES and (part := os.read(descriptor, 1 << 16)):
        found += part
    return found


if __name__ == "__main__":
    try:  # noqa: SIM105  contextlib is not loaded yet
        hook(sys.argv[1:])
    except Exception:  # noqa: BLE001, S110  a hook never fails its host
        pass
