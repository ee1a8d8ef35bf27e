"""A disk that refuses: stands in for `os` inside fsio, counts every change of the disk and lets chosen ones fail."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tacit import fsio

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

_CHANGING = frozenset(
    {"fchmod", "fsync", "ftruncate", "link", "mkdir", "open", "pwrite", "rename", "rmdir", "sync", "unlink", "write"}
)


class Disk:
    """Fails with `code` at the change number `at`, and with `lasting` at every later one too. 0 fails never."""

    def __init__(self, at: int = 0, code: int = 0, *, lasting: bool = False) -> None:
        self.changes = 0
        self.failed: list[str] = []
        self._at = at
        self._code = code
        self._lasting = lasting

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  stands in for a module
        real = getattr(os, name)
        return self._watched(name, real) if name in _CHANGING else real

    def use(self, monkeypatch: pytest.MonkeyPatch) -> Disk:
        """Put this disk under fsio until the test ends or `monkeypatch` is undone."""
        swap = fsio._swap()
        assert swap is not None
        watched = self._watched("exchange", swap)
        monkeypatch.setattr(fsio, "os", self)
        monkeypatch.setattr(fsio, "_swap", lambda: watched)
        return self

    def _watched(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401  stands in for many functions
            if name != "open" or arguments[1] & (os.O_WRONLY | os.O_RDWR):
                self._step(name, arguments[0])
            return real(*arguments, **named)

        return call

    def _step(self, name: str, what: object) -> None:
        self.changes += 1
        if self._at and (self.changes == self._at or (self._lasting and self.changes > self._at)):
            self.failed.append(name)
            place = os.fspath(what) if isinstance(what, str | os.PathLike) else None
            raise OSError(self._code, os.strerror(self._code), place)
