"""The way to the daemon: where its socket is, how messages are framed, how it is started on demand.

Loaded for every prompt that a person types, by `hooks/script.py`: on that way nothing is imported but what Python
itself has loaded anyway, and `_socket`. Even `os` takes a fifth of the time of an empty Python.

A message is eight hexadecimal digits, the length of what follows, and then fields separated by NUL bytes; the last
field is the rest, whatever it holds: `verb NUL … NUL body`.
"""

from __future__ import annotations

import sys
import time  # Python has loaded it anyway

try:
    import posix
except ImportError:  # Windows, where there is no daemon
    import os as posix  # type: ignore[no-redef]

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
# Hosts give a hook ten seconds, and tell the user of one that takes longer.
_HOOK_S = 9.0
# Whoever waited in vain leaves a mark: for so long hooks do without the daemon, and nobody waits at every prompt.
_REST_S = 60.0
_MAX_SOCKET_PATH = 100
_PRIVATE = 0o077
_KIND, _DIRECTORY = 0o170000, 0o040000


def directory() -> str:
    """Return where the daemon's socket lives: private to the user, made if it is missing; empty if it cannot be."""
    own = _variable("TACIT_RUNTIME_DIR")
    home = _variable("TACIT_HOME")
    if not own and home:
        own = f"{home}/run"
    if not own:
        runtime = _variable("XDG_RUNTIME_DIR")
        own = f"{runtime}/tacit" if runtime else f"/tmp/tacit-{posix.getuid()}"  # noqa: S108  checked below to be ours alone
    try:
        found = _made(own)
    except OSError:
        return ""
    is_directory = found.st_mode & _KIND == _DIRECTORY
    is_private = found.st_uid == posix.getuid() and not found.st_mode & _PRIVATE
    return own if is_directory and is_private else ""


def address() -> str:
    """Return the path of the socket of the daemon that runs this very code; empty where there can be none."""
    place = directory()
    code = posix.stat(f"{__file__.rpartition('/')[0]}/__init__.py")
    path = f"{place}/d{PROTOCOL}-{code.st_ino:x}-{code.st_mtime_ns:x}.sock"
    return path if place and len(_bytes(path)) <= _MAX_SOCKET_PATH else ""


def ask(*fields: bytes, timeout_s: float = _ANSWER_S, hurried: bool = False) -> bytes | None:
    """Return the daemon's answer, None if there is none: no daemon, a dead one, or one that takes too long.

    Who is `hurried` does not ask one that took too long a moment ago.
    """
    path = address() if hasattr(posix, "fork") else ""
    mark = f"{path.rpartition('/')[0]}/hung"
    if not path or (hurried and _is_young(mark)):
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
    except TimeoutError:
        _touch(mark)
        return None
    except (OSError, ValueError):
        return None
    finally:
        connection.close()


def _is_young(mark: str) -> bool:
    try:
        return abs(time.time() - posix.stat(mark).st_mtime) < _REST_S
    except OSError:
        return False


def _touch(mark: str) -> None:
    try:
        posix.close(posix.open(mark, posix.O_WRONLY | posix.O_CREAT, 0o600))
        posix.utime(mark)
    except OSError:  # then the next one waits too
        return


def framed(*fields: bytes) -> bytes:
    """Return a message; only its last field may hold NUL bytes."""
    body = b"\0".join(fields)
    return b"%08x" % len(body) + body


def start(*arguments: str) -> None:
    """Start a daemon in the background, owned by nobody's terminal; whoever starts second finds the place taken."""
    if hasattr(posix, "fork") and address():
        words = [sys.executable, "-P", "-m", "tacit.daemon", *arguments]
        behind(lambda: posix.execv(sys.executable, words))


def follow(place: str) -> None:
    """Let a daemon make the vectors that the bank at a place lacks; one is started if none is there."""
    if ask(FOLLOW.encode(), place.encode(sys.getfilesystemencoding(), "surrogateescape")) is None:
        start(FOLLOW, place)


def behind(act: Callable[[], object]) -> None:
    """Do something in a process of its own, which no terminal owns and nobody waits for."""
    if posix.fork():
        return
    try:
        _let_go()
        posix.setsid()
        if posix.fork():
            posix._exit(0)
        posix.chdir("/")
        act()
    finally:
        posix._exit(1)


def hook(arguments: list[str]) -> int:
    """Answer one event of a host: through the daemon if it is there, else in a process of its own."""
    if _variable("TACIT_DISABLE"):
        return 0
    given = _read_all(0)
    end = time.monotonic() + _HOOK_S
    environment = "\n".join(f"{name}={value}" for name in ENVIRONMENT if (value := _variable(name)))
    answer = ask(b"hook", _bytes("\n".join(arguments)), _bytes(environment), given, hurried=True)
    if answer is None:
        _without_daemon(arguments, given, end)
    else:
        _say(answer)
    return 0


def _without_daemon(arguments: list[str], given: bytes, end: float) -> None:
    """Answer in this very process if the bank is as usual, else become one that loads all of it."""
    if _variable("TACIT_DRY"):
        _alone(arguments, given, end)
    answer, keep = _at_once(arguments, given)
    if keep is None:
        start()
        _alone(arguments, given, end)
        return
    _say(answer)
    _let_go()  # a host may wait until nobody can say anything more

    def rest() -> None:
        start()
        keep()

    behind(rest)


def _at_once(arguments: list[str], given: bytes) -> tuple[bytes, Callable[[], None] | None]:
    """Return the answer, and what keeps what must be kept; nothing does if the bank is not as usual."""
    import gc

    gc.disable()  # all that is made here lives as long as the process, which is not long
    sys.path.append(__file__.rpartition("/")[0].rpartition("/")[0])
    try:
        cold = __import__("tacit.hooks.cold", fromlist=["answer"])
        return cold.answer(arguments, given) or (b"", None)
    except Exception:  # noqa: BLE001  then the long way round tells what is wrong
        return b"", None


def _say(answer: bytes) -> None:
    while answer:
        answer = answer[posix.write(1, answer) :]


def _let_go() -> None:
    """Part with standard input, output and errors."""
    nothing = posix.open("/dev/null", posix.O_RDWR)
    for descriptor in (0, 1, 2):
        posix.dup2(nothing, descriptor)


def _alone(arguments: list[str], given: bytes, end: float) -> None:
    """Become the process that answers by itself until an end, with what was read on its standard input."""
    if hasattr(posix, "memfd_create"):
        descriptor = posix.memfd_create("event")
    else:
        name = f"{directory() or '/tmp'}/event-{posix.getpid()}"  # noqa: S108  removed in the same breath
        descriptor = posix.open(name, posix.O_RDWR | posix.O_CREAT | posix.O_EXCL, 0o600)
        posix.unlink(name)
    posix.write(descriptor, given)
    posix.lseek(descriptor, 0, 0)
    posix.dup2(descriptor, 0)
    import signal

    signal.setitimer(signal.ITIMER_REAL, max(1.0, end - time.monotonic()))  # it goes on in what this becomes
    posix.execv(sys.executable, [sys.executable, "-P", "-m", "tacit.hooks", *arguments])


def _variable(name: str) -> str:
    """Return a variable of the environment; empty if it is not set."""
    os = sys.modules.get("os")
    if os is not None:
        return str(os.environ.get(name, ""))  # as this process has changed it, a test say
    found = posix.environ.get(name.encode())
    return found.decode(sys.getfilesystemencoding(), "surrogateescape") if found else ""


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _made(place: str) -> posix.stat_result:
    """Return what a directory is; it is made, private, if it is missing."""
    try:
        return posix.lstat(place)
    except FileNotFoundError:
        import os

        os.makedirs(place, mode=0o700, exist_ok=True)
        return posix.lstat(place)


def _exactly(connection: object, size: int) -> bytes:
    found = b""
    while len(found) < size:
        part = connection.recv(min(1 << 16, size - len(found)))  # type: ignore[attr-defined]
        if not part:
            raise ConnectionError
        found += part
    return found


def _read_all(descriptor: int) -> bytes:
    if posix.isatty(descriptor):
        return b""
    found = b""
    while len(found) < MAX_MESSAGE_BYTES and (part := posix.read(descriptor, 1 << 16)):
        found += part
    return found


if __name__ == "__main__":  # launchers made before there was `hooks/script.py` call this file
    try:  # noqa: SIM105  contextlib is not loaded yet
        hook(sys.argv[1:])
    except Exception:  # noqa: BLE001, S110  a hook never fails its host
        pass
