"""Write down every change that a process makes below one directory, in order, without strace."""

from __future__ import annotations

import os
import pickle
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tacit import fsio

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

# The name of the call, then its arguments; paths are relative to the directory, descriptors stay numbers.
Event = tuple[Any, ...]

# Files whose bytes nobody relies on.
_NO_MATTER = (".local/lock", ".local/lock.turnstile")
_TWO_PATHS = ("rename", "link")
_ONE_PATH = ("unlink", "mkdir", "rmdir")


class Recorder:
    """Appends events to a file at once, so that they survive the death of the process.

    It wraps what `os` holds at that moment: a failpoint that is set up later stands before the recorder and kills
    before the change is made or written down.
    """

    def __init__(self, root: Path, file: Path) -> None:
        self._root = os.fspath(root)
        self._file = file
        self._write = os.write
        self._log = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._ours: set[int] = set()

    def ack(self) -> None:
        """Note that an operation was acknowledged."""
        self._note("ack")

    def events(self) -> list[Event]:
        """Return what was written down so far, by whichever process."""
        found: list[Event] = []
        with self._file.open("rb") as file:
            while True:
                try:
                    found.append(pickle.load(file))  # noqa: S301  our own file
                except EOFError:
                    return found

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Write down the changes that this process makes from here on."""
        names = ("open", "close", "write", "pwrite", "fsync", "sync", "ftruncate", *_TWO_PATHS, *_ONE_PATH)
        real = {name: getattr(os, name) for name in names}
        swap = fsio._swap()
        try:
            watched = (
                ("open", self._watch_open(real["open"])),
                ("close", self._watch_close(real["close"])),
                ("sync", self._watch_sync(real["sync"])),
            )
            for name, function in watched:
                setattr(os, name, function)
            for name in ("write", "pwrite", "ftruncate", "fsync"):
                setattr(os, name, self._watch_descriptor(name, real[name]))
            for name in (*_TWO_PATHS, *_ONE_PATH):
                setattr(os, name, self._watch_paths(name, real[name], 2 if name in _TWO_PATHS else 1))
            fsio._swap_call[:] = [swap and self._watch_paths("exchange", swap, 2)]
            yield
        finally:
            for name, function in real.items():
                setattr(os, name, function)
            fsio._swap_call[:] = [swap]

    def _note(self, *event: object) -> None:
        self._write(self._log, pickle.dumps(event))

    def _inside(self, path: str | bytes | os.PathLike[str]) -> str | None:
        """Return `path` relative to the directory, `.` for itself, None if it is elsewhere or no matter."""
        name = os.path.relpath(os.path.abspath(os.fsdecode(path)), self._root)  # noqa: PTH100  may be bytes
        return None if name.startswith("..") or name in _NO_MATTER else name

    def _watch_open(self, real: Callable[..., int]) -> Callable[..., int]:
        def watched(path: Any, flags: int, *rest: Any, **named: Any) -> int:  # noqa: ANN401  as os.open
            name = self._inside(path)
            new = name is not None and bool(flags & os.O_CREAT) and not os.path.lexists(path)
            descriptor = real(path, flags, *rest, **named)
            if name is not None:
                self._ours.add(descriptor)
                self._note("open", descriptor, name, new, bool(flags & os.O_TRUNC))
            return descriptor

        return watched

    def _watch_close(self, real: Callable[[int], None]) -> Callable[[int], None]:
        def watched(descriptor: int) -> None:
            self._ours.discard(descriptor)
            real(descriptor)

        return watched

    def _watch_descriptor(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def watched(descriptor: int, *rest: Any) -> Any:  # noqa: ANN401  stands in for several functions
            if descriptor not in self._ours:
                return real(descriptor, *rest)
            where = os.lseek(descriptor, 0, os.SEEK_CUR) if name == "write" else 0
            done = real(descriptor, *rest)
            match name:
                case "write" | "pwrite":
                    self._note("write", descriptor, rest[1] if name == "pwrite" else where, bytes(rest[0])[:done])
                case _:
                    self._note(name, descriptor, *rest)
            return done

        return watched

    def _watch_paths(self, name: str, real: Callable[..., Any], count: int) -> Callable[..., Any]:
        def watched(*arguments: Any, **named: Any) -> None:  # noqa: ANN401  stands in for several functions
            real(*arguments, **named)
            inside = [self._inside(path) for path in arguments[:count]]
            if None not in inside:
                self._note(name, *inside)

        return watched

    def _watch_sync(self, real: Callable[[], None]) -> Callable[[], None]:
        def watched() -> None:
            real()
            self._note("sync")

        return watched
